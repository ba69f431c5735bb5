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

    def after(self, wait_s: float, drift_s: float = 0.0) -> Span:
        """So much later, more or less."""
        return Span(self.earliest + wait_s - drift_s, self.latest + wait_s + drift_s)

    def since(self, other: Span) -> Span:
        """How long after the other one."""
        return Span(self.earliest - other.latest, self.latest - other.earliest)

    def whole(self) -> int | None:
        """The one whole number in it, from 1 on; None where there is none, or another."""
        least = max(1, math.ceil(self.earliest))
        return least if least == math.floor(self.latest) else None


class Window(NamedTuple):
    """What is known of a quota's windows. Where resets are rounded, their length is taken for whole seconds."""

    end: Span
    """Of the present one."""
    began: Span | None = None
    """The last one that was seen to begin."""
    length_s: float | None = None
    """From one beginning to the next, where both were seen and resets are rounded."""

    def told(self, end: Span) -> Self | None:
        """An answer told of the end of the present one; None where that cannot be: the end has moved."""
        met = end.both(self.end)
        return None if met is None else self._replace(end=met)

    def renewed(self, seen: Span, end: Span, *, rounded: bool) -> Self:
        """The quota became whole in the span `seen`; the answer that showed it tells of the next end."""
        expected = self._expected()
        began = seen.both(expected) or seen
        length_s = self.length_s if began is not seen else began.since(self.began).whole() if self.began else None
        return self._replace(began=began, length_s=length_s if rounded else None)._ending(end)

    def unseen(self, end: Span) -> Self:
        """The present one ended some time ago; an answer tells of the end of another."""
        return self._replace(began=self._expected())._ending(end)

    def following(self, now: float, longest_s: float) -> Span:
        """When the next one ends, where the present one is over and no answer has told of the next."""
        end = now + (self.length_s or longest_s)
        return Span(end, end)

    def _ending(self, end: Span) -> Self:
        return self._replace(end=end.both(self._expected()) or end)

    def _expected(self) -> Span | None:
        """When the window ends that was seen to begin."""
        if self.began is None or self.length_s is None:
            return None
        return self.began.after(self.length_s, self.length_s * _DRIFT)
