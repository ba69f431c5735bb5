"""The values that a model was shown, one by one, each with where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from corpora.jsonl import encode_text
from corpora.values import Json
from scoring.judging.texts import Source

Where = Literal["state", "user", "tool"]


class Leaf(NamedTuple):
    """One value that the model was shown, and where."""

    where: Where
    message: int | None
    """Its place among the messages; None in the state."""
    path: str | None
    value: Json
    source: Source


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Every value of a JSON tree that is no container, with its path; nothing for null."""
    match value:
        case dict():
            for key, item in value.items():
                yield from leaves(item, f"{path}.{key}" if path else str(key))
        case list() | tuple():
            for index, item in enumerate(value):
                yield from leaves(item, f"{path}[{index}]")
        case None:
            return
        case _:
            yield path, value


def json_leaves(where: Where, message: int | None, value: Json) -> Iterator[Leaf]:
    """A JSON tree as what it shows."""
    for path, leaf in leaves(value):
        yield leaf_of(where, message, path, leaf)


def leaf_of(where: Where, message: int | None, path: str, value: Json) -> Leaf:
    """One value of a JSON tree, by its path there."""
    return Leaf(where, message, path or None, value, Source(value if isinstance(value, str) else encode_text(value)))
