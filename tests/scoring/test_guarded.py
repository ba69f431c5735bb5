"""The decorator: what runs, what does not, how sets are kept fresh, and what is written down."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import logging
import os
import pickle
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from corpora.corpus import load
from corpora.errors import BadInput
from corpora.jsonl import changed
from scoring.guard import Guard
from scoring.guarded import DecisionLog, Refused, guarded
from scoring.guarding.keeper import keeper_of
from scoring.judging.verdicts import Verdict
from tests.scoring.build import CODES, a_probe, a_set
from tests.waiting import until

MEMBER = a_probe("reason_code", "refund_order", "membership", set="codes")


class Service:
    """A source of values that can be away, hang or change, and says how often it was asked."""

    def __init__(self, values: Any = CODES) -> None:
        self.values = values
        self.down = False
        self.asked = 0

    def __call__(self) -> list[str]:
        self.asked += 1
        if self.down:
            raise ConnectionError("postgres://user:secret@host is away")
        return list(self.values)


def a_guard(service: Any = CODES) -> Guard:
    return Guard([MEMBER], {"codes": service})


def refund(guard: Guard, **options: Any) -> Callable[..., str]:
    @guarded(guard, tool="refund_order", **options)
    def refund_order(order_id: str, reason_code: str = "OTHER") -> str:
        return f"refunded {order_id} for {reason_code}"

    return refund_order


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_call_that_may_pass_runs_and_one_that_may_not_raises_with_the_verdict() -> None:
    refund_order = refund(a_guard())
    assert refund_order("90418", "LATE_DELIVERY") == "refunded 90418 for LATE_DELIVERY"
    assert refund_order("90418") == "refunded 90418 for OTHER"  # what was left out is the function's own matter
    with pytest.raises(Refused, match="is not among the 6 values of codes") as caught:
        refund_order("90418", reason_code="late delivery")
    assert (caught.value.verdict.nearest, caught.value.verdict.allow) == ("LATE_DELIVERY", False)
    assert pickle.loads(pickle.dumps(caught.value)).verdict == caught.value.verdict


def test_an_async_function_is_awaited_and_stays_one() -> None:
    @guarded(a_guard(), tool="refund_order")
    async def refund_order(order_id: str, reason_code: str) -> str:
        """Refund it."""
        await asyncio.sleep(0)
        return reason_code

    assert inspect.iscoroutinefunction(refund_order)
    assert list(inspect.signature(refund_order).parameters) == ["order_id", "reason_code"]
    assert refund_order.__doc__ == "Refund it."
    assert asyncio.run(refund_order("1", "OTHER")) == "OTHER"
    with pytest.raises(Refused):
        asyncio.run(refund_order("1", "x"))


def test_a_call_that_python_itself_refuses_gets_pythons_own_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        refund(a_guard())("1", colour="red")


@pytest.mark.parametrize("held", ['{"reason_code": "x"}', {"reason_code": "x"}, b'{"reason_code": "x"}'], ids=repr)
def test_one_parameter_can_hold_all_arguments(held: Any) -> None:
    @guarded(a_guard(), tool="refund_order", arguments="arguments")
    def handle(name: str, arguments: Any) -> str:
        return name

    assert handle("a", '{"reason_code": "OTHER"}') == "a"
    with pytest.raises(Refused):
        handle("a", held)
    with pytest.raises(Refused):
        handle("a", '{"reason_code": "OTHER", "reason_code": "OTHER"}')


def test_arguments_by_keyword_alone_are_seen() -> None:
    @guarded(a_guard(), tool="refund_order")
    def handle(**arguments: Any) -> int:
        return len(arguments)

    assert handle(reason_code="OTHER", b=1) == 2
    with pytest.raises(Refused):
        handle(reason_code="x")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"tool": "refund"}, 'no tool "refund" is guarded here'),
        ({"mode": "warn"}, "mode is refuse or observe"),
        ({"when_stale": "ajar"}, "when_stale is closed or open"),
        ({"arguments": "payload"}, "has no parameter 'payload'"),
    ],
    ids=str,
)
def test_an_option_that_is_none_is_named_when_the_function_is_defined(options: dict[str, Any], what: str) -> None:
    with pytest.raises(BadInput, match=what):
        guarded(a_guard(), **{"tool": "refund_order", **options})(lambda reason_code: reason_code)


@pytest.mark.parametrize(
    ("options", "every_s"),
    [
        pytest.param({}, 75.0, id="a quarter of five minutes"),
        pytest.param({"max_age_s": 40}, 10.0, id="a quarter of the limit"),
        pytest.param({"max_age_s": None}, 75.0, id="no limit"),
        pytest.param({"refresh_s": 3}, 3.0, id="as it is said"),
        pytest.param({"refresh_s": 3, "max_age_s": 40}, 3.0, id="as it is said beside a limit"),
        pytest.param({"refresh_s": 3, "max_age_s": None}, 3.0, id="as it is said without a limit"),
        pytest.param({"max_age_s": 4000}, 75.0, id="at least so often"),
    ],
)
def test_how_often_a_set_is_read_follows_from_how_old_it_may_be(options: dict[str, Any], every_s: float) -> None:
    guard = a_guard(lambda: ["OTHER"])
    guarded(guard, tool="refund_order", **options)
    keeper = keeper_of(guard)
    assert keeper.every_s("codes") == every_s
    keeper.close()


def test_a_parameter_that_a_function_has_not_is_named_with_the_function() -> None:
    def handle(reason_code: str) -> str:
        return reason_code

    named = guarded(a_guard(), tool="refund_order", arguments="payload")
    with pytest.raises(BadInput) as found:
        named(handle)
    assert str(found.value) == "arguments: handle has no parameter 'payload'"
    with pytest.raises(BadInput) as found:
        named(partial(handle))
    assert str(found.value) == "arguments: the function has no parameter 'payload'"


def test_what_was_shown_is_asked_for_with_the_functions_own_arguments() -> None:
    guard = Guard([a_probe("timezone", "book", type="timezone")], {})
    talks = {"c1": "We are in Asia/Tokyo."}

    @guarded(guard, tool="book", shown=lambda conversation, timezone: talks[conversation])
    def book(conversation: str, timezone: str) -> str:
        return timezone

    assert book("c1", "Asia/Tokyo") == "Asia/Tokyo"
    with pytest.raises(Refused, match="stands nowhere in what was shown"):
        book("c1", "UTC")


def test_observing_only_writes_down_what_would_be_refused(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "decisions.jsonl")
    refund_order = refund(a_guard(), mode="observe", log=log)
    assert refund_order("1", "x" * 5_000) == "refunded 1 for " + "x" * 5_000
    assert refund_order("2", "OTHER")
    assert log.flush(10)
    refused, passed = lines(tmp_path / "decisions.jsonl")
    assert tuple(refused)[: len(Verdict.__struct_fields__)] == Verdict.__struct_fields__
    assert (refused["allow"], refused["in_set"], refused["mode"]) == (False, False, "observe")
    assert len(refused["emitted"]) == len(refused["stored"]) == 1_001
    assert (passed["allow"], passed["emitted"], passed["at"][-1]) == (True, "OTHER", "Z")


def test_without_a_file_refusals_are_warnings_of_a_logger(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "assumeprobe.guard")
    log = DecisionLog(None)
    refund_order = refund(a_guard(), mode="observe", log=log)
    refund_order("1", "OTHER")
    refund_order("1", "\x1b[31m\u2028")
    assert log.flush(10)
    # Threads of other tests may still write.
    (record,) = (one for one in caplog.records if "u2028" in one.getMessage())
    assert json.loads(record.getMessage())["emitted"] == "\x1b[31m\u2028"
    assert record.getMessage().isprintable()


def test_the_file_of_decisions_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    log = DecisionLog(path, most_bytes=20_000)
    refund_order = refund(a_guard(), log=log)
    for _ in range(12):
        for number in range(20):
            refund_order(str(number))
        assert log.flush(10)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["decisions.jsonl", "decisions.jsonl.1"]
    assert all(file.stat().st_size < 40_000 for file in tmp_path.iterdir())


def test_a_queue_that_is_full_drops_and_says_how_many(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # nobody reads it, so that the writer waits
    log = DecisionLog(tmp_path / "pipe", most_waiting=5)
    refund_order = refund(a_guard(), log=log)
    for _ in range(20):
        refund_order("1")
    assert log.dropped >= 15
    with (tmp_path / "pipe").open("rb") as stream:
        first = [json.loads(stream.readline()) for _ in range(6)]
    assert first[-1]["dropped"] >= 15 or first[-1]["allow"]


def test_a_log_that_cannot_be_written_does_not_stop_the_service(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "missing" / "decisions.jsonl")
    assert refund(a_guard(), log=log)("1")
    assert log.flush(10)


def test_a_set_is_read_again_behind_the_back_of_the_calls() -> None:
    service = Service()
    guard = a_guard(service)
    refund_order = refund(guard, refresh_s=0.01)
    with pytest.raises(Refused):
        refund_order("1", "NEW")
    service.values = [*CODES, "NEW"]
    until(lambda: "NEW" in guard.sets["codes"].values)
    assert refund_order("1", "NEW")
    keeper_of(guard).close()


def test_a_source_that_hangs_blocks_no_call() -> None:
    gate = threading.Event()
    asked = threading.Event()

    def hanging() -> list[str]:
        if asked.is_set():
            gate.wait(20)
        asked.set()
        return list(CODES)

    guard = a_guard(hanging)
    refund_order = refund(guard, refresh_s=0.01, max_age_s=60)
    until(lambda: keeper_of(guard).readings == 0 and any(t.name == "guard-codes" for t in threading.enumerate()))
    for _ in range(1_000):
        assert refund_order("1", "OTHER")
    keeper_of(guard).close()
    gate.set()


def test_a_source_that_is_away_for_too_long_closes_the_gate_until_it_returns() -> None:
    service = Service()
    guard = a_guard(service)
    refund_order = refund(guard, refresh_s=0.02, max_age_s=0.3)
    service.down = True
    until(lambda: keeper_of(guard).failed)
    until(lambda: keeper_of(guard).stale(guard, ("codes",), 0.3))
    with pytest.raises(
        Refused, match=r"the set codes was read \d+ s ago, and may be 0.3 s old; ConnectionError"
    ) as caught:
        refund_order("1", "OTHER")
    assert caught.value.verdict.flags == ("stale-set",)
    assert "secret" not in str(caught.value)
    service.down = False
    until(lambda: not keeper_of(guard).stale(guard, ("codes",), 0.3))
    until(lambda: _passes(refund_order))
    keeper_of(guard).close()


def _passes(refund_order: Callable[..., str]) -> bool:
    try:
        return bool(refund_order("1", "OTHER"))
    except Refused:
        return False


def test_open_goes_on_with_the_set_as_it_was_and_flags_it(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    guard = Guard([MEMBER], {"codes": a_set()})  # read on the first of January 2026
    refund_order = refund(guard, max_age_s=60, when_stale="open", log=log)
    assert refund_order("1", "OTHER")
    with pytest.raises(Refused):
        refund_order("1", "x")
    assert log.flush(10)
    assert [line["flags"] for line in lines(tmp_path / "d.jsonl")] == [["stale-set"], ["stale-set"]]


def test_a_set_that_was_given_as_it_is_grows_old_only_where_a_limit_is_named() -> None:
    guard = Guard([MEMBER], {"codes": a_set()})
    assert refund(guard)("1", "OTHER")
    with pytest.raises(Refused, match="it was given as it is, give a callable that reads it"):
        refund(guard, max_age_s=300)("1", "OTHER")
    unknown = Guard([MEMBER], {"codes": changed(a_set(), read_at="some day")})
    assert refund(unknown, max_age_s=300)("1", "OTHER")


def test_a_reading_that_lost_too_much_waits_for_a_person() -> None:
    service = Service()
    guard = a_guard(service)
    refund_order = refund(guard, refresh_s=0.01, max_shrink=0.5, max_age_s=60)
    service.values = ["OTHER", "NEW"]
    until(lambda: guard.held)
    assert refund_order("1", "LATE_DELIVERY")
    assert "waits for guard.confirm()" in keeper_of(guard).failed["codes"]
    until(lambda: guard.held and guard.confirm() == ("codes",))
    assert refund_order("1", "NEW")
    with pytest.raises(Refused):
        refund_order("1", "LATE_DELIVERY")
    until(lambda: not keeper_of(guard).failed)
    keeper_of(guard).close()


def test_the_stricter_of_two_decorators_says_how_much_a_set_may_shrink() -> None:
    guard = a_guard(Service())
    refund(guard, max_shrink=0.5)
    refund(guard, max_shrink=0.1)
    refund(guard, max_shrink=None)
    assert keeper_of(guard).max_shrink == 0.1
    keeper_of(guard).close()


def test_a_corpus_says_how_often_a_set_is_read() -> None:
    guard = Guard.from_corpus(load("refunds"))
    keeper = keeper_of(guard)
    assert {keeper.every_s(name) for name in guard.readers} == {75.0}
    guard.refresh_s["reason_codes"] = 0.5
    keeper.hasten(10)
    assert keeper.every_s("reason_codes") == 75.0
    keeper.close()


def test_no_thread_outlives_its_guard() -> None:
    guard = a_guard(Service())
    refund(guard, refresh_s=0.01)
    known = weakref.ref(guard)
    del guard
    gc.collect()
    until(lambda: (gc.collect(), known())[1] is None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_keeps_its_sets_fresh_too(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    guard = a_guard(Service())
    refund_order = refund(guard, refresh_s=0.01, log=log)
    refund_order("1")
    assert log.flush(10)
    child = os.fork()
    if not child:  # pragma: no cover - another process
        before = keeper_of(guard).readings
        end = time.monotonic() + 10
        while keeper_of(guard).readings < before + 2 and time.monotonic() < end:
            time.sleep(0.005)
        refund_order("2")
        os._exit(0 if log.flush(5) and time.monotonic() < end else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(lines(tmp_path / "d.jsonl")) == 2
    keeper_of(guard).close()


def test_many_threads_never_see_a_half_loaded_set() -> None:
    """Two sets take turns; every value of either is a member of exactly one."""
    halves = [[f"A{n}" for n in range(400)], [f"B{n}" for n in range(400)]]
    guard = Guard([a_probe(f"v{n}", "t", "membership", set="codes") for n in range(4)], {"codes": halves[0]})
    calls = [json.dumps({f"v{n}": f"{half}{n * 100}" for n in range(4)}) for half in "AB"]
    mixed = json.dumps({"v0": "A0", "v1": "B1", "v2": "A2", "v3": "B3"})
    seen: list[tuple[int, ...]] = []
    ended = threading.Event()

    def ask() -> None:
        while not ended.is_set():
            seen.append(tuple(len(guard.check("t", call).refused) for call in (*calls, mixed)))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for turn in range(15):
        guard.take("codes", a_set(halves[(turn + 1) % 2]))
    until(lambda: len(seen) > 50)
    ended.set()
    for thread in threads:
        thread.join()
    assert {count for counts in seen for count in counts[:2]} <= {0, 4}
    assert {counts[2] for counts in seen} == {2}
