"""How much may be asked of an endpoint at once and over time; what it says of its limits is obeyed by all workers.

One pause for all: a refusal of a request that was sent before the pause began starts no second one.
"""

from __future__ import annotations

import random
from collections import deque

import anyio
import msgspec

from corpora.values import JsonObject
from runner.endpoints.budget import Budget, Sent
from runner.endpoints.headers import SILENT, Limits
from runner.endpoints.pace import Pace
from runner.endpoints.timing import REAL, Timing

_START = 4
"""An adaptive limit begins here."""
_ALONE_S = 1.0
_PAUSE_S = 1.0
"""Where a refusal says nothing of a wait, or that there is none: less than a second may have been rounded down."""
_HISTORY = 1000
_HELD_S = 0.5
"""How often one that has its slot already looks whether everything is still held back."""
_QUOTA_S = 300.0
"""A quota that is whole again so soon is always waited for; one of a day is spent, and then the server says so."""
_LOOK_S = 0.02
"""How often the first in line looks whether an answer told that the quota is whole before its time."""


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """Leave to send one request."""

    number: int
    """Of all that were sent."""
    sent_at: float
    queued_s: float
    tokens: float
    """What it was thought to use."""
    alongside: int
    """How many others were on the way."""


class Limiter:
    """The limits of one endpoint, in one event loop. `max_wait_s`: a server that asks for more ends the run."""

    def __init__(
        self,
        concurrency: int,
        *,
        rpm: float | None = None,
        tpm: float | None = None,
        adaptive: bool = False,
        first_alone: bool = True,
        max_wait_s: float = float("inf"),
        timing: Timing = REAL,
    ) -> None:
        self.limit = min(concurrency, _START) if adaptive else concurrency
        self.history: list[JsonObject] = []
        self._most, self._adaptive, self._max_wait_s = concurrency, adaptive, max_wait_s
        self._clock, self._sleep = timing.clock, timing.sleep
        self._slots = self._in_flight = self._sent = self._good = self._refusals = 0
        self._waiting: deque[anyio.Event] = deque()
        self._request_pace = Pace(rpm / 60 if rpm else None)
        self._token_pace = Pace(tpm / 60 if tpm else None)
        self._requests, self._tokens = Budget(), Budget()
        self._line = anyio.Lock()
        self._mean_tokens: float | None = None
        self._pause_began = self._pause_until = float("-inf")
        self._longest_wait_s = 0.0
        self._began: float | None = None
        self._first_answer = anyio.Event()
        if not first_alone:
            self._first_answer.set()

    def restate(self, concurrency: int, requests_per_s: float | None, tokens_per_min: float | None) -> None:
        """Take other limits from now on; a concurrency of 0 holds every further request back."""
        before, self._most = self.limit, concurrency
        self.limit = max(min(self.limit, concurrency), min(1, concurrency)) if self._adaptive else concurrency
        self._request_pace.per_s = requests_per_s
        self._token_pace.per_s = None if tokens_per_min is None else tokens_per_min / 60
        if self._began is not None and self.limit != before:
            self._note("shared")
        self._wake()

    def pressed(self) -> tuple[int, float]:
        """How many requests were refused because of a limit since the last call, and the longest wait asked for."""
        found = (self._refusals, self._longest_wait_s)
        self._refusals, self._longest_wait_s = 0, 0.0
        return found

    async def acquire(self, tokens: float) -> Ticket:
        """Wait for a slot, for the end of a pause, and for a turn. `tokens`: a guess where none were counted yet."""
        asked = self._clock()
        if self._began is None:
            self._began = asked
            self._note("start")
        elif not self._first_answer.is_set():
            await self._behind_the_first()
        await self._slot()
        guess = tokens if self._mean_tokens is None else self._mean_tokens
        try:
            await self._turn(guess)
        except BaseException:
            self._give_back()
            raise
        now = self._clock()
        self._sent += 1
        self._in_flight += 1
        return Ticket(number=self._sent, sent_at=now, queued_s=now - asked, tokens=guess, alongside=self._in_flight - 1)

    async def _behind_the_first(self) -> None:
        """The first request goes alone, for a second at most: its answer tells the limits to all the others."""
        with anyio.move_on_after(_ALONE_S):
            await self._first_answer.wait()

    async def _slot(self) -> None:
        """Take a slot, where none is free the one that is handed over: first come, first served."""
        if self._slots < self.limit and not self._waiting:
            self._slots += 1
            return
        turn = anyio.Event()
        self._waiting.append(turn)
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self._give_back()
            else:
                self._waiting.remove(turn)
            raise

    def _wake(self) -> None:
        """Hand slots that are free to those that wait for them longest."""
        while self._waiting and self._slots < self.limit:
            self._slots += 1
            self._waiting.popleft().set()

    async def _turn(self, tokens: float) -> None:
        """Wait until the pace, the pause and what is left of the quotas allow it; where they do not, one by one."""
        now = self._clock()
        turn_s = max(self._request_pace.take(1, now), self._token_pace.take(tokens, now))
        if turn_s > 0:
            await self._sleep(turn_s)
        if self._pause_until > now:
            await self._pause()
        if self._line.locked() or self._wait_s(tokens) > 0:
            async with self._line:
                while (wait_s := self._wait_s(tokens)) > 0:
                    await self._sleep(min(wait_s, _LOOK_S))
                    await self._pause()
        self._requests.use(1)
        self._tokens.use(tokens)

    async def _pause(self) -> None:
        """Wait for the end of a pause, spread so that not all return in one instant."""
        while (left_s := self._pause_until - self._clock()) > 0:
            await self._sleep(left_s + random.uniform(0, min(1.0, left_s / 4)))  # noqa: S311  # no secret depends on it

    def _wait_s(self, tokens: float) -> float:
        if self._most == 0:
            return _HELD_S
        now = self._clock()
        wait_s = max(self._requests.wait_s(1, now), self._tokens.wait_s(tokens, now))
        return wait_s if wait_s <= max(self._max_wait_s, _QUOTA_S) else 0.0

    def release(self) -> None:
        """Give the slot of a request back that was sent."""
        self._in_flight -= 1
        self._give_back()

    def _give_back(self) -> None:
        self._slots -= 1
        self._wake()

    def answered(
        self, ticket: Ticket, said: Limits, *, limited: bool, used_tokens: int | None, age_s: float = 0.0
    ) -> None:
        """Learn from a response whose slot was given back. `limited`: it was refused. `age_s`: since its head came."""
        self._first_answer.set()
        if said is not SILENT:
            said_at = self._clock() - age_s
            sent = Sent(ticket.sent_at, self._sent - ticket.number, ticket.alongside)
            self._requests.told(said.requests, sent, said_at)
            self._tokens.told(said.tokens, sent.times(ticket.tokens), said_at)
        if used_tokens is not None:
            self._token_pace.correct(used_tokens - ticket.tokens)
            mean = self._mean_tokens
            self._mean_tokens = float(used_tokens) if mean is None else 0.9 * mean + 0.1 * used_tokens
        if limited:
            self._refused(ticket, said.wait_s)
        elif self._adaptive:
            self._grow()

    def _refused(self, ticket: Ticket, wait_s: float | None) -> None:
        self._refusals += 1
        self._longest_wait_s = max(self._longest_wait_s, wait_s or 0.0)
        if ticket.sent_at <= self._pause_began:
            return  # sent before the pause that an earlier refusal began: it says nothing new
        self._pause_began = self._clock()
        pause_s = wait_s if wait_s and wait_s <= self._max_wait_s else _PAUSE_S
        self._pause_until = max(self._pause_until, self._pause_began + pause_s)
        self._good = 0
        if self._adaptive:
            self.limit = max(1, self.limit // 2)
        self._note("limited")

    def _grow(self) -> None:
        """One more in flight after as many good answers as were, up to the most that was allowed."""
        self._good += 1
        if self._good >= self.limit and self.limit < self._most:
            self._good, self.limit = 0, self.limit + 1
            self._note("grown")
            self._wake()

    def _note(self, why: str) -> None:
        if len(self.history) < _HISTORY:
            at_s = round(self._clock() - (self._began or 0.0), 3)
            self.history.append({"at_s": at_s, "concurrency": self.limit, "why": why})
