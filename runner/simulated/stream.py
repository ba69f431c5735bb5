"""A reply as a stream of server-sent events, piece by piece, as the chat completions API sends it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corpora.values import Json, JsonObject

_PIECE = 12


def events(reply: JsonObject, *, usage: bool) -> Iterator[bytes]:
    """The events of a whole reply, each with its blank line, the last one `[DONE]`."""
    choice = reply["choices"][0]
    for delta in _deltas(choice["message"]):
        yield _event(reply, [{"index": 0, "delta": delta, "finish_reason": None}])
    yield _event(reply, [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}])
    if usage:
        yield _event(reply, [], usage=reply["usage"])
    yield b"data: [DONE]\n\n"


def _event(reply: JsonObject, choices: list[JsonObject], **more: Json) -> bytes:
    kept = {name: reply[name] for name in ("id", "created", "model", "system_fingerprint")}
    return (
        b"data: "
        + msgspec.json.encode({**kept, "object": "chat.completion.chunk", "choices": choices, **more})
        + b"\n\n"
    )


def _deltas(message: JsonObject) -> Iterator[JsonObject]:
    yield {"role": "assistant", "content": None if message["content"] is None else ""}
    for piece in _pieces(message["content"] or ""):
        yield {"content": piece}
    for index, call in enumerate(message.get("tool_calls", ())):
        function = call["function"]
        opening = {"name": function["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": opening}]}
        for piece in _pieces(function["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _pieces(text: str) -> Iterator[str]:
    for begin in range(0, len(text), _PIECE):
        yield text[begin : begin + _PIECE]
