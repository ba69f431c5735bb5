"""A stream of server-sent events as bytes, to the data of its events; and JSON text put together from their pieces.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from corpora.jsonl import BOM
from corpora.shapes.nodes import Node, Unreadable, mark_lone, unmark

DONE = b"[DONE]"
_encode = msgspec.json.Encoder().encode
_LINE_END = re.compile(rb"\r\n|\n|\r")
_FIELD = re.compile(rb"(?:data|event|id|retry)?:")
_DATA = re.compile(rb"(?:\A|[\r\n])data:")
RESPONSE_ENDS = frozenset(f"response.{how}" for how in ("completed", "incomplete", "failed", "cancelled"))
"""Types of the last event of a streamed response."""


class Event(NamedTuple):
    """One event that carries data."""

    data: bytes
    start: int
    """The byte of the stream at which it began."""


class Assembled(NamedTuple):
    """One body put together from a stream."""

    body: bytes
    complete: bool
    """False where the stream broke off."""
    first_call: int | None = None
    """The byte of the stream at which the first piece of a call began."""


def is_stream(data: bytes) -> bool:
    """Whether a body is a stream of events and no JSON."""
    begins = _FIELD.match(data.removeprefix(BOM).lstrip(b" \t\r\n"))
    return begins is not None and _DATA.search(data) is not None


def has_end(data: bytes) -> bool:
    """Whether a stream holds one of the events that end one; a text in it may hold the same words."""
    return any(_is_end(event) for event in events(data))


def _is_end(event: Event) -> bool:
    if event.data.strip() == DONE:
        return True
    try:
        kind = node(event).get("type").string()
    except Unreadable:
        return False
    return kind == "message_stop" or kind in RESPONSE_ENDS


def events(data: bytes) -> Iterator[Event]:
    """The events of a stream. One whose end is missing counts too: nothing that was received is left out."""
    lines: list[bytes] = []
    start = at = len(BOM) if data.startswith(BOM) else 0
    while at <= len(data):
        end = _LINE_END.search(data, at)
        line = data[at : end.start() if end else len(data)]
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line and lines:
            yield Event(b"\n".join(lines), start)
            lines = []
        at = end.end() if end else len(data) + 1
        if not lines:
            start = at
    if lines:
        yield Event(b"\n".join(lines), start)


def node(event: Event) -> Node:
    """The object of an event. Raises what `nodes.Unreadable` names when it is looked into."""
    return Node(mark_lone(event.data))


class Pieces:
    """A JSON string that arrives in pieces: exact texts are joined, so that no escape is read before it is whole."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, piece: Node) -> None:
        """One more piece; what is no string is none."""
        if piece.is_string:
            self._parts.append(unmark(piece.raw[1:-1]))
            self._size += len(self._parts[-1])

    def are(self, piece: Node) -> bool:
        """Whether a piece says again what all of them say together: joined only where it is as long as they are."""
        said = unmark(piece.raw[1:-1])
        return bool(self._parts) and len(said) == self._size and said == b"".join(self._parts)

    def __bool__(self) -> bool:
        return bool(self._parts)

    def raw(self) -> bytes:
        """The string as JSON; null where no piece came."""
        return b'"' + b"".join(self._parts) + b'"' if self._parts else b"null"


def write_object(fields: Iterable[tuple[str, bytes | Node]]) -> bytes:
    """A JSON object from exact texts; what is not there is left out."""
    exact = ((name, unmark(value.raw) if isinstance(value, Node) else value) for name, value in fields)
    return b"{" + b",".join(b"%s:%s" % (_encode(name), raw) for name, raw in exact if raw) + b"}"


def write_array(items: Iterable[bytes]) -> bytes:
    """A JSON array from exact texts."""
    return b"[" + b",".join(items) + b"]"
