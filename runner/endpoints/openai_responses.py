"""The OpenAI responses API. Source: https://platform.openai.com/docs/api-reference/responses/create."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from corpora.corpus import Tool
from corpora.fixtures import Message
from corpora.shapes import responses, responses_stream
from corpora.shapes.answers import Answer
from corpora.shapes.nodes import Node, mark_lone, unmark
from corpora.shapes.sse import Assembled, Event
from corpora.values import Json, JsonObject
from runner.endpoints.base import ChatRequest, Said, encoded
from runner.endpoints.openai_chat import ids_of


class OpenAIResponses:
    """Responses, kept by nobody: every request carries the whole conversation."""

    name = "openai-responses"
    path = "/responses"

    def headers(self, key: str | None) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(self, request: ChatRequest) -> bytes:
        """The request; what is not set is not sent."""
        settings = {
            "instructions": request.system or None,
            "temperature": request.temperature,
            "max_output_tokens": request.max_tokens,
            "tools": [_tool(tool) for tool in request.tools] or None,
            "tool_choice": _tool_choice(request),
            "stream": True if request.stream else None,
        }
        stored = [item for message in request.messages for item in _items(message)]
        spoken = [item for said in request.said for item in _said(said)]
        return encoded({"model": request.model, "input": stored + spoken, "store": False}, settings, request)

    def assemble(self, stream: Iterable[Event]) -> Assembled:
        """A stream put together."""
        return responses_stream.assemble(stream)

    def plainly(self, _: bytes, /) -> Answer | None:
        """Every body gets the close look."""
        return None

    def is_reply(self, body: Node) -> bool:
        """It has a list of output items."""
        return responses.is_reply(body)

    def read(self, body: Node) -> Answer:
        """Its messages and function calls."""
        return responses.read(body)


def _items(message: Message) -> list[JsonObject]:
    """A stored message as the items that say the same."""
    if message.role == "tool":
        return [{"type": "function_call_output", "call_id": message.tool_call_id, "output": message.content or ""}]
    words = [{"role": message.role, "content": message.content}] if message.content else []
    calls = [
        {
            "type": "function_call",
            "call_id": call.id,
            "name": call.function.name,
            "arguments": call.function.arguments,
        }
        for call in message.tool_calls
    ]
    return [*words, *calls]


def _said(said: Said) -> list[Json]:
    """The items of a turn, unchanged: a call needs the reasoning that it came with; then what the tools answered."""
    items: list[Json] = [msgspec.Raw(unmark(item.raw)) for item in Node(mark_lone(said.raw)).get("output").items()]
    answers = [
        {"type": "function_call_output", "call_id": call_id, "output": answer}
        for call_id, answer in zip(ids_of(said.calls), said.answers, strict=True)
    ]
    return [*items, *answers]


def _tool(tool: Tool) -> JsonObject:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,
    }


def _tool_choice(request: ChatRequest) -> str | JsonObject | None:
    choice = request.tool_choice if request.tools else None
    if choice is None or choice in {"auto", "required", "none"}:
        return choice
    return {"type": "function", "name": choice}
