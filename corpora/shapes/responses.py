"""A reply of the OpenAI responses API. Source: https://platform.openai.com/docs/api-reference/responses/object."""

from __future__ import annotations

from corpora.shapes.answers import Answer, Emitted, emitted, joined
from corpora.shapes.finish import settled
from corpora.shapes.nodes import Node


def is_reply(body: Node) -> bool:
    """Whether an object claims to be a response."""
    return body.get("output").is_array


def read(body: Node) -> Answer:
    """A response: its messages and function calls; reasoning items are not speech."""
    items = body.get("output").items()
    parts = [part for item in items if _type(item) == "message" for part in item.get("content").items()]
    answer = Answer(
        finish_reason=_finish(body),
        response_id=body.get("id").string(),
        model=body.get("model").string(),
        input_tokens=body.get("usage", "input_tokens").integer(),
        output_tokens=body.get("usage", "output_tokens").integer(),
    )
    said = joined([part.get("text").text() for part in parts if _type(part) == "output_text"])
    refusal = joined([part.get("refusal").text() for part in parts if _type(part) == "refusal"])
    calls = [_call(item) for item in items if _type(item) in {"function_call", "custom_tool_call"}]
    return settled(answer, said, refusal, calls)


def _type(node: Node) -> str | None:
    return node.get("type").string()


def _finish(body: Node) -> str | None:
    """Why it ended: the reason of an incomplete response, else its status."""
    return body.get("incomplete_details", "reason").string() or body.get("status").string()


def _call(item: Node) -> Emitted:
    fields = item.fields()
    return emitted(
        fields.get("arguments", fields.get("input")),
        call_id=item.get("call_id").string(),
        name=item.get("name").string(),
        source="tool_calls",
    )
