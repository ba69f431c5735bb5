"""A reply of the OpenAI chat completions API, and of the many servers that speak it.

Source: https://platform.openai.com/docs/api-reference/chat/object
"""

from __future__ import annotations

from corpora.shapes.answers import Answer, Emitted, emitted, joined
from corpora.shapes.finish import settled
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
    usage = body.get("usage")
    answer = Answer(
        finish_reason=choice.get("finish_reason").string(),
        response_id=body.get("id").string(),
        model=body.get("model").string(),
        fingerprint=body.get("system_fingerprint").string(),
        input_tokens=usage.get("prompt_tokens").integer(),
        output_tokens=usage.get("completion_tokens").integer(),
        flags=("several-choices",) if len(choices) > 1 else (),
        malformed=None if choices else "no-choices",
    )
    return settled(answer, _content(message.get("content")), message.get("refusal").text(), listed)


def _call(item: Node) -> Emitted:
    function = item.get("function")
    return emitted(
        function.find("arguments"),
        call_id=item.get("id").string(),
        name=function.get("name").string(),
        source="tool_calls",
    )


def _legacy(function: Node) -> list[Emitted]:
    if not function.is_object:
        return []
    name = function.get("name").string()
    return [emitted(function.find("arguments"), call_id=None, name=name, source="function_call")]


def _content(content: Node) -> Text | None:
    """The words: a string, or the text parts of a list."""
    if not content.is_array:
        return content.text()
    return joined([part.text() or part.get("text").text() for part in content.items()])
