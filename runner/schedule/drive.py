"""The coordinator: hands keys to sites, writes what comes back, acknowledges what is written, takes back what dies.

A key is in exactly one of: the plan, the hand of one site, the journal. A line is appended and flushed before it is
acknowledged, and a site keeps it until then. What sites have in flight never exceeds their shares, nor these the limit;
a hand holds at most half as many keys again, which wait at the site so that no slot stands empty between two exchanges.
That one bound is back-pressure, memory and the number of calls that can be repeated.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

import anyio
import anyio.abc

from runner.schedule.exchange import Exchanges
from runner.schedule.hands import Hand, Work
from runner.schedule.messages import Key, Line, Share
from runner.schedule.outcome import Outcome, outcome
from runner.schedule.patience import HERE, Patience
from runner.schedule.sites.base import EngineLost, NearSite, Site, SiteLost, SiteUnreachable
from runner.schedule.stopping import End, Stop
from runner.schedule.witness import NOBODY, Witness
from runner.schedule.writing import Sink, Writer

LAST_WORD_S = 2.0


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
    joining: AsyncIterator[Site] | None = None,
    patience: Patience = HERE,
    witness: Witness = NOBODY,
) -> Outcome:
    """Draw every key once. Returns when the plan is done, no site lives, a line was fatal, or `stop` says so.

    `share` is the limit over all sites. `epoch` rises with every start of a run (default: the clock in milliseconds).
    `joining` gives sites that come later; `witness` sees sites come and go. Errors of the journal end the drive and
    are raised.
    """
    work, end = Work(keys), End(stop or Stop())
    number = time.time_ns() // 1_000_000 if epoch is None else epoch
    exchanges = Exchanges(work, share, end, run_id, number, patience, witness)
    return await _Drive(work, Writer(journal, end, witness, on_line), exchanges, end).run(sites, joining)


class _Drive:
    def __init__(self, work: Work, writer: Writer, exchanges: Exchanges, end: End) -> None:
        self.work = work
        self.writer = writer
        self.exchanges = exchanges
        self.limit, self.patience, self.witness = exchanges.limit, exchanges.patience, exchanges.witness
        self.end = end
        self.changed = anyio.Event()
        self.serving = self.waiting = 0

    async def run(self, sites: Sequence[Site], joining: AsyncIterator[Site] | None) -> Outcome:
        """Hand out every key and record what comes back, until nothing is left or the run must stop."""
        with self.end.scope, self.end.stop.aborts(self.end.scope):
            joined = [self.work.join(site) for site in sites]  # all before any of them is told its share
            async with anyio.create_task_group() as group:
                for hand in joined:
                    group.start_soon(self._adopt, hand)
            hands = list(self.work.hands)
            async with anyio.create_task_group() as group:
                if joining is None and len(hands) == 1:
                    self._attach(hands[0])
                for hand in hands:
                    self._start(group, hand)
                if joining is not None:
                    group.start_soon(self._join, group, joining)
                    group.start_soon(self._wait_for_sites)
        if self.end.broken is not None:
            raise self.end.broken
        if self.end.stop.aborted:
            await self._last_words()
        return outcome(self.work, self.writer, self.end)

    # Sites come, work and go.

    async def _adopt(self, hand: Hand) -> bool:
        """Take over what a site does for an earlier coordinator, before any gets keys: they might be in its hand."""
        try:
            receipt = await self.exchanges.ask(hand, (), self.exchanges.share(hand))
            self.work.adopt(hand, [*receipt.running, *(line.key for line in receipt.lines)])
            self.witness.joined(hand.site.id, len(hand.keys))
            await self.writer.write(hand, receipt)
        except SiteLost as error:
            self._lose(hand, error)
            return False
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self.end.breaks(error)
            return False
        return True

    def _start(self, group: anyio.abc.TaskGroup, hand: Hand) -> None:
        self.serving += 1
        group.start_soon(self._guarded, hand)

    async def _join(self, group: anyio.abc.TaskGroup, joining: AsyncIterator[Site]) -> None:
        try:
            async for site in joining:
                hand = self.work.join(site)
                if await self._adopt(hand):
                    self._start(group, hand)
                self._notify()
        except EngineLost as error:
            self.end.fails(str(error))
            self._notify()
            await anyio.sleep(self.patience.farewell_s)  # what is in flight may still end
            self.end.scope.cancel()
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self.end.breaks(error)

    async def _wait_for_sites(self) -> None:
        """End the drive where no site was there for longer than is waited."""
        while True:
            with anyio.move_on_after(self.patience.empty_s) as waiting:
                while not self.serving:
                    await self._change()
            if waiting.cancelled_caught:
                self.end.scope.cancel()
                return
            while self.serving:
                await self._change()

    async def _guarded(self, hand: Hand) -> None:
        """Serve a site; an error of the journal, or a bug, ends the whole drive and is raised by it alone."""
        try:
            await self._serve(hand)
            self.end.scope.cancel()  # it ended because nothing is left for anybody
        except SiteLost as error:
            self._lose(hand, error)
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self.end.breaks(error)
        finally:
            self.serving -= 1
            self._notify()

    def _lose(self, hand: Hand, error: SiteLost) -> None:
        self.work.lose(hand)
        self.witness.lost(hand.site.id, len(hand.keys), str(error))

    async def _serve(self, hand: Hand) -> None:
        """Exchange until nothing is left that this site could ever get."""
        while True:
            share = self.exchanges.share(hand)
            new = () if self.end.near else self.work.take(hand, share.concurrency)
            if hand.keys:
                await self.writer.write(hand, await self.exchanges.ask(hand, new, share))
                self._notify()
            elif self.work.is_over(ending=self.end.near):
                return
            else:
                await self._change()  # others work: they may die, and give keys back

    async def _last_words(self) -> None:
        """After an abort: take what sites have finished, wait for nothing."""
        for hand in self.work.hands:
            if hand.silent_since_s is not None:
                continue
            with anyio.move_on_after(LAST_WORD_S, shield=True):
                try:
                    await self.writer.write(hand, await self.exchanges.ask_last(hand))
                except (SiteLost, SiteUnreachable):
                    continue

    # A site in this loop.

    def _attach(self, hand: Hand) -> None:
        """Let a single site that is near settle its lines itself; exchanges then only start it, and look after it."""
        if isinstance(hand.site, NearSite) and self.writer.journal.settles:
            hand.site.attach(lambda line: self._settled(hand, line))

    def _settled(self, hand: Hand, line: Line) -> Key | None:
        try:
            self.writer.settle(hand, line)
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self.end.breaks(error)
        if self.end.near:
            return None
        return self.work.take_one(hand, self.limit.concurrency)

    # What a site waits for that has nothing to do.

    def _notify(self) -> None:
        """Wake whoever waits for a change of the plan, the hands or the sites; with one site nobody does."""
        if self.waiting:
            self.changed.set()
            self.changed = anyio.Event()

    async def _change(self) -> None:
        self.waiting += 1
        try:
            await self.changed.wait()
        finally:
            self.waiting -= 1
