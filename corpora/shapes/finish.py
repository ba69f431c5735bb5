"""A reply made whole: which of its parts are words and calls, and what its end says of it."""

from __future__ import annotations

import msgspec

from corpora.records import Malformed
from corpora.shapes.answers import Answer, Emitted, is_ghost
from corpora.shapes.nodes import Text
from corpora.shapes.speech import Speech, spoken

TRUNCATED = frozenset(
    {"length", "max_tokens", "max_output_tokens", "model_context_window_exceeded", "model_length", "incomplete"}
)
"""Spellings of: the limit of tokens came before the end. `incomplete` is a response that does not say why it is."""


_SILENCE = Speech("")


def is_truncated(reason: str | None) -> bool:
    """Whether the model was cut off."""
    return reason is not None and reason.lower() in TRUNCATED


def is_upstream_malformed(reason: str | None) -> bool:
    """Whether the service says that the model emitted a call which it could not use."""
    return reason is not None and "malformed_function_call" in reason.lower()


def is_refusal(reason: str | None) -> bool:
    """Whether the service says that the model refused."""
    return reason in {"refusal", "content_filter"}


def settled(answer: Answer, said: Text | None, refusal: Text | None, listed: list[Emitted]) -> Answer:
    """An answer with its words and calls put in: thoughts left out of the words, entries that say nothing of the calls.

    `refusal`: the words of a field of its own; they are the words where no others are.
    """
    calls = tuple([call for call in listed if not is_ghost(call)])
    speech = spoken(said.value) if said else _SILENCE
    refused = (refusal is not None and refusal.value != "") or (is_refusal(answer.finish_reason) and not calls)
    text = speech.words if said else None
    flags = answer.flags
    if refused:
        flags += ("refusal",)
    if len(calls) < len(listed):
        flags += ("ghost-call",)
    if (said is not None and said.escaped) or (refusal is not None and refusal.escaped):
        flags += ("lone-surrogate",)
    whole = msgspec.structs.replace(
        answer, text=text or (refusal.value if refusal else text), calls=calls, flags=flags + speech.flags
    )
    malformed = answer.malformed or whole_reply(whole)
    return whole if malformed is None else msgspec.structs.replace(whole, malformed=malformed)


def whole_reply(answer: Answer) -> Malformed | None:
    """How a reply as a whole is no valid answer, first that holds; a cut-off call is malformed by itself.

    An empty reply is malformed only where tokens were reported for it: something was generated and is not here.
    """
    if is_upstream_malformed(answer.finish_reason):
        return "upstream-malformed"
    if answer.calls:
        return None
    if is_truncated(answer.finish_reason):
        return "truncated"
    silent = not (answer.text or "").strip() and "refusal" not in answer.flags
    return "empty-message" if silent and answer.output_tokens else None


def at_limit(answer: Answer, max_tokens: int | None) -> Answer:
    """An answer that used every token it was allowed: it was cut off, also where its finish reason says otherwise.

    Its calls are judged by themselves: what was cut in the middle of one does not parse.
    """
    spent = max_tokens is not None and (answer.output_tokens or 0) >= max_tokens
    if not spent or is_truncated(answer.finish_reason):
        return answer
    malformed = answer.malformed or (None if answer.calls else "truncated")
    return msgspec.structs.replace(answer, malformed=malformed, flags=(*answer.flags, "token-limit-reached"))
