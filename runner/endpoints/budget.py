"""What is left of a quota that a server tells of: how much may still be sent before it is whole again."""

from __future__ import annotations

from typing import NamedTuple

from runner.endpoints.headers import Quota
from runner.endpoints.window import Span, Window

_RESERVE = 0.05
"""The most of a quota that is kept for the time in which its window may have ended, or not yet."""
_KEPT = 0.01
"""The part of a quota that is not used: what is sent at the end of a window may be counted in the next."""
_LEAP = 0.1
"""The part of a quota by which more is left than before, where it became whole."""


class Sent(NamedTuple):
    """The request that an answer belongs to."""

    at: float
    later: float
    """What was sent after it."""
    alongside: float
    """What was on the way when it was sent."""

    def times(self, amount: float) -> Sent:
        """The same in units of which every request has so many."""
        return Sent(self.at, self.later * amount, self.alongside * amount)


class Course(NamedTuple):
    """How a quota is spent: evenly until its window may end, and a reserve until it must have ended.

    What goes out in between finds out when it ends. Before one window was seen to begin, all but the reserve may go.
    """

    limit: float
    end: Span
    length_s: float
    start: tuple[float, float] | None
    """From when on it is spent, and how much was left then."""

    def due(self, left: float) -> float:
        """From when on something may be sent where so much is left."""
        kept = self.limit * _KEPT
        reserve = self.limit * min(_RESERVE, self.end.width_s / max(self.length_s, self.end.width_s, 1e-9))
        if left <= kept:
            return self.end.latest
        if left <= kept + reserve:
            return self.end.latest - (left - kept) / reserve * self.end.width_s
        if self.start is None or self.start[1] <= left:
            return float("-inf")
        at, had = self.start
        return self.end.earliest - (left - kept - reserve) / (had - kept - reserve) * (self.end.earliest - at)


class Budget:
    """One quota, as far as it was told: by the server's clock, which is not ours."""

    def __init__(self) -> None:
        self._left: float | None = None
        self._limit = 0.0
        self._heard = float("-inf")
        """When the request was sent whose answer is the news."""
        self._told = 0.0
        self._window: Window | None = None
        self._end = Span(0.0, 0.0)
        self._start: tuple[float, float] | None = None
        self._longest_s = 0.0

    def told(self, quota: Quota, sent: Sent, now: float) -> None:
        """A response told of the quota; what an older request was told, or what cannot hold any more, is no news."""
        if quota.remaining is None or quota.reset_s is None:
            return
        stale = now - sent.at > quota.reset_s + quota.blur_s > 0
        if stale or sent.at < self._heard:
            return
        self._limit = quota.limit or max(self._limit, quota.remaining)
        leapt = self._leapt(quota.remaining, sent)
        if self._start and sent.at < self._start[0] and not leapt:
            return  # of the window before the present one
        said = Span(sent.at + quota.reset_s - quota.blur_s, now + quota.reset_s + quota.blur_s)
        self._longest_s = max(self._longest_s, quota.reset_s + quota.blur_s)
        self._left = self._counted(quota.remaining, sent, leapt=leapt)
        self._window = self._learned(said, now, leapt=leapt)
        self._end = self._window.end
        self._heard, self._told = sent.at, quota.remaining

    def _counted(self, remaining: float, sent: Sent, *, leapt: bool) -> float:
        """Our own count, within what the server's allows: nobody knows which of those alongside are in it already."""
        own = remaining - sent.later
        if self._left is None or leapt:
            return own
        return max(own - sent.alongside, min(remaining, self._left))

    def _leapt(self, remaining: float, sent: Sent) -> bool:
        """More is left than requests that overtook each other can explain."""
        more = remaining - self._told - sent.later - sent.alongside
        return self._left is not None and more > max(1.0, self._limit * _LEAP)

    def _learned(self, said: Span, now: float, *, leapt: bool) -> Window:
        window = self._window
        if window is None:
            return Window(said)
        if leapt:
            found = window.renewed(Span(self._heard, now), said)
            self._start = ((found.began or said).earliest, self._limit)
            return found
        if window.end.latest <= now:
            return window.unseen(said)
        kept = window.told(said)
        if kept is None:  # filled little by little: what is left lasts until it is full
            self._start = (now, self._left or 0.0)
        return kept or Window(said)

    def wait_s(self, amount: float, now: float) -> float:
        """How long to wait before `amount` may be used; 0 where it may be now."""
        if self._left is None or self._window is None:
            return 0.0
        if now >= self._end.latest and not self._limit:
            self._left = None
            return 0.0
        if now >= self._end.latest:
            self._left, self._start = self._limit, (now, self._limit)
            self._end = self._window.following(now, self._longest_s)
        if self._left < min(amount, self._limit):
            return max(0.0, self._end.latest - now)
        length_s = self._window.length.latest if self._window.length else self._longest_s
        return max(0.0, Course(self._limit, self._end, length_s, self._start).due(self._left) - now)

    def use(self, amount: float) -> None:
        """Count it as used."""
        if self._left is not None:
            self._left -= amount
