"""The emitted string of a call, parsed beside itself: a JSON object, or the way in which it is none.

The one judge of malformation: a repaired call would be a call that nobody made.
"""

from __future__ import annotations

from typing import NamedTuple

from corpora.probes import steps
from corpora.records import Malformed
from corpora.values import Json, JsonObject
from scoring.judging.broken import how_broken
from scoring.judging.strict import Constant, Duplicate, decode, holds_object, plain_object


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
        if self.value:  # nearly every one
            return None
        if not self.present:
            return "absent"
        if self.value is None:
            return "null"
        return "empty" if self.value == "" or self.value == [] else None


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
        value = decode(arguments)
    except Constant:
        return Parsed(None, "non-standard-constant")
    except Duplicate:
        return Parsed(None, "duplicate-key")
    except (ValueError, RecursionError):
        return Parsed(None, how_broken(arguments))
    if isinstance(value, dict):
        return Parsed(value, None)
    return Parsed(None, "double-encoded" if holds_object(value) else "not-object")


def extract(arguments: JsonObject, path: str) -> list[Emitted]:
    """Every value that a dotted path leads to, by its `steps`.

    A path that leads nowhere gives one Emitted that is not present; an empty array is an empty value.
    """
    return _walk(arguments, steps(path), ())


def _walk(value: Json, path: tuple[str, ...], element: tuple[int, ...]) -> list[Emitted]:
    for number, step in enumerate(path, 1):
        if step == "*":
            if not isinstance(value, list) or not value:
                return [Emitted(value, value is not None, element)]
            rest = path[number:]
            return [one for index, item in enumerate(value) for one in _walk(item, rest, (*element, index))]
        if not isinstance(value, dict) or step not in value:
            return [Emitted(None, False, element)]
        value = value[step]
    return [Emitted(value, True, element)]
