"""When a window of a server's quota ends: between two moments, as far as its answers tell.

A reset in whole seconds may have been rounded up, down or to the nearest: alone it leaves two seconds open. What is
seen says more: an answer with more left than the answer before means that the quota became whole between the two.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

_DRIFT = 0.001
"""The part of a window by which the server's clock and ours may come apart in it."""


class Span(NamedTuple):
    """Between two moments, or as long as between two lengths; in seconds."""

    earliest: float
    latest: float

    @property
    def width_s(self) -> float:
        """How much it leaves open."""
        return self.latest - self.earliest

    def both(self, other: Span | None) -> Span | None:
        """What lies in both; None where nothing does."""
        if other is None:
            return None
        earliest, latest = max(self.earliest, other.earliest), min(self.latest, other.latest)
        return Span(earliest, latest) if earliest <= latest else None

    def since(self, other: Span) -> Span:
        """How long after the other one."""
        return Span(self.earliest - other.latest, self.latest - other.earliest)

    def parted(self, number: int) -> Span:
        """One of so many equal parts of it."""
        return Span(self.earliest / number, self.latest / number)

    def times_in(self, other: Span) -> int | None:
        """How often this length goes into another, from once on; None where that may be more than one number."""
        if self.earliest <= 0:
            return None
        least = max(1, math.ceil(other.earliest / self.latest))
        return least if least == math.floor(other.latest / self.earliest) else None


class Window(NamedTuple):
    """What is known of a quota's windows."""

    end: Span
    """Of the present one."""
    began: Span | None = None
    """The last one that was seen to begin."""
    first: Span | None = None
    """The earliest one of those that lie a known number of lengths apart."""
    length: Span | None = None
    """From one beginning to the next, where several were seen."""

    def told(self, end: Span) -> Self | None:
        """An answer told of the end of the present one; None where that cannot be: the end has moved."""
        met = end.both(self.end)
        return None if met is None else self._replace(end=met)

    def renewed(self, seen: Span, end: Span) -> Self:
        """The quota became whole in the span `seen`; the answer that showed it tells of the next end."""
        if self.began is None or self.first is None:
            return self._replace(began=seen, first=seen)._ending(end)
        began = seen.both(self._expected())
        if began is None:  # nothing is known of when it should, or it began at another time
            return self._replace(began=seen, first=self.began, length=seen.since(self.began))._ending(end)
        since_last, since_first = began.since(self.began), began.since(self.first)
        length = since_last.both(self.length) or since_last
        number = length.times_in(since_first)
        if number is None:
            return self._replace(began=began, first=self.began, length=length)._ending(end)
        return self._replace(began=began, length=since_first.parted(number).both(length) or length)._ending(end)

    def unseen(self, end: Span) -> Self:
        """The present one ended some time ago; an answer tells of the end of another."""
        return self._replace(began=self._expected())._ending(end)

    def following(self, now: float, longest_s: float) -> Span:
        """When the next one ends, where the present one is over and no answer has told of the next."""
        end = now + (self.length.latest if self.length else longest_s)
        return Span(end, end)

    def _ending(self, end: Span) -> Self:
        return self._replace(end=end.both(self._expected()) or end)

    def _expected(self) -> Span | None:
        """When the window ends that was seen to begin."""
        if self.began is None or self.length is None:
            return None
        shortest_s, longest_s = self.length.earliest * (1 - _DRIFT), self.length.latest * (1 + _DRIFT)
        return Span(self.began.earliest + shortest_s, self.began.latest + longest_s)
