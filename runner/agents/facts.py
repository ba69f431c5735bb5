"""Facts about a reply that change no verdict by themselves: a person who reads the record should know them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.records import Call
from corpora.values import Json, JsonObject
from scoring.judging.names import plain_name

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_ASSUMES = re.compile(
    r"\b(?:I(?:'ll| will|'m going to| am going to)?|let me|let's) (?:assume|go with|default to|presume|take it)\b"
    r"|\b(?:assuming|defaulting to)\b",
    re.IGNORECASE,
)


def facts(text: str | None, calls: Sequence[Call], values: Sequence[JsonObject | None]) -> tuple[str, ...]:
    """The flags of one turn. `values`: the arguments of each call, None where they are malformed."""
    ids = [call.id for call in calls if call.id]
    found = {
        "tool-name-normalised": any(call.name and plain_name(call.name) != call.name for call in calls),
        "duplicate-call-id": len(set(ids)) < len(ids),
        "lone-surrogate": any(call.escaped for call in calls),
        "empty-arguments": any(call.wire_type == "string" and not (call.arguments or "").strip() for call in calls),
        "html-entities": any(call.arguments and _ENTITY.search(call.arguments) for call in calls),
        "nested-json-string": any(_is_nested(value) for held in values if held for value in held.values()),
        "text-states-assumption": bool(text and _ASSUMES.search(text)),
        "empty-reply": not calls and not (text or "").strip(),
    }
    return tuple(name for name, holds in found.items() if holds)


def _is_nested(value: Json) -> bool:
    """Whether a value is an object that was written into a string."""
    if not isinstance(value, str) or value[:1] != "{" or value[-1:] != "}":
        return False
    try:
        return isinstance(decode_value(value), dict)
    except BadInput:
        return False
