"""Which call each piece of a streamed answer belongs to, however little a server says of it."""

from __future__ import annotations

from typing import TypeVar

import msgspec

_T = TypeVar("_T")


class _Place(msgspec.Struct, gc=False):
    """What the pieces of one call said of it so far."""

    index: int | None
    id: str | None = None
    name: str | None = None
    begun: bool = False
    """Whether it has arguments already."""


class Places:
    """Tells pieces by their index, else their id, else they go on with the last call."""

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._touched: set[int] = set()
        self._by_index: dict[int, int] = {}
        self._by_id: dict[tuple[int | None, str], int] = {}

    def next_delta(self) -> None:
        """The pieces from now on stand in another event: two of one event that name a tool are never one call."""
        self._touched.clear()

    def of(self, index: int | None, call_id: str | None, name: str | None, *, arguments: bool) -> int:
        """The number of the call that a piece belongs to, which is a new one where it goes on with none.

        `arguments`: whether the piece has some.
        """
        at = self._known(index, call_id)
        if at is None or self._is_other(at, call_id, name):
            at = len(self._places)
            self._places.append(_Place(index))
        place = self._places[at]
        place.id, place.name, place.begun = place.id or call_id, place.name or name, place.begun or arguments
        if index is not None:
            self._by_index[index] = at
        if call_id:
            self._by_id[index, call_id] = self._by_id[None, call_id] = at
        self._touched.add(at)
        return at

    def _known(self, index: int | None, call_id: str | None) -> int | None:
        """The last call that fits: with the same index and id, or where one says no id with the same index."""
        if call_id and (index, call_id) in self._by_id:
            return self._by_id[index, call_id]
        if index is not None:
            return self._by_index.get(index)
        return len(self._places) - 1 if self._places and not call_id else None

    def _is_other(self, at: int, call_id: str | None, name: str | None) -> bool:
        """Whether a piece begins another call than the one that fits. Some servers say the name with every piece."""
        place = self._places[at]
        if call_id and place.id and place.id != call_id:
            return True
        return bool(name) and place.begun and (place.name != name or at in self._touched)

    def ordered(self, calls: list[_T]) -> list[_T]:
        """The calls, which are numbered as they came, by their index where all have one."""
        indices = [place.index for place in self._places]
        if None in indices:
            return calls
        return [calls[at] for at in sorted(range(len(calls)), key=lambda at: indices[at] or 0)]
