"""The coordinator draws each key once, within its limit, and ends with a word where it cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import anyio
import pytest

from runner.schedule.drive import drive
from runner.schedule.messages import Key, Line, Share
from runner.schedule.outcome import Outcome
from runner.schedule.pump import Draw, Pump
from runner.schedule.sites.local import LocalSite
from runner.schedule.stopping import Stop


class Memory:
    """A journal that keeps lines in a list."""

    def __init__(self, *, settles: bool = False) -> None:
        self.settles = settles
        self.lines: list[Line] = []
        self.keys: set[Key] = set()

    def append(self, line: Line) -> bool:
        if line.key in self.keys:
            return False
        self.keys.add(line.key)
        self.lines.append(line)
        return True

    async def flush(self) -> None:
        await anyio.lowlevel.checkpoint()


pytestmark = pytest.mark.parametrize("settles", [False, True], ids=["by exchange", "where it ends"])


def keys(count: int) -> list[Key]:
    return [Key(f"f{n % 7}", n // 7) for n in range(count)]


def local(draw: Draw, planned: Iterable[Key], concurrency: int, journal: Memory, stop: Stop | None = None) -> Outcome:
    async def main() -> Outcome:
        with anyio.fail_after(10):
            async with Pump(draw) as pump:
                share = Share(concurrency=concurrency)
                return await drive([LocalSite(pump)], iter(planned), journal, share, stop=stop)

    return anyio.run(main)


def sample(key: Key, **facts: object) -> Line:
    return Line(key=key, data=b"{}\n", ok=True, **facts)  # type: ignore[arg-type]


def test_every_key_is_drawn_once_and_never_more_than_the_limit_at_a_time(settles: bool) -> None:
    begun: Counter[Key] = Counter()
    flying = peak = 0

    async def draw(key: Key) -> Line:
        nonlocal flying, peak
        begun[key] += 1
        flying += 1
        peak = max(peak, flying)
        await anyio.sleep(0)
        flying -= 1
        return sample(key)

    journal = Memory(settles=settles)
    outcome = local(draw, keys(500), 8, journal)
    assert outcome == Outcome(recorded=500, errors=0, malformed=0, fatal=None, left=0)
    assert set(begun.values()) == {1}
    assert len(journal.lines) == 500
    assert peak == 8


def test_serial_is_one_at_a_time_in_plan_order(settles: bool) -> None:
    begun: list[Key] = []
    flying = 0

    async def draw(key: Key) -> Line:
        nonlocal flying
        assert flying == 0
        flying += 1
        begun.append(key)
        await anyio.sleep(0)
        flying -= 1
        return sample(key)

    journal = Memory(settles=settles)
    local(draw, keys(20), 1, journal)
    assert begun == keys(20) == [line.key for line in journal.lines]


def test_a_fatal_line_is_kept_ends_new_work_and_lets_the_hand_finish(settles: bool) -> None:
    begun: list[Key] = []

    async def draw(key: Key) -> Line:
        begun.append(key)
        await anyio.sleep(0)
        bad = key == keys(10)[5]
        return Line(key=key, data=b"{}\n", ok=not bad, fatal="the key was refused" if bad else None)

    journal = Memory(settles=settles)
    outcome = local(draw, keys(100), 4, journal)
    assert outcome.fatal == "the key was refused"
    assert outcome.errors == 1
    assert outcome.recorded == len(journal.lines) == len(begun) < 15
    assert outcome.left == 100 - outcome.recorded


def test_asked_to_stop_it_takes_no_new_work_and_keeps_what_was_in_flight(settles: bool) -> None:
    stop = Stop()

    async def draw(key: Key) -> Line:
        if key == keys(20)[9]:
            stop.request()
        await anyio.sleep(0)
        return sample(key)

    journal = Memory(settles=settles)
    outcome = local(draw, keys(100), 3, journal, stop)
    assert outcome.fatal is None
    assert 10 <= outcome.recorded == len(journal.lines) <= 13
    assert outcome.left == 100 - outcome.recorded


def test_an_abort_cuts_what_is_in_flight_and_keeps_what_is_finished(settles: bool) -> None:
    stop = Stop()

    async def draw(key: Key) -> Line:
        if key.sample == 0:
            return sample(key)
        stop.abort()
        await anyio.sleep_forever()
        raise AssertionError

    journal = Memory(settles=settles)
    outcome = local(draw, keys(100), 10, journal, stop)
    assert outcome.recorded == len(journal.lines) == 7
    assert outcome.left == 93


def test_malformed_samples_are_counted_and_each_line_is_shown_as_it_is_written(settles: bool) -> None:
    async def main() -> None:
        async def draw(key: Key) -> Line:
            return sample(key, malformed=key.sample == 0)

        shown: list[Line] = []
        journal = Memory(settles=settles)
        async with Pump(draw) as pump:
            share = Share(concurrency=5)
            outcome = await drive([LocalSite(pump)], iter(keys(21)), journal, share, on_line=shown.append)
        assert outcome.malformed == 7
        assert shown == journal.lines

    anyio.run(main)
