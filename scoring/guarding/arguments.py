"""The arguments of a call at call time: a raw text as the scorer reads it, or what a framework made of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import msgspec

from corpora.values import Json, JsonObject
from scoring.judging.arguments import Parsed, parse
from scoring.judging.strict import encodable

NO_JSON = "no-json-value"
"""The flag of an argument that is an object of the program's own, and no JSON value."""


def read(arguments: object, wanted: Iterable[str] | None, *, required: bool) -> Parsed:
    """The arguments of a call as an object, or how they are malformed.

    `arguments`: the emitted text (str or UTF-8 bytes), or a mapping that was made of it. Of a mapping only the keys
    `wanted` are taken (None: all); one that is no JSON value is left out, which `unreadable` tells.
    """
    if isinstance(arguments, (bytes, bytearray, memoryview)):
        try:
            arguments = bytes(arguments).decode()
        except UnicodeDecodeError:
            return Parsed(None, "not-utf8")
    if isinstance(arguments, str):
        return _read_text(arguments, required=required)
    if isinstance(arguments, Mapping):
        return _read_mapping(arguments, wanted)
    return parse(None, "null", required=required) if arguments is None else Parsed(None, "not-object")


def _read_text(text: str, *, required: bool) -> Parsed:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return Parsed(None, "not-utf8")
    return parse(text, "string", required=required)


def _read_mapping(arguments: Mapping[object, object], wanted: Iterable[str] | None) -> Parsed:
    names = wanted if wanted is not None else [name for name in arguments if isinstance(name, str)]
    found: JsonObject = {}
    for name in names:
        if name in arguments:
            try:
                found[name] = plain(arguments[name])
            except NotJson:
                if wanted is not None:
                    raise
            except NotFinite:
                return Parsed(None, "non-standard-constant")
    return Parsed(found, None)


class NotJson(Exception):
    """A value is an object of the program's own."""


class NotFinite(Exception):
    """NaN or an infinity."""


def plain(value: object) -> Json:
    """A value of a program as JSON: an enum member is its value, a date its ISO text, a model its fields.

    Raises NotJson and NotFinite.
    """
    kind = type(value)
    if kind is str:
        return encodable(value)
    if kind is int or kind is bool or value is None:
        return value
    try:
        found = msgspec.to_builtins(value, str_keys=True, enc_hook=_model)
    except Exception as error:  # whatever an object of the program does when it is looked at
        raise NotJson(f"{kind.__name__} is no JSON value") from error
    return _finite(found)


def _model(value: object) -> object:
    """A text of a kind of its own as its text, a Pydantic model as its fields; msgspec refuses anything else."""
    if isinstance(value, str):
        return str.__str__(value)
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise NotImplementedError
    return dump(mode="json")


def _finite(value: Json) -> Json:
    match value:
        case float() if not math.isfinite(value):
            raise NotFinite
        case str():
            return encodable(value)
        case dict():
            return {encodable(key): _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
    return value
