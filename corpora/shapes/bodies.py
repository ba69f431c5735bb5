"""A response body as bytes to the object in it: what may stand round it, and why it cannot be read."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from corpora.jsonl import BOM
from corpora.records import Malformed
from corpora.shapes.nodes import Node, Unreadable, mark_lone

_DONE = b"data: [DONE]"


class Body(NamedTuple):
    """The object of a body, and what was seen on the way to it."""

    node: Node
    flags: tuple[str, ...] = ()


class NoReply(Exception):
    """A body that cannot be read: `kind` is how; `cut`, its end is missing; `foreign`, it is no JSON object at all."""

    def __init__(self, kind: Malformed, *, cut: bool = False, foreign: bool = False) -> None:
        self.kind = kind
        self.cut = cut
        self.foreign = foreign
        super().__init__(kind)


def open_body(data: bytes) -> Body:
    """The object in a body. Raises NoReply where there is none."""
    flags = []
    if data.startswith(BOM):
        flags.append("bom")
        data = data[len(BOM) :]
    data = data.strip(b" \t\r\n")
    if data.startswith(b"{") and data.endswith(_DONE):
        flags.append("sse-terminator")
        data = data.removesuffix(_DONE).rstrip()
    _is_utf8(data)
    node = Node(mark_lone(data))
    try:
        fields = node.fields()
    except Unreadable as error:
        cut = isinstance(error, msgspec.DecodeError) and "truncated" in str(error)
        raise NoReply("not-json", cut=cut, foreign=not node.is_object) from error
    if not node.is_object:
        raise NoReply("not-json", foreign=True)
    if fields.keys() & {"data"} and not fields.keys() & {"choices", "error"} and fields["data"].is_object:
        return Body(fields["data"], (*flags, "envelope"))
    return Body(node, tuple(flags))


def _is_utf8(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise NoReply("not-utf8", foreign=not data.startswith(b"{")) from error
