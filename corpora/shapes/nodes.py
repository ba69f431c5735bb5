"""A JSON value that still knows its exact text: what an endpoint emitted is never written anew.

Every level is decoded only when it is asked for, and what lies below it stays bytes. So an object sent as arguments
keeps its layout, order, duplicate keys and long numbers, and a lone surrogate in one string harms no other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from corpora.values import Json

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_items = msgspec.json.Decoder(list[msgspec.Raw])
_string = msgspec.json.Decoder(str)
_any = msgspec.json.Decoder()

_MARK = "\ufdd0"
"""A character that no text may hold (Unicode, section 23.7). Before one is decoded it takes the place of the backslash
of a lone surrogate's escape, which no decoder here accepts, and afterwards it gives the place back."""

_HAS_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_LONE = re.compile(
    rb"(?<!\\)((?:\\\\)*)"  # an even number of backslashes
    rb"(?:(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\(u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)
_MARKED_TEXT = re.compile(f"{_MARK}(?=u[dD][89a-fA-F][0-9a-fA-F]{{2}})")
_MARKED_JSON = re.compile(rb"\\ufdd0(?=u[dD][89a-fA-F][0-9a-fA-F]{2})")

Unreadable = (msgspec.DecodeError, RecursionError, UnicodeError)
"""What reading hostile bytes as JSON raises."""


class Text(NamedTuple):
    """A string, and whether JSON escapes stand in it for what cannot stand in UTF-8."""

    value: str
    escaped: bool


class Node:
    """One JSON value. An accessor of another kind than the value's gives what is empty: hostile input has no types."""

    __slots__ = ("_below", "raw")

    def __init__(self, raw: bytes | memoryview | msgspec.Raw) -> None:
        self.raw = bytes(raw).strip(b" \t\r\n")
        self._below: dict[str, msgspec.Raw] | None = None

    def __bool__(self) -> bool:
        return bool(self.raw)

    @property
    def is_object(self) -> bool:
        """Whether it is an object."""
        return self.raw[:1] == b"{"

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return self.raw[:1] == b"["

    @property
    def is_string(self) -> bool:
        """Whether it is a string."""
        return self.raw[:1] == b'"'

    @property
    def is_null(self) -> bool:
        """Whether it is null, or not there at all."""
        return self.raw in (b"null", b"")

    def fields(self) -> dict[str, Node]:
        """The fields of an object; of equal names the last. Empty for anything else."""
        return {name: Node(raw) for name, raw in self._opened().items()}

    def _opened(self) -> dict[str, msgspec.Raw]:
        """The fields as bytes, decoded once however many are asked for."""
        if self._below is None:
            self._below = _fields.decode(self.raw) if self.is_object else {}
        return self._below

    def items(self) -> list[Node]:
        """The items of an array, empty for anything else."""
        return [Node(raw) for raw in _items.decode(self.raw)] if self.is_array else []

    def get(self, *path: str) -> Node:
        """The node below these names; an empty one where there is none."""
        node = self
        for name in path:
            node = node.find(name) or ABSENT
        return node

    def find(self, name: str) -> Node | None:
        """The node of one field; None where there is none."""
        raw = (self._below or self._opened()).get(name)
        return None if raw is None else Node(raw)

    def text(self) -> Text | None:
        """The string, or None where it is none."""
        if not self.is_string:
            return None
        value = _string.decode(self.raw)
        given_back = _MARKED_TEXT.sub(r"\\", value) if _MARK in value else value
        return Text(given_back, escaped=given_back != value)

    def string(self) -> str | None:
        """The string without the note on escapes."""
        if not self.is_string:
            return None
        value = _string.decode(self.raw)
        return _MARKED_TEXT.sub(r"\\", value) if _MARK in value else value

    def integer(self) -> int | None:
        """A whole number that is not negative (a count), or None."""
        value = self.value() if self.raw[:1].isdigit() else None
        return value if isinstance(value, int) else None

    def value(self) -> Json:
        """The decoded value; None where it cannot be decoded."""
        try:
            return _any.decode(self.raw)
        except Unreadable:
            return None

    def exact(self) -> str:
        """The JSON text as it stood in the body."""
        return unmark(self.raw).decode()


ABSENT = Node(b"")


def needs_a_close_look(data: bytes) -> bool:
    """Whether JSON text may hold a lone surrogate's escape, or a mark: it has an escape, or the mark itself."""
    return b"\\u" in data or _MARK.encode() in data


def mark_lone(raw: bytes) -> bytes:
    """JSON text that every decoder here accepts: the backslash of each lone surrogate's escape became a mark."""
    if not _HAS_SURROGATE.search(raw):
        return raw
    return _LONE.sub(lambda match: match[1] + (match[2] or b"\\ufdd0" + match[3]), raw)


def unmark(raw: bytes) -> bytes:
    """JSON text as it was before `mark_lone`."""
    return _MARKED_JSON.sub(rb"\\", raw) if b"\\ufdd0" in raw else raw
