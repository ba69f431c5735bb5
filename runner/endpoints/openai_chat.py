"""The OpenAI chat completions API.

Source: https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from corpora.corpus import Tool
from corpora.fixtures import Message
from corpora.shapes import chat, chat_stream, plain_chat
from corpora.shapes.answers import Answer, Emitted
from corpora.shapes.nodes import Node
from corpora.shapes.sse import Assembled, Event
from corpora.values import JsonObject
from runner.endpoints.base import ChatRequest, Said, encoded

_encoder = msgspec.json.Encoder()
_NULL = msgspec.Raw(b"null")


class OpenAIChat:
    """Chat completions, as OpenAI and most servers speak them."""

    name = "openai-chat"
    path = "/chat/completions"

    def __init__(self) -> None:
        self._tools: tuple[tuple[Tool, ...], msgspec.Raw] = ((), _NULL)

    def headers(self, key: str | None) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(self, request: ChatRequest) -> bytes:
        """The request; what is not set is not sent."""
        settings = {
            "tools": self._offered(request.tools) if request.tools else None,
            "temperature": request.temperature,
            "seed": request.seed,
            "max_tokens": request.max_tokens,
            "tool_choice": _tool_choice(request),
            "stream": True if request.stream else None,
            "stream_options": {"include_usage": True} if request.stream else None,
        }
        return encoded({"model": request.model, "messages": _messages(request)}, settings, request)

    def _offered(self, tools: tuple[Tool, ...]) -> msgspec.Raw:
        """The tools as JSON, which is the same for every request of a corpus."""
        if tools is not self._tools[0]:
            self._tools = tools, msgspec.Raw(_encoder.encode([_tool(tool) for tool in tools]))
        return self._tools[1]

    def assemble(self, stream: Iterable[Event]) -> Assembled:
        """A stream put together."""
        return chat_stream.assemble(stream)

    def plainly(self, data: bytes, /) -> Answer | None:
        """Decoded in one go."""
        return plain_chat.read(data)

    def is_reply(self, body: Node) -> bool:
        """It has a list of choices."""
        return chat.is_reply(body)

    def read(self, body: Node) -> Answer:
        """The first choice."""
        return chat.read(body)


def _messages(request: ChatRequest) -> list[JsonObject | Message]:
    messages: list[JsonObject | Message] = [{"role": "system", "content": request.system}] if request.system else []
    messages += request.messages  # a fixture's message has the fields of this API
    for said in request.said:
        messages += _said(said)
    return messages


def _said(said: Said) -> list[JsonObject]:
    """A turn of the model and the answers of its tools; an id that was not given or not unique gets its place."""
    ids = ids_of(said.calls)
    turn: JsonObject = {"role": "assistant", "content": said.text}
    if said.calls:
        turn["tool_calls"] = [_call(call, at) for call, at in zip(said.calls, ids, strict=True)]
    answers = [
        {"role": "tool", "tool_call_id": at, "content": answer} for at, answer in zip(ids, said.answers, strict=True)
    ]
    return [turn, *answers]


def ids_of(calls: tuple[Emitted, ...]) -> list[str]:
    """The id of each call: the given one, or where that is missing or stands twice, one made from its place."""
    given = [call.id for call in calls]
    return [
        call_id if call_id and given.count(call_id) == 1 else f"call_{place}" for place, call_id in enumerate(given)
    ]


def _call(call: Emitted, call_id: str) -> JsonObject:
    """A call with the exact JSON of its arguments: they are sent back as they came."""
    function = {"name": call.name or "", "arguments": msgspec.Raw(call.raw) if call.raw else _NULL}
    return {"id": call_id, "type": "function", "function": function}


def _tool(tool: Tool) -> JsonObject:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _tool_choice(request: ChatRequest) -> str | JsonObject | None:
    choice = request.tool_choice if request.tools else None
    if choice is None or choice in {"auto", "required", "none"}:
        return choice
    return {"type": "function", "function": {"name": choice}}
