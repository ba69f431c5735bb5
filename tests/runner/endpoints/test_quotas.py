"""A server's quota is used and not exceeded, however its answers tell of it: in time that passes when all wait."""

from __future__ import annotations

import asyncio
import math
import random
import selectors
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import formatdate
from typing import NamedTuple

import pytest

from runner.endpoints.headers import limits
from runner.endpoints.limiter import Limiter
from runner.endpoints.timing import Timing

QUOTA, WORKERS = 60, 24
WALL_S = 1_800_000_000.0
Style = Callable[[int, float, float], dict[str, str]]
"""From what is left, the seconds to the reset and the moment of it to header fields."""


class Passing(selectors.SelectSelector):
    """Waits by moving the clock."""

    at = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everybody waits for nothing"
        self.at += max(timeout, 0)
        return super().select(0)


class PassingLoop(asyncio.SelectorEventLoop):
    """An event loop in which an hour takes no longer than what is done in it."""

    def __init__(self) -> None:
        self.passing = Passing()
        super().__init__(self.passing)

    def time(self) -> float:
        return self.passing.at


def ietf(rounded: Callable[[float], int]) -> Style:
    return lambda left, reset_s, at: {"RateLimit": f"limit={QUOTA}, remaining={left}, reset={rounded(reset_s)}"}


def epoch(rounded: Callable[[float], int]) -> Style:
    return lambda left, reset_s, at: {
        "X-RateLimit-Limit": str(QUOTA),
        "X-RateLimit-Remaining": str(left),
        "X-RateLimit-Reset": str(rounded(at)),
    }


def anthropic(rounded: Callable[[float], int]) -> Style:
    return lambda left, reset_s, at: {
        "anthropic-ratelimit-requests-limit": str(QUOTA),
        "anthropic-ratelimit-requests-remaining": str(left),
        "anthropic-ratelimit-requests-reset": datetime.fromtimestamp(rounded(at), UTC).isoformat(),
    }


def openai(left: int, reset_s: float, at: float) -> dict[str, str]:
    return {
        "x-ratelimit-limit-requests": str(QUOTA),
        "x-ratelimit-remaining-requests": str(left),
        "x-ratelimit-reset-requests": f"{reset_s * 1000:.0f}ms",
    }


ROUNDED: dict[str, Callable[[float], int]] = {"up": math.ceil, "down": math.floor, "to the nearest": round}
STYLES: dict[str, Style] = {
    "openai": openai,
    "epoch milliseconds": epoch(lambda at: round(at * 1000)),
    **{
        f"{style.__name__} {how}": style(rounded)
        for style in (ietf, epoch, anthropic)
        for how, rounded in ROUNDED.items()
    },
}


class Windowed:
    """So many requests in each window of its clock; the others are refused."""

    def __init__(self, window_s: float, begins_s: float, style: Style, ahead_s: float | None = None) -> None:
        """`ahead_s`: how far its clock is before ours; without, it says no Date, and is as ours."""
        self.window_s, self.begins_s, self.style, self.ahead_s = window_s, begins_s, style, ahead_s
        self.served: Counter[int] = Counter()
        self.refused = 0

    def __call__(self, now: float) -> tuple[bool, dict[str, str]]:
        window = math.floor((now - self.begins_s) / self.window_s)
        allowed = self.served[window] < QUOTA
        self.served[window] += allowed
        self.refused += not allowed
        reset_s = (window + 1) * self.window_s + self.begins_s - now
        shown_s = WALL_S + now + (self.ahead_s or 0.0)
        fields = self.style(QUOTA - self.served[window], reset_s, shown_s + reset_s)
        if self.ahead_s is not None:
            fields["Date"] = formatdate(shown_s, usegmt=True)
        return allowed, fields if allowed else {**fields, "retry-after": str(math.ceil(reset_s))}

    def used(self) -> float:
        """The part of the quota that was used between the first window and the last."""
        whole = range(min(self.served) + 1, max(self.served))
        return sum(self.served[window] for window in whole) / (QUOTA * len(whole))


class Bucket:
    """Fills little by little; one is taken out by each request. What is told is when it will be full."""

    def __init__(self, full_in_s: float, style: Style) -> None:
        self.per_s, self.style = QUOTA / full_in_s, style
        self.level, self.at = float(QUOTA), 1000.0
        self.served = self.refused = 0

    def __call__(self, now: float) -> tuple[bool, dict[str, str]]:
        self.level = min(QUOTA, self.level + (now - self.at) * self.per_s)
        self.at = now
        allowed = self.level >= 1
        self.level -= allowed
        self.served += allowed
        self.refused += not allowed
        reset_s = (QUOTA - self.level) / self.per_s
        fields = self.style(int(self.level), reset_s, WALL_S + now + reset_s)
        return allowed, fields if allowed else {**fields, "retry-after": str(math.ceil(1 / self.per_s))}


class Way(NamedTuple):
    """How long a request is on its way, there and back."""

    least_s: float
    most_s: float


NEAR = Way(0.002, 0.006)


def asked(server: Callable[[float], tuple[bool, dict[str, str]]], during_s: float, way: Way = NEAR) -> None:
    """Ask a server for so long by many workers that want more than it gives."""
    chance = random.Random(7)

    async def ask() -> None:
        loop = asyncio.get_running_loop()
        now = loop.time
        timing = Timing(clock=now, sleep=asyncio.sleep, now=lambda: datetime.fromtimestamp(WALL_S + now(), UTC))
        limiter = Limiter(WORKERS, timing=timing)
        over = now() + during_s

        async def worker() -> None:
            while now() < over:
                ticket = await limiter.acquire(1)
                await asyncio.sleep(chance.uniform(*way) / 2)
                allowed, fields = server(now())
                await asyncio.sleep(chance.uniform(*way) / 2)
                limiter.release()
                limiter.answered(ticket, limits(fields, timing.now), limited=not allowed, used_tokens=None)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(WORKERS):
                tasks.create_task(worker())

    with asyncio.Runner(loop_factory=PassingLoop) as runner:
        runner.run(ask())


@pytest.mark.parametrize("begins_s", [0.0, 0.37, 0.71], ids=lambda at: f"from {at}")
@pytest.mark.parametrize(
    ("window_s", "windows"),
    [(1.0, 12), (2.5, 12), (10.0, 8), (33.3, 6), (60.0, 5)],
    ids=["1 s", "2.5 s", "10 s", "33.3 s", "60 s"],
)
@pytest.mark.parametrize("style", STYLES)
def test_a_quota_is_used_and_not_exceeded(style: str, window_s: float, windows: int, begins_s: float) -> None:
    """Whole seconds may have been rounded any way; windows may begin at any time and last no whole seconds."""
    server = Windowed(window_s, begins_s * window_s, STYLES[style])
    asked(server, window_s * windows)
    assert server.used() >= 0.95, server.served
    assert server.refused == 0, server.served


@pytest.mark.parametrize("ahead_s", [-3600.0, -4.3, 0.0, 0.8, 7.0], ids=lambda ahead: f"{ahead} s ahead")
@pytest.mark.parametrize("style", ["epoch milliseconds", "epoch up", "anthropic down", "anthropic to the nearest"])
def test_a_clock_that_is_off_is_read_off_the_date(style: str, ahead_s: float) -> None:
    server = Windowed(10.0, 3.7, STYLES[style], ahead_s)
    asked(server, 100.0)
    assert server.used() >= 0.95, server.served
    assert server.refused == 0, server.served


@pytest.mark.parametrize("style", ["openai", "ietf up", "anthropic down"])
def test_a_quota_that_fills_little_by_little_is_used_as_fast_as_it_fills(style: str) -> None:
    server = Bucket(60.0, STYLES[style])
    asked(server, 300.0, Way(0.2, 0.6))
    assert server.served >= 0.95 * 300
    assert server.refused == 0


def test_answers_that_take_long_waste_little_of_a_quota() -> None:
    server = Windowed(60.0, 20.0, STYLES["anthropic up"])
    asked(server, 400.0, Way(2.0, 9.0))
    assert server.used() >= 0.9, server.served
    assert server.refused <= 4
