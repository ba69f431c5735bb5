"""A streamed answer that was stored as the text of its events, put together into the body of an answer in one piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from corpora.shapes import chat_stream, messages_stream, responses_stream
from corpora.shapes.nodes import Unreadable
from corpora.shapes.sse import DONE, Assembled, Event, events, is_stream, node

Assemble = Callable[[Iterable[Event]], Assembled]

_BEGINS = ("data:", "event:", "id:", "retry:", ":")


def may_be_stream(text: str) -> bool:
    """A quick look: a text begins as events do."""
    return text.lstrip().startswith(_BEGINS)


def whole(text: str) -> str | None:
    """The body of a stream as JSON text; empty where the stream broke off, None where the text is none."""
    data = text.encode("utf-8", "replace")
    if not is_stream(data):
        return None
    came = list(events(data))
    try:
        assemble = _assembler(came)
        if assemble is None:
            return None
        body, complete, _ = assemble(came)
    except Unreadable:
        return ""
    return body.decode() if complete else ""


def _assembler(came: list[Event]) -> Assemble | None:
    """By the first event that says what it is a piece of; None where none does."""
    for event in came:
        said = node(event)
        if event.data.strip() == DONE or not said.is_object:
            continue
        kind = said.get("type").string() or ""
        if said.get("choices").is_array or said.get("object").string() == "chat.completion.chunk":
            return chat_stream.assemble
        if kind.startswith("response."):
            return responses_stream.assemble
        if kind.startswith(("message_", "content_block_")):
            return messages_stream.assemble
    return None
