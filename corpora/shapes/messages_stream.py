"""A streamed message put together into the body that would have come at once.

Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from corpora.shapes.messages import PARTIAL
from corpora.shapes.nodes import ABSENT, Node, unmark
from corpora.shapes.sse import Assembled, Event, Pieces, node, write_array, write_object


class _Block:
    """One content block: how it started, and the pieces of each of its texts."""

    def __init__(self, start: Node) -> None:
        self.start = start
        self.pieces: dict[str, Pieces] = {}

    def add(self, delta: Node) -> None:
        """Take a piece of the block."""
        for name in ("text", "thinking", "signature", PARTIAL):
            if delta.get(name).is_string and delta.get(name).string():
                self.pieces.setdefault(name, Pieces()).add(delta.get(name))

    def raw(self) -> bytes:
        """The block; its first text stands in its start, and there it is empty."""
        kept = [(name, value) for name, value in self.start.fields().items() if name not in self.pieces]
        return write_object([*kept, *((name, pieces.raw()) for name, pieces in self.pieces.items())])


class _Whole:
    def __init__(self) -> None:
        self.message: dict[str, Node] = {}
        self.usage: dict[str, Node] = {}
        self.blocks: list[tuple[int, _Block]] = []
        """With their index; one that starts where another did is another one."""
        self.open: dict[int, _Block] = {}
        """The last one that started at an index."""
        self.error: Node = ABSENT
        self.stopped = False

    def add(self, said: Node) -> bool:
        """Take one event in; whether it carried a piece of a call."""
        match said.get("type").string():
            case "message_start":
                self.message = dict(said.get("message").fields())
                self.usage = dict(said.get("message", "usage").fields())
            case "content_block_start":
                block = said.get("content_block")
                self._start(said, block)
                return block.get("type").string() == "tool_use"
            case "content_block_delta":
                started = self.open.get(said.get("index").integer() or 0) or self._start(said, ABSENT)
                started.add(said.get("delta"))
            case "message_delta":
                self.message |= said.get("delta").fields()
                self.usage |= said.get("usage").fields()
            case "message_stop":
                self.stopped = True
            case "error":
                self.error = said
            case None if not said.get("error").is_null:  # of a gateway that speaks another API
                self.error = said
        return False

    def _start(self, said: Node, start: Node) -> _Block:
        index, block = said.get("index").integer() or 0, _Block(start)
        self.blocks.append((index, block))
        self.open[index] = block
        return block

    def body(self) -> bytes:
        """The message so far, as a server would have given it whole; or the error alone."""
        if self.error:
            return unmark(self.error.raw)
        blocks = write_array(block.raw() for _, block in sorted(self.blocks, key=itemgetter(0)))
        kept = [(name, value) for name, value in self.message.items() if name not in {"content", "usage"}]
        return write_object([*kept, ("content", blocks), ("usage", write_object(self.usage.items()))])


def assemble(stream: Iterable[Event]) -> Assembled:
    """The message of a stream. Raises what `nodes.Unreadable` names where an event is no JSON."""
    whole = _Whole()
    first_call = None
    for event in stream:
        if event.data.strip() and whole.add(node(event)) and first_call is None:
            first_call = event.start
    ended = whole.stopped or not whole.message.get("stop_reason", ABSENT).is_null
    return Assembled(whole.body(), ended or bool(whole.error), first_call)
