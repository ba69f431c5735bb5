"""Whose key is it? Each is in the plan, in the hand of one site, or in the journal; what dies gives its keys back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from corpora.jsonl import changed
from runner.schedule.messages import Key, Order, Receipt, Share
from runner.schedule.shares import ahead, most_in_hand, part
from runner.schedule.sites.base import NearSite, Site


class Hand:
    """What one site has been given and not yet answered for."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._near = isinstance(site, NearSite)
        self.keys: set[Key] = set()
        self.turn = 0
        """Of the last order."""
        self.ack = 0
        """Every line with seq <= ack is on disk."""
        self.share: Share | None = None
        """What it was told last."""
        self.slots = 0
        """The most that it has in flight: what it may have, or what is left of a larger share."""
        self.in_flight = 0
        """What it had in flight when it was heard of last."""
        self.ahead = 0
        """How many keys beyond its slots it gets."""
        self.silent_since_s: float | None = None
        """Since when it cannot be reached; None where it can."""
        self.seen = False
        """Whether it was heard of at all, and with that what it holds for an earlier coordinator."""

    def most(self, slots: int) -> int:
        """How many keys it may hold. A site in this loop is never far from its next exchange: it needs none ahead."""
        return slots if self._near else most_in_hand(slots)


class Work:
    """The plan and the hands."""

    def __init__(self, keys: Iterator[Key]) -> None:
        self._adopted: set[Key] = set()
        self._plan = (key for key in keys if key not in self._adopted)
        self._back: deque[Key] = deque()
        self._exhausted = False
        self.hands: list[Hand] = []
        self.given_back = 0

    def join(self, site: Site) -> Hand:
        """A site that lives from now on, with an empty hand."""
        hand = Hand(site)
        self.hands.append(hand)
        return hand

    def adopt(self, hand: Hand, keys: Iterable[Key]) -> None:
        """Keys that a site holds for an earlier coordinator: they leave the plan."""
        hand.seen = True
        hand.keys.update(keys)
        self._adopted.update(hand.keys)

    def share(self, hand: Hand, limit: Share, factor: float) -> Share:
        """What a site may use now of all limits. Its slots are what the others leave of its part, until they ended."""
        sites = len(self.hands)
        if sites == 1:
            hand.slots = limit.concurrency
            return limit
        share = part(limit, self.hands.index(hand), sites, factor)
        slots = self.grant(hand, share.concurrency, limit.concurrency)
        return share if slots == share.concurrency else changed(share, concurrency=slots)

    def grant(self, hand: Hand, wanted: int, limit: int) -> int:
        """How many samples a site may have in flight from now on, so that all of them stay within the limit.

        Where a site has just joined, the others may still have more in flight than their new shares. What a site has
        in flight is never held back altogether: it might need further requests to end. Where there are more sites than
        slots, one whose part is none gets a slot that is free for the keys that it holds: nobody else can draw them.
        """
        others = sum(other.slots for other in self.hands if other is not hand and (other.keys or not other.seen))
        if hand.keys and limit < len(self.hands):
            wanted = max(wanted, 1)
        slots = max(min(wanted, limit - others), min(1, hand.in_flight))
        hand.slots = max(hand.slots, slots)
        return slots

    def heard(self, hand: Hand, order: Order, receipt: Receipt) -> None:
        """What the answer to an order says of a site's slots, and of keys that it did not begin and now never will."""
        hand.ahead = ahead(hand.ahead, len(receipt.lines))
        if receipt.turn != order.turn:
            return  # a late one: what it says of the site is no longer so
        hand.in_flight = receipt.in_flight
        hand.slots = max(order.share.concurrency, receipt.in_flight)
        if order.hold and not receipt.in_flight and not receipt.lines:
            self._back.extend(hand.keys)
            hand.keys.clear()

    def take(self, hand: Hand, slots: int) -> tuple[Key, ...]:
        """New work for a site: for its slots, and what it needs beside them. What was given back comes first."""
        room = min(slots + hand.ahead, hand.most(slots)) - len(hand.keys)
        if room <= 0:
            return ()
        new = [self._back.popleft() for _ in range(min(room, len(self._back)))]
        new += islice(self._plan, room - len(new))
        self._exhausted = len(new) < room
        hand.keys.update(new)
        return tuple(new)

    def take_one(self, hand: Hand, slots: int) -> Key | None:
        """The same for one key."""
        if len(hand.keys) >= slots:
            return None
        key = self._back.popleft() if self._back else next(self._plan, None)
        if key is None:
            self._exhausted = True
        else:
            hand.keys.add(key)
        return key

    def lose(self, hand: Hand) -> None:
        """A site is dead: its hand goes back to the plan, its part of the limit to the others."""
        self.hands.remove(hand)
        self._back.extend(hand.keys)
        self.given_back += len(hand.keys)

    def is_over(self, *, ending: bool) -> bool:
        """Whether no site will get another key: nothing is in any hand, and nothing is to be given."""
        if any(hand.keys for hand in self.hands):
            return False
        return ending or (self._exhausted and not self._back)

    def all_silent_for(self, now_s: float) -> float:
        """How long no site at all could be reached; 0 where one can."""
        since = [hand.silent_since_s for hand in self.hands]
        return min((now_s - at if at is not None else 0.0 for at in since), default=0.0)

    def in_hand(self) -> int:
        """How many keys living sites work on."""
        return sum(len(hand.keys) for hand in self.hands)

    def unseen(self) -> int:
        """How many sites live and were never heard of."""
        return sum(not hand.seen and hand.silent_since_s is not None for hand in self.hands)

    def left(self) -> int:
        """How many keys have no line yet. It empties the plan."""
        return self.in_hand() + len(self._back) + sum(1 for _ in self._plan)
