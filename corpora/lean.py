"""What scoring reads of a record, and nothing else: a line is decoded in a third of the time and memory.

Fields have the names and meaning that they have in corpora.records; what is not named here is passed over.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from corpora.errors import BadInput
from corpora.records import Record, Source, Status, WireType
from corpora.values import Json, JsonObject


class LeanCall(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A call as scoring reads it."""

    turn: int = 0
    index: int = 0
    name: str | None = None
    arguments: str | None = None
    wire_type: WireType = "string"
    source: Source = "tool_calls"


class LeanEffect(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the stub answered, which the model was shown from the next turn on."""

    turn: int = 0
    index: int = 0
    tool: str = ""
    answer: Json = None
    stored: Json = None


class LeanTurn(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A model turn without its body."""

    text: str | None = None
    finish_reason: str | None = None
    response_id: str | None = None


_effects = msgspec.json.Decoder(tuple[LeanEffect, ...])


class LeanRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A record without bodies, attempts, usage and times."""

    v: Literal[1] = 1
    corpus: str
    corpus_sha256: str
    fixture_id: str
    sample: int
    status: Status
    malformed: str | None = None
    text: str | None = None
    calls: tuple[LeanCall, ...] = ()
    written_effects: msgspec.Raw = msgspec.field(default=msgspec.Raw(b"[]"), name="effects")
    """As they stand in the line: few samples are asked for them."""
    flags: tuple[str, ...] = ()
    request_model: str = ""
    response_models: tuple[str, ...] = ()
    system_fingerprints: tuple[str, ...] = ()
    api: str = ""
    base_url: str = ""
    system_sha256: str = ""
    tools_sha256: str = ""
    temperature: float | None = None
    params: JsonObject = {}
    turns: tuple[LeanTurn, ...] = ()
    run_id: str = ""

    @property
    def effects(self) -> tuple[LeanEffect, ...]:
        """What the stub answered. Raises BadInput where the line holds something else there."""
        try:
            return _effects.decode(self.written_effects)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise BadInput(f"these are no effects: {error}", field="effects") from error


Sample: TypeAlias = Record | LeanRecord
"""A record, whole or lean: scoring reads both."""
