"""What scoring reads of a record, and nothing else: a line is decoded in a third of the time and memory.

Fields have the names and meaning that they have in corpora.records; what is not named here is passed over.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from corpora.records import Record
from corpora.values import Json, JsonObject


class LeanCall(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A call as scoring reads it."""

    turn: int = 0
    index: int = 0
    name: str | None = None
    arguments: str | None = None
    wire_type: str = "string"
    source: str = "tool_calls"


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


class LeanRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A record without bodies, attempts, usage and times."""

    v: Literal[1] = 1
    corpus: str
    corpus_sha256: str
    fixture_id: str
    fixture_sha256: str
    sample: int
    status: str
    malformed: str | None = None
    text: str | None = None
    calls: tuple[LeanCall, ...] = ()
    effects: tuple[LeanEffect, ...] = ()
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


Sample: TypeAlias = Record | LeanRecord
"""A record, whole or lean: scoring reads both."""
