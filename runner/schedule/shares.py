"""How a limit is divided between sites, and how it shrinks while the endpoint says that it is too much. Pure."""

from __future__ import annotations

from runner.schedule.messages import Pressure, Share

EASED = 0.7
"""What is left of a limit after an exchange that was told of a rate limit."""
LEAST = 1 / 16
RECOVERY_S = 60.0
"""From the least to the whole limit, without another word of a rate limit."""


def part(limit: Share, place: int, sites: int, factor: float = 1.0) -> Share:
    """The part of site `place` (from 0) of `sites`: the remainder goes to the first ones, so that the sum is the limit.

    `factor` lowers the whole limit, never below one sample.
    """
    if sites == 1 and factor == 1.0:
        return limit
    each, rest = divmod(max(1, int(limit.concurrency * factor)), sites)
    return Share(
        concurrency=each + (place < rest),
        requests_per_s=_of(limit.requests_per_s, factor / sites),
        tokens_per_min=_of(limit.tokens_per_min, factor / sites),
    )


def most_in_hand(slots: int) -> int:
    """How many keys a site may have: half as many again as it may have in flight. That much may be paid twice."""
    return slots + (slots + 1) // 2


def ahead(before: int, came: int) -> int:
    """How many keys beyond its slots a site needs, so that none of these stands empty until the next exchange.

    As many as came with a receipt end again until the next one, and once more while that is on its way; and for some
    exchanges after a burst. Where answers take their time, this is next to nothing.
    """
    return max(2 * came, before * 9 // 10)


def _of(rate: float | None, factor: float) -> float | None:
    return None if rate is None else rate * factor


class Ease:
    """How much of the limit several sites may use together: less after a rate limit that any of them met.

    A single site needs none of this: what paces its requests knows its rate limits at first hand.
    """

    def __init__(self) -> None:
        self._factor = 1.0
        self._since_s = 0.0

    def press(self, pressure: Pressure, now_s: float) -> None:
        """Take note of what an exchange reported."""
        if pressure.rate_limited:
            self._factor = max(LEAST, self.factor(now_s) * EASED)
            self._since_s = now_s + pressure.retry_after_s

    def factor(self, now_s: float) -> float:
        """The part of the limit to use now: it comes back in a straight line."""
        if self._factor == 1.0:
            return 1.0
        return min(1.0, self._factor + max(0.0, now_s - self._since_s) / RECOVERY_S)
