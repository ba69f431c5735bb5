"""What is left of a quota that a server tells of: how much may still be sent before it is whole again."""

from __future__ import annotations

from runner.endpoints.headers import Quota
from runner.endpoints.pace import Pace

_SHORTEST_WINDOW_S = 0.5


class Budget:
    """One quota, as far as it was told.

    It is spent down to nothing, then waited for. Once it was seen to become whole, its window is known, and from then
    on it is paced evenly: the window is counted by the server's clock, which is not ours.
    """

    def __init__(self, stated_per_s: float | None) -> None:
        self._pace = Pace(stated_per_s)
        self._stated = stated_per_s is not None
        self._left: float | None = None
        self._last = Quota()
        self._whole_at = 0.0
        self._longest_reset_s = 0.0
        self._renewed_at = float("-inf")
        self._told_at = float("-inf")
        self._window_s = 0.0
        self._sharp = False
        """The last renewal was seen within a tenth of a window."""

    def restate(self, stated_per_s: float | None) -> None:
        """Another pace was stated; None: no pace any more, but for what the server tells."""
        if self._stated or stated_per_s is not None:
            self._pace.per_s = stated_per_s
            self._stated = stated_per_s is not None

    def told(self, quota: Quota, uncounted: float, now: float, age_s: float) -> None:
        """A response told of the quota.

        `uncounted`: what was sent after its request. `age_s`: how long ago that was; what was to last less is no news.
        """
        if quota.remaining is None or quota.reset_s is None or age_s > quota.reset_s > 0:
            return
        last, self._last = self._last, quota
        self._longest_reset_s = max(self._longest_reset_s, quota.reset_s)
        fresh = now - self._renewed_at > self._longest_reset_s / 2  # answers overtake each other
        if fresh and last.remaining is not None and quota.remaining > last.remaining + uncounted + 1:
            self._renewed(now)
        self._told_at = now
        self._left = quota.remaining - uncounted
        self._whole_at = self._whole_again(now, quota.reset_s)

    def _whole_again(self, now: float, reset_s: float) -> float:
        """When the quota is whole: as told, or where whole seconds are told, a window after it was seen to be."""
        end = self._renewed_at + self._window_s
        coarse = reset_s == int(reset_s) and self._sharp
        return end if coarse and now < end < now + reset_s else now + reset_s

    def _renewed(self, now: float) -> None:
        """The quota became whole. Its window is the longest reset, or the time between two renewals seen sharply."""
        since, sharp = now - self._renewed_at, now - self._told_at < self._longest_reset_s / 10
        self._window_s = self._longest_reset_s
        if sharp and self._sharp:
            self._window_s = min(since, self._window_s)
        self._renewed_at, self._sharp = now, sharp
        if self._last.limit and self._window_s >= _SHORTEST_WINDOW_S and not self._stated:
            self._pace.per_s = self._last.limit / self._window_s

    def wait_s(self, amount: float, now: float) -> float:
        """0 where `amount` may be used now, and then it counts as used; else how long to wait before asking again."""
        if self._left is None:
            return 0.0
        if now >= self._whole_at:
            self._left = self._last.limit
            self._whole_at = now + self._longest_reset_s
            return self.wait_s(amount, now)
        if self._left < amount and self._last.remaining != self._last.limit:
            return self._whole_at - now
        self._left -= amount
        return 0.0

    def turn_s(self, amount: float, now: float) -> float:
        """How long until the turn of `amount` comes in the even pace; its turn is taken."""
        return self._pace.take(amount, now)

    def correct(self, amount: float) -> None:
        """What was taken was `amount` too little, or too much where negative."""
        self._pace.correct(amount)
