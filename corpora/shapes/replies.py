"""Stored replies of the APIs themselves, and single messages: read by the shapes that the endpoints read by."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.jsonl import encode
from corpora.shapes import chat, messages, responses
from corpora.shapes.nodes import Node
from corpora.shapes.stored import Inner, Stored, StoredCall, maybe_json, of_answer, stored_call, when
from corpora.values import Json, JsonObject


def _node(value: Json) -> Node:
    return Node(encode(value))


def read_chat(record: JsonObject, _: Inner) -> Stored | None:
    """A chat completion: `choices`, each with a `message`."""
    choices = record.get("choices")
    if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
        return None
    if any("message" not in choice for choice in choices):
        return None
    calls = (call for choice in choices for call in of_message(choice["message"]))
    return Stored(shape="openai-chat", calls=tuple(calls), at=when(record))


def of_message(message: Json) -> tuple[StoredCall, ...]:
    """The calls of one chat message."""
    return of_answer(chat.read(_node({"choices": [{"message": message}]})))


_OTHERS = ("user", "system", "developer", "tool", "function")


def read_message(record: JsonObject, _: Inner) -> Stored | None:
    """One chat message: of the assistant with its calls, of anybody else without."""
    if not {"tool_calls", "function_call", "content"} & record.keys():
        return None
    if record.get("role") in _OTHERS:
        return Stored(shape="openai-message", at=when(record))
    if record.get("role") != "assistant":
        return None
    if isinstance(record.get("content"), list) and "tool_calls" not in record:
        return None
    return Stored(shape="openai-message", calls=of_message(record), at=when(record))


ANSWERS = ("output", "outputs", "result")
"""Fields that hold the answer to the messages beside them."""


def read_conversation(record: JsonObject, inner: Inner) -> Stored | None:
    """A list of messages. Where it is a request, what came before its last answer was counted with its own record."""
    listed = record.get("messages")
    if not isinstance(listed, list) or not listed or not all(isinstance(message, dict) for message in listed):
        return None
    answer = next((maybe_json(record[name]) for name in ANSWERS if name in record), None)
    if answer is not None:
        found = [one for item in (answer if isinstance(answer, list) else [answer]) if (one := inner(item)) is not None]
        calls = tuple(call for one in found for call in one.calls)
        return Stored(shape="openai-messages and answer", calls=calls, at=when(record))
    said = [message for message in listed if message.get("role") == "assistant"]
    if "model" in record:
        said = said[-1:]
    calls = tuple(call for message in said for call in (*of_message(message), *_blocks(message)))
    return Stored(shape="openai-messages", calls=calls, at=when(record))


def _blocks(message: JsonObject) -> tuple[StoredCall, ...]:
    """Calls that stand as blocks in the content of a message."""
    if not isinstance(message.get("content"), list):
        return ()
    return _tool_uses(message["content"])


def _tool_uses(blocks: list[Json]) -> tuple[StoredCall, ...]:
    return (*of_answer(messages.read(_node({"content": blocks}))), *_parts(blocks))


def _parts(blocks: list[Json]) -> Iterator[StoredCall]:
    """Calls as parts of other frameworks' messages: `tool-call` of the AI SDK, `tool_call` of LangChain and others."""
    for block in blocks:
        if isinstance(block, dict) and block.get("type") in ("tool-call", "tool_call"):
            arguments = next((block[name] for name in ("input", "args", "arguments") if name in block), None)
            yield stored_call(
                block.get("toolName", block.get("name")), arguments, block.get("toolCallId", block.get("id"))
            )


def read_response(record: JsonObject, _: Inner) -> Stored | None:
    """A response of the responses API: `output`, a list of typed items."""
    output = record.get("output")
    if not isinstance(output, list) or not all(isinstance(item, dict) and "type" in item for item in output):
        return None
    if record.get("object") != "response" and not output:
        return None
    return Stored(shape="openai-responses", calls=of_answer(responses.read(_node(record))), at=when(record))


def read_anthropic(record: JsonObject, _: Inner) -> Stored | None:
    """A message of the messages API: `content`, a list of typed blocks."""
    content = record.get("content")
    if not isinstance(content, list) or record.get("role", "assistant") != "assistant":
        return None
    if not all(isinstance(block, dict) and "type" in block for block in content):
        return None
    return Stored(shape="anthropic-messages", calls=_tool_uses(content), at=when(record))


def read_own(record: JsonObject, _: Inner) -> Stored | None:
    """A line of this project's own results."""
    calls = record.get("calls")
    if "fixture_id" not in record or "corpus" not in record or not isinstance(calls, list):
        return None
    found = (
        stored_call(call.get("name"), call.get("arguments"), call.get("id"))
        for call in calls
        if isinstance(call, dict) and call.get("source") != "content"
    )
    return Stored(shape="assumeprobe-results", calls=tuple(found), at=when(record))
