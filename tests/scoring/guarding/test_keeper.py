"""How old a set may be, how often it is read, and what is said where a reading is not used."""

from __future__ import annotations

import gc
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from corpora.errors import BadInput
from corpora.jsonl import changed
from scoring.guard import Guard
from scoring.guarding.keeper import Keeper, clock, keeper_of
from tests.scoring.build import CODES, a_probe, a_set
from tests.waiting import until

CODE = a_probe("code", "t", "membership", set="codes")


class Source:
    """Gives what it is told to give, and counts."""

    def __init__(self, *answers: Any) -> None:
        self.answers = [list(CODES), *answers]
        self.asked = 0

    def __call__(self) -> Any:
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def kept() -> Iterator[Callable[..., tuple[Guard, Keeper]]]:
    """Guards whose sets are read when a test says so, for the default is over a minute."""
    keepers = []

    def made(*answers: Any, **sets: Any) -> tuple[Guard, Keeper]:
        guard = Guard([CODE], {"codes": Source(*answers), **sets})
        keeper = keeper_of(guard)
        keepers.append(keeper)
        assert keeper.readings == 0
        return guard, keeper

    yield made
    for keeper in keepers:
        keeper.close()


Kept = Callable[..., tuple[Guard, Keeper]]


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the program's log was told of sets; the threads of other tests may still write of calls."""
    found = [record for record in caplog.records if record.getMessage().startswith("the set")]
    assert {(record.name, record.levelname) for record in found} == {("assumeprobe.guard", "WARNING")}
    return [record.getMessage() for record in found]


def test_what_becomes_of_each_reading_is_kept_and_told_once(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "assumeprobe.guard")
    down = ConnectionError("postgres://user:secret@host is away")
    guard, keeper = kept(["OTHER", "NEW", "LATE"], down, down, ["OTHER"], [], 7, list(CODES), list(CODES))
    keeper.max_shrink = 0.5
    states = []
    for _ in range(8):
        taken = keeper.read(guard, "codes")
        states.append((taken, keeper.failed.get("codes"), len(guard.sets["codes"].values)))
    held = "a reading of 1 values waits for guard.confirm()"
    empty = "sets.codes: the set is empty: values gave no value"
    wrong = "sets.codes: expected the values of a set, found int"
    assert states == [
        (True, None, 3),
        (False, "ConnectionError", 3),
        (False, "ConnectionError", 3),
        (False, held, 3),
        (False, empty, 3),
        (False, wrong, 3),
        (True, None, 6),
        (True, None, 6),
    ]
    assert keeper.readings == 8
    assert told(caplog) == [
        "the set codes stays as it was: ConnectionError",
        f"the set codes stays as it was: {held}",
        f"the set codes stays as it was: {empty}",
        f"the set codes stays as it was: {wrong}",
        "the set codes is read again",
    ]


def test_what_is_confirmed_is_told_too(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    guard, keeper = kept(["OTHER"])
    keeper.max_shrink = 0.5
    assert not keeper.read(guard, "codes")
    assert (guard.confirm(), keeper.failed) == (("codes",), {})
    assert guard.confirm() == ()
    assert told(caplog) == [
        "the set codes stays as it was: a reading of 1 values waits for guard.confirm()",
        "the set codes is read again",
    ]


def test_without_a_bound_a_reading_may_lose_all_but_one(kept: Kept) -> None:
    guard, keeper = kept(["OTHER"])
    assert keeper.max_shrink is None
    assert keeper.read(guard, "codes")
    assert guard.sets["codes"].values == ("OTHER",)


def aged(age_s: float, **fields: Any) -> Any:
    read_at = (datetime.now(UTC) - timedelta(seconds=age_s)).isoformat()
    return changed(a_set(), **{"read_at": read_at, **fields})


def test_a_set_that_was_given_as_it_is_is_as_old_as_it_says(kept: Kept) -> None:
    guard, keeper = kept(given=aged(3_600, name="given"), early=aged(-3_600), never=aged(0, read_at="some day"))
    why = keeper.stale(guard, ("codes", "given"), 60)
    assert re.fullmatch(
        r"the set given was read 360\d s ago, and may be 60 s old; "
        "it was given as it is, give a callable that reads it",
        why or "",
    )
    assert keeper.stale(guard, ("early", "never"), 0.9) is None
    assert keeper.stale(guard, ("given",), 3_700) is None
    assert keeper.stale(guard, (), 0) is None


@pytest.mark.parametrize(
    ("age_s", "why"),
    [
        (59.5, None),
        (60.0, None),
        (60.5, "the set given was read 60 s ago, and may be 60 s old"),
        (61.75, "the set given was read 62 s ago, and may be 60 s old"),
    ],
    ids=["younger", "as old as it may be", "older", "older by more than a second"],
)
def test_a_set_may_be_as_old_as_is_said_and_no_older(age_s: float, why: str | None) -> None:
    guard = Guard([CODE], {"codes": a_set(), "given": changed(a_set(), read_at="some day")})
    times = iter([1_000.0, 1_000.0 + age_s])
    found = Keeper(guard, lambda: next(times)).stale(guard, ("given",), 60)
    assert found == (why and f"{why}; it was given as it is, give a callable that reads it")


def test_a_set_that_is_too_old_is_told_with_what_keeps_it_from_being_read(kept: Kept) -> None:
    guard, keeper = kept(list(CODES), BadInput("x" * 300), ConnectionError("secret"))
    assert keeper.read(guard, "codes")
    until(lambda: keeper.stale(guard, ("codes",), 0.001))
    sentence = r"the set codes was read \d s ago, and may be 0\.001 s old"
    for words in ("", "; " + "x" * 200, "; ConnectionError"):
        assert re.fullmatch(sentence + words, keeper.stale(guard, ("codes",), 0.001) or "")
        keeper.read(guard, "codes")
    assert keeper.stale(guard, ("codes",), 60) is None


def test_a_set_is_as_old_as_the_beginning_of_its_reading() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> list[str]:
        if begun.is_set():
            return ["OTHER"]
        begun.set()
        go_on.wait(10)
        return ["NEW"]

    guard = Guard([CODE], {"codes": a_set()})
    guard.readers["codes"] = lambda: Guard([CODE], {"codes": slow}).sets["codes"]
    keeper = Keeper(guard)
    thread = threading.Thread(target=keeper.read, args=(guard, "codes"))
    before = clock()
    thread.start()
    assert begun.wait(10)
    asked = clock()
    go_on.set()
    thread.join(10)
    assert guard.sets["codes"].values == ("NEW",)
    assert before <= keeper.read_at["codes"] <= asked
    keeper.close()


def test_how_often_each_set_is_read_is_its_own_matter_or_the_most_that_anybody_asks(kept: Kept) -> None:
    guard = Guard([CODE], {"codes": lambda: list(CODES), "own": lambda: ["A"], "given": ["A"]})
    guard.refresh_s = {"own": 20.0}
    keeper = keeper_of(guard)
    assert keeper_of(guard) is keeper
    seen = []
    for every_s in (100, 30, 10, 50):
        keeper.hasten(every_s)
        seen.append((keeper.every_s("codes"), keeper.every_s("own")))
    assert seen == [(75, 20), (30, 20), (10, 20), (10, 20)]
    with pytest.raises(KeyError):
        keeper.every_s("given")
    keeper.close()


def test_a_set_that_says_how_often_is_read_more_often_only_where_it_would_be_older_than_half_of_what_it_may() -> None:
    guard = Guard([CODE], {"codes": lambda: list(CODES), "own": lambda: ["A"]})
    guard.refresh_s = {"own": 20.0}
    keeper = keeper_of(guard)
    seen = []
    for max_age_s in (None, 50, 40, 39):
        keeper.hasten(10, max_age_s)
        seen.append(keeper.every_s("own"))
    assert seen == [20, 20, 20, 10]
    keeper.close()


def names() -> list[str]:
    return sorted(thread.name for thread in threading.enumerate() if thread.name.startswith("guard-k-"))


def test_each_set_that_can_be_read_again_has_a_thread_that_ends_with_its_keeper() -> None:
    one, two = Source(), Source()
    sets: dict[str, Any] = {"k-one": one, "k-two": two, "k-given": a_set()}
    guard = Guard([a_probe("code", "t", "membership", set="k-one")], sets)
    assert names() == []
    keeper = keeper_of(guard)
    assert names() == ["guard-k-one", "guard-k-two"]
    assert all(thread.daemon for thread in threading.enumerate() if thread.name in names())
    keeper.hasten(0.005)
    until(lambda: keeper.readings >= 6)
    assert min(one.asked, two.asked) >= 3
    keeper.close()
    until(lambda: names() == [])


def test_a_set_is_read_at_the_pace_that_was_asked_for_and_not_before() -> None:
    begun: list[float] = []

    def source() -> list[str]:
        begun.append(clock())
        return list(CODES)

    guard = Guard([CODE], {"codes": source})
    keeper = keeper_of(guard)
    keeper.hasten(0.05)
    until(lambda: len(begun) > 3)
    keeper.close()
    assert all(at - begun[0] >= number * 0.05 - 1e-6 for number, at in enumerate(begun))


def test_who_asks_for_more_readings_wakes_the_thread_that_sleeps(kept: Kept) -> None:
    _, keeper = kept(sleeping=lambda: ["A"])
    thread = next(one for one in threading.enumerate() if one.name == "guard-sleeping")
    until(lambda: sys._current_frames()[thread.ident or 0].f_code.co_name == "wait")
    keeper.hasten(0.01)
    until(lambda: keeper.readings, timeout_s=3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_can_swap_a_set_though_the_parent_was_in_the_middle_of_it(kept: Kept) -> None:
    guard, _ = kept()
    holding, go_on = threading.Event(), threading.Event()

    class Slow(tuple[Any, ...]):
        def __len__(self) -> int:
            holding.set()
            go_on.wait(10)
            return super().__len__()

    made = changed(a_set(), values=Slow(CODES))
    thread = threading.Thread(target=guard.take, args=("codes", made, 0.5))
    thread.start()
    assert holding.wait(10)
    child = os.fork()
    if not child:  # pragma: no cover - another process
        os._exit(0 if guard.take("codes", a_set(["A", "B"])) and guard.confirm() == () else 1)
    end = time.monotonic() + 10
    while (done := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < end:
        time.sleep(0.005)
    if done[0] == 0:
        os.kill(child, 9)
        os.waitpid(child, 0)
    go_on.set()
    thread.join(10)
    assert (done[0], os.waitstatus_to_exitcode(done[1])) == (child, 0)


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), KeyboardInterrupt()], ids=repr)
def test_a_source_that_ends_its_thread_is_read_again_nevertheless(error: BaseException) -> None:
    source = Source(error, list(CODES))
    guard = Guard([CODE], {"codes": source})
    keeper = keeper_of(guard)
    keeper.hasten(0.005)
    until(lambda: source.asked > 3)
    assert keeper.failed == {}
    keeper.close()


def test_a_person_can_still_break_off_a_reading(kept: Kept) -> None:
    guard, keeper = kept(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        keeper.read(guard, "codes")


class Failing(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        raise ValueError(record)


def test_a_programs_log_that_fails_ends_no_reading(kept: Kept) -> None:
    guard, keeper = kept(ConnectionError(), list(CODES))
    logger = logging.getLogger("assumeprobe.guard")
    handler = Failing()
    logger.addHandler(handler)
    try:
        assert keeper.read(guard, "codes") is False
        assert keeper.failed == {"codes": "ConnectionError"}
        assert keeper.read(guard, "codes") is True
    finally:
        logger.removeHandler(handler)
    assert (keeper.failed, keeper.readings) == ({}, 2)


def test_a_reading_that_was_held_back_is_as_old_as_it_is_when_it_is_confirmed(kept: Kept) -> None:
    guard, keeper = kept(["OTHER"], ["LATE_DELIVERY"])
    keeper.max_shrink = 0.5
    assert not keeper.read(guard, "codes")
    held = clock()
    until(lambda: clock() - held > 0.03)
    guard.confirm()
    assert keeper.stale(guard, ("codes",), 0.02)
    assert guard.sets["codes"].values == ("OTHER",)


def test_a_reading_of_now_is_of_now_whatever_it_says_of_itself(kept: Kept) -> None:
    guard, keeper = kept(a_set(["OTHER"]))  # it says: of January
    keeper.max_shrink = 0.5
    assert not keeper.read(guard, "codes")
    guard.confirm()
    assert keeper.stale(guard, ("codes",), 60) is None


def test_a_reading_that_the_program_itself_gave_is_as_old_as_it_says_when_it_is_confirmed(kept: Kept) -> None:
    guard, keeper = kept()
    for age_s, stale in ((100, True), (0, False)):
        guard.take("codes", aged(age_s, values=("OTHER",)), 0.5)
        assert guard.confirm() == ("codes",)
        assert bool(keeper.stale(guard, ("codes",), 50)) is stale
        guard.take("codes", aged(0))


def test_a_reading_that_was_held_back_and_then_outdone_lends_its_age_to_none(kept: Kept) -> None:
    guard, keeper = kept(["OTHER"], list(CODES))
    keeper.max_shrink = 0.5
    assert [keeper.read(guard, "codes") for _ in range(2)] == [False, True]
    guard.take("codes", aged(100, values=("OTHER",)), 0.5)
    guard.confirm()
    assert keeper.stale(guard, ("codes",), 50)


def test_a_time_without_a_zone_is_utc(kept: Kept) -> None:
    naive = (datetime.now(UTC) - timedelta(seconds=100)).replace(tzinfo=None).isoformat()
    tokyo = (datetime.now(UTC) - timedelta(seconds=100)).astimezone(timezone(timedelta(hours=9))).isoformat()
    guard, keeper = kept(given=changed(a_set(), read_at=naive), other=changed(a_set(), read_at=tokyo))
    for name in ("given", "other"):
        assert keeper.stale(guard, (name,), 50)
        assert keeper.stale(guard, (name,), 3_000) is None


def test_many_threads_get_one_keeper() -> None:
    source = Source()
    guard = Guard([CODE], {"codes": source})
    barrier = threading.Barrier(8)
    found: list[Keeper] = []

    def ask() -> None:
        barrier.wait(10)
        found.append(keeper_of(guard))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(set(map(id, found))) == 1
    assert len(guard.on_confirm) == 1
    found[0].close()


def in_a_child(work: Callable[[], bool]) -> bool:
    """Whether something holds in the child of a fork."""
    child = os.fork()
    if not child:  # pragma: no cover - another process
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    end = time.monotonic() + 10
    while (done := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > end:
            os.kill(child, 9)
            os.waitpid(child, 0)
            return False
        time.sleep(0.005)
    return os.waitstatus_to_exitcode(done[1]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_keeper_that_was_closed_stays_so_in_a_child(kept: Kept) -> None:
    guard, keeper = kept()
    assert in_a_child(lambda: threading.active_count() == 2 and keeper_of(guard) is keeper)
    keeper.close()
    assert in_a_child(lambda: threading.active_count() == 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_reads_the_sets_of_a_guard_of_its_own_and_those_of_its_parent(kept: Kept) -> None:
    guard, keeper = kept()

    def read_on() -> bool:
        own = Guard([CODE], {"codes": Source()})
        keepers = {keeper_of(own), keeper_of(guard)}
        for one in keepers:
            one.hasten(0.005)
        until(lambda: all(one.readings for one in keepers))
        return len(keepers) == 2 and keeper in keepers

    assert in_a_child(read_on)


def test_a_set_may_lose_exactly_the_part_that_is_named() -> None:
    for size, part in (
        (10, 0.7),
        (10, 0.1),
        (100, 0.29),
        (100, 0.07),
        (1_000, 0.3),
        (7, 6 / 7),
        (3, 1 / 3),
        (49, 47 / 49),
    ):
        values = [f"C{number}" for number in range(size)]
        kept = size - round(size * part)
        guard = Guard([CODE], {"codes": values})
        if kept > 1:
            assert not guard.take("codes", a_set(values[: kept - 1]), part)
        assert guard.take("codes", a_set(values[:kept]), part)


def test_no_set_is_empty_whoever_gives_it(kept: Kept) -> None:
    empty = changed(a_set(), values=())
    with pytest.raises(BadInput, match=r"sets\.codes: the set is empty"):
        Guard([CODE], {"codes": empty})
    guard, keeper = kept(empty)
    with pytest.raises(BadInput, match=r"sets\.codes: the set is empty"):
        guard.take("codes", empty)
    assert keeper.read(guard, "codes") is False
    assert keeper.failed == {"codes": "sets.codes: the set is empty"}
    assert guard.sets["codes"].values == CODES
    for wrong in (bytearray(b"AB"), memoryview(b"AB")):
        with pytest.raises(BadInput, match="expected the values of a set"):
            Guard([CODE], {"codes": wrong})


def test_a_keeper_ends_with_its_guard_though_somebody_holds_it() -> None:
    guard = Guard([a_probe("code", "t", "membership", set="k-own")], {"k-own": Source()})
    keeper = keeper_of(guard)
    keeper.hasten(0.005)
    until(lambda: keeper.readings)
    del guard
    gc.collect()
    until(lambda: names() == [])
    keeper.hasten(1)


def test_a_reading_that_is_held_back_or_fails_makes_the_set_in_use_no_younger(kept: Kept) -> None:
    guard, keeper = kept(["OTHER"], ConnectionError())
    keeper.max_shrink = 0.5
    before = dict(keeper.read_at)
    for _ in range(2):
        assert not keeper.read(guard, "codes")
        assert keeper.read_at == before
