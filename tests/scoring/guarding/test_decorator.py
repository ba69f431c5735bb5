"""The options of the decorator: what each does, and what it does where nobody names it."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import math
import pickle
import re
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import BadInput
from corpora.jsonl import changed
from scoring.guard import Guard
from scoring.guarded import DecisionLog, Refused, guarded
from scoring.guarding.decision import blank
from scoring.guarding.keeper import keeper_of
from tests.scoring.build import CODES, a_probe, a_set, a_tool

TOOL = "refund_order"
MEMBER = a_probe("reason_code", TOOL, "membership", set="codes")


@pytest.fixture
def guard() -> Iterator[Guard]:
    """A guard whose set can be read again."""
    made = Guard([MEMBER], {"codes": lambda: list(CODES)})
    yield made
    keeper_of(made).close()


def an_old_guard(age_s: float) -> Guard:
    read_at = (datetime.now(UTC) - timedelta(seconds=age_s)).isoformat()
    return Guard([MEMBER], {"codes": changed(a_set(), read_at=read_at)})


def refund(guard: Guard, **options: Any) -> Callable[..., Any]:
    @guarded(guard, tool=TOOL, **options)
    def refund_order(order_id: str, reason_code: str = "OTHER") -> tuple[str, str]:
        return order_id, reason_code

    return refund_order


def refused(call: Callable[[], Any]) -> Refused:
    with pytest.raises(Refused) as found:
        call()
    return found.value


def test_by_default_a_reading_that_lost_more_than_half_waits(guard: Guard) -> None:
    refund(guard)
    assert keeper_of(guard).max_shrink == 0.5
    keeper = keeper_of(guard)
    sizes = [3, 1, 2, 1]
    guard.readers["codes"] = lambda: a_set(CODES[: sizes.pop(0)])
    assert [keeper.read(guard, "codes") for _ in range(4)] == [True, False, True, True]


@pytest.mark.parametrize(
    ("bounds", "kept"),
    [([None], None), ([0.2, 0.9], 0.2), ([0.9, 0.2], 0.2), ([None, 0.9], 0.9), ([0.9, None], 0.9)],
    ids=str,
)
def test_the_smallest_part_that_any_decorator_names_counts(guard: Guard, bounds: Any, kept: float | None) -> None:
    for bound in bounds:
        refund(guard, max_shrink=bound)
    assert keeper_of(guard).max_shrink == kept


def test_by_default_what_may_not_pass_is_refused_and_a_set_that_was_given_never_grows_old() -> None:
    call = refund(an_old_guard(10_000))
    assert call("1", "OTHER") == ("1", "OTHER")
    assert refused(lambda: call("1", "x")).verdict.in_set is False


def test_a_set_of_each_kind_has_the_age_that_is_named_or_five_minutes_where_all_can_be_read_again() -> None:
    def aged(**sources: Any) -> Callable[..., Any]:
        probes = [a_probe(name, TOOL, "membership", set=name) for name in sources]
        made = Guard(probes, sources)
        call = guarded(made, tool=TOOL)(lambda **arguments: arguments)
        for name in sources:
            keeper_of(made).read_at[name] -= 299
        call()
        for name in sources:
            keeper_of(made).read_at[name] -= 2
        keeper_of(made).close()
        return call

    def read_again() -> list[str]:
        return list(CODES)

    both = aged(reason_code=read_again, other=read_again)
    assert re.match(r"the set reason_code was read 30\d s ago, and may be 300 s old", str(refused(both)))
    assert aged(reason_code=read_again, other=a_set())() == {}
    assert aged(reason_code=a_set())() == {}


def test_a_stale_set_refuses_with_a_verdict_of_its_own(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    call = refund(an_old_guard(100), max_age_s=60, log=log)
    error = refused(lambda: call("1", "OTHER"))
    reason = str(error)
    assert re.fullmatch(
        r"the set codes was read 10\d s ago, and may be 60 s old; "
        "it was given as it is, give a callable that reads it",
        reason,
    )
    whole = changed(blank(TOOL), call=0, offered=True, flags=("stale-set",), reason=reason)
    assert changed(error.verdict, refused=()) == whole
    assert error.verdict.refused == (whole,)
    assert pickle.loads(pickle.dumps(error)).verdict == error.verdict
    assert type(pickle.loads(pickle.dumps(error))) is Refused
    assert log.flush(10)
    (line,) = (json.loads(text) for text in (tmp_path / "d.jsonl").read_text(encoding="utf-8").splitlines())
    assert (line["reason"], line["mode"], line["flags"], line["allow"]) == (reason, "refuse", ["stale-set"], False)


def test_observing_lets_also_a_stale_set_pass(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    call = refund(an_old_guard(100), max_age_s=60, mode="observe", log=log)
    assert call("1", "OTHER") == ("1", "OTHER")
    assert log.flush(10)
    (line,) = (json.loads(text) for text in (tmp_path / "d.jsonl").read_text(encoding="utf-8").splitlines())
    assert (line["allow"], line["mode"], line["flags"]) == (False, "observe", ["stale-set"])


def test_open_says_what_the_set_as_it_was_says_and_flags_it() -> None:
    call = refund(an_old_guard(100), max_age_s=60, when_stale="open")
    fresh = refund(an_old_guard(0), max_age_s=60, when_stale="open")
    assert call("1", "OTHER") == ("1", "OTHER")
    old, new = refused(lambda: call("1", "x")).verdict, refused(lambda: fresh("1", "x")).verdict
    assert (old.flags, new.flags) == (("stale-set",), ())
    assert changed(old, flags=()) == new


@pytest.mark.parametrize(
    ("options", "every_s"),
    [({}, 75.0), ({"max_age_s": 8}, 2.0), ({"refresh_s": 3.0}, 3.0), ({"refresh_s": 90}, 75.0)],
    ids=str,
)
def test_sets_are_read_four_times_as_often_as_they_may_be_old(guard: Guard, options: Any, every_s: float) -> None:
    refund(guard, **options)
    assert keeper_of(guard).every_s("codes") == every_s


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"mode": "warn"}, "found 'warn' and 'closed'"),
        ({"when_stale": "ajar"}, "found 'refuse' and 'ajar'"),
    ],
    ids=["mode", "when_stale"],
)
def test_a_word_that_is_no_option_is_named_beside_those_that_are(guard: Guard, options: Any, what: str) -> None:
    with pytest.raises(BadInput) as found:
        refund(guard, **options)
    assert str(found.value) == f"mode is refuse or observe, when_stale is closed or open; {what}"


class Payload:
    """As Pydantic's models are."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, *, mode: str, exclude_unset: bool) -> dict[str, Any]:
        given = {name: value for name, value in self.fields.items() if not (exclude_unset and value == "unset")}
        return {name: str(value) if mode == "json" else object() for name, value in given.items()}


def test_a_model_that_holds_all_arguments_stands_for_the_fields_that_were_given() -> None:
    probes = [MEMBER, a_probe("day", TOOL, "membership", set="days")]
    made = Guard(probes, {"codes": CODES, "days": ["2027-03-04"]})
    seen = []

    @guarded(made, tool=TOOL, arguments="payload")
    def refund_order(order_id: str, payload: Payload) -> str:
        seen.append(payload)
        return order_id

    day = datetime(2027, 3, 4).date()
    assert refund_order("1", Payload(reason_code="OTHER", day=day)) == "1"
    assert refund_order("1", payload=Payload(reason_code="unset", day=day)) == "1"
    verdict = refused(lambda: refund_order("1", Payload(reason_code="x", day=day))).verdict
    assert (verdict.argument, verdict.emitted, len(verdict.refused)) == ("reason_code", "x", 1)
    assert len(seen) == 2


def test_the_function_gets_exactly_what_it_was_called_with(guard: Guard) -> None:
    calls: list[Any] = []

    class Service:
        @guarded(guard, tool=TOOL)
        def method(self, order_id: str, /, reason_code: str, *more: int, flag: bool = False, **rest: Any) -> None:
            calls.append((order_id, reason_code, more, flag, rest))

        @classmethod
        @guarded(guard, tool=TOOL)
        def of_class(cls, reason_code: str) -> str:
            return cls.__name__ + reason_code

        @staticmethod
        @guarded(guard, tool=TOOL)
        def of_none(*, reason_code: str) -> str:
            return reason_code

    code, rest = "".join(["OTH", "ER"]), {"x": object()}
    Service().method("1", code, 2, 3, flag=True, **rest)
    assert calls == [("1", "OTHER", (2, 3), True, rest)]
    assert calls[0][1] is code
    assert Service.of_class("OTHER") == "ServiceOTHER"
    assert Service.of_none(reason_code="OTHER") == "OTHER"
    for call in (
        lambda: Service().method("1", "x"),
        lambda: Service.of_class("x"),
        lambda: Service.of_none(reason_code="x"),
    ):
        assert refused(call).verdict.emitted == "x"
    assert len(calls) == 1


def test_what_a_function_raises_or_gives_is_its_own_matter(guard: Guard) -> None:
    @guarded(guard, tool=TOOL)
    def fails(reason_code: str) -> None:
        raise LookupError(reason_code)

    @guarded(guard, tool=TOOL)
    def steps(reason_code: str) -> Iterator[str]:
        yield reason_code

    with pytest.raises(LookupError, match="OTHER"):
        fails("OTHER")
    assert list(steps("OTHER")) == ["OTHER"]
    assert refused(lambda: steps("x")).verdict.emitted == "x"
    bound = functools.partial(steps, reason_code="x")
    assert refused(bound).verdict.emitted == "x"
    named = guarded(guard, tool=TOOL)(functools.partial(lambda order, reason_code: reason_code, "1"))
    assert named("OTHER") == "OTHER"
    assert refused(lambda: named("x")).verdict.emitted == "x"


def test_an_async_function_is_asked_when_it_is_awaited_and_runs_once(guard: Guard) -> None:
    ran: list[str] = []

    @guarded(guard, tool=TOOL, shown=lambda reason_code: "nothing")
    async def refund_order(reason_code: str) -> str:
        ran.append(reason_code)
        await asyncio.sleep(0)
        return reason_code

    assert inspect.iscoroutinefunction(refund_order)
    assert asyncio.run(refund_order("OTHER")) == "OTHER"
    assert refused(lambda: asyncio.run(refund_order("x"))).verdict.emitted == "x"
    assert ran == ["OTHER"]


def test_what_was_shown_is_asked_for_with_the_very_arguments() -> None:
    made = Guard([a_probe("zone", "book", type="timezone")], {})
    asked: list[Any] = []

    def shown(*args: Any, **kwargs: Any) -> str:
        asked.append((args, kwargs))
        return "in Asia/Tokyo"

    @guarded(made, tool="book", shown=shown)
    def book(talk: str, zone: str, *, note: str = "") -> str:
        return zone

    assert book("c1", "Asia/Tokyo", note="n") == "Asia/Tokyo"
    assert asked == [(("c1", "Asia/Tokyo"), {"note": "n"})]
    assert refused(lambda: book("c1", zone="UTC")).verdict.label == "INJECT"
    blind = guarded(made, tool="book")(lambda zone: zone)
    assert blind("UTC") == "UTC"


def test_a_log_is_a_file_a_log_or_the_programs_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = Guard([MEMBER], {"codes": CODES})
    own = DecisionLog(tmp_path / "own.jsonl")
    for log in (own, tmp_path / "path.jsonl", str(tmp_path / "text.jsonl"), None):
        refund(made, log=log, mode="observe")("1", "own value")
    end = datetime.now(UTC) + timedelta(seconds=10)
    files = [tmp_path / f"{name}.jsonl" for name in ("own", "path", "text")]

    def logged() -> list[str]:
        return [record.levelname for record in caplog.records if "own value" in record.getMessage()]

    while not (all(file.exists() and file.stat().st_size for file in files) and logged()):
        assert datetime.now(UTC) < end
    assert {json.loads(file.read_text(encoding="utf-8"))["emitted"] for file in files} == {"own value"}
    assert logged() == ["WARNING"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"max_age_s": math.nan}, "max_age_s: expected a number of seconds above 0, or None; found nan"),
        ({"max_age_s": 0}, "max_age_s: expected a number of seconds above 0, or None; found 0"),
        ({"max_age_s": "60"}, "max_age_s: expected a number of seconds above 0, or None; found '60'"),
        ({"max_age_s": True}, "max_age_s: expected a number of seconds above 0, or None; found True"),
        ({"refresh_s": -5}, "refresh_s: expected a number of seconds above 0, or None; found -5"),
        ({"refresh_s": 0.0}, "refresh_s: expected a number of seconds above 0, or None; found 0.0"),
        ({"refresh_s": math.nan}, "refresh_s: expected a number of seconds above 0, or None; found nan"),
        ({"max_shrink": 50}, "max_shrink: expected a part from 0 to 1, or None; found 50"),
        ({"max_shrink": -0.1}, "max_shrink: expected a part from 0 to 1, or None; found -0.1"),
        ({"max_shrink": math.nan}, "max_shrink: expected a part from 0 to 1, or None; found nan"),
        ({"shown": asyncio.sleep}, "shown: expected a function, found a coroutine function: a call does not wait"),
    ],
    ids=[
        "nan",
        "nothing",
        "a text",
        "a boolean",
        "below nothing",
        "no pause",
        "nan s",
        "per cent",
        "less",
        "nan part",
        "async",
    ],
)
def test_a_number_that_bounds_nothing_is_named_before_anything_is_kept(options: Any, what: str) -> None:
    guard = Guard([MEMBER], {"codes": lambda: list(CODES)})
    threads = threading.active_count()
    with pytest.raises(BadInput) as found:
        refund(guard, **options)
    assert str(found.value) == what
    assert threading.active_count() <= threads


@pytest.mark.parametrize("options", [{"max_shrink": 0}, {"max_shrink": 1}, {"max_age_s": math.inf}], ids=str)
def test_a_number_on_the_edge_is_one(guard: Guard, options: Any) -> None:
    assert refund(guard, **options)("1") == ("1", "OTHER")


def injecting(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that fills in the first parameter, and shows the signature of what it is put before."""

    @functools.wraps(function)
    def filled(*args: Any, **kwargs: Any) -> Any:
        return function("session", *args, **kwargs)

    return filled


def hiding(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that takes one argument more than it shows."""

    def filled(*args: Any, trace: str = "", **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    filled.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return filled


def unnamed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that shows nothing of what it is put before."""
    return lambda *args, **kwargs: function(*args, **kwargs)


def placed(reason_code: str, /, **more: Any) -> tuple[str, Any]:
    return reason_code, more


FILLED = injecting(lambda session, order_id, reason_code="OTHER": (session, order_id, reason_code))
HIDDEN = hiding(lambda order_id, reason_code="OTHER": (order_id, reason_code))
UNNAMED = unnamed(lambda order_id, reason_code="OTHER": (order_id, reason_code))
FAULT = "the call cannot be checked, so it may not pass: "
MISFIT = FAULT + "it does not fit the signature of {}, and not all values have names"


@pytest.mark.parametrize(
    ("function", "args", "kwargs", "reason"),
    [
        (FILLED, (), {"order_id": "1", "reason_code": "OTHER"}, None),
        (FILLED, (), {"order_id": "1", "reason_code": "x"}, "is not among"),
        (FILLED, ("1",), {"reason_code": "x"}, MISFIT.format("<lambda>")),
        (HIDDEN, (), {"order_id": "1", "reason_code": "OTHER", "trace": "t"}, None),
        (HIDDEN, (), {"order_id": "1", "reason_code": "x", "trace": "t"}, "is not among"),
        (HIDDEN, ("1", "OTHER"), {"trace": "t"}, MISFIT.format("filled")),
        (HIDDEN, ("1", "OTHER"), {}, None),
        (HIDDEN, ("1", "x"), {}, "is not among"),
        (UNNAMED, (), {"order_id": "1", "reason_code": "OTHER"}, None),
        (UNNAMED, (), {"order_id": "1", "reason_code": "x"}, "is not among"),
        (UNNAMED, ("1", "x"), {}, FAULT + "values without a name are among the arguments of <lambda>"),
        (placed, ("OTHER",), {"x": 1}, None),
        (placed, ("OTHER",), {"more": 1}, None),
        (placed, ("x",), {}, "is not among"),
        (placed, ("x",), {"reason_code": "OTHER"}, FAULT + "reason_code is given twice"),
    ],
)
def test_a_call_whose_values_cannot_be_told_apart_is_refused_or_only_noted(
    guard: Guard, function: Any, args: Any, kwargs: Any, reason: str | None
) -> None:
    call = guarded(guard, tool=TOOL)(function)
    if reason is None:
        assert call(*args, **kwargs) == function(*args, **kwargs)
        return
    verdict = refused(lambda: call(*args, **kwargs)).verdict
    assert reason in verdict.reason
    assert verdict.flags == (("guard-fault",) if reason.startswith(FAULT) else ())
    assert guarded(guard, tool=TOOL, mode="observe")(function)(*args, **kwargs) == function(*args, **kwargs)


class Plain:
    def method(self, reason_code: str) -> str:
        return reason_code


def test_a_call_that_no_decorator_between_could_take_gets_pythons_own_error(guard: Guard) -> None:
    class Service:
        @guarded(guard, tool=TOOL)
        def method(self, reason_code: str) -> str:
            return reason_code

    service: Any = Service()
    partly: Any = guarded(guard, tool=TOOL)(functools.partial(lambda order, reason_code: reason_code, "1"))
    bound: Any = guarded(guard, tool=TOOL)(Plain().method)
    assert bound("OTHER") == "OTHER"
    for call in (service.method, lambda: partly(colour="red"), refund(guard), bound):
        with pytest.raises(TypeError, match="argument"):
            call()
    for call in (bound, partly):
        with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
            call("OTHER", "x")
    held = guarded(guard, tool=TOOL, arguments="payload")(injecting(lambda session, payload: payload))
    assert held(payload='{"reason_code": "OTHER"}') == '{"reason_code": "OTHER"}'
    assert refused(lambda: held(payload='{"reason_code": "x"}')).verdict.emitted == "x"


@pytest.mark.parametrize(
    ("function", "name"),
    [(lambda payload: payload, "<lambda>"), (lambda *values: values, "<lambda>"), (placed, "")],
    ids=["another name", "no names", "any name"],
)
def test_a_function_that_the_measured_arguments_cannot_reach_is_named(guard: Guard, function: Any, name: str) -> None:
    if not name:
        assert guarded(guard, tool=TOOL)(function)("OTHER") == ("OTHER", {})
        return
    with pytest.raises(BadInput) as found:
        guarded(guard, tool=TOOL)(function)
    assert str(found.value) == (
        f"arguments: {name} has no parameter 'reason_code'; name the one that holds all arguments"
    )
    both = Guard([MEMBER, a_probe("items.*.zone", TOOL)], {"codes": CODES})
    with pytest.raises(BadInput, match="has no parameter 'reason_code' or 'items'; name the one"):
        guarded(both, tool=TOOL)(function)
    free = Guard([MEMBER], {"codes": CODES}, tools=[a_tool("look")])
    assert guarded(free, tool="look")(function)("x") == function("x")


@pytest.mark.parametrize("path", ["items.*.reason_code", "items[].reason_code"])
def test_a_value_in_a_list_is_reached_by_the_name_of_the_list(path: str) -> None:
    inside = Guard([a_probe(path, TOOL, "membership", set="codes")], {"codes": CODES})
    call = guarded(inside, tool=TOOL)(lambda items: items)
    assert call([{"reason_code": "OTHER"}]) == [{"reason_code": "OTHER"}]
    assert refused(lambda: call([{"reason_code": "x"}])).verdict.emitted == "x"


class Broken:
    @property
    def model_dump(self) -> Any:
        raise RuntimeError("secret")


def raising(**arguments: Any) -> Any:
    raise LookupError("secret")


@pytest.mark.parametrize(
    ("options", "value", "why"),
    [
        ({"shown": raising}, "OTHER", "LookupError"),
        ({"shown": lambda reason_code: 7}, "OTHER", "shown: expected a text, messages or a state; found int"),
        ({"arguments": "reason_code"}, Broken(), "RuntimeError"),
    ],
    ids=["what was shown cannot be had", "it is nothing that can be shown", "a model that cannot be read"],
)
def test_what_fails_on_the_way_lets_no_call_pass_and_stops_none_that_is_observed(
    options: Any, value: Any, why: str, tmp_path: Path
) -> None:
    guard = Guard([MEMBER, a_probe("zone", TOOL)], {"codes": CODES})
    log = DecisionLog(tmp_path / "d.jsonl")
    ran: list[Any] = []
    error = refused(
        lambda: guarded(guard, tool=TOOL, log=log, **options)(lambda reason_code: ran.append(1))(reason_code=value)
    )
    assert (str(error), error.verdict.flags) == (FAULT + why, ("guard-fault",))
    assert error.__cause__ is not None
    assert ran == []
    guarded(guard, tool=TOOL, mode="observe", log=log, **options)(lambda reason_code: ran.append(1))(reason_code=value)
    assert ran == [1]
    assert log.flush(10)
    written = [json.loads(text) for text in (tmp_path / "d.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["allow"], one["flags"], one["mode"]) for one in written] == [
        (False, ["guard-fault"], "refuse"),
        (False, ["guard-fault"], "observe"),
    ]


def test_an_object_that_is_called_with_await_stays_one(guard: Guard) -> None:
    class Tool:
        async def __call__(self, reason_code: str) -> str:
            return reason_code

    call = guarded(guard, tool=TOOL)(Tool())
    assert inspect.iscoroutinefunction(call)
    assert asyncio.run(call("OTHER")) == "OTHER"
    assert refused(lambda: asyncio.run(call("x"))).verdict.emitted == "x"


def test_a_set_that_asks_for_few_readings_is_not_too_old_between_two_of_them() -> None:
    def kept(**options: Any) -> tuple[float, float]:
        guard = Guard([MEMBER], {"codes": lambda: list(CODES)})
        guard.refresh_s = {"codes": 300}
        call = refund(guard, **options)
        keeper = keeper_of(guard)
        keeper.close()
        for age_s in (290, 900, 1_190, 1_210):
            keeper.read_at["codes"] -= age_s
            try:
                call("1")
            except Refused:
                return keeper.every_s("codes"), age_s
            keeper.read_at["codes"] += age_s
        return keeper.every_s("codes"), 0

    assert kept() == (300, 1_210)
    assert kept(max_age_s=300) == (75, 900)
    assert kept(max_age_s=1_000) == (300, 1_190)
    assert kept(max_age_s=None) == (300, 0)
