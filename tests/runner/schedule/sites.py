"""A second implementation of the site's side of the protocol, that fails in every way in which a site elsewhere can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum

import anyio

from runner.schedule.messages import Key, Line, Order, Receipt
from runner.schedule.shares import most_in_hand
from runner.schedule.sites.base import SiteLost, SiteUnreachable


class Step(Enum):
    """What happens at one exchange."""

    WELL = "answered well"
    ORDER_LOST = "the order is lost on the way"
    REPLY_LOST = "the order is taken, the receipt is lost"
    TWICE = "the order comes twice"
    ECHO = "an old order comes again after it"
    LATE = "the receipt is an old one"
    SLOW = "nothing is finished"
    DIES = "the site dies before it took the order"
    DIES_AFTER = "the site dies after it took the order"


def line(key: Key) -> Line:
    return Line(key=key, data=f"{key.fixture_id} {key.sample}\n".encode(), ok=True)


class World:
    """All sites of a test: what they drew, and what lay in their hands when they died."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.sites: list[ShakySite] = []
        self.drawn: Counter[Key] = Counter()
        self.lost_hands = 0

    def check(self) -> None:
        assert sum(len(site.running) for site in self.sites if site.alive) <= self.limit


class ShakySite:
    """Follows a script, then answers well for ever."""

    def __init__(self, world: World, name: str, script: Iterator[Step], finish: Iterator[int]) -> None:
        self.world = world
        self.id = name
        self.script = script
        self.finish = finish
        self.alive = True
        self.turn = self.ack = self.slots = 0
        self.queued: list[Key] = []
        self.running: list[Key] = []
        self.kept: list[tuple[int, Line]] = []
        self.seq = 0
        self.old_orders: list[Order] = []
        self.old_receipts: list[Receipt] = []
        world.sites.append(self)

    def hand(self) -> list[Key]:
        return [*self.queued, *self.running, *(one.key for _, one in self.kept)]

    async def exchange(self, order: Order) -> Receipt:
        await anyio.lowlevel.checkpoint()
        if not self.alive:
            raise SiteLost(self.id)
        step = next(self.script, Step.WELL)
        if step is Step.DIES:
            raise self.die()
        if step is Step.ORDER_LOST:
            raise SiteUnreachable(self.id)
        for _ in range(2 if step is Step.TWICE else 1):
            self.take(order)
        assert not order.keys or len(self.hand()) <= most_in_hand(order.share.concurrency)
        if step is Step.ECHO and self.old_orders:
            self.take(self.old_orders[0])
        self.old_orders = [*self.old_orders, order][-3:]
        if step is Step.DIES_AFTER:
            raise self.die()
        if step is not Step.SLOW:
            self.work(next(self.finish, 100))
        receipt = Receipt(
            turn=self.turn,
            seq=self.kept[-1][0] if self.kept else self.ack,
            lines=tuple(one for _, one in self.kept),
            running=(*self.running, *self.queued),
            in_flight=len(self.running),
        )
        self.old_receipts = [*self.old_receipts, receipt][-3:]
        if step is Step.REPLY_LOST:
            raise SiteUnreachable(self.id)
        return self.old_receipts[0] if step is Step.LATE else receipt

    def abandon(self) -> None:
        self.alive = False

    def take(self, order: Order) -> None:
        if order.turn <= self.turn:
            return
        self.turn, self.ack = order.turn, order.ack
        self.slots = 0 if order.hold else order.share.concurrency
        self.kept = [(seq, one) for seq, one in self.kept if seq > order.ack]
        for key in order.keys:
            if key not in self.hand():
                self.queued.append(key)
        self.begin()

    def begin(self) -> None:
        while self.queued and len(self.running) < self.slots:
            self.running.append(self.queued.pop(0))
            self.world.drawn[self.running[-1]] += 1
        self.world.check()

    def work(self, count: int) -> None:
        for key in self.running[:count]:
            self.seq += 1
            self.kept.append((self.seq, line(key)))
        del self.running[:count]
        self.begin()

    def die(self) -> SiteLost:
        self.alive = False
        self.world.lost_hands += len(self.hand())
        return SiteLost(self.id)
