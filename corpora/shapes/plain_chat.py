"""A chat completion of the usual form, decoded in one go: a third of the time of opening it level by level.

Nearly every answer has this form. What has any other, or holds a JSON escape or a mark that needs a close look, is left
to `chat`: None says nothing, and where there is an answer it is the one that `chat` gives.
"""

from __future__ import annotations

import msgspec

from corpora.shapes.answers import Answer, Emitted
from corpora.shapes.finish import settled
from corpora.shapes.nodes import Text, Unreadable, needs_a_close_look


class _Function(msgspec.Struct, gc=False):
    arguments: msgspec.Raw
    name: str | None = None


class _Call(msgspec.Struct, gc=False):
    function: _Function
    id: str | None = None


class _Message(msgspec.Struct, gc=False):
    content: str | None = None
    tool_calls: list[_Call] | None = None
    refusal: None = None
    function_call: None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    def are_counts(self) -> bool:
        """Whether both are counts, where they are there; a nought may have been written as -0, which is none."""
        return (self.prompt_tokens is None or self.prompt_tokens > 0) and (
            self.completion_tokens is None or self.completion_tokens > 0
        )


class _Reply(msgspec.Struct, gc=False):
    choices: list[_Choice]
    id: str | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    usage: _Usage | None = None
    object: str | None = None
    type: str | None = None
    error: None = None


_decode = msgspec.json.Decoder(_Reply).decode
_string = msgspec.json.Decoder(str).decode
_NONE = _Usage()


def read(data: bytes) -> Answer | None:
    """The answer in a body that is plainly one choice with words, or with calls whose arguments are strings."""
    if needs_a_close_look(data):
        return None
    data = data.strip(b" \t\r\n")
    try:
        reply = _decode(data)
        data.decode()  # what the decoder passed over may be no UTF-8
        usage = reply.usage or _NONE
        if len(reply.choices) != 1 or reply.object == "error" or reply.type == "error" or not usage.are_counts():
            return None
        choice = reply.choices[0]
        listed = [_emitted(call) for call in choice.message.tool_calls or ()]
    except Unreadable:
        return None
    answer = Answer(
        finish_reason=choice.finish_reason,
        response_id=reply.id,
        model=reply.model,
        fingerprint=reply.system_fingerprint,
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        raw=data,
    )
    said = choice.message.content
    return settled(answer, None if said is None else Text(said, escaped=False), None, listed)


def _emitted(call: _Call) -> Emitted:
    """A call; raises what `Unreadable` names where its arguments are no string."""
    name, raw = call.function.name, bytes(call.function.arguments)
    return Emitted(
        id=call.id,
        name=name,
        arguments=_string(raw),
        wire_type="string",
        source="tool_calls",
        malformed=None if (name or "").strip() else "tool-name",
        raw=raw,
    )
