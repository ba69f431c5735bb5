"""Limits that hold: slots, one pause for all, a rate that is kept, a quota that is used and not exceeded."""

from __future__ import annotations

import json
import logging
import math
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint

from runner.endpoints.headers import Limits, Quota
from runner.endpoints.limiter import Limiter, Ticket
from runner.endpoints.pool import open_endpoint
from runner.endpoints.timing import Timing
from runner.schedule.messages import Key

pytestmark = pytest.mark.anyio

GOOD = json.dumps(
    {
        "id": "c",
        "model": "m",
        "choices": [{"message": {"role": "assistant", "content": "Which zone?"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 4},
    }
)


class Clock:
    """Time that passes where somebody sleeps, in the order of the moments that are waited for."""

    def __init__(self) -> None:
        self.at = 0.0

    async def sleep(self, seconds: float) -> None:
        until = self.at + seconds
        while self.at < until:
            await checkpoint()
            self.at = max(self.at, min(until, self.at + 0.01))

    def timing(self) -> Timing:
        return Timing(clock=lambda: self.at, sleep=self.sleep)


def answer(limiter: Limiter, ticket: Ticket, said: Limits | None = None, *, limited: bool = False) -> None:
    limiter.release()
    limiter.answered(ticket, said or Limits(), limited=limited, used_tokens=None)


async def opened(limiter: Limiter) -> None:
    """The first request is answered: the others need not stand behind it."""
    answer(limiter, await limiter.acquire(1))


async def test_no_more_than_the_limit_are_in_flight_and_a_cancelled_one_hands_its_turn_on() -> None:
    limiter = Limiter(2)
    await opened(limiter)
    held = [await limiter.acquire(1) for _ in range(2)]
    got: list[int] = []

    async def worker(number: int) -> None:
        await limiter.acquire(1)
        got.append(number)

    async with anyio.create_task_group() as tasks:
        with anyio.CancelScope() as first:

            async def cancelled() -> None:
                with first:
                    await worker(0)

            tasks.start_soon(cancelled)
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(worker, 1)
        await anyio.wait_all_tasks_blocked()
        assert got == []
        first.cancel()
        answer(limiter, held[0])
        await anyio.wait_all_tasks_blocked()
    assert got == [1]


async def test_who_waits_for_a_slot_gets_it_before_those_that_come_later() -> None:
    limiter = Limiter(8, first_alone=False)
    limiter.restate(2, None, None)
    asked: list[int] = []

    async def worker(number: int) -> None:
        for _ in range(5):
            ticket = await limiter.acquire(1)
            asked.append(number)
            await checkpoint()
            answer(limiter, ticket)

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(worker, number)
    assert sorted(asked[:8]) == list(range(8))
    with anyio.fail_after(1):  # no slot was lost on the way from one to the next
        held = [await limiter.acquire(1) for _ in range(2)]
        limiter.restate(3, None, None)
        assert (await limiter.acquire(1)).alongside == len(held)


async def test_a_late_refusal_starts_no_second_pause() -> None:
    clock = Clock()
    limiter = Limiter(8, timing=clock.timing())
    await opened(limiter)
    early = [await limiter.acquire(1) for _ in range(3)]
    answer(limiter, early[0], Limits(retry_after_s=2.0), limited=True)
    await clock.sleep(1.0)
    answer(limiter, early[1], Limits(retry_after_s=60.0), limited=True)
    ticket = await limiter.acquire(1)
    assert 2.0 <= ticket.sent_at <= 2.5
    assert [entry["why"] for entry in limiter.history] == ["start", "limited"]


async def test_a_server_that_is_down_and_says_for_how_long_is_asked_by_nobody_until_then(wire: Any) -> None:
    clock = Clock()
    down = wire.response("{}", 503, {"retry-after": "3"})
    async with wire.server(down, wire.response(GOOD)) as server:
        config = wire.config(server.base_url, max_attempts=3)
        async with open_endpoint(config, timing=clock.timing()) as endpoint:
            async with wire.sampler(wire.world("W1"), config, endpoint=endpoint) as sampler:
                first, _ = await wire.draw(sampler)
                assert first.turns[0].attempts[0].wait_s >= 3.0
            assert endpoint.limits_over_time()[-1]["why"] == "limited"


async def test_a_refusal_after_the_pause_is_news() -> None:
    clock = Clock()
    limiter = Limiter(8, timing=clock.timing())
    await opened(limiter)
    answer(limiter, await limiter.acquire(1), Limits(retry_after_s=1.0), limited=True)
    answer(limiter, await limiter.acquire(1), Limits(retry_after_s=5.0), limited=True)
    assert (await limiter.acquire(1)).sent_at >= 6.0


async def test_an_adaptive_limit_grows_with_good_answers_halves_at_a_refusal_and_tells_how_it_went() -> None:
    clock = Clock()
    limiter = Limiter(64, adaptive=True, timing=clock.timing())
    assert limiter.limit == 4
    for _ in range(60):
        answer(limiter, await limiter.acquire(1))
    grown = limiter.limit
    assert grown > 8
    answer(limiter, await limiter.acquire(1), Limits(retry_after_s=0.5), limited=True)
    assert limiter.limit == grown // 2
    assert [entry["concurrency"] for entry in limiter.history][-2:] == [grown, grown // 2]


@pytest.mark.parametrize("kind", ["rpm", "tpm"])
async def test_a_stated_rate_is_kept_in_every_window(kind: str) -> None:
    clock = Clock()
    settings: dict[str, float] = {"rpm": 600.0} if kind == "rpm" else {"tpm": 6000.0}
    limiter = Limiter(32, timing=clock.timing(), **settings)  # type: ignore[arg-type]
    sent: list[float] = []
    for _ in range(100):
        ticket = await limiter.acquire(10)
        sent.append(ticket.sent_at)
        limiter.release()
        limiter.answered(ticket, Limits(), limited=False, used_tokens=10)
    windows = Counter(int(at) for at in sent)
    assert max(windows.values()) <= 10
    assert min(windows[second] for second in range(9)) >= 9


async def test_a_refusal_that_says_to_wait_for_nothing_still_holds_the_others_back() -> None:
    """Less than a second, rounded down."""
    clock = Clock()
    limiter = Limiter(8, timing=clock.timing())
    await opened(limiter)
    answer(limiter, await limiter.acquire(1), Limits(retry_after_s=0.0), limited=True)
    assert (await limiter.acquire(1)).sent_at >= 1.0


async def test_one_quota_is_not_charged_while_the_other_makes_wait() -> None:
    clock = Clock()
    limiter = Limiter(8, timing=clock.timing())
    told = Limits(requests=Quota(limit=5, remaining=3, reset_s=9.0), tokens=Quota(limit=50, remaining=0, reset_s=1.0))
    answer(limiter, await limiter.acquire(1), told)
    sent = [(await limiter.acquire(1)).sent_at for _ in range(3)]
    assert 1.0 <= sent[0] <= sent[-1] < 9.0


async def test_a_quota_is_not_overdrawn_by_what_is_in_flight() -> None:
    clock = Clock()
    limiter = Limiter(16, timing=clock.timing())
    ticket = await limiter.acquire(1)
    answer(limiter, ticket, Limits(requests=Quota(limit=5, remaining=4, reset_s=3.0)))
    sent = [(await limiter.acquire(1)).sent_at for _ in range(6)]
    assert sum(at < 3.0 for at in sent) == 4


@pytest.mark.parametrize(
    ("max_wait_s", "reset_s", "waits_s"),
    [(300.0, 4.0, 4.0), (1.0, 4.0, 4.0), (300.0, 310.0, 0.0), (320.0, 310.0, 310.0), (300.0, 86_400.0, 0.0)],
)
@pytest.mark.parametrize("left", [0, 140], ids=["spent", "a hundredth left"])
async def test_a_quota_is_not_waited_for_all_day(left: int, max_wait_s: float, reset_s: float, waits_s: float) -> None:
    """Of a day's quota some may be left that nobody is told to keep; and where none is, the server says so."""
    clock = Clock()
    limiter = Limiter(8, timing=clock.timing(), max_wait_s=max_wait_s)
    told = Limits(requests=Quota(limit=14_400, remaining=left, reset_s=reset_s))
    answer(limiter, await limiter.acquire(1), told)
    assert waits_s <= (await limiter.acquire(1)).sent_at <= waits_s + 0.1


async def test_a_pause_that_ends_the_run_holds_nobody_back_who_is_still_to_send(wire: Any) -> None:
    refused = wire.response("{}", 429, {"retry-after": "86400"})
    clock = Clock()
    async with wire.server(wire.response(GOOD), refused, wire.response(GOOD)) as server:
        config = wire.config(server.base_url, rpm=60.0, concurrency=4)
        async with (
            open_endpoint(config, timing=clock.timing()) as endpoint,
            wire.sampler(wire.world("W1"), config, endpoint=endpoint) as sampler,
        ):
            lines: list[Any] = []

            async def worker(number: int) -> None:
                lines.append(await sampler.draw(Key("only", number)))

            async with anyio.create_task_group() as tasks:
                for number in range(4):
                    tasks.start_soon(worker, number)
    assert sorted(line.ok for line in lines) == [False, True, True, True]
    assert sum("--max-wait" in (line.fatal or "") for line in lines) == 1
    assert clock.at < 10


BEGINS_S = 0.37
"""After each whole second of the server's clock."""


class QuotaServer:
    """So many requests in each window of a second; the rest are refused, with the header fields of one style."""

    def __init__(self, quota: int, style: Callable[[int, int, float], dict[str, str]]) -> None:
        self.quota = quota
        self.style = style
        self.served: Counter[int] = Counter()
        self.refused: Counter[int] = Counter()

    def __call__(self, request: bytes) -> bytes:
        now = time.time() - BEGINS_S
        window = int(now)
        allowed = self.served[window] < self.quota
        (self.served if allowed else self.refused)[window] += 1
        fields = self.style(self.quota, self.quota - self.served[window], window + 1 - now)
        if not allowed:
            fields["retry-after"] = str(math.ceil(window + 1 - now))
        body = GOOD if allowed else '{"error":{"message":"slow down","code":"rate_limit_exceeded"}}'
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        status = "200 OK" if allowed else "429 Too Many Requests"
        return f"HTTP/1.1 {status}\r\n{head}content-length: {len(body)}\r\n\r\n{body}".encode()


def plain(limit: int, left: int, reset: object) -> dict[str, str]:
    return {"X-RateLimit-Limit": str(limit), "X-RateLimit-Remaining": str(left), "X-RateLimit-Reset": str(reset)}


def anthropic(limit: int, left: int, at: int) -> dict[str, str]:
    return {
        "anthropic-ratelimit-requests-limit": str(limit),
        "anthropic-ratelimit-requests-remaining": str(left),
        "anthropic-ratelimit-requests-reset": datetime.fromtimestamp(at, UTC).isoformat(),
    }


def ietf(limit: int, left: int, reset: int) -> dict[str, str]:
    return {"RateLimit": f"limit={limit}, remaining={left}, reset={reset}"}


def openai(limit: int, left: int, s: float) -> dict[str, str]:
    return {
        "x-ratelimit-limit-requests": str(limit),
        "x-ratelimit-remaining-requests": str(left),
        "x-ratelimit-reset-requests": f"{s * 1000:.0f}ms",
    }


STYLES: dict[str, Callable[[int, int, float], dict[str, str]]] = {
    "openai": openai,
    "epoch milliseconds": lambda limit, left, s: plain(limit, left, round((time.time() + s) * 1000)),
    "epoch seconds, rounded": lambda limit, left, s: plain(limit, left, round(time.time() + s)),
    "anthropic, rounded up": lambda limit, left, s: anthropic(limit, left, math.ceil(time.time() + s)),
    "anthropic, rounded down": lambda limit, left, s: anthropic(limit, left, math.floor(time.time() + s)),
    "ietf, rounded up": lambda limit, left, s: ietf(limit, left, math.ceil(s)),
    "ietf, rounded down": lambda limit, left, s: ietf(limit, left, math.floor(s)),
    "retry-after alone": lambda limit, left, s: {},
}


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("style", STYLES)
async def test_a_quota_in_windows_of_a_second_is_used_and_not_exceeded(style: str, wire: Any) -> None:
    """Nearly all of the quota in every window but the partial first and last one, hardly an answer 429.

    Where no field tells of the quota, `--rpm` does.
    """
    quota, samples = 60, 720
    stub = QuotaServer(quota, STYLES[style])
    rpm = quota * 60.0 if style == "retry-after alone" else None
    async with wire.server(stub) as server:
        config = wire.config(server.base_url, concurrency=24, max_attempts=6, rpm=rpm)
        async with wire.sampler(wire.world("W1"), config) as sampler:
            keys = iter(range(samples))
            lines = []

            async def worker() -> None:
                lines.extend([await sampler.draw(Key("only", number)) for number in keys])

            async with anyio.create_task_group() as tasks:
                for _ in range(24):
                    tasks.start_soon(worker)
    assert sum(line.ok for line in lines) == samples
    whole = sorted(stub.served)[1:-1]
    used = sum(stub.served[second] for second in whole) / (quota * len(whole))
    refused = sum(stub.refused.values()) / (samples + sum(stub.refused.values()))
    facts = f"used {used:.1%}, refused {refused:.2%}, windows {list(stub.served.values())}"
    logging.getLogger(__name__).info("%s: %s", style, facts)
    assert used >= 0.95, facts
    assert refused < 0.01, facts
    assert max(stub.served.values()) <= quota


@pytest.mark.slow
@pytest.mark.timeout(60)
async def test_many_workers_that_hit_one_limit_at_once_do_not_come_back_at_once(wire: Any) -> None:
    """Sixteen at once against four a second, refused with Retry-After: 2: all sixteen are answered in the end."""
    stub = QuotaServer(4, lambda limit, left, s: {})
    refusing = stub.__call__

    def two_seconds(request: bytes) -> bytes:
        return refusing(request).replace(b"retry-after: 1", b"retry-after: 2")

    async with wire.server(two_seconds) as server:
        config = wire.config(server.base_url, concurrency=16, max_attempts=8)
        async with wire.sampler(wire.world("W1"), config) as sampler:
            lines = []

            async def worker(number: int) -> None:
                lines.append(await sampler.draw(Key("only", number)))

            async with anyio.create_task_group() as tasks:
                for number in range(16):
                    tasks.start_soon(worker, number)
    assert [line.ok for line in lines] == [True] * 16
    assert sum(stub.refused.values()) < 60
