"""The Anthropic messages API. Source: https://docs.anthropic.com/en/api/messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from corpora.corpus import Tool
from corpora.fixtures import Message
from corpora.shapes import messages, messages_stream
from corpora.shapes.answers import Answer, Emitted
from corpora.shapes.nodes import Node, Unreadable, mark_lone, unmark
from corpora.shapes.sse import Assembled, Event
from corpora.values import Json, JsonObject
from runner.endpoints.base import ChatRequest, Said, encoded
from runner.endpoints.openai_chat import ids_of

VERSION = "2023-06-01"
_CHOICES = {"auto": {"type": "auto"}, "required": {"type": "any"}, "none": {"type": "none"}}


class AnthropicMessages:
    """Messages."""

    name = "anthropic-messages"
    path = "/v1/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        """The version of the API, and the key in a field of its own."""
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def body(self, request: ChatRequest) -> bytes:
        """The request; what is not set is not sent."""
        system = [request.system, *(m.content or "" for m in request.messages if m.role == "system")]
        settings = {
            "system": "\n\n".join(text for text in system if text) or None,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "tools": [_tool(tool) for tool in request.tools] or None,
            "tool_choice": _tool_choice(request),
            "stream": True if request.stream else None,
        }
        spoken = list(_alternating(_messages(request)))
        return encoded({"model": request.model, "messages": spoken}, settings, request)

    def assemble(self, stream: Iterable[Event]) -> Assembled:
        """A stream put together."""
        return messages_stream.assemble(stream)

    def plainly(self, _: bytes, /) -> Answer | None:
        """Every body gets the close look."""
        return None

    def is_reply(self, body: Node) -> bool:
        """It has a list of content blocks."""
        return messages.is_reply(body)

    def read(self, body: Node) -> Answer:
        """Its text and tool_use blocks."""
        return messages.read(body)


def _messages(request: ChatRequest) -> Iterator[tuple[str, list[Json]]]:
    for message in request.messages:
        if message.role == "tool":
            yield "user", [_result(message.tool_call_id or "", message.content or "")]
        elif message.role != "system":
            yield message.role, _blocks(message)
    for said in request.said:
        yield "assistant", list(_said(said))
        yield "user", [_result(id_, answer) for id_, answer in zip(ids_of(said.calls), said.answers, strict=True)]


def _alternating(turns: Iterator[tuple[str, list[Json]]]) -> Iterator[JsonObject]:
    """Neighbours of one role as one message: several results belong into one."""
    last: JsonObject | None = None
    for role, blocks in turns:
        if last is not None and last["role"] == role:
            last["content"] += blocks
            continue
        if last is not None:
            yield last
        last = {"role": role, "content": blocks}
    if last is not None:
        yield last


def _blocks(message: Message) -> list[Json]:
    words: list[Json] = [{"type": "text", "text": message.content}] if message.content else []
    return words + [_use(call.id, call.function.name, call.function.arguments.encode()) for call in message.tool_calls]


def _said(said: Said) -> Iterator[Json]:
    """The blocks of a turn, unchanged: thinking comes back signed; calls with the exact text of their input."""
    calls = iter(zip(said.calls, ids_of(said.calls), strict=True))
    for block in Node(mark_lone(said.raw)).get("content").items():
        if block.get("type").string() == "tool_use":
            call, call_id = next(calls, (None, ""))
            if call is not None:
                yield _use(call_id, call.name or "", _input(call))
        else:
            yield msgspec.Raw(unmark(block.raw))


def _input(call: Emitted) -> bytes:
    return call.raw or b"{}"


def _use(call_id: str, name: str, arguments: bytes) -> JsonObject:
    """A tool_use block; arguments that are no object cannot stand in one, and go as the text that they are."""
    value: Json = msgspec.Raw(arguments) if _is_object(arguments) else arguments.decode("utf-8", "replace")
    return {"type": "tool_use", "id": call_id, "name": name, "input": value}


def _is_object(text: bytes) -> bool:
    node = Node(mark_lone(text))
    try:
        node.fields()
    except Unreadable:
        return False
    return node.is_object


def _result(call_id: str, answer: str) -> JsonObject:
    return {"type": "tool_result", "tool_use_id": call_id, "content": answer}


def _tool(tool: Tool) -> JsonObject:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _tool_choice(request: ChatRequest) -> JsonObject | None:
    choice = request.tool_choice if request.tools else None
    if choice is None:
        return None
    return _CHOICES.get(choice, {"type": "tool", "name": choice})
