"""A bounded memory of answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")

_MEMO_SIZE = 8_000


class Memo:
    """A bounded memory of answers: when it is full it is emptied, which costs time and never changes an answer."""

    def __init__(self, size: int = _MEMO_SIZE) -> None:
        self._size = size
        self._known: dict[object, object] = {}

    def get(self, key: object, make: Callable[[], _T]) -> _T:
        """The answer for a key, made at the first time."""
        found = self._known.get(key)
        if found is None:
            found = make()
            if len(self._known) >= self._size:
                self._known.clear()
            self._known[key] = found
        return found  # type: ignore[return-value]  # a key is used with one maker
