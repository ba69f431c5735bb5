"""An even pace for what a limit counts over time."""

from __future__ import annotations

MARGIN = 0.975
"""The part of a rate that is used: queues on the way move requests from one of the server's windows to the next."""


class Pace:
    """An even pace: every taker is given the next free moment. `per_s` None: no pace."""

    def __init__(self, per_s: float | None) -> None:
        self.per_s = per_s
        self._next = 0.0

    def take(self, amount: float, now: float) -> float:
        """How long to wait before `amount` may be used."""
        if not self.per_s:
            return 0.0
        at = max(now, self._next)
        self._next = at + amount / (self.per_s * MARGIN)
        return at - now

    def correct(self, amount: float) -> None:
        """What was taken was `amount` too little, or too much where negative."""
        if self.per_s:
            self._next += amount / (self.per_s * MARGIN)
