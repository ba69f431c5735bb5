"""One exchange with a site: the order with its share, and the same again for as long as the site cannot be reached."""

from __future__ import annotations

import time

import anyio

from runner.schedule.hands import Hand, Work
from runner.schedule.messages import Key, Order, Receipt, Share
from runner.schedule.patience import Patience
from runner.schedule.shares import Ease
from runner.schedule.sites.base import Site, SiteLost, SiteUnreachable
from runner.schedule.stopping import End
from runner.schedule.witness import Witness

_NOTHING = Share(concurrency=0)


class Exchanges:
    """What a coordinator says to its sites, and what it takes from their answers beside the lines."""

    def __init__(
        self, work: Work, limit: Share, end: End, run_id: str, epoch: int, patience: Patience, witness: Witness
    ) -> None:
        self.work = work
        self.limit = limit
        self.end = end
        self.run_id = run_id
        self.epoch = epoch
        self.patience = patience
        self.witness = witness
        self.ease = Ease()

    def share(self, hand: Hand) -> Share:
        """What a site may use now of all limits."""
        return self.work.share(hand, self.limit, self.ease.factor(time.monotonic()))

    async def ask(self, hand: Hand, new: tuple[Key, ...], share: Share) -> Receipt:
        """One exchange, the same order again for as long as the site cannot be reached. Raises SiteLost."""
        if share != hand.share:
            hand.share = share
            self.witness.shared(hand.site.id, share, hand.most(share.concurrency))
        order = self._order(hand, new, share, hold=self.end.near)
        while True:
            try:
                if self.patience.deadline_s is None:
                    receipt = await hand.site.exchange(order)
                else:
                    receipt = await _within(self.patience.deadline_s, hand.site, order)
            except SiteUnreachable:
                self._silent(hand)
                await anyio.sleep(self.patience.ask_again_s)
            else:
                self._heard(hand, order, receipt)
                return receipt

    async def ask_last(self, hand: Hand) -> Receipt:
        """Ask once, for what is finished already. Raises SiteLost or SiteUnreachable."""
        return await hand.site.exchange(self._order(hand, (), _NOTHING, hold=True, waits=False))

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

    def _heard(self, hand: Hand, order: Order, receipt: Receipt) -> None:
        if hand.silent_since_s is not None:
            hand.silent_since_s = None
            self.witness.heard(hand.site.id)
        self.work.heard(hand, order, receipt)
        if len(self.work.hands) > 1:
            self.ease.press(receipt.pressure, time.monotonic())

    def _silent(self, hand: Hand) -> None:
        """A site cannot be reached: is it, or are all of them, given up? Raises SiteLost."""
        now_s = time.monotonic()
        if hand.silent_since_s is None:
            hand.silent_since_s = now_s
            self.witness.silent(hand.site.id, len(hand.keys))
        if self.patience.gives_up(now_s - hand.silent_since_s):
            hand.site.abandon()
            raise SiteLost(f"site {hand.site.id} was not heard of for {self.patience.abandon_after_s:g} s")
        if self.patience.ends(self.work.all_silent_for(now_s)):
            self.end.fails(f"no site was heard of for {self.patience.wait_s:g} s")
            self.end.scope.cancel()


async def _within(deadline_s: float, site: Site, order: Order) -> Receipt:
    with anyio.move_on_after(deadline_s):
        return await site.exchange(order)
    raise SiteUnreachable(f"site {site.id} did not answer within {deadline_s:g} s")
