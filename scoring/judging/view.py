"""All that a model was shown as one text, so that one search tells where a value stands, or that it stands nowhere.

A leaf, its path and its place are made for what was found. Between two leaves stands what no token goes across.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from corpora.values import Json
from scoring.judging.leaves import Leaf, Where, json_leaves, leaf_of
from scoring.judging.texts import Source

SEPARATOR = "\n\x00\n"
"""A blank for what may stand at the start of a text, round a character that is part of no token."""
_MARK = "\x00"
_SCALARS = frozenset({str, int, float, bool})


class Tree(NamedTuple):
    """JSON that was shown: a state, or a tool's result."""

    where: Where
    message: int | None
    value: Json


class View:
    """Leaves and trees in the order in which they were shown."""

    __slots__ = ("_leaves", "_objects", "_others", "_parts", "_results", "clear", "mixed", "source", "values")

    def __init__(self, parts: Sequence[Leaf | Tree]) -> None:
        self._parts = parts
        self._leaves: list[Leaf] | None = None
        self.values: list[Json] = []
        """The value of each leaf."""
        self._others: list[int] | None = None
        self._objects: list[dict[str, Json]] = []
        self._results: list[dict[str, Json]] = []
        for part in parts:
            _gather((part.value,), self.values, self._objects if part.where == "state" else self._results)
        texts = self.values
        self.mixed = False
        """Some of the leaves are no texts."""
        try:
            joined = SEPARATOR.join(texts)
        except TypeError:
            self.mixed = True
            texts = [value if type(value) is str or isinstance(value, str) else "" for value in texts]
            joined = SEPARATOR.join(texts)
        # A text may hold the separator itself: then no place in the joined one says which leaf it is.
        self.clear = _MARK not in (joined if len(texts) == 1 else "".join(texts))
        alone = parts[0] if len(parts) == 1 and not self.mixed else None
        self.source = alone.source if type(alone) is Leaf else Source(joined)
        """The texts, with nothing where a leaf is none."""

    def names(self) -> Iterator[Collection[object]]:
        """The names in the state, object by object: texts, but where a program shows an object of its own."""
        for part in self._parts:
            if part.where == "state" and type(part) is Leaf:
                yield (part.path or "",)
        yield from self._objects

    def may_name(self, name: str) -> bool:
        """False where a quick look says that no value of this name was shown, whatever the case."""
        if any(type(part) is Leaf for part in self._parts):
            return True
        keys = chain.from_iterable((*self._objects, *self._results))
        return name.casefold() in "\n".join(map(str, keys)).casefold()

    @property
    def others(self) -> list[int]:
        """Which leaves are no texts."""
        if self._others is None:
            self._others = [number for number, value in enumerate(self.values) if not isinstance(value, str)]
        return self._others

    @property
    def leaves(self) -> list[Leaf]:
        """Every leaf."""
        if self._leaves is None:
            self._leaves = [leaf for part in self._parts for leaf in _leaves(part)]
        return self._leaves

    def crosses(self, start: int, end: int) -> bool:
        """Whether a piece of the joined text holds any of what stands between two leaves: its blanks are texts too."""
        return len(self.values) > 1 and self.source.text.find(_MARK, max(0, start - 1), end + 1) >= 0

    def leaf_at(self, place: int) -> tuple[int, int]:
        """The number of the leaf that a place in the joined text belongs to, and where it begins there."""
        if len(self.values) == 1:
            return 0, 0
        text = self.source.text
        before = text.rfind(_MARK, 0, place)
        return (0, 0) if before < 0 else (text.count(_MARK, 0, place), before + 2)

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
                    return leaf_of(part.where, part.message, *found)
                left = found
        raise IndexError(number)


def _leaves(part: Leaf | Tree) -> Iterator[Leaf]:
    return iter((part,)) if type(part) is Leaf else json_leaves(*part)


def _gather(items: Collection[Json], values: list[Json], objects: list[dict[str, Json]]) -> None:
    """The values of the leaves of trees in their order, and the objects they stand in."""
    if _SCALARS.issuperset(map(type, items)):
        values.extend(items)
        return
    for item in items:
        kind = type(item)
        if kind in _SCALARS:
            values.append(item)
        elif kind is dict or isinstance(item, dict):
            objects.append(item)
            _gather(item.values(), values, objects)
        elif isinstance(item, (list, tuple)):
            _gather(item, values, objects)
        elif item is not None:
            values.append(item)


def _nth(value: Json, left: int, path: str) -> tuple[str, Json] | int:
    """The leaf before which so many stand in a tree, with its path; or how many are left where there are fewer."""
    names: Iterable[object]
    items: Collection[Json]
    if isinstance(value, dict):
        names, items = value, value.values()
    elif isinstance(value, (list, tuple)):
        names, items = range(len(value)), value
    elif value is None:
        return left
    else:
        return (path, value) if left == 0 else left - 1
    skipped = 0
    if _SCALARS.issuperset(map(type, items)):
        if left >= len(items):
            return left - len(items)
        skipped, left = left, 0
    for key, item in islice(zip(names, items, strict=True), skipped, None):
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
