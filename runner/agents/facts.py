"""Facts about a reply that change no verdict by themselves: a person who reads the record should know them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.records import Call
from corpora.shapes.answers import Answer
from corpora.values import Json, JsonObject
from runner.endpoints.base import ChatRequest
from scoring.judging.names import plain_name

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_ASSUMES = re.compile(
    r"\b(?:I(?:'ll| will|'m going to| am going to)?|let me|let's) (?:assume|go with|default to|presume|take it)\b"
    r"|\b(?:assuming|defaulting to)\b",
    re.IGNORECASE,
)


def facts(
    text: str | None, calls: Sequence[Call], values: Sequence[JsonObject | None], *, spoken: bool
) -> tuple[str, ...]:
    """The flags of one turn. `values`: the arguments of each call, None where they are malformed.

    `spoken`: the reply as a whole is valid, so that one without anything in it is the model's silence.
    """
    ids = [call.id for call in calls if call.id]
    found = {
        "tool-name-normalised": any(call.name and plain_name(call.name) != call.name for call in calls),
        "duplicate-call-id": len(set(ids)) < len(ids),
        "lone-surrogate": any(call.escaped for call in calls),
        "empty-arguments": any(call.wire_type == "string" and not (call.arguments or "").strip() for call in calls),
        "html-entities": any(call.arguments and _ENTITY.search(call.arguments) for call in calls),
        "nested-json-string": any(_is_nested(value) for held in values if held for value in held.values()),
        "text-states-assumption": bool(text and _ASSUMES.search(text)),
        "empty-reply": spoken and not calls and not (text or "").strip(),
    }
    return tuple(name for name, holds in found.items() if holds)


_CHARACTERS_A_TOKEN = 12
"""No tokenizer puts so many into one, on average over a text."""
_LONG = 2000


def prompt_facts(request: ChatRequest, answer: Answer | None) -> tuple[str, ...]:
    """What the count of prompt tokens says: far fewer than the text has is a text that was cut."""
    tokens = answer.input_tokens if answer else None
    if tokens is None:
        return ()
    characters = len(request.system) + sum(len(message.content or "") for message in request.messages)
    cut = characters > _LONG and tokens * _CHARACTERS_A_TOKEN < characters
    return ("prompt-probably-truncated",) if cut else ()


def _is_nested(value: Json) -> bool:
    """Whether a value is an object that was written into a string."""
    if not isinstance(value, str) or value[:1] != "{" or value[-1:] != "}":
        return False
    try:
        return isinstance(decode_value(value), dict)
    except BadInput:
        return False
