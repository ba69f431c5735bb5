"""Whose key is it? Each is in the plan, in the hand of one site, or in the journal; what dies gives its keys back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from runner.schedule.messages import Key, Share
from runner.schedule.sites.base import Site


class Hand:
    """What one site has been given and not yet answered for."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.keys: set[Key] = set()
        self.ack = 0
        """Every line with seq <= ack is on disk."""
        self.share: Share | None = None
        """What it was told last."""
        self.silent_since_s: float | None = None
        """Since when it cannot be reached; None where it can."""


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
        hand.keys.update(keys)
        self._adopted.update(hand.keys)

    def take(self, hand: Hand, share: int, limit: int) -> tuple[Key, ...]:
        """New work for a site: up to its share, and up to the limit over all hands. What was given back comes first.

        Where a site has just joined, the hands of the others may still be larger than their new shares.
        """
        room = min(share - len(hand.keys), limit - sum(len(other.keys) for other in self.hands))
        if room <= 0:
            return ()
        new = [self._back.popleft() for _ in range(min(room, len(self._back)))]
        new += islice(self._plan, room - len(new))
        self._exhausted = len(new) < room
        hand.keys.update(new)
        return tuple(new)

    def take_one(self, hand: Hand, share: int, limit: int) -> Key | None:
        """The same for one key."""
        if len(hand.keys) >= min(share, limit):
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

    def left(self) -> int:
        """How many keys have no line yet. It empties the plan."""
        return self.in_hand() + len(self._back) + sum(1 for _ in self._plan)
