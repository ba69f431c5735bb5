"""How much may be asked of an endpoint at once and over time; what it says of its limits is obeyed by all workers.

One pause for all: a refusal of a request that was sent before the pause began starts no second one. A stated or learned
rate is paced evenly, because windows are counted by the server's clock and not by ours.
"""

from __future__ import annotations

import random
from collections import deque

import anyio
import msgspec

from corpora.values import JsonObject
from runner.endpoints.headers import Limits, Quota
from runner.endpoints.pace import Pace
from runner.endpoints.timing import REAL, Timing

_START = 4
"""An adaptive limit begins here."""
_PAUSE_S = 1.0
"""Where a refusal says nothing of a wait."""
_SHORTEST_WINDOW_S = 0.5
_LONG_WINDOW_S = 10.0
_HISTORY = 1000


class Ticket(msgspec.Struct, kw_only=True):
    """Leave to send one request."""

    sent_at: float
    queued_s: float
    tokens: float


class Limiter:
    """The limits of one endpoint, in one event loop."""

    def __init__(
        self,
        concurrency: int,
        *,
        rpm: float | None = None,
        tpm: float | None = None,
        adaptive: bool = False,
        timing: Timing = REAL,
    ) -> None:
        self.limit = min(concurrency, _START) if adaptive else concurrency
        self._most = concurrency
        self._adaptive = adaptive
        self._clock = timing.clock
        self._sleep = timing.sleep
        self._in_flight = 0
        self._waiting: deque[anyio.Event] = deque()
        self._requests = Pace(rpm / 60 if rpm else None)
        self._tokens = Pace(tpm / 60 if tpm else None)
        self._stated_rpm = rpm is not None
        self._window_s = 0.0
        self._mean_tokens = 0.0
        self._pause_began = self._pause_until = float("-inf")
        self._good = 0
        self._began: float | None = None
        self._first_answer = anyio.Event()
        self.history: list[JsonObject] = []

    async def acquire(self, tokens: float) -> Ticket:
        """Wait for a slot, the pace and the end of a pause. `tokens`: a guess at what the request will use."""
        asked = self._clock()
        if self._began is None:
            self._began = asked
            self._note("start")
        elif not self._first_answer.is_set():
            await self._behind_the_first()
        await self._slot()
        self._in_flight += 1
        guess = self._mean_tokens or tokens
        try:
            await self._in_time(guess)
        except BaseException:
            self.release()
            raise
        now = self._clock()
        return Ticket(sent_at=now, queued_s=now - asked, tokens=guess)

    async def _behind_the_first(self) -> None:
        """The first request goes alone, for a second at most: its answer tells the limits to all the others."""
        with anyio.move_on_after(1.0):
            await self._first_answer.wait()

    async def _slot(self) -> None:
        """Wait until fewer than the limit are in flight; one that is cancelled hands its turn on."""
        while self._in_flight >= self.limit:
            turn = anyio.Event()
            self._waiting.append(turn)
            try:
                await turn.wait()
            except BaseException:
                if turn.is_set():
                    self._wake()
                else:
                    self._waiting.remove(turn)
                raise

    def _wake(self) -> None:
        """Let one more that waits for a slot look again."""
        if self._waiting and self._in_flight < self.limit:
            self._waiting.popleft().set()

    async def _in_time(self, tokens: float) -> None:
        now = self._clock()
        wait_s = max(self._requests.take(1, now), self._tokens.take(tokens, now))
        if wait_s > 0:
            await self._sleep(wait_s)
        while (left := self._pause_until - self._clock()) > 0:
            await self._sleep(left + random.uniform(0, min(1.0, left / 4)))  # noqa: S311  # no secret depends on it

    def release(self) -> None:
        """Give a slot back."""
        self._in_flight -= 1
        self._wake()

    def answered(self, ticket: Ticket, said: Limits, *, limited: bool, used_tokens: int | None) -> None:
        """Learn from one response. `limited`: it refused because of a limit."""
        self._first_answer.set()
        self._learn(said.requests)
        if used_tokens is not None:
            self._tokens.correct(used_tokens - ticket.tokens)
            self._mean_tokens = used_tokens if not self._mean_tokens else 0.9 * self._mean_tokens + 0.1 * used_tokens
        if limited:
            self._refused(ticket, said.wait_s)
        elif self._adaptive:
            self._grow()

    def _learn(self, quota: Quota) -> None:
        """A quota with its window gives a pace; a spent one a pause until it is whole again."""
        if quota.reset_s is None:
            return
        self._window_s = max(self._window_s, quota.reset_s)
        if quota.limit and self._window_s >= _SHORTEST_WINDOW_S and not self._stated_rpm:
            self._requests.per_s = quota.limit / self._window_s
        if quota.remaining is None:
            return
        others = self._in_flight - 1 if self._window_s >= _LONG_WINDOW_S else 0
        if quota.remaining - others <= 0:
            self._pause_until = max(self._pause_until, self._clock() + quota.reset_s)

    def _refused(self, ticket: Ticket, wait_s: float | None) -> None:
        if ticket.sent_at < self._pause_began:
            return  # sent before the pause that an earlier refusal began: it says nothing new
        now = self._clock()
        self._pause_began = now
        self._pause_until = max(self._pause_until, now + (wait_s if wait_s is not None else _PAUSE_S))
        self._good = 0
        if self._adaptive:
            self.limit = max(1, self.limit // 2)
        self._note("limited")

    def _grow(self) -> None:
        """One more after as many good answers as are in flight, up to the most that was allowed."""
        self._good += 1
        if self._good >= self.limit and self.limit < self._most:
            self._good = 0
            self.limit += 1
            self._note("grown")
            self._wake()

    def _note(self, why: str) -> None:
        if len(self.history) < _HISTORY:
            at_s = round(self._clock() - (self._began or 0.0), 3)
            self.history.append({"at_s": at_s, "concurrency": self.limit, "why": why})
