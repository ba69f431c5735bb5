"""A streamed response: its last event holds it whole.

Source: https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.shapes.nodes import ABSENT, Node, unmark
from corpora.shapes.sse import DONE, RESPONSE_ENDS, Assembled, Event, node


def assemble(stream: Iterable[Event]) -> Assembled:
    """The response of a stream. Raises what `nodes.Unreadable` names where an event is no JSON."""
    first_call: int | None = None
    last: Node = ABSENT
    for event in stream:
        if not event.data.strip() or event.data.strip() == DONE:
            continue
        said = node(event)
        kind = said.get("type").string() or ""
        if first_call is None and _is_call(kind, said):
            first_call = event.start
        if kind in RESPONSE_ENDS:
            return Assembled(unmark(said.get("response").raw), True, first_call)
        if kind == "error" or said.get("error").is_object:
            return Assembled(unmark(said.raw), True, first_call)
        last = said.get("response") or last
    return Assembled(unmark(last.raw), False, first_call)


def _is_call(kind: str, said: Node) -> bool:
    started = kind == "response.output_item.added" and said.get("item", "type").string() == "function_call"
    return started or kind.startswith("response.function_call_arguments")
