"""Calls that look like those before are decided quickly: what they get, and how few steps it takes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest

from corpora.jsonl import changed
from scoring.guard import Decision, Guard
from tests.scoring.build import CODES, a_probe

T = "refund_order"
ONE = (a_probe("reason_code", T, "membership", set="codes"),)
TWO = (*ONE, a_probe("fallback", T, "membership", set="codes"))
MANY = [f"C{number}" for number in range(5_001)]


def a_guard(*probes: Any, codes: Any = CODES) -> Guard:
    return Guard(probes or ONE, {"codes": codes})


def closely(call: Any, *probes: Any, codes: Any = CODES) -> Decision:
    """What a close look says: at bytes there is no other way to look."""
    return a_guard(*probes, codes=codes).check(T, call.encode() if isinstance(call, str) else json.dumps(call).encode())


def steps(guard: Guard, arguments: Any) -> int:
    """How many functions are called to decide a call."""
    return steps_of(lambda: guard.check(T, arguments))


def steps_of(work: Callable[[], object]) -> int:
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def a_call(code: str = "OTHER", **others: Any) -> str:
    return json.dumps({"order_id": "90418", "reason_code": code, "amount": 4599, "note": "at 9:30", **others})


def few(guard: Guard, arguments: Any, times: int = 2) -> bool:
    """Whether a call is decided in less than half of the steps that a member takes where it is asked for first."""
    first = a_call() if isinstance(arguments, str) else json.loads(a_call())
    return times * steps(guard, arguments) < steps(a_guard(), first)


KNOWN = {
    "a member": (ONE, CODES, a_call()),
    "a miss": (ONE, CODES, a_call("late")),
    "two members": (TWO, CODES, a_call(fallback="OTHER")),
    "two that are none": (TWO, CODES, a_call("no", fallback="nor")),
    "one of many members": (ONE, MANY, a_call("C7")),
    "an escaped text": (ONE, CODES, a_call(note="he said\n\t\\no")),
    "letters that are not ASCII": (ONE, CODES, a_call(note="é")),
    "a member as an object": (ONE, CODES, json.loads(a_call())),
    "two members as an object": (TWO, CODES, json.loads(a_call(fallback="OTHER"))),
    "a miss as an object": (ONE, CODES, {"reason_code": "late"}),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_call_like_those_before_takes_few_steps_and_gets_the_same_decision(name: str) -> None:
    probes, codes, call = KNOWN[name]
    guard = a_guard(*probes, codes=codes)
    first = guard.check(T, call)
    for _ in range(3):
        assert guard.check(T, call) == first
    assert few(guard, call, 3 if isinstance(call, str) else 2)
    assert first == closely(call, *probes, codes=codes)


def test_a_member_of_many_is_decided_in_few_steps_though_it_was_never_asked_for() -> None:
    guard = a_guard(codes=MANY)
    for number in range(4):
        guard.check(T, a_call(f"C{number}"))
    assert few(guard, a_call("C5000"))
    assert guard.check(T, a_call("C4999")).emitted == "C4999"


def texts(values: Any) -> Iterator[str]:
    for order in permutations(values.items()):
        yield json.dumps(dict(order))


MIXED: list[str] = [
    *texts({"reason_code": "OTHER", "fallback": "LATE_DELIVERY", "n": 1}),
    *texts({"reason_code": "no", "fallback": "OTHER", "n": 1}),
    *texts({"reason_code": "OTHER", "fallback": "no", "n": "1"}),
    *texts({"reason_code": "OTHER", "fallback": 7, "n": "1"}),
    *texts({"reason_code": "", "fallback": "OTHER"}),
    '{"reason_code": "OTHER"}',
    '{"fallback": "OTHER"}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "reason_code": "no"}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": 1, "n": 2}',
    '{"reason_code": "OTHER", "reason_code": "OTHER", "n": 1}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": "\\"", "n": 1}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": "\\\\", "n": 1}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": "\\\\\\"", "n": 1}',
    '{"reason_code": "OTHER\\u0000", "fallback": "OTHER"}',
    '{"reason_code": "\\u004fTHER", "fallback": "OTHER"}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": 1.5}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": true}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": null}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "n": [1]}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "m": 1}',
    '{"f0": "OTHER", "f1": "OTHER", "f2": 1}',
    '{"reason_code": "OTHER", "fallback": "OTHER"} ',
    '{"reason_code": "OTHER", "fallback": "OTHER"}x',
    '{"reason_code": "OTHER", "fallback": "OTHER"',
    '{"reason_code": "OTHER", "fallback": "OTHER", "x:": 1, "y": "::"}',
    '{"reason_code": "OTHER", "fallback": "OTHER", "x\\u003a": 1, "x:": 1}',
    '{"reason_code": "no", "reason_code": "OTHER", "fallback": "OTHER", "n": "\\u003a"}',
    json.dumps({"reason_code": "OTHER", "fallback": "OTHER", **dict.fromkeys("abcd", "\\")}),
    json.dumps({"reason_code": "OTHER", "fallback": "OTHER", **dict.fromkeys("abcd", "x")}),
    '{"reason_code": "no", '
    + json.dumps({"reason_code": "OTHER", "fallback": "OTHER", **dict.fromkeys("abcd", "\\")})[1:],
]


@pytest.mark.parametrize("shift", [0, 7, 19])
def test_whatever_came_before_a_call_gets_the_decision_of_a_close_look(shift: int) -> None:
    guard = a_guard(*TWO)
    turns = [*MIXED[shift:], *MIXED[:shift]]
    wanted = {text: closely(text, *TWO) for text in MIXED}
    thrice = [again for one in turns for again in (one, one, one)]
    for text in [*thrice, *reversed(turns)]:
        assert guard.check(T, text) == wanted[text], text


def test_a_value_of_any_length_gets_its_own_decision_again_and_again() -> None:
    guard = a_guard()
    for length in (199, 200, 201, 5_000):
        for letter in "ab":
            for _ in range(2):
                decision = guard.check(T, {"reason_code": letter * length})
                assert (decision.allow, decision.emitted) == (False, letter * length)
    assert few(guard, {"reason_code": "a" * 200})
    assert not few(guard, {"reason_code": "a" * 201})


def test_more_values_than_are_kept_are_still_decided_one_by_one() -> None:
    guard = a_guard()
    seen = [guard.check(T, {"reason_code": f"x{number}"}).emitted for number in range(5_100)]
    assert seen == [f"x{number}" for number in range(5_100)]
    assert guard.check(T, {"reason_code": "OTHER"}).allow
    assert few(guard, {"reason_code": "x5099"})


def test_names_that_are_made_up_take_no_way_from_the_shapes_that_came_first() -> None:
    guard = a_guard()
    for _ in range(3):
        guard.check(T, a_call())
    quick = steps(guard, a_call())
    for number in range(1_100):
        names = {f"n{number}-{n}": n for n in range(number % 40)}
        assert guard.check(T, json.dumps({"reason_code": "OTHER", **names})).allow
    assert steps(guard, a_call()) == quick


def quick_ones(guard: Guard, calls: list[str]) -> int:
    """How many of these calls, each asked three times in a row, are decided in few steps at the end."""
    for call in calls:
        for _ in range(3):
            guard.check(T, call)
    return sum(few(guard, call, 3) for call in calls)


def with_numbers(count: int, name: str = "n") -> str:
    return json.dumps({"reason_code": "OTHER", **{f"{name}{n}": n for n in range(count)}})


def test_sixteen_shapes_of_up_to_24_names_are_learned() -> None:
    assert quick_ones(a_guard(), [with_numbers(count) for count in range(20)]) == 16
    assert [quick_ones(a_guard(), [with_numbers(count)]) for count in (23, 24)] == [1, 0]


@pytest.mark.parametrize(("looks", "learned"), [(998, 1), (999, 0)])
def test_a_thousand_calls_are_looked_at(looks: int, learned: int) -> None:
    guard = a_guard()
    for number in range(looks):
        guard.check(T, with_numbers(1, f"k{number}-"))
    assert quick_ones(guard, [with_numbers(2)]) == learned


def test_a_member_in_a_new_shape_needs_no_close_look() -> None:
    for call in (a_call(), a_call(code="DUPLICATE_CHARGE", more=[1])):
        assert steps(a_guard(), call) < steps(a_guard(), call.encode())
        assert steps(a_guard(), json.loads(call)) < steps(a_guard(), call.encode())


def test_a_name_that_no_decoder_can_have_gets_the_same_decision() -> None:
    guard = a_guard()
    call = json.dumps({"reason_code": "OTHER", 'a"b\n': 1})
    for _ in range(4):
        assert guard.check(T, call).allow


def test_whether_a_text_is_a_member_is_asked_of_the_texts_alone() -> None:
    def asked(value: Any) -> int:
        return steps_of(lambda: a_guard_of_both.allows(T, "reason_code", value))

    a_guard_of_both = a_guard(codes=[*CODES, 7])
    assert max(asked("OTHER"), asked("no")) < asked(7)


def test_a_reading_that_says_the_same_leaves_all_as_it_was() -> None:
    guard = a_guard()
    for _ in range(4):
        guard.check(T, a_call())
    again = guard.sets["codes"]
    assert guard.take("codes", changed(again, read_at="2030-01-01T00:00:00+00:00"))
    assert few(guard, a_call())
    assert guard.sets["codes"].read_at == "2030-01-01T00:00:00+00:00"
    assert guard.take("codes", changed(again, former=("OLD",)))
    assert "it was once" in guard.check(T, a_call("OLD")).reason
