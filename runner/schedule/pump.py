"""One site's work: at most a share of samples in flight, each finished line kept until it is acknowledged.

Keys beyond the share wait for a slot, so that none stands empty until the next exchange.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Protocol, Self

import anyio
import anyio.abc

from runner.errors import Fatal
from runner.schedule.kept import Kept
from runner.schedule.messages import Key, Line, Order, Pressure, Receipt, Share
from runner.schedule.pause import Pause

Draw = Callable[[Key], Awaitable[Line]]
Settle = Callable[[Line], Key | None]
"""Takes a finished line off the site's hands, and gives the key to draw next; None where there is none now."""


class Fenced(Fatal):
    """A newer coordinator drives this site."""


class Limits(Protocol):
    """What paces requests inside a draw: told its share, asked what the endpoint said."""

    def share(self, share: Share) -> None:
        """Take a new part of the limits."""
        ...

    def pressure(self) -> Pressure:
        """What the endpoint said of its limits since the last call."""
        ...


class Pump:
    """Draws samples: `async with Pump(draw) as pump`, then exchanges. Serial is a share of one.

    Workers are started when keys need them, and park between samples, the last one to park being the first to work:
    a parked worker costs a third of a new task. `poll_s` is how long an exchange waits for a line, None without end;
    `receipt_bytes` caps a receipt, which always holds a line where one is finished; after the first line that it
    waited for it waits `linger_s` for more, where a message costs much more than a line, or until a slot stands empty.
    """

    def __init__(
        self,
        draw: Draw,
        *,
        limits: Limits | None = None,
        poll_s: float | None = 1.0,
        receipt_bytes: int | None = None,
        linger_s: float = 0.0,
    ) -> None:
        self._draw = draw
        self._limits = limits
        self._poll_s = poll_s
        self._receipt_bytes = receipt_bytes
        self._settle: Settle | None = None
        self._linger_s = linger_s
        self._epoch = 0
        self._first = 0
        self._turn = 0
        self._share: Share | None = None
        self._slots = 0
        self._hand: dict[Key, None] = {}
        self._queued: deque[Key] = deque()
        self._running: set[Key] = set()
        self._kept = Kept()
        self._parked: list[asyncio.Future[Key]] = []
        self._line_ended = Pause()
        self._slot_free = Pause()
        self._workers: anyio.abc.TaskGroup

    async def __aenter__(self) -> Self:
        self._workers = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Cut what is in flight; whoever wants those lines goes on exchanging before."""
        self._workers.cancel_scope.cancel()
        return await self._workers.__aexit__(kind, error, trace)

    @property
    def in_hand(self) -> int:
        """How many keys it has and has not yet been told to forget."""
        return len(self._hand)

    def attach(self, settle: Settle) -> None:
        """Settle each line at once, where it ends, instead of keeping it for an exchange.

        For a coordinator in the same loop. Answers that come in a burst would otherwise all be read before the first
        new request goes out, and so would come in a burst again.
        """
        self._settle = settle

    async def exchange(self, order: Order) -> Receipt:
        """Take the order's keys, forget what it acknowledges, and give what is finished, waiting for the first line.

        It does not wait where nothing could come, at the first order of an epoch, and where the order says so. That
        order may come again, where its receipt was lost: each time it is told of the whole hand. Raises Fenced at an
        order of an older coordinator.
        """
        obeyed, news = self._obeys(order), order.epoch > self._epoch
        if news:
            self._epoch, self._first = order.epoch, order.turn
        if obeyed:
            self._accept(order)
        if order.waits and not (self._kept or news) and self._awaits(order):
            await self._line_ended.wait(self._poll_s)
            if self._linger_s and self._queued:
                await self._slot_free.wait(self._linger_s)
        return self._receipt(news=order.turn == self._first)

    def share_by(self, order: Order) -> Share | None:
        """Its share once this order came: none where it has none yet. Raises Fenced as `exchange` does."""
        return order.share if self._obeys(order) else self._share

    def _obeys(self, order: Order) -> bool:
        """Whether it is new. An older one is an echo: what it asks for was done. Raises Fenced."""
        if order.epoch < self._epoch:
            raise Fenced(f"a newer run drives this site (epoch {self._epoch}, this order has {order.epoch})")
        return order.epoch > self._epoch or order.turn > self._turn

    def _awaits(self, order: Order) -> bool:
        """Whether a line may come: of what is in flight, or of what waits for a slot."""
        return bool(self._running or (self._queued and not order.hold))

    def _accept(self, order: Order) -> None:
        self._turn = order.turn
        for done in self._kept.forget(order.ack):
            del self._hand[done]
        if order.share != self._share:
            self._share = order.share
            if self._limits is not None:
                self._limits.share(order.share)
        self._slots = 0 if order.hold else order.share.concurrency
        for key in order.keys:
            if key not in self._hand:
                self._hand[key] = None
                self._queued.append(key)
        while (following := self._next()) is not None:
            self._start(following)

    def _next(self) -> Key | None:
        """A key of the hand that may begin now: it counts as in flight from here on."""
        if not self._queued or len(self._running) >= self._slots:
            return None
        key = self._queued.popleft()
        self._running.add(key)
        return key

    def _start(self, key: Key) -> None:
        if self._parked:
            self._parked.pop().set_result(key)
        else:
            self._workers.start_soon(self._work, key)

    async def _work(self, key: Key) -> None:
        loop = asyncio.get_running_loop()
        while True:
            following = self._finish(await self._draw(key))
            if following is None:
                task: asyncio.Future[Key] = loop.create_future()
                self._parked.append(task)
                following = await task
            key = following

    def _finish(self, line: Line) -> Key | None:
        """Settle a line, or keep it until it is acknowledged; the key to go on with, None where there is none."""
        self._running.discard(line.key)
        if self._settle is None:
            self._kept.add(line)
            self._line_ended.wake()
            if line.fatal is not None:  # what is said to that is the coordinator's
                self._slots = 0
            following = self._next()
            if following is None:
                self._slot_free.wake()
            return following
        del self._hand[line.key]
        following = self._settle(line)
        if following is not None:
            self._hand[following] = None
            self._running.add(following)
        elif not self._running:
            self._line_ended.wake()
        return following

    def _receipt(self, *, news: bool) -> Receipt:
        lines = self._kept.first(self._receipt_bytes)
        return Receipt(
            turn=self._turn,
            seq=self._kept.seq(len(lines)),
            lines=lines,
            running=self._beside(lines) if news else (),
            in_flight=len(self._running),
            pressure=Pressure() if self._limits is None else self._limits.pressure(),
        )

    def _beside(self, lines: tuple[Line, ...]) -> tuple[Key, ...]:
        """The rest of the hand: in flight, waiting for a slot, or finished without a place in this receipt."""
        told = {line.key for line in lines}
        return tuple(key for key in self._hand if key not in told)
