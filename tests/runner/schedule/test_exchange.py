"""A site that is silent is asked again, and given up no sooner than it was said."""

from __future__ import annotations

import anyio
import pytest

from runner.schedule.drive import drive
from runner.schedule.messages import Line, Order, Receipt, Share
from runner.schedule.outcome import Outcome
from runner.schedule.patience import HERE, Patience
from runner.schedule.sites.base import SiteUnreachable
from runner.schedule.stopping import Stop
from tests.runner.schedule.sites import ShakySite, World
from tests.runner.schedule.test_drive import Memory, keys


@pytest.mark.parametrize(
    ("patience", "silent_s", "given_up", "over"),
    [
        (HERE, 1e9, False, False),
        (Patience(abandon_after_s=2.0), 1.9, False, False),
        (Patience(abandon_after_s=2.0), 2.0, True, False),
        (Patience(wait_s=2.0), 1.9, False, False),
        (Patience(wait_s=2.0), 2.0, False, True),
        (Patience(abandon_after_s=0.0, wait_s=0.0), 0.0, True, True),
    ],
)
def test_who_is_given_up_and_when_nobody_is_waited_for(
    patience: Patience, silent_s: float, given_up: bool, over: bool
) -> None:
    assert patience.gives_up(silent_s) is given_up
    assert patience.ends(silent_s) is over


class Mute:
    """A site that never answers: it hangs, or its host cannot be reached."""

    id = "mute"

    def __init__(self, *, hangs: bool) -> None:
        self.hangs = hangs
        self.asked = 0
        self.abandoned = False

    def abandon(self) -> None:
        self.abandoned = True

    async def exchange(self, order: object) -> None:
        self.asked += 1
        if self.hangs:
            await anyio.sleep_forever()
        raise SiteUnreachable(self.id)


@pytest.mark.parametrize("hangs", [True, False], ids=["hangs", "unreachable"])
@pytest.mark.parametrize(
    ("patience", "reason"),
    [
        (Patience(deadline_s=0.01, wait_s=0.02), "no site was heard of for 0.02 s"),
        (Patience(deadline_s=0.01, abandon_after_s=0.02), "no site is left that could draw"),
    ],
    ids=["waited for", "abandoned"],
)
def test_a_site_that_never_answers_ends_the_drive_with_a_word(hangs: bool, patience: Patience, reason: str) -> None:
    mute = Mute(hangs=hangs)

    async def main() -> Outcome:
        share = Share(concurrency=2)
        with anyio.fail_after(15):
            return await drive([mute], iter(keys(5)), Memory(), share, patience=patience)  # type: ignore[list-item]

    outcome = anyio.run(main)
    assert outcome.fatal == reason
    assert outcome.left == 5
    given_up = patience.abandon_after_s is not None
    assert mute.abandoned is given_up  # should it live, it is to end: its keys are drawn elsewhere
    assert outcome.in_hand == (0 if given_up else 1)  # and one that is only waited for must not be ended


class Refused:
    """A site whose first line says that the key was refused, and that is never heard of again."""

    id = "refused"
    asked = 0

    def abandon(self) -> None:
        raise AssertionError

    async def exchange(self, order: Order) -> Receipt:
        self.asked += 1
        if self.asked > 2:
            raise SiteUnreachable(self.id)
        lines = tuple(Line(key=key, data=b"{}\n", ok=False, fatal="the key was refused") for key in order.keys[:1])
        return Receipt(turn=order.turn, seq=len(lines), lines=lines, running=(), in_flight=len(order.keys[1:]))


def test_the_first_reason_why_a_drive_ends_is_told_though_its_sites_fall_silent_afterwards() -> None:
    async def main() -> Outcome:
        share, patience = Share(concurrency=2), Patience(wait_s=0.02, ask_again_s=0)
        with anyio.fail_after(15):
            return await drive([Refused()], iter(keys(5)), Memory(), share, patience=patience)

    outcome = anyio.run(main)
    assert outcome.fatal == "the key was refused"
    assert (outcome.recorded, outcome.left) == (1, 4)


def test_what_living_sites_hold_is_written_while_another_is_silent_and_nothing_is_drawn_that_it_might_hold() -> None:
    world = World(6)
    site = ShakySite(world, "a", iter([]), iter([]))
    site.running = keys(20)[:3]
    site.work(3)
    mute, journal, stop = Mute(hangs=False), Memory(), Stop()

    async def main() -> Outcome:
        async with anyio.create_task_group() as group:
            group.start_soon(abort)
            share = Share(concurrency=6)
            patience = Patience(ask_again_s=0)
            return await drive([mute, site], iter(keys(20)), journal, share, stop=stop, patience=patience)  # type: ignore[list-item]

    async def abort() -> None:
        while mute.asked < 20:
            await anyio.sleep(0)
        stop.abort()

    outcome = anyio.run(main)
    assert outcome.recorded == len(journal.lines) == 3
    assert not world.drawn
    assert outcome.in_hand == 1
