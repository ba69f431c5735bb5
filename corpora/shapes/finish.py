"""What the reason for which a model stopped says of its reply."""

from __future__ import annotations

from corpora.records import Malformed
from corpora.shapes.answers import Answer

TRUNCATED = frozenset({"length", "max_tokens", "max_output_tokens", "model_context_window_exceeded", "model_length"})
"""Spellings of: the limit of tokens came before the end."""


def is_truncated(reason: str | None) -> bool:
    """Whether the model was cut off."""
    return reason is not None and reason.lower() in TRUNCATED


def is_upstream_malformed(reason: str | None) -> bool:
    """Whether the service says that the model emitted a call which it could not use."""
    return reason is not None and "malformed_function_call" in reason.lower()


def is_refusal(reason: str | None) -> bool:
    """Whether the service says that the model refused."""
    return reason in {"refusal", "content_filter"}


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
