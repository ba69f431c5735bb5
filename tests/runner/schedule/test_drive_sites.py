"""With sites that die, lose orders and receipts, answer twice and late: each key once, and never above the limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.schedule.drive import drive
from runner.schedule.messages import Key, Line, Order, Receipt, Share
from runner.schedule.outcome import Outcome
from runner.schedule.patience import Patience
from runner.schedule.pump import Pump
from runner.schedule.sites.base import EngineLost, SiteUnreachable
from runner.schedule.stopping import Stop
from tests.runner.schedule.sites import ShakySite, Step, World
from tests.runner.schedule.test_drive import Memory, keys

HARMLESS = [step for step in Step if step not in {Step.DIES, Step.DIES_AFTER}]
SCRIPT = st.lists(st.sampled_from(HARMLESS), max_size=12)
FINISH = st.lists(st.integers(0, 4), max_size=12)
"""How many samples end before each receipt."""
ENDS = st.sampled_from([[], [Step.DIES], [Step.DIES_AFTER]])
SITES = st.lists(st.tuples(SCRIPT, FINISH, ENDS), min_size=1, max_size=4)


async def run(world: World, planned: int, journal: Memory, **how: object) -> Outcome:
    share = Share(concurrency=world.limit)
    with anyio.fail_after(15):
        patience = Patience(ask_again_s=0)
        return await drive(list(world.sites), iter(keys(planned)), journal, share, patience=patience, **how)  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None)
@given(scripts=SITES, limit=st.integers(1, 9), planned=st.integers(0, 40))
def test_each_key_is_recorded_once_whatever_sites_do(scripts: list, limit: int, planned: int) -> None:
    world = World(limit)
    for number, (script, finish, end) in enumerate(scripts):
        ShakySite(world, f"site-{number}", iter([*script, *end]), iter(finish))
    journal = Memory()
    outcome = anyio.run(run, world, planned, journal)
    assert len(journal.lines) == len(journal.keys) == outcome.recorded
    assert outcome.recorded + outcome.left == planned
    assert outcome.left == 0 or not any(site.alive for site in world.sites)
    assert (outcome.fatal is None) == (outcome.left == 0)
    repeated = sum(count - 1 for count in world.drawn.values())
    assert repeated <= world.lost_hands
    assert repeated <= outcome.given_back  # what was written, and not acknowledged, is not given back


@pytest.mark.parametrize("step", [Step.REPLY_LOST, Step.TWICE, Step.ECHO, Step.LATE, Step.ORDER_LOST], ids=str)
def test_a_site_that_lives_through_it_draws_nothing_twice(step: Step) -> None:
    world = World(3)
    ShakySite(world, "a", iter([Step.WELL, step, step, Step.WELL, step]), iter([1, 2, 0, 1, 1, 3]))
    journal = Memory()
    outcome = anyio.run(run, world, 20, journal)
    assert outcome == Outcome(recorded=20, errors=0, malformed=0, fatal=None, left=0)
    assert set(world.drawn.values()) == {1}


def test_with_no_site_left_the_end_is_no_quiet_one() -> None:
    world = World(4)
    ShakySite(world, "a", iter([Step.WELL, Step.WELL, Step.DIES]), iter([2, 2]))
    journal = Memory()
    outcome = anyio.run(run, world, 20, journal)
    assert outcome.fatal == "no site is left that could draw"
    assert outcome.left == 20 - outcome.recorded > 0
    assert outcome.given_back > 0


def test_what_a_site_does_for_an_earlier_coordinator_is_taken_over_and_not_drawn_again() -> None:
    world = World(6)
    site = ShakySite(world, "a", iter([]), iter([]))
    site.running = keys(20)[:3]
    site.seq = 7
    site.work(1)
    journal = Memory()
    outcome = anyio.run(run, world, 20, journal)
    assert outcome.recorded == 20
    assert not world.drawn.keys() & set(keys(20)[:3])


def test_a_site_that_joins_later_works_within_the_limit() -> None:
    world = World(4)
    ShakySite(world, "a", iter([Step.SLOW] * 5), iter([1] * 100))
    journal = Memory()

    async def main() -> Outcome:
        async def joining() -> AsyncIterator[ShakySite]:
            yield ShakySite(world, "b", iter([]), iter([1] * 100))
            await anyio.sleep_forever()

        share = Share(concurrency=world.limit)
        sites = list(world.sites)
        return await drive(sites, iter(keys(60)), journal, share, joining=joining())  # type: ignore[arg-type]

    assert anyio.run(main).recorded == 60
    assert all(site.seq for site in world.sites)
    assert set(world.drawn.values()) == {1}


class Pumped:
    """A site elsewhere with the pump that it really has."""

    def __init__(self, name: str, pump: Pump, deaf: int = 0) -> None:
        self.id = name
        self.pump = pump
        self.deaf = deaf
        """So many receipts are lost on the way."""

    async def exchange(self, order: Order) -> Receipt:
        receipt = await self.pump.exchange(order)
        self.deaf -= 1
        if self.deaf >= 0:
            raise SiteUnreachable(self.id)
        return receipt

    def abandon(self) -> None:
        raise AssertionError


@pytest.mark.parametrize("deaf", [0, 1, 2], ids="receipts lost: {}".format)
@pytest.mark.parametrize("limit", [1, 2, 3, 6])
def test_what_an_earlier_start_left_waiting_is_drawn_once_though_there_are_more_sites_than_slots(
    limit: int, deaf: int
) -> None:
    drawn: Counter[Key] = Counter()
    planned, journal, flying = keys(30), Memory(), []

    async def draw(key: Key) -> Line:
        drawn[key] += 1
        flying.append(key)
        if drawn.total() > 6:
            assert len(flying) <= max(limit, 2)  # what an earlier start began goes on
        await anyio.sleep(0.001)
        flying.remove(key)
        return Line(key=key, data=b"{}\n", ok=True)

    async def main() -> Outcome:
        async with Pump(draw, poll_s=0.01) as one, Pump(draw, poll_s=0.01) as two, Pump(draw, poll_s=0.01) as three:
            sites = [Pumped(name, pump, deaf) for name, pump in (("a", one), ("b", two), ("c", three))]
            for site, held in zip(sites[1:], (planned[4:7], planned[20:23]), strict=True):
                await site.pump.exchange(
                    Order(run_id="r", epoch=1, turn=1, keys=tuple(held), ack=0, share=Share(concurrency=1))
                )
            share, patience = Share(concurrency=limit), Patience(ask_again_s=0)
            with anyio.fail_after(10):
                return await drive(sites, iter(planned), journal, share, epoch=2, patience=patience)

    outcome = anyio.run(main)
    assert outcome == Outcome(recorded=30, errors=0, malformed=0, fatal=None, left=0)
    assert set(drawn.values()) == {1}


def test_asked_to_stop_a_site_begins_nothing_that_waits_in_its_hand_and_has_nothing_left() -> None:
    world = World(10)
    ShakySite(world, "a", iter([]), iter([4] * 100))
    stop = Stop()
    journal = Memory()
    drawn = []

    def seen(line: Line) -> None:
        if len(journal.lines) == 30:
            stop.request()
            drawn.append(world.drawn.total())

    outcome = anyio.run(lambda: run(world, 100, journal, stop=stop, on_line=seen))
    assert outcome.fatal is None
    assert outcome.in_hand == outcome.given_back == 0
    assert outcome.recorded == world.drawn.total() == drawn[0]
    assert outcome.left == 100 - outcome.recorded > 0


def test_once_what_holds_the_sites_is_gone_what_is_in_flight_ends_and_the_rest_is_left() -> None:
    world = World(4)
    ShakySite(world, "a", iter([]), iter([1] * 100))
    journal = Memory()

    async def main() -> Outcome:
        async def joining() -> AsyncIterator[ShakySite]:
            while len(journal.lines) < 20:
                await anyio.sleep(0)
            raise EngineLost("the head does not answer")
            yield

        return await drive(list(world.sites), iter(keys(60)), journal, Share(concurrency=4), joining=joining())

    outcome = anyio.run(main)
    assert outcome.fatal == "the head does not answer"
    assert outcome.recorded == world.drawn.total() < 40
    assert outcome.left == 60 - outcome.recorded
    assert outcome.given_back == outcome.in_hand == 0


def test_an_error_while_sites_are_looked_for_ends_the_drive_as_it_is() -> None:
    async def main() -> None:
        async def joining() -> AsyncIterator[ShakySite]:
            yield ShakySite(World(1), "a", iter([Step.SLOW] * 100), iter([]))
            raise RuntimeError("the cluster is gone")

        await drive([], iter(keys(5)), Memory(), Share(concurrency=1), joining=joining())

    with pytest.raises(RuntimeError, match="the cluster is gone"):
        anyio.run(main)


def test_nobody_joining_for_too_long_ends_the_drive() -> None:
    async def main() -> Outcome:
        async def joining() -> AsyncIterator[ShakySite]:
            await anyio.sleep_forever()
            yield ShakySite(World(1), "a", iter([]), iter([]))

        share = Share(concurrency=2)
        with anyio.fail_after(15):
            patience = Patience(empty_s=0.02)
            return await drive([], iter(keys(5)), Memory(), share, joining=joining(), patience=patience)

    outcome = anyio.run(main)
    assert outcome.fatal == "no site is left that could draw"
    assert outcome.left == 5
