"""A reply inside another record: a request with its response, a line of a batch, a row of a proxy's spend log.

The request is never read for calls: the tools in it are definitions, and the calls in its messages are history that
was counted with the record in which they were the answer.
"""

from __future__ import annotations

import msgspec

from corpora.shapes.stored import Inner, Stored, is_cut, maybe_json, when
from corpora.values import Json, JsonObject

NAMES = ("response", "response_body", "responseBody", "completion", "raw_response")


def read_wrapped(record: JsonObject, inner: Inner) -> Stored | None:
    """The response of a record, with the record's time and what it says of a cache."""
    name = next((name for name in NAMES if name in record), None)
    if name is None:
        return None
    if is_cut(record[name]):
        return Stored(shape="pair", at=when(record), skipped=("truncated",))
    body = _unwrapped(maybe_json(record[name]))
    if body is None:
        return Stored(shape="pair", at=when(record))
    found = inner(body)
    if found is None:
        return None
    at = when(record)
    return msgspec.structs.replace(
        found,
        shape=f"pair of {found.shape}",
        at=found.at if at is None else at,
        flags=(*found.flags, "cache-hit") if says_yes(record.get("cache_hit")) else found.flags,
    )


def _unwrapped(response: Json) -> Json:
    """The body in a response that is stored with its status; None where there was no answer."""
    if isinstance(response, dict) and "body" in response:
        return maybe_json(response["body"])
    return response


def says_yes(value: Json) -> bool:
    """Whether a field that may be a word says yes."""
    return value is True or (isinstance(value, str) and value.strip().lower() in {"true", "t", "1", "yes"})
