"""The coordinator: hands keys to sites, writes what comes back, acknowledges what is written, takes back what dies.

A key is in exactly one of: the plan, the hand of one site, the journal. A line is appended and flushed before it is
acknowledged, and a site keeps it until then. A hand never exceeds its share, and the shares never exceed the limit:
that one bound is back-pressure, memory and the number of calls that can be repeated.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

import anyio

from runner.schedule.messages import Key, Line, Order, Receipt, Share
from runner.schedule.sites.base import Site, SiteLost, SiteUnreachable
from runner.schedule.stopping import Stop

UNREACHABLE_WAIT_S = 0.25
LAST_WORD_S = 2.0


class Outcome(NamedTuple):
    """How a drive ended."""

    recorded: int
    """Lines written by this drive."""
    errors: int
    malformed: int
    fatal: str | None
    """Why it stopped before the plan was done; None where it is done, or was asked to stop."""
    left: int
    """Keys of the plan without a line."""
    given_back: int = 0
    """Keys that were in the hand of a site when it died: so many calls may have been paid twice."""


class Sink(Protocol):
    """Where lines go: a journal."""

    def append(self, line: Line) -> bool:
        """Take a line; False where its key has one already."""
        ...

    async def flush(self) -> None:
        """Make what was appended safe."""
        ...


async def drive(
    sites: Sequence[Site],
    keys: Iterator[Key],
    journal: Sink,
    share: Share,
    *,
    on_line: Callable[[Line], None] | None = None,
    stop: Stop | None = None,
    run_id: str = "",
    epoch: int | None = None,
    deadline_s: float | None = None,
) -> Outcome:
    """Draw every key once. Returns when the plan is done, no site lives, a line was fatal, or `stop` says so.

    `share` is the limit over all sites. `epoch` rises with every start of a run (default: the clock in milliseconds).
    `deadline_s` bounds one exchange; beyond it the site counts as unreachable. Errors of the journal end the drive.
    """
    number = time.time_ns() // 1_000_000 if epoch is None else epoch
    drive = _Drive(keys, journal, share, on_line, stop or Stop(), run_id, number, deadline_s)
    return await drive.run(sites)


class _Hand:
    """What one site has been given and not yet answered for."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.keys: set[Key] = set()
        self.ack = 0


class _Drive:
    def __init__(
        self,
        keys: Iterator[Key],
        journal: Sink,
        limit: Share,
        on_line: Callable[[Line], None] | None,
        stop: Stop,
        run_id: str,
        epoch: int,
        deadline_s: float | None,
    ) -> None:
        self.plan = keys
        self.back: deque[Key] = deque()
        self.adopted: set[Key] = set()
        self.hands: list[_Hand] = []
        self.journal = journal
        self.limit = limit
        self.on_line = on_line
        self.stop = stop
        self.run_id = run_id
        self.epoch = epoch
        self.deadline_s = deadline_s
        self.recorded = self.errors = self.malformed = self.given_back = 0
        self.exhausted = False
        self.fatal: str | None = None
        self.broken: Exception | None = None
        self.changed = anyio.Event()

    async def run(self, sites: Sequence[Site]) -> Outcome:
        self.hands = [_Hand(site) for site in sites]
        with anyio.CancelScope() as scope, self.stop.aborts(scope):
            for hand in list(self.hands):
                await self._adopt(hand)
            async with anyio.create_task_group() as group:
                for hand in list(self.hands):
                    group.start_soon(self._guarded, hand, scope)
        if self.broken is not None:
            raise self.broken
        if self.stop.aborted:
            await self._last_words()
        left = sum(len(hand.keys) for hand in self.hands) + len(self.back) + sum(1 for _ in self._fresh())
        if left and self.fatal is None and not self.stop.requested:
            self.fatal = "no site is left that could draw"
        return Outcome(self.recorded, self.errors, self.malformed, self.fatal, left, self.given_back)

    async def _adopt(self, hand: _Hand) -> None:
        """Take over what a site does for an earlier coordinator, before anything is drawn from the plan."""
        try:
            receipt = await self._exchange(hand, ())
        except SiteLost:
            self._lost(hand)
            return
        hand.keys.update(receipt.running)
        self.adopted.update(receipt.running)
        self.adopted.update(line.key for line in receipt.lines)
        await self._write(hand, receipt)

    async def _guarded(self, hand: _Hand, scope: anyio.CancelScope) -> None:
        """Serve a site; an error of the journal, or a bug, ends the whole drive and is raised by it alone."""
        try:
            await self._serve(hand)
        except SiteLost:
            self._lost(hand)
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self.broken = self.broken or error
            scope.cancel()

    async def _serve(self, hand: _Hand) -> None:
        while True:
            new = self._take(self._share_of(hand).concurrency - len(hand.keys))
            hand.keys.update(new)
            if hand.keys:
                await self._write(hand, await self._exchange(hand, new))
            elif self._ended(hand):
                self._notify()
                return
            else:
                await self.changed.wait()  # others work: they may die, and give keys back

    async def _exchange(self, hand: _Hand, new: tuple[Key, ...]) -> Receipt:
        """One exchange, the same order again for as long as the site cannot be reached."""
        order = Order(run_id=self.run_id, epoch=self.epoch, keys=new, ack=hand.ack, share=self._share_of(hand))
        while True:
            try:
                if self.deadline_s is None:
                    return await hand.site.exchange(order)
                with anyio.move_on_after(self.deadline_s):
                    return await hand.site.exchange(order)
            except SiteUnreachable:
                pass
            await anyio.sleep(UNREACHABLE_WAIT_S)

    async def _write(self, hand: _Hand, receipt: Receipt) -> None:
        if not receipt.lines:
            return
        for line in receipt.lines:
            hand.keys.discard(line.key)
            if self.journal.append(line):
                self._count(line)
        await self.journal.flush()
        hand.ack = receipt.seq
        self._notify()

    def _count(self, line: Line) -> None:
        self.recorded += 1
        self.errors += not line.ok
        self.malformed += line.malformed
        if line.fatal is not None and self.fatal is None:
            self.fatal = line.fatal
        if self.on_line is not None:
            self.on_line(line)

    def _take(self, room: int) -> tuple[Key, ...]:
        """New work, given-back keys first; none when the drive is to end."""
        if room <= 0 or self._ending():
            return ()
        taken = [self.back.popleft() for _ in range(min(room, len(self.back)))]
        taken += islice(self._fresh(), room - len(taken))
        self.exhausted = len(taken) < room
        return tuple(taken)

    def _fresh(self) -> Iterator[Key]:
        return (key for key in self.plan if key not in self.adopted)

    def _share_of(self, hand: _Hand) -> Share:
        """An equal part of the limits, the remainder to the first sites, so that the sum is the limit."""
        total = len(self.hands)
        if total == 1:
            return self.limit
        part, rest = divmod(self.limit.concurrency, total)
        return Share(
            concurrency=part + (self.hands.index(hand) < rest),
            requests_per_s=None if self.limit.requests_per_s is None else self.limit.requests_per_s / total,
            tokens_per_min=None if self.limit.tokens_per_min is None else self.limit.tokens_per_min / total,
        )

    def _ended(self, hand: _Hand) -> bool:
        """Whether a site with an empty hand will never get another key."""
        if any(other.keys for other in self.hands if other is not hand):
            return False
        return self._ending() or (self.exhausted and not self.back)

    def _ending(self) -> bool:
        return self.fatal is not None or self.stop.requested

    def _lost(self, hand: _Hand) -> None:
        """A site is dead: its hand goes back, its share to the others."""
        self.hands.remove(hand)
        self.back.extend(hand.keys)
        self.given_back += len(hand.keys)
        self._notify()

    def _notify(self) -> None:
        if len(self.hands) > 1 or self.given_back:
            self.changed.set()
            self.changed = anyio.Event()

    async def _last_words(self) -> None:
        """After an abort: take what sites have finished, wait for nothing."""
        none = Share(concurrency=0)
        for hand in self.hands:
            with anyio.move_on_after(LAST_WORD_S, shield=True):
                order = Order(run_id=self.run_id, epoch=self.epoch, keys=(), ack=hand.ack, share=none)
                try:
                    await self._write(hand, await hand.site.exchange(order))
                except (SiteLost, SiteUnreachable):
                    continue
