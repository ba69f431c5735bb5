"""The coordinator: hands keys to sites, writes what comes back, acknowledges what is written, takes back what dies.

A key is in exactly one of: the plan, the hand of one site, the journal. A line is appended and flushed before it is
acknowledged, and a site keeps it until then. What sites have in flight never exceeds their shares, nor these the limit;
a hand holds at most half as many keys again, which wait at the site so that no slot stands empty between two exchanges.
That one bound is back-pressure, memory and the number of calls that can be repeated.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import anyio
import anyio.abc

from corpora.jsonl import changed
from runner.schedule.hands import Hand, Work
from runner.schedule.messages import Key, Line, Order, Receipt, Share
from runner.schedule.shares import Ease, part
from runner.schedule.sites.base import EngineLost, NearSite, Site, SiteLost, SiteUnreachable
from runner.schedule.stopping import Stop
from runner.schedule.witness import NOBODY, Witness

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
    in_hand: int = 0
    """Of those that are left: what living sites still work on, for whoever asks them again. A site that was silent from
    the start counts as one: nobody knows what it holds."""


class Sink(Protocol):
    """Where lines go: a journal."""

    @property
    def settles(self) -> bool:
        """Whether a line is as safe as it is meant to be when `append` returns; `flush` is then due now and then."""
        ...

    def append(self, line: Line) -> bool:
        """Take a line; False where its key has one already."""
        ...

    async def flush(self) -> None:
        """Make what was appended safe."""
        ...


class Patience(NamedTuple):
    """How long a coordinator waits for sites that are elsewhere; None without end."""

    deadline_s: float | None = None
    """For one exchange; a site that needs longer counts as unreachable, and is asked again."""
    abandon_after_s: float | None = None
    """A site that is unreachable for so long counts as dead. Should it live, its calls are paid twice."""
    wait_s: float | None = None
    """The drive ends where none of the sites was reachable for so long."""
    empty_s: float | None = None
    """The drive ends where no site lived for so long, though more may come."""
    farewell_s: float = 20.0
    """Sites have so long to end what is in flight once what holds them together is gone."""
    ask_again_s: float = 0.25
    """After a failed exchange."""


HERE = Patience()


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
    number = time.time_ns() // 1_000_000 if epoch is None else epoch
    work = Work(keys)
    return await _Drive(work, journal, share, on_line, stop or Stop(), run_id, number, patience, witness).run(
        sites, joining
    )


class _Drive:
    def __init__(
        self,
        work: Work,
        journal: Sink,
        limit: Share,
        on_line: Callable[[Line], None] | None,
        stop: Stop,
        run_id: str,
        epoch: int,
        patience: Patience,
        witness: Witness,
    ) -> None:
        self.work = work
        self.journal = journal
        self.limit = limit
        self.on_line = on_line
        self.stop = stop
        self.run_id = run_id
        self.epoch = epoch
        self.patience = patience
        self.witness = witness
        self.ease = Ease()
        self.recorded = self.errors = self.malformed = 0
        self.fatal: str | None = None
        self.broken: Exception | None = None
        self.scope = anyio.CancelScope()
        self.changed = anyio.Event()
        self.serving = self.waiting = 0

    async def run(self, sites: Sequence[Site], joining: AsyncIterator[Site] | None) -> Outcome:
        """Hand out every key and record what comes back, until nothing is left or the run must stop."""
        with self.scope, self.stop.aborts(self.scope):
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
        if self.broken is not None:
            raise self.broken
        if self.stop.aborted:
            await self._last_words()
        in_hand, left = self.work.in_hand(), self.work.left()
        if left and self.fatal is None and not self.stop.requested:
            self.fatal = "no site is left that could draw"
        given_back, kept = self.work.given_back, in_hand + self.work.unseen()
        return Outcome(self.recorded, self.errors, self.malformed, self.fatal, left, given_back, kept)

    # Sites come, work and go.

    async def _adopt(self, hand: Hand) -> bool:
        """Take over what a site does for an earlier coordinator, before any gets keys: they might be in its hand."""
        try:
            receipt = await self._exchange(hand, (), self._share_of(hand))
            self.work.adopt(hand, [*receipt.running, *(line.key for line in receipt.lines)])
            self.witness.joined(hand.site.id, len(hand.keys))
            await self._write(hand, receipt)
        except SiteLost as error:
            self._lose(hand, error)
            return False
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self._break(error)
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
            self.fatal = self.fatal or str(error)
            self._notify()
            await anyio.sleep(self.patience.farewell_s)  # what is in flight may still end
            self.scope.cancel()
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self._break(error)

    async def _wait_for_sites(self) -> None:
        """End the drive where no site was there for longer than is waited."""
        while True:
            with anyio.move_on_after(self.patience.empty_s) as waiting:
                while not self.serving:
                    await self._change()
            if waiting.cancelled_caught:
                self.scope.cancel()
                return
            while self.serving:
                await self._change()

    async def _guarded(self, hand: Hand) -> None:
        """Serve a site; an error of the journal, or a bug, ends the whole drive and is raised by it alone."""
        try:
            await self._serve(hand)
            self.scope.cancel()  # it ended because nothing is left for anybody
        except SiteLost as error:
            self._lose(hand, error)
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self._break(error)
        finally:
            self.serving -= 1
            self._notify()

    def _lose(self, hand: Hand, error: SiteLost) -> None:
        self.work.lose(hand)
        self.witness.lost(hand.site.id, len(hand.keys), str(error))

    def _break(self, error: Exception) -> None:
        self.broken = self.broken or error
        self.scope.cancel()

    async def _serve(self, hand: Hand) -> None:
        """Exchange until nothing is left that this site could ever get."""
        while True:
            share = self._share_of(hand)
            new = () if self._ending() else self.work.take(hand, share.concurrency)
            if hand.keys:
                await self._write(hand, await self._exchange(hand, new, share))
            elif self.work.is_over(ending=self._ending()):
                return
            else:
                await self._change()  # others work: they may die, and give keys back

    # A site in this loop.

    def _attach(self, hand: Hand) -> None:
        """Let a single site that is near settle its lines itself; exchanges then only start it, and look after it."""
        if isinstance(hand.site, NearSite) and self.journal.settles:
            hand.site.attach(lambda line: self._settled(hand, line))

    def _settled(self, hand: Hand, line: Line) -> Key | None:
        hand.keys.discard(line.key)
        try:
            if self.journal.append(line):
                self._count(line)
            self.witness.wrote(hand.site.id, 1)
        except Exception as error:  # noqa: BLE001 - it is raised again, out of the task group
            self._break(error)
        if self._ending():
            return None
        return self.work.take_one(hand, self.limit.concurrency)

    # One exchange.

    async def _exchange(self, hand: Hand, new: tuple[Key, ...], share: Share) -> Receipt:
        """One exchange, the same order again for as long as the site cannot be reached. Raises SiteLost."""
        if share != hand.share:
            hand.share = share
            self.witness.shared(hand.site.id, share, hand.most(share.concurrency))
        order = self._order(hand, new, share, hold=self._ending())
        while True:
            try:
                if self.patience.deadline_s is None:
                    receipt = await hand.site.exchange(order)
                else:
                    receipt = await self._within(self.patience.deadline_s, hand.site, order)
            except SiteUnreachable:
                self._silent(hand)
                await anyio.sleep(self.patience.ask_again_s)
            else:
                if hand.silent_since_s is not None:
                    hand.silent_since_s = None
                    self.witness.heard(hand.site.id)
                self.work.heard(hand, order, receipt)
                return receipt

    def _order(self, hand: Hand, new: tuple[Key, ...], share: Share, *, hold: bool, waits: bool = True) -> Order:
        hand.turn += 1
        return Order(
            run_id=self.run_id,
            epoch=self.epoch,
            turn=hand.turn,
            keys=new,
            ack=hand.ack,
            share=share,
            hold=hold,
            waits=waits,
        )

    async def _within(self, deadline_s: float, site: Site, order: Order) -> Receipt:
        with anyio.move_on_after(deadline_s):
            return await site.exchange(order)
        raise SiteUnreachable(f"site {site.id} did not answer within {deadline_s:g} s")

    def _silent(self, hand: Hand) -> None:
        """A site cannot be reached: is it, or are all of them, given up? Raises SiteLost."""
        now_s = time.monotonic()
        if hand.silent_since_s is None:
            hand.silent_since_s = now_s
            self.witness.silent(hand.site.id, len(hand.keys))
        after_s, wait_s = self.patience.abandon_after_s, self.patience.wait_s
        if after_s is not None and now_s - hand.silent_since_s >= after_s:
            hand.site.abandon()
            raise SiteLost(f"site {hand.site.id} was not heard of for {after_s:g} s")
        if wait_s is not None and self.work.all_silent_for(now_s) >= wait_s:
            self.fatal = f"no site was heard of for {wait_s:g} s"
            self.scope.cancel()

    async def _write(self, hand: Hand, receipt: Receipt) -> None:
        """Append, flush, and only then acknowledge."""
        if len(self.work.hands) > 1:
            self.ease.press(receipt.pressure, time.monotonic())
        for line in receipt.lines:
            hand.keys.discard(line.key)
            if self.journal.append(line):
                self._count(line)
        if receipt.lines:
            self.witness.wrote(hand.site.id, len(receipt.lines))
        if receipt.lines or self.journal.settles:
            await self.journal.flush()
        hand.ack = max(hand.ack, receipt.seq)  # a late receipt takes no acknowledgement back
        self._notify()

    def _count(self, line: Line) -> None:
        self.recorded += 1
        self.errors += not line.ok
        self.malformed += line.malformed
        if line.fatal is not None and self.fatal is None:
            self.fatal = line.fatal
        if self.on_line is not None:
            self.on_line(line)

    def _share_of(self, hand: Hand) -> Share:
        """What a site may use now of all limits. Its slots are what the others leave of its part, until they ended."""
        sites = len(self.work.hands)
        if sites == 1:
            hand.slots = self.limit.concurrency
            return self.limit
        share = part(self.limit, self.work.hands.index(hand), sites, self.ease.factor(time.monotonic()))
        slots = self.work.grant(hand, share.concurrency, self.limit.concurrency)
        return share if slots == share.concurrency else changed(share, concurrency=slots)

    def _ending(self) -> bool:
        return self.fatal is not None or self.broken is not None or self.stop.requested

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

    async def _last_words(self) -> None:
        """After an abort: take what sites have finished, wait for nothing."""
        none = Share(concurrency=0)
        for hand in self.work.hands:
            if hand.silent_since_s is not None:
                continue
            order = self._order(hand, (), none, hold=True, waits=False)
            with anyio.move_on_after(LAST_WORD_S, shield=True):
                try:
                    await self._write(hand, await hand.site.exchange(order))
                except (SiteLost, SiteUnreachable):
                    continue
