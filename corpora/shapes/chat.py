"""A reply of the OpenAI chat completions API, and of the many servers that speak it.

Source: https://platform.openai.com/docs/api-reference/chat/object
"""

from __future__ import annotations

import msgspec

from corpora.shapes.answers import Answer, Emitted, emitted, is_ghost, joined
from corpora.shapes.finish import is_refusal, whole_reply
from corpora.shapes.nodes import ABSENT, Node, Text


def is_reply(body: Node) -> bool:
    """Whether an object claims to be a chat completion."""
    return body.get("choices").is_array


def read(body: Node) -> Answer:
    """A chat completion. Raises what `nodes.Unreadable` names where the body is no JSON all through."""
    choices = body.get("choices").items()
    choice = choices[0] if choices else ABSENT
    message = choice.get("message")
    listed = [_call(item) for item in message.get("tool_calls").items()] or _legacy(message.get("function_call"))
    calls = [call for call in listed if not is_ghost(call)]
    reason = choice.get("finish_reason").string()
    refusal = message.get("refusal").text()
    words = _content(message.get("content"))
    said = words if words and words.value else (refusal or words)
    flags = {
        "refusal": bool(refusal and refusal.value) or (is_refusal(reason) and not calls),
        "ghost-call": len(calls) < len(listed),
        "several-choices": len(choices) > 1,
        "lone-surrogate": bool(said and said.escaped),
    }
    answer = Answer(
        text=said.value if said else None,
        calls=tuple(calls),
        finish_reason=reason,
        response_id=body.get("id").string(),
        model=body.get("model").string(),
        fingerprint=body.get("system_fingerprint").string(),
        input_tokens=body.get("usage", "prompt_tokens").integer(),
        output_tokens=body.get("usage", "completion_tokens").integer(),
        flags=tuple(name for name, holds in flags.items() if holds),
    )
    return msgspec.structs.replace(answer, malformed=whole_reply(answer) if choices else "no-choices")


def _call(item: Node) -> Emitted:
    function = item.get("function")
    return emitted(
        function.fields().get("arguments"),
        call_id=item.get("id").string(),
        name=function.get("name").string(),
        source="tool_calls",
    )


def _legacy(function: Node) -> list[Emitted]:
    if not function.is_object:
        return []
    name = function.get("name").string()
    return [emitted(function.fields().get("arguments"), call_id=None, name=name, source="function_call")]


def _content(content: Node) -> Text | None:
    """The words: a string, or the text parts of a list."""
    if not content.is_array:
        return content.text()
    return joined([part.text() or part.get("text").text() for part in content.items()])
