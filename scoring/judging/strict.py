"""Strict JSON (RFC 8259) and nothing kinder: no constant that it does not have, no key twice.

Values that this project cannot write back (infinite numbers, endless digits) are kept as their text.
"""

from __future__ import annotations

import json
import re

import msgspec

from corpora.values import Json, JsonObject

_flat = msgspec.json.Decoder(dict[str, str | int | float | bool | None]).decode
_DIGITS = 300
"""A number of so many digits is kept as its text: other readers could not hold it."""
_NotFlat = (msgspec.DecodeError, RecursionError, UnicodeError)


class Constant(ValueError):
    """NaN or Infinity, which JSON does not have."""


class Duplicate(ValueError):
    """One key twice in an object: readers disagree which one counts."""


def plain_object(text: str) -> JsonObject | None:
    """The object in a text that is plainly strict JSON; None says nothing. Six times cheaper than to look closely.

    Only flat objects of text, numbers, booleans and null, in which every pair of quotes is a key or a value: a key that
    stood twice, or a quote that was escaped, would leave more of them than there are keys and values.
    """
    if "\\" in text and '\\"' in text:
        return None
    try:
        value = _flat(text)
    except _NotFlat:
        return None
    kinds = [type(item) for item in value.values()]
    if text.count('"') != 2 * (len(kinds) + kinds.count(str)):
        return None
    return value if len(text) < _DIGITS or not _ENDLESS.search(text) else None


_ENDLESS = re.compile(r"\d{300}")


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Duplicate
    return found


def _constant(name: str) -> Json:
    raise Constant(name)


def _integer(digits: str) -> Json:
    return int(digits) if len(digits) < _DIGITS else digits


def _real(text: str) -> Json:
    value = float(text)
    return text if value in (float("inf"), float("-inf")) else value


decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_real, strict=True
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(text: str) -> Json:
    """Any value that is strict JSON. Raises Constant, Duplicate, ValueError or RecursionError."""
    return encodable(decoder.decode(text)) if "\\u" in text else decoder.decode(text)


def encodable(value: Json) -> Json:
    """A lone surrogate becomes the six characters of its escape, since no UTF-8 file can hold it."""
    match value:
        case str():
            return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", value)
        case list():
            return [encodable(item) for item in value]
        case dict():
            return {encodable(key): encodable(item) for key, item in value.items()}
    return value


def is_object(text: str) -> bool:
    """Whether a text is one strict JSON object."""
    try:
        return isinstance(decoder.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def holds_object(value: Json) -> bool:
    """A JSON string whose own text is a JSON object."""
    return isinstance(value, str) and is_object(value)
