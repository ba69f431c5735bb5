"""Fixtures and canned traces: stored conversations, and stored answers with the verdict they must get."""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.values import Json, JsonObject

Role = Literal["system", "user", "assistant", "tool"]


class FunctionText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The function of an earlier tool call, its arguments a JSON text."""

    name: str
    arguments: str


class EarlierCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool call that stands in the stored conversation already."""

    id: str
    function: FunctionText
    type: Literal["function"] = "function"


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One message, in the shape of the chat completions API; other APIs are written from it."""

    role: Role
    content: str | None
    tool_calls: tuple[EarlierCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """A stored conversation, replayed unchanged against whatever model is current.

    `visible`, `hidden`: facts by argument name. `poisoned`, `negated`: argument name -> values. `returns`: tool name
    -> what the stub answers in this fixture. `true_code` answers the first membership probe; `truth` any probe.
    """

    id: str
    stratum: str
    messages: tuple[Message, ...]
    true_code: str | None = None
    truth: JsonObject = {}
    must_call: str | None = None
    visible: JsonObject = {}
    hidden: JsonObject = {}
    poisoned: dict[str, tuple[Json, ...]] = {}
    negated: dict[str, tuple[Json, ...]] = {}
    returns: JsonObject = {}
    note: str | None = None
    # Set by the loader, refused in a file:
    sha256: str
    """Of the line as it was written."""
    line: int
    """Where it stands in fixtures.jsonl, from 1; 0 where a world made it."""


SET_BY_LOADER = frozenset({"sha256", "line"})
FIXTURE_FIELDS = frozenset(Fixture.__struct_fields__) - SET_BY_LOADER


class CannedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stored tool call; `arguments` is an object, or the emitted string where its exact text matters.

    `arguments` left out means that the reply had none.
    """

    name: str | None = None
    arguments: JsonObject | str | msgspec.UnsetType | None = msgspec.UNSET


class Trace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stored answer: words, calls, or both."""

    text: str | None = None
    tool_call: CannedCall | None = None
    tool_calls: tuple[CannedCall, ...] = ()
    finish_reason: str | None = None

    @property
    def calls(self) -> tuple[CannedCall, ...]:
        """Its calls, however they were written."""
        return ((self.tool_call,) if self.tool_call else ()) + self.tool_calls


class CannedTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stored answer to a fixture with the verdict it must get: the scorer's own test.

    `expect`: argument, or `argument:measure` -> a label, or an object of verdict fields.
    """

    fixture: str
    trace: Trace
    expect: dict[str, str | JsonObject]
    note: str | None = None
    # Set by the loader, refused in a file:
    line: int = 0
    """Where it stands in canned.jsonl, from 1."""
