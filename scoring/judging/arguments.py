"""The emitted string of a call, parsed beside itself: a JSON object, or the way in which it is none.

The one judge of malformation. Strict JSON (RFC 8259) and nothing kinder: a repaired call would be a call that nobody
made. Values that this project cannot write back (infinite numbers, endless digits) are kept as their text.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from corpora.records import Malformed
from corpora.values import Json, JsonObject

_flat = msgspec.json.Decoder(dict[str, str | int | float | bool | None]).decode
_DIGITS = 300
"""A number of so many digits is kept as its text: other readers could not hold it."""
_NotFlat = (msgspec.DecodeError, RecursionError, UnicodeError)


class Parsed(NamedTuple):
    """Either the object that was sent, or the way in which the text is none."""

    value: JsonObject | None
    malformed: Malformed | None


class Emitted(NamedTuple):
    """One value that a path leads to; `element` is its place in each array on the way, `present` False where absent."""

    value: Json
    present: bool
    element: tuple[int, ...] = ()

    @property
    def emptiness(self) -> str | None:
        """absent, null or empty; None where there is a value."""
        if not self.present:
            return "absent"
        if self.value is None:
            return "null"
        return "empty" if self.value == "" or self.value == [] else None


class _Constant(ValueError):
    """NaN or Infinity, which JSON does not have."""


class _Duplicate(ValueError):
    """One key twice in an object: readers disagree which one counts."""


def parse(arguments: str | None, wire_type: str, *, required: bool) -> Parsed:
    """The arguments of a call as an object, or how they are malformed.

    `required`: the tool has required fields, so that nothing at all is no answer. A tool without may be called bare.
    """
    if arguments is None or wire_type in ("null", "absent"):
        return Parsed(None, "arguments-absent") if required else Parsed({}, None)
    if not arguments.strip():
        return Parsed(None, "empty-arguments") if required else Parsed({}, None)
    plain = plain_object(arguments)
    if plain is not None:
        return Parsed(plain, None)
    try:
        value = _strict(arguments)
    except _Constant:
        return Parsed(None, "non-standard-constant")
    except _Duplicate:
        return Parsed(None, "duplicate-key")
    except (ValueError, RecursionError):
        return Parsed(None, _how_broken(arguments))
    if isinstance(value, dict):
        return Parsed(value, None)
    return Parsed(None, "double-encoded" if _holds_object(value) else "not-object")


def extract(arguments: JsonObject, path: str) -> Iterator[Emitted]:
    """Every value that a dotted path leads to; `*` (or `[]` after a name) is every item of an array.

    A path that leads nowhere gives one Emitted that is not present; an empty array is an empty value.
    """
    return _walk(arguments, tuple(path.replace("[]", ".*").split(".")), ())


def _walk(value: Json, path: tuple[str, ...], element: tuple[int, ...]) -> Iterator[Emitted]:
    if not path:
        yield Emitted(value, True, element)
    elif path[0] == "*":
        if isinstance(value, list) and value:
            for index, item in enumerate(value):
                yield from _walk(item, path[1:], (*element, index))
        else:
            yield Emitted(value, value is not None, element)
    elif isinstance(value, dict) and path[0] in value:
        yield from _walk(value[path[0]], path[1:], element)
    else:
        yield Emitted(None, False, element)


def plain_object(text: str) -> JsonObject | None:
    """The object in a text that is plainly strict JSON; None says nothing. Six times cheaper than to look closely.

    Only flat objects of text, whole numbers, booleans and null, without an escape: then every pair of quotes is a key
    or a value, and a key that stood twice would leave more of them than there are keys and values.
    """
    if "\\" in text:
        return None
    try:
        value = _flat(text)
    except _NotFlat:
        return None
    kinds = [type(item) for item in value.values()]
    if float in kinds or text.count('"') != 2 * (len(kinds) + kinds.count(str)):
        return None
    return value if len(text) < _DIGITS or not _ENDLESS.search(text) else None


_ENDLESS = re.compile(r"\d{300}")


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Duplicate
    return found


def _constant(name: str) -> Json:
    raise _Constant(name)


def _integer(digits: str) -> Json:
    return int(digits) if len(digits) < _DIGITS else digits


def _real(text: str) -> Json:
    value = float(text)
    return text if value in (float("inf"), float("-inf")) else value


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_real, strict=True
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _strict(text: str) -> Json:
    return encodable(_decoder.decode(text)) if "\\u" in text else _decoder.decode(text)


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


def _parses(text: str) -> bool:
    try:
        return isinstance(_decoder.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def _holds_object(value: Json) -> bool:
    """A JSON string whose own text is a JSON object."""
    return isinstance(value, str) and _parses(value)


def _how_broken(text: str) -> Malformed:
    """What kind of text that is no strict JSON: the first that holds."""
    stripped = text.strip()
    if stripped.startswith("```"):
        return "fenced"
    if "<|" in stripped or stripped.startswith(("<tool_call", "[TOOL_CALLS]")):
        return "framing"
    if _object_then_more(stripped):
        return "trailing-text"
    open_ones, in_string = _left_open(stripped)
    if open_ones and not in_string and _parses(stripped + open_ones):
        return "missing-brace"
    if _python(stripped):
        return "python-literal"
    return "truncated" if (open_ones or in_string) and stripped.startswith("{") and _cut(stripped) else "not-json"


def _object_then_more(text: str) -> bool:
    try:
        value, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and end < len(text)


def _left_open(text: str) -> tuple[str, bool]:
    """The closers that are missing at the end, innermost first; and whether the text ends inside a string."""
    closers: list[str] = []
    in_string = escaped = False
    for character in text:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "{[":
            closers.append("}" if character == "{" else "]")
        elif character in "}]" and closers:
            closers.pop()
    return "".join(reversed(closers)), in_string


def _cut(text: str) -> bool:
    """The text is the beginning of an object: the decoder finds its first fault at the end, or in an open string."""
    try:
        _decoder.decode(text)
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or not text[error.pos :].strip(' \n\t\r,:-."tfnrueals\\')
    except (ValueError, RecursionError):
        return False
    return False  # pragma: no cover - only called for text that does not decode


_LONGEST_PYTHON = 100_000


def _python(text: str) -> bool:
    """A dict as Python prints it; a very long text is not read as one, since its tree would fill the memory."""
    if not text.startswith("{") or len(text) > _LONGEST_PYTHON:
        return False
    try:
        return isinstance(ast.literal_eval(text), dict)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
