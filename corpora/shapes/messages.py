"""A reply of the Anthropic messages API. Source: https://docs.anthropic.com/en/api/messages."""

from __future__ import annotations

from corpora.shapes.answers import Answer, Emitted, emitted, joined
from corpora.shapes.finish import settled
from corpora.shapes.nodes import Node, Text

PARTIAL = "partial_json"
"""Where a stream's pieces of an input are put together: as a string, since they may be no JSON."""


def is_reply(body: Node) -> bool:
    """Whether an object claims to be a message."""
    return body.get("content").is_array


def read(body: Node) -> Answer:
    """A message: its text and tool_use blocks; thinking is not speech."""
    blocks = body.get("content").items()
    answer = Answer(
        finish_reason=body.get("stop_reason").string(),
        response_id=body.get("id").string(),
        model=body.get("model").string(),
        input_tokens=_input_tokens(body.get("usage")),
        output_tokens=body.get("usage", "output_tokens").integer(),
    )
    said = joined([block.get("text").text() for block in blocks if _type(block) == "text"])
    calls = [_call(block) for block in blocks if _type(block) == "tool_use"]
    return settled(answer, said, None, calls)


def _type(node: Node) -> str | None:
    return node.get("type").string()


def _input_tokens(usage: Node) -> int | None:
    """What was read, also what came from the cache or went into it: the API counts them apart."""
    fresh = usage.get("input_tokens").integer()
    if fresh is None:
        return None
    cached = (usage.get(name).integer() or 0 for name in ("cache_read_input_tokens", "cache_creation_input_tokens"))
    return fresh + sum(cached)


def _call(block: Node) -> Emitted:
    fields = block.fields()
    call = emitted(
        fields.get("input"), call_id=block.get("id").string(), name=block.get("name").string(), source="tool_use"
    )
    pieces = fields[PARTIAL].text() if PARTIAL in fields else None
    return call if pieces is None else _from_pieces(call, pieces)


def _from_pieces(call: Emitted, pieces: Text) -> Emitted:
    return Emitted(
        id=call.id,
        name=call.name,
        arguments=pieces.value,
        escaped=pieces.escaped,
        wire_type="object",
        source="tool_use",
        malformed=call.malformed,
        raw=pieces.value.encode(),
    )
