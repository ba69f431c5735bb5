"""What one reply of a model says, whatever API carried it: words, calls, and facts about them."""

from __future__ import annotations

import msgspec

from corpora.records import Malformed, Source, WireType
from corpora.shapes.nodes import ABSENT, Node, Text, unmark


class Emitted(msgspec.Struct, frozen=True, kw_only=True):
    """One tool call as it was emitted, nothing parsed and nothing repaired."""

    id: str | None
    name: str | None
    arguments: str | None
    """The emitted string; an object's exact JSON text; None where null or absent."""
    escaped: bool = False
    wire_type: WireType
    source: Source
    malformed: Malformed | None = None
    """What the shape itself knows; the judgement of the arguments is the scorer's."""
    raw: bytes = b""
    """The exact JSON of the arguments, for sending them back unchanged."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One reply, read."""

    text: str | None = None
    """The words meant for the user: no reasoning, a refusal included."""
    calls: tuple[Emitted, ...] = ()
    finish_reason: str | None = None
    response_id: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    flags: tuple[str, ...] = ()
    malformed: Malformed | None = None
    """How the reply as a whole was no valid answer."""
    raw: bytes = b""
    """The object that was read, for an API that wants its own items back unchanged."""


def emitted(arguments: Node | None, *, call_id: str | None, name: str | None, source: Source) -> Emitted:
    """A call from the node of its arguments; None where the key is not there."""
    given = arguments or ABSENT
    text = given.text()
    wire_type: WireType = "object"
    if not given:
        wire_type = "absent"
    elif given.is_null:
        wire_type = "null"
    elif text is not None:
        wire_type = "string"
    exact = given.exact() if wire_type == "object" else None
    return Emitted(
        id=call_id,
        name=name,
        arguments=text.value if text else exact,
        escaped=text.escaped if text else False,
        wire_type=wire_type,
        source=source,
        malformed=None if (name or "").strip() else "tool-name",
        raw=unmark(given.raw),
    )


def is_ghost(call: Emitted) -> bool:
    """Whether it is an entry of a list of calls that says nothing: no id, no name, no arguments."""
    return not (call.id or call.name or call.arguments)


def joined(parts: list[Text | None]) -> Text | None:
    """The texts of several blocks as one; None where there is none."""
    there = [part for part in parts if part is not None]
    if not there:
        return None
    return Text("".join(part.value for part in there), escaped=any(part.escaped for part in there))
