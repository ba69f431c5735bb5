"""A bounded memory of answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")

_MEMO_SIZE = 8_000


class Memo(Generic[_T]):
    """A bounded memory of answers: when it is full it is emptied, which costs time and never changes an answer."""

    def __init__(self, size: int = _MEMO_SIZE) -> None:
        self._size = size
        self.known: dict[object, _T] = {}
        """What is remembered: to be looked into where a call would cost too much."""

    def get(self, key: object, make: Callable[[], _T]) -> _T:
        """The answer for a key, made at the first time."""
        found = self.known.get(key)
        if found is None:
            found = make()
            self.keep(key, found)
        return found

    def keep(self, key: object, answer: _T) -> None:
        """Remember an answer."""
        if len(self.known) >= self._size:
            self.known.clear()
        self.known[key] = answer
