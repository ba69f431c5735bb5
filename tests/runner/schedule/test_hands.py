"""A site has what the others leave of its part of the limit, and only a timely answer changes that."""

from __future__ import annotations

from runner.schedule.hands import Work
from runner.schedule.messages import Order, Receipt, Share
from tests.runner.schedule.sites import ShakySite, World
from tests.runner.schedule.test_drive import keys


def test_a_site_without_a_part_of_the_limit_may_end_what_it_has_in_flight() -> None:
    """Its part of a limit that shrank is none; a sample in flight may need further requests to end."""
    work = Work(iter(keys(9)))
    first, second = (work.join(ShakySite(World(2), name, iter([]), iter([]))) for name in "ab")
    assert [work.grant(hand, 1, 2) for hand in (first, second)] == [1, 1]
    second.in_flight = 1
    assert work.grant(second, 0, 2) == 1
    second.in_flight = 0
    assert work.grant(second, 0, 2) == 0
    assert work.take(second, 0) == ()


def test_a_late_receipt_says_nothing_of_what_a_site_has_in_flight_now() -> None:
    work = Work(iter(keys(9)))
    hand = work.join(ShakySite(World(9), "a", iter([]), iter([])))
    order = Order(run_id="r", epoch=1, turn=3, keys=(), ack=0, share=Share(concurrency=work.grant(hand, 2, 9)))
    hand.slots = 7  # of a larger share that it had
    work.heard(hand, order, Receipt(turn=2, seq=0, lines=(), running=(), in_flight=1))
    assert hand.slots == 7
    work.heard(hand, order, Receipt(turn=3, seq=0, lines=(), running=(), in_flight=5))
    assert hand.slots == 5
