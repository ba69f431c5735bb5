"""One call a line in, one decision a line out; a line that is no call is answered as well."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec

from corpora.errors import BadInput
from corpora.jsonl import encode
from corpora.values import Json
from scoring.guard import Decision, Guard
from scoring.guarding.decision import blank, refusal
from scoring.judging.strict import encodable

Stale = Callable[[str], str | None]
"""Tool -> why its sets are too old; None where they are fresh."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A line that asks."""

    tool: str
    arguments: msgspec.Raw = msgspec.Raw(b"null")
    """The emitted string, or the object that it stands for, as it was written: a key may stand twice in it."""
    id: Json = None
    shown: Json = None
    """What the model saw, for closed-world probes: a text, messages, or {messages, state}."""


_asked = msgspec.json.Decoder(Asked)
_text = msgspec.json.Decoder(str)


def answer(guard: Guard, number: int, line: bytes, stale: Stale | None = None) -> bytes:
    """The answer to one line; `number` is its place, from 1. Never raises."""
    try:
        asked = _asked.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return _written(_id_of(line), _refusal(f"line {number} asks nothing: {str(error).splitlines()[0]}"))
    return _written(asked.id, _decided(guard, asked, stale))


def _decided(guard: Guard, asked: Asked, stale: Stale | None) -> Decision:
    old = stale(asked.tool) if stale is not None else None
    if old is not None:
        return _refusal(old, asked.tool, "stale-set")
    raw = bytes(asked.arguments)
    try:
        arguments = _text.decode(raw) if raw[:1] == b'"' else None if raw == b"null" else raw
        return guard.check(asked.tool, arguments, asked.shown)
    except BadInput as error:
        return _refusal(str(error), asked.tool)


def _refusal(reason: str, tool: str = "", *flags: str) -> Decision:
    verdict = msgspec.structs.replace(blank(tool), flags=flags)
    return refusal(verdict, encodable(reason))


def _id_of(line: bytes) -> Json:
    """The id of a line that could not be read strictly, so that its answer finds the way back."""
    try:
        found = json.loads(line)
        name = found.get("id") if isinstance(found, dict) else None
        return encodable(name) if isinstance(name, str | int) else None
    except (ValueError, RecursionError):
        return None


def too_long(number: int, most_bytes: int) -> bytes:
    """The answer to a line that is longer than any call."""
    return _written(None, _refusal(f"line {number} is longer than {most_bytes} bytes; it was not read"))


def _written(name: Json, decision: Decision) -> bytes:
    return encode({"id": name, **decision.line()})
