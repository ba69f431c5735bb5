"""All that a model was shown as one text, so that one search tells where a value stands, or that it stands nowhere.

A leaf, its path and its place are made for what was found. Between two leaves stands what no token goes across.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpora.values import Json
from scoring.judging.forms import Source
from scoring.judging.leaves import Leaf, Where, json_leaves

SEPARATOR = "\n\x00\n"
"""A blank for what may stand at the start of a text, round a character that is part of no token."""


class Tree(NamedTuple):
    """JSON that was shown: a state, or a tool's result."""

    where: Where
    message: int | None
    value: Json


class View:
    """Leaves and trees in the order in which they were shown."""

    def __init__(self, parts: Sequence[Leaf | Tree]) -> None:
        self._parts = parts
        self._leaves: list[Leaf] | None = None
        self.values: list[Json] = []
        """The value of each leaf."""
        self.others: list[int] = []
        """Which leaves are no texts."""
        for part in parts:
            _gather((part.value,), self.values, self.others)
        self.source = self._joined()
        """The texts, with nothing where a leaf is none."""
        # A text may hold the separator itself: then no place in the joined one says which leaf it is.
        self.clear = "\x00" not in self.source.text or self.source.text.count("\x00") == len(self.values) - 1

    def _joined(self) -> Source:
        if len(self._parts) == 1 and type(self._parts[0]) is Leaf and not self.others:
            return self._parts[0].source
        texts = self.values
        if self.others:
            texts = texts.copy()
            for number in self.others:
                texts[number] = ""
        return Source(SEPARATOR.join(texts))

    def names(self) -> str:
        """The names in the state, a line each."""
        found: list[str] = []
        for part in self._parts:
            if part.where == "state" and type(part) is Leaf:
                found.append(part.path or "")
            elif part.where == "state":
                _names(part.value, found)
        return "\n".join(found)

    @property
    def leaves(self) -> list[Leaf]:
        """Every leaf."""
        if self._leaves is None:
            self._leaves = [leaf for part in self._parts for leaf in _leaves(part)]
        return self._leaves

    def crosses(self, start: int, end: int) -> bool:
        """Whether a piece of the joined text holds any of what stands between two leaves: its blanks are texts too."""
        return "\x00" in self.source.text[max(0, start - 1) : end + 1]

    def leaf_at(self, place: int) -> tuple[int, int]:
        """The number of the leaf that a place in the joined text belongs to, and where it begins there."""
        text = self.source.text
        before = text.rfind(SEPARATOR, 0, place)
        return (0, 0) if before < 0 else (text.count(SEPARATOR, 0, place), before + len(SEPARATOR))

    def sources(self) -> Iterator[tuple[Source, int | None]]:
        """The joined text; or each leaf's own with its number, where a place in that says not which leaf it is."""
        if self.clear:
            yield self.source, None
        else:
            yield from ((leaf.source, number) for number, leaf in enumerate(self.leaves))

    def leaf(self, number: int) -> Leaf:
        """One leaf by its number."""
        if self._leaves is not None:
            return self._leaves[number]
        left = number
        for part in self._parts:
            if type(part) is Leaf:
                if left == 0:
                    return part
                left -= 1
            else:
                found = _nth(part.value, left, "")
                if not isinstance(found, int):
                    path, value = found
                    return next(json_leaves(part.where, part.message, value))._replace(path=path or None)
                left = found
        raise IndexError(number)


def _leaves(part: Leaf | Tree) -> Iterator[Leaf]:
    return iter((part,)) if type(part) is Leaf else json_leaves(*part)


def _gather(items: Iterable[Json], values: list[Json], others: list[int]) -> None:
    """The values of the leaves of trees in their order, and which of them are no texts."""
    for item in items:
        kind = type(item)
        if kind is str:
            values.append(item)
        elif kind is dict or isinstance(item, dict):
            _gather(item.values(), values, others)
        elif kind is list or isinstance(item, list) or isinstance(item, tuple):  # noqa: SIM101 - half the time
            _gather(item, values, others)
        elif item is not None:
            if not isinstance(item, str):
                others.append(len(values))
            values.append(item)


def _names(value: Json, found: list[str]) -> None:
    if isinstance(value, dict):
        found.extend(map(str, value))
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        if type(item) is not str:
            _names(item, found)


def _nth(value: Json, left: int, path: str) -> tuple[str, Json] | int:
    """The leaf before which so many stand in a tree, with its path; or how many are left where there are fewer."""
    items: Iterable[tuple[object, Json]]
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    elif value is None:
        return left
    else:
        return (path, value) if left == 0 else left - 1
    for key, item in items:
        kind = type(item)
        if left and (kind is str or kind is int or kind is float or kind is bool):
            left -= 1
        elif item is not None:
            step = f"{path}[{key}]" if not isinstance(value, dict) else f"{path}.{key}" if path else str(key)
            found = _nth(item, left, step)
            if not isinstance(found, int):
                return found
            left = found
    return left
