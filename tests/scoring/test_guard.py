"""The guard at call time: what passes, what is refused and why, and what hostile arguments get."""

from __future__ import annotations

import enum
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.corpus import load, read_sets
from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.probes import Tool
from scoring.guard import Decision, Guard
from scoring.guarding.decision import blank
from scoring.guarding.shown import said
from scoring.judging.verdicts import Verdict
from tests.scoring.build import CODES, a_probe, a_set, a_tool

MEMBER = a_probe("reason_code", "refund_order", "membership", set="codes")
ZONE = a_probe("timezone", "book", type="timezone", bait=["UTC"])


def a_guard(*probes: Any, sets: Any = None, **fields: Any) -> Guard:
    return Guard(probes or (MEMBER,), {"codes": CODES} if sets is None else sets, **fields)


def refund(code: Any, **others: Any) -> str:
    return json.dumps({"order_id": "90418", "reason_code": code, **others})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("OTHER", True),
        ("other", False),
        ("", False),
        (None, False),
        (1, False),
        (True, False),
        (math.nan, False),
        (["OTHER"], False),
        ({"OTHER": 1}, False),
        (object(), False),
        (b"OTHER", False),
    ],
    ids=repr,
)
def test_allows_says_whether_a_value_is_a_member(value: Any, expected: bool) -> None:
    assert a_guard().allows("refund_order", "reason_code", value) is expected


def test_members_that_are_numbers_are_told_from_their_texts_and_from_booleans() -> None:
    guard = a_guard(sets={"codes": [1, 2.5, True, "4"]})
    values = (1, 1.0, 2.5, True, "4", "1", 4, False, "true")
    allowed = [value for value in values if guard.allows("refund_order", "reason_code", value)]
    assert allowed == [1, 1.0, 2.5, True, "4"]
    assert [type(value) for value in allowed] == [int, float, float, bool, str]
    for value in values:
        call = {"reason_code": value}
        assert guard.check("refund_order", call).allow is guard.allows("refund_order", "reason_code", value)


def test_a_set_that_compares_without_case_does_so_here_too() -> None:
    guard = a_guard(sets={"codes": a_set(compare="case-insensitive")})
    assert guard.allows("refund_order", "reason_code", "other")
    decision = guard.check("refund_order", refund("other"))
    assert (decision.allow, decision.in_set, decision.form) == (True, True, "case-fold")


@pytest.mark.parametrize(("tool", "argument"), [("refund", "reason_code"), ("refund_order", "reason")])
def test_a_misspelt_name_is_a_fault_of_the_program_and_no_bad_value(tool: str, argument: str) -> None:
    with pytest.raises(BadInput, match="no membership probe"):
        a_guard().allows(tool, argument, "OTHER")


def test_a_member_passes_with_the_verdict_and_the_reason() -> None:
    decision = a_guard().check("refund_order", refund("OTHER"))
    assert isinstance(decision, Verdict)
    assert (decision.allow, decision.in_set, decision.emitted, decision.stored) == (True, True, "OTHER", "OTHER")
    assert decision.reason == "reason_code is one of the 6 values of codes"
    assert decision == a_guard().check("refund_order", json.loads(refund("OTHER")))


def test_a_miss_is_refused_with_the_nearest_member() -> None:
    guard = a_guard()
    for _ in range(2):  # the second answer comes from memory
        decision = guard.check("refund_order", refund("damaged on arrival"))
        assert (decision.allow, decision.in_set) == (False, False)
        assert (decision.near, decision.nearest) == ("case+separator", "DAMAGED_ON_ARRIVAL")
        assert decision.reason == (
            'reason_code: "damaged on arrival" is not among the 6 values of codes; '
            'nearest is "DAMAGED_ON_ARRIVAL" (case+separator)'
        )


def test_every_refusing_finding_is_there_and_the_first_decides() -> None:
    guard = a_guard(MEMBER, a_probe("fallback", "refund_order", "membership", set="codes"))
    decision = guard.check("refund_order", {"reason_code": "nope", "fallback": "no"})
    assert [verdict.argument for verdict in decision.refused] == ["reason_code", "fallback"]
    assert (decision.argument, decision.reason.count("is not among")) == ("reason_code", 2)
    assert guard.check("refund_order", {"reason_code": "OTHER", "fallback": "OTHER"}).allow


@pytest.mark.parametrize("arguments", ["{}", '{"reason_code": null}', '{"reason_code": ""}', {}])
def test_what_is_left_out_passes_unless_the_probe_says_otherwise(arguments: Any) -> None:
    decision = a_guard().check("refund_order", arguments)
    assert decision.allow
    assert "is left out" in decision.reason
    strict = a_probe("reason_code", "refund_order", "membership", set="codes", **{"pass": ["COPY"]})
    assert not a_guard(strict).check("refund_order", arguments).allow
    required = a_guard(tools=[a_tool("refund_order", ["reason_code"], {"reason_code": {}})])
    refused = required.check("refund_order", arguments)
    assert not refused.allow
    assert refused.reason.endswith(", and the schema of refund_order requires it")


@pytest.mark.parametrize(
    "schema",
    [
        {"required": True},
        {"required": [["reason_code"]]},
        {"properties": True},
        {"properties": {"reason_code": {"type": [["string"]]}}},
        {"properties": {"reason_code": True}},
    ],
)
def test_a_schema_that_is_none_stops_no_call(schema: Any) -> None:
    closed = a_probe("reason_code", "refund_order")
    guard = a_guard(MEMBER, closed, tools=[Tool(name="refund_order", parameters=schema)])
    assert guard.check("refund_order", '{"reason_code": "OTHER"}', shown="OTHER").allow
    assert guard.check("refund_order", "{}", shown="OTHER").allow


def test_what_is_left_out_inside_an_array_is_refused_where_each_name_on_the_way_is_required() -> None:
    item = {"required": ["code"], "properties": {"code": {}}}
    probe = a_probe("items.*.code", "t", "membership", set="codes")
    for required, allowed in ((["items"], False), ([], True)):
        guard = a_guard(probe, tools=[a_tool("t", required, {"items": {"items": item}})])
        assert guard.check("t", {"items": [{"code": "OTHER"}, {}]}).allow is allowed


def test_a_required_field_of_a_closed_world_probe_may_not_be_left_out_either() -> None:
    guard = a_guard(ZONE, sets={}, tools=[a_tool("book", ["timezone"], {"timezone": {"type": "string"}})])
    decision = guard.check("book", "{}", "Book it.")
    assert (decision.allow, decision.label, decision.passes) == (False, "OMIT", True)


def test_each_element_of_an_array_is_held_against_the_set() -> None:
    guard = a_guard(a_probe("items.*.code", "refund_order", "membership", set="codes"))
    decision = guard.check("refund_order", {"items": [{"code": "OTHER"}, {"code": "x"}, {"code": "OTHER"}]})
    assert (decision.allow, decision.element, decision.emitted) == (False, (1,), "x")
    assert guard.check("refund_order", '{"items": [{"code": "OTHER"}]}').allow


@pytest.mark.parametrize(
    ("arguments", "malformed"),
    [
        ('{"reason_code": "OTHER", "reason_code": "x"}', "duplicate-key"),
        ('{"reason_code": "x", "reason_code": "OTHER"}', "duplicate-key"),
        ('{"reason_code": "x", "reason\\u005fcode": "OTHER"}', "duplicate-key"),
        ('{"reason_code" : "x","reason_code":"OTHER"}', "duplicate-key"),
        ('{"note":":", "reason_code" :"x","reason_code":"OTHER"}', "duplicate-key"),
        ('{"reason_code":"OTHER","a":1,"a":1}', "duplicate-key"),
        ('{"reason_code":"OTHER","a":"\\n","a":1}', "duplicate-key"),
        ('{"reason_code":"OTHER","a":{"b":1,"b":1}}', "duplicate-key"),
        ('{"reason_code":"OTHER","a":{"b\\n":1,"b\\n":1}}', "duplicate-key"),
        ('{"reason_code": "OTHER", "x": NaN}', "non-standard-constant"),
        ('{"reason_code": "OTHER"', "missing-brace"),
        ('{"reason_code": "OTH', "truncated"),
        ("['OTHER']", "not-json"),
        ('["OTHER"]', "not-object"),
        (["OTHER"], "not-object"),
        (b'{"reason_code": "\xff"}', "not-utf8"),
        ('{"reason_code": "\udcff"}', "not-utf8"),
        ({"reason_code": math.inf}, "non-standard-constant"),
        ("{'reason_code': 'OTHER'}", "python-literal"),
    ],
    ids=repr,
)
def test_arguments_that_are_no_call_are_refused(arguments: Any, malformed: str) -> None:
    decision = a_guard().check("refund_order", arguments)
    assert (decision.allow, decision.malformed) == (False, malformed)
    assert decision.reason.startswith("the arguments of refund_order cannot be read: ")


def test_no_arguments_are_malformed_only_where_some_are_required() -> None:
    assert a_guard().check("refund_order", None).allow
    strict = a_guard(tools=[a_tool("refund_order", required=["reason_code"])])
    assert strict.check("refund_order", None).malformed == "arguments-absent"
    assert strict.check("refund_order", "").malformed == "empty-arguments"


def test_a_tool_that_nobody_guards_is_refused_and_its_name_is_read_as_the_scorer_reads_it() -> None:
    decision = a_guard().check("refund\x1b", refund("OTHER"))
    assert (decision.allow, decision.offered) == (False, False)
    assert decision.reason == 'no tool "refund\\u001b" is guarded here; guarded: refund_order'
    assert a_guard().check("\udc80", "{}").allow is False
    assert a_guard().check(" functions.refund_order", refund("OTHER")).flags == ("tool-name-normalised",)
    free = a_guard(tools=[a_tool("look")]).check("look", "{}")
    assert (free.allow, free.reason) == (True, "no argument of look is measured")


class Reason(enum.Enum):
    OTHER = "OTHER"
    LATE = "LATE"


class Model:
    def model_dump(self, mode: str) -> dict[str, Any]:
        return {"zone": "UTC", "mode": mode}


class Wrong:
    def model_dump(self, mode: str) -> dict[str, Any]:
        raise RuntimeError(mode)


def test_what_a_framework_made_of_the_arguments_is_read_as_json() -> None:
    guard = a_guard(sets={"codes": Reason})
    assert guard.check("refund_order", {"reason_code": Reason.OTHER, "session": object()}).allow
    assert guard.allows("refund_order", "reason_code", "LATE")
    day = a_guard(sets={"codes": ["2027-03-04"]}).check("refund_order", {"reason_code": date(2027, 3, 4)})
    assert (day.allow, day.emitted) == (True, "2027-03-04")
    model = guard.check("refund_order", {"reason_code": Model()})
    assert (model.allow, model.emitted) == (False, {"zone": "UTC", "mode": "json"})
    for value in (object(), Wrong(), {1: object()}):
        decision = guard.check("refund_order", {"reason_code": value})
        assert (decision.allow, decision.flags) == (False, ("no-json-value",))


class Word(str):
    """A text of a kind of its own, as some libraries have."""

    __slots__ = ()


def test_a_text_of_a_kind_of_its_own_is_its_text_whatever_was_asked_before() -> None:
    guard = a_guard()
    for _ in range(2):
        assert guard.check("refund_order", {"reason_code": Word("OTHER")}).allow is True
        assert guard.check("refund_order", {"reason_code": Word("other")}).allow is False
        assert guard.check("refund_order", {"reason_code": "OTHER"}).emitted == "OTHER"


def test_a_cycle_and_a_lone_surrogate_in_a_dict_get_a_verdict() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    assert a_guard().check("refund_order", {"reason_code": cycle}).allow is False
    decision = a_guard().check("refund_order", {"reason_code": "\ud83d"})
    assert decision.emitted == "\\ud83d"


HOSTILE: dict[str, Callable[[], Any]] = {
    "10 MB of text": lambda: refund("x" * 10_000_000),
    "10 MB of digits": lambda: '{"reason_code": ' + "9" * 10_000_000 + "}",
    "10 MB of quotes": lambda: '"' * 10_000_000,
    "10 MB cut": lambda: '{"reason_code": "' + "a" * 10_000_000,
    "10 MB of Python": lambda: "{'reason_code': [" + "1," * 5_000_000 + "]}",
    "10 MB in another key": lambda: refund("OTHER", note="ä" * 5_000_000),
    "10 MB of keys": lambda: refund("x", **{f"k{n}": n for n in range(700_000)}),
    "10,000 levels": lambda: '{"reason_code": ' + "[" * 10_000 + "]" * 10_000 + "}",
    "10,000 open levels": lambda: '{"reason_code": ' + "[" * 10_000,
    "900 levels": lambda: '{"reason_code": ' + "[" * 900 + '"x"' + "]" * 900 + "}",
    "10 MB of combining marks": lambda: refund("a" + "\u0301" * 4_000_000),
    "10 MB of bytes": lambda: b"\xff" * 10_000_000,
    "NaN": lambda: '{"reason_code": NaN}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_arguments_get_a_verdict_in_bounded_time(name: str) -> None:
    guard = a_guard(MEMBER, a_probe("reason_code", "refund_order", type="text"))
    arguments = HOSTILE[name]()
    for shown in (None, "The reason is OTHER, or 7, or Asia/Tokyo."):
        begun = time.process_time()
        decision = guard.check("refund_order", arguments, shown)
        assert time.process_time() - begun < 10
        assert decision.allow is ("another key" in name)
        assert "guard-fault" not in decision.flags
        assert len(decision.reason) < 1000


@pytest.mark.parametrize("unit", ["4 ", "x4 ", "x4x", "-0 x", "9 4 ", "utc", "march 4 "])
@pytest.mark.parametrize(("kind", "value"), [("number", 4), ("date", "2027-03-04"), ("timezone", "UTC")])
def test_a_hostile_text_that_was_shown_is_searched_once(unit: str, kind: str, value: Any) -> None:
    guard = a_guard(a_probe("value", "act", type=kind), sets={})
    begun = time.process_time()
    guard.check("act", {"value": value}, "2027 3 " + unit * 10_000)
    assert time.process_time() - begun < 8


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(CODES),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("reason_code"), inner),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.text() | st.binary() | JSONS | JSONS.map(json.dumps) | JSONS.map(lambda v: json.dumps({"reason_code": v})))
def test_whatever_comes_gets_a_decision_that_can_be_written(arguments: Any) -> None:
    guard = a_guard(MEMBER, a_probe("reason_code", "refund_order", type="datetime"))
    for shown in (None, "OTHER it is, on 2027-03-04", {"a": arguments} if not isinstance(arguments, bytes) else None):
        decision = guard.check("refund_order", arguments, shown)
        assert "guard-fault" not in decision.flags
        assert json.loads(json.dumps(decision.line(), default=str))["allow"] is decision.allow


@settings(max_examples=200, deadline=None)
@given(JSONS)
def test_allows_and_check_agree_on_every_value(value: Any) -> None:
    guard = a_guard(sets={"codes": [*CODES, 1, 2.5, False]})
    decision = guard.check("refund_order", {"reason_code": value})
    if decision.emptiness is None:
        assert guard.allows("refund_order", "reason_code", value) is decision.allow


FLAT = st.dictionaries(
    st.sampled_from(["reason_code", "a:b", "note", "x"]),
    st.sampled_from([*CODES, "a:b", 'q"', "\\", 1, None, True, {}, [], {"a": 1}, ["x", "y:z"]]),
)


@settings(max_examples=300, deadline=None)
@given(FLAT, FLAT, st.sampled_from([": ", ":", " :", "\n: "]))
def test_the_short_way_says_what_the_close_look_says(one: Any, other: Any, colon: str) -> None:
    """Two objects written into one, so that keys may stand twice."""
    pairs = [f"{json.dumps(key)}{colon}{json.dumps(value)}" for part in (one, other) for key, value in part.items()]
    text = "{" + ", ".join(pairs) + "}"
    guard = a_guard()
    close = guard._checks["refund_order"].closely(text, None)
    for known in (text, *(json.dumps(part) for part in (one, other) for _ in range(2)), text):
        quick = guard.check("refund_order", known)
    assert quick == close == guard.check("refund_order", text)


SHAPED = {"order_id": "90418", "reason_code": "OTHER", "amount": 4599, "note": "see https://shop.example/a:b"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({**SHAPED, "reason_code": "x"}),
        json.dumps({**SHAPED, "note": "at 10:30\nsharp"}),
        json.dumps({**SHAPED, "note": 'he said "no: never"'}),
        json.dumps({**SHAPED, "note": "a\\"}),
        json.dumps({**SHAPED, "note": 'a\\"'}),
        json.dumps({**SHAPED, "amount": 45.5}),
        json.dumps({**SHAPED, "amount": None}),
        json.dumps({**SHAPED, "amount": "4599"}),
        json.dumps({**SHAPED, "other": 1}),
        json.dumps({"reason_code": "OTHER"}),
        json.dumps(SHAPED)[:-1] + ', "amount": 1}',
        json.dumps(SHAPED)[:-1] + ', "reason_code": "x"}',
        json.dumps(SHAPED)[:-1] + ', "reason\\u005fcode": "x"}',
        '{"amount": 1, "reason_code": "OTHER", "amount": 2, "note": "n", "order_id": "1"}',
        '{"reason_code": "OTHER", "note": "\\"", "note": "n", "order_id": 1, "amount": 1}',
        json.dumps(SHAPED) + "x",
        json.dumps(SHAPED)[:-1],
        json.dumps({"f0": "OTHER", "order_id": "1", "note": "", "amount": 1}),
    ],
)
def test_a_call_in_a_shape_that_is_known_gets_the_decision_of_a_close_look(text: str) -> None:
    guard = a_guard()
    for code in ("OTHER", "LATE_DELIVERY", "OTHER"):
        assert guard.check("refund_order", json.dumps({**SHAPED, "reason_code": code})).allow
    assert list(guard._checks["refund_order"]._shapes.by_quotes) == [14]
    assert guard.check("refund_order", text) == guard._checks["refund_order"].closely(text, None)


def test_of_many_members_each_has_a_decision_of_its_own_though_none_is_kept() -> None:
    guard = a_guard(sets={"codes": [f"C{number}" for number in range(5_001)]})
    for number in (1, 1, 1, 2, 5_000):
        decision = guard.check("refund_order", refund(f"C{number}"))
        assert (decision.allow, decision.emitted, decision.stored) == (True, f"C{number}", f"C{number}")
    assert not guard.check("refund_order", refund("C5001")).allow


def test_a_model_that_makes_up_names_fills_no_memory() -> None:
    guard = a_guard()
    shapes = guard._checks["refund_order"]._shapes
    for number in range(40):
        for _ in range(2):
            names = {f'name{number}-{n}"': "x" for n in range(number % 23)}
            assert guard.check("refund_order", json.dumps({"reason_code": "OTHER", **names})).allow
    assert len(shapes.by_quotes) <= 16
    before = dict(shapes.by_quotes)
    for number in range(1_000):
        guard.check("refund_order", json.dumps({"reason_code": "OTHER", f"n{number}": 1}))
    guard.check("refund_order", json.dumps({"reason_code": "OTHER", "late": 1}))
    assert shapes.by_quotes == before


def test_a_closed_world_probe_is_asked_where_something_was_shown() -> None:
    guard = a_guard(ZONE, sets={})
    blind = guard.check("book", {"timezone": "UTC"})
    assert (blind.allow, blind.reason) == (True, "timezone is not checked, since nothing shown was given")
    seen = guard.check("book", '{"timezone": "Asia/Tokyo"}', "We are in asia/tokyo.")
    assert (seen.allow, seen.label, seen.where, seen.form) == (True, "COPY", "user", "case-fold")
    assert seen.reason == 'timezone: "Asia/Tokyo" stands in what the user said (case-fold)'
    made = guard.check("book", '{"timezone": "UTC"}', "We are in Asia/Tokyo.")
    assert (made.allow, made.label, made.bait) == (False, "INJECT", True)
    assert made.reason == 'timezone: "UTC" stands nowhere in what was shown; it is a usual default'
    assert guard.check("book", "{}", "Book it.").label == "OMIT"


@pytest.mark.parametrize(
    ("shown", "where"),
    [
        ([{"role": "user", "content": "Asia/Tokyo"}], "user"),
        ([{"role": "user", "content": [{"type": "text", "text": "Asia/Tokyo"}]}], "user"),
        ({"state": {"zone": "Asia/Tokyo"}}, "state"),
        ({"zone": "Asia/Tokyo"}, "state"),
        ([{"role": "tool", "content": '{"zone": "Asia/Tokyo"}'}], "tool"),
        ([{"type": "function_call_output", "output": "Asia/Tokyo"}], "tool"),
        ([{"role": "user", "content": [{"type": "tool_result", "content": "Asia/Tokyo"}]}], "tool"),
        ([{"role": "system", "content": "Asia/Tokyo"}], None),
        ([{"role": "developer", "content": "Asia/Tokyo"}], None),
        ([{"role": "assistant", "content": "Asia/Tokyo"}], None),
        ([{"role": "assistant", "tool_calls": [{"function": {"arguments": '{"a": "Asia/Tokyo"}'}}]}], None),
        ([{"type": "function_call", "arguments": '{"a": "Asia/Tokyo"}'}], None),
        ([], None),
        ({}, None),
        ("", None),
    ],
    ids=str,
)
def test_what_counts_as_shown(shown: Any, where: str | None) -> None:
    decision = a_guard(ZONE, sets={}).check("book", {"timezone": "Asia/Tokyo"}, shown)
    assert (decision.allow, decision.where) == (where is not None, where)


MESSAGES: list[Any] = [
    "one",
    {"role": "user", "content": [{"type": "text", "text": "two"}, {"type": "image"}, "three"]},
    {"role": "assistant", "content": None, "tool_calls": [{"function": {"arguments": "four"}}, {"function": None}, 5]},
    {"role": "user", "content": [{"type": "tool_result", "content": [{"text": "five"}]}]},
    {"role": "assistant", "content": [{"type": "tool_use", "input": {"six": 6}}]},
    {"type": "function_call", "arguments": "seven"},
    {"type": "function_call_output", "output": "eight"},
    {"type": "custom_tool_call", "input": "nine"},
    {"role": "tool", "content": {"ten": 10}},
    {
        "role": "user",
        "content": [{"type": "custom_tool_call_output", "output": [{"type": "input_text", "text": "eleven"}]}],
    },
]


def test_each_piece_of_a_conversation_has_its_owner_and_its_message() -> None:
    assert list(said(MESSAGES)) == [
        ("user", 0, "one"),
        ("user", 1, "two"),
        ("assistant", 2, "four"),
        ("tool_result", 3, "five"),
        ("tool_use", 4, '{"six":6}'),
        ("function_call", 5, "seven"),
        ("function_call_output", 6, "eight"),
        ("custom_tool_call", 7, "nine"),
        ("tool", 8, '{"ten":10}'),
        ("custom_tool_call_output", 9, "eleven"),
    ]


@pytest.mark.parametrize("time", ["09:00:70", "09:61", "25:00", "99:99:99+09:00", "24:00:00Z"])
def test_a_time_that_is_none_gets_a_verdict(time: str) -> None:
    guard = a_guard(a_probe("at", "book", type="datetime"), sets={})
    decision = guard.check("book", {"at": f"2027-03-04T{time}"}, "On 4 March 2027 at nine.")
    assert (decision.label, decision.flags) == ("INJECT", ())


@pytest.mark.parametrize("shown", [7, [7], [{"content": "x"}]], ids=str)
def test_what_cannot_have_been_shown_is_named(shown: Any) -> None:
    with pytest.raises(BadInput):
        a_guard(ZONE, sets={}).check("book", {"timezone": "UTC"}, shown)


class Odd(dict[str, Any]):
    def keys(self) -> Any:
        raise RuntimeError("no keys")


def test_a_fault_inside_the_check_lets_no_call_pass() -> None:
    reason = "the check itself failed with RuntimeError, so the call may not pass"
    for name in ("book", " functions.book"):
        decision = a_guard(ZONE, sets={}).check(name, {"timezone": "UTC"}, Odd())
        plain = changed(blank("book"), call=0, offered=True, flags=("guard-fault",), reason=reason)
        assert decision == changed(plain, refused=(plain,))


@pytest.mark.parametrize(
    ("members", "what"),
    [
        (7, "sets.codes: expected the values of a set, found int"),
        ("OTHER", "sets.codes: expected the values of a set, found str"),
        (lambda: b"OTHER", "sets.codes: expected the values of a set, found bytes"),
        ([object()], "sets.codes: a member is text, a number or a boolean; object is no JSON value"),
    ],
    ids=["a number", "a text", "bytes that are read", "an object of the program"],
)
def test_what_is_no_set_is_named(members: Any, what: str) -> None:
    with pytest.raises(BadInput) as found:
        a_guard(sets={"codes": members})
    assert str(found.value) == what


def test_a_decision_lets_nothing_pass_until_a_check_says_so() -> None:
    made = blank("act", "value", "closed-world")
    assert (made.allow, made.reason, made.tool, made.argument, made.measure) == (
        False,
        "",
        "act",
        "value",
        "closed-world",
    )
    assert (made.run_id, made.model, made.fixture_id, made.sample, made.stratum) == ("", "", "", 0, "")


def test_a_value_that_is_no_member_for_a_service_without_case_is_told_too() -> None:
    guard = a_guard(sets={"codes": a_set(["a", 1], compare="case-insensitive")})
    allowed = [value for value in ("A", "b", 1, "") if guard.allows("refund_order", "reason_code", value)]
    assert allowed == ["A", 1]


def test_a_placeholder_is_a_field_left_out_where_the_probe_says_so() -> None:
    probe = a_probe("timezone", "book", placeholder_is="OMIT")
    decision = a_guard(probe, sets={}).check("book", {"timezone": "<timezone>"}, "Book it.")
    assert (decision.allow, decision.label, decision.reason) == (True, "OMIT", "timezone holds a placeholder")


def test_more_decisions_than_are_kept_are_forgotten_and_made_again() -> None:
    guard = a_guard(sets={"codes": ["A"]})
    for number in range(5_200):
        guard.check("refund_order", {"reason_code": str(number)})
    assert len(guard._checks["refund_order"].known) < 5_001
    assert guard.check("refund_order", {"reason_code": "1"}).allow is False


def test_a_guard_of_a_corpus_knows_its_tools_sets_and_probes() -> None:
    corpus = load("refunds")
    guard = Guard.from_corpus(corpus)
    assert guard.sets.keys() == read_sets(corpus).keys()
    assert guard.check("lookup_order", {"order_id": "1"}).allow
    decision = guard.check("refund_order", refund("damaged on arrival"))
    assert (decision.allow, decision.flags) == (False, ("laundered",))


def test_a_set_that_is_not_there_or_empty_is_named() -> None:
    with pytest.raises(BadInput, match="'codes' are not known"):
        a_guard(sets={})
    with pytest.raises(BadInput, match="the set is empty"):
        a_guard(sets={"codes": list})
    with pytest.raises(BadInput, match="expected the values of a set"):
        a_guard(sets={"codes": "ABC"})
    with pytest.raises(BadInput, match="a member is text"):
        a_guard(sets={"codes": [object()]})


def test_a_new_reading_is_used_and_one_that_shrank_is_held_back() -> None:
    guard = a_guard()
    assert guard.take("codes", a_set(["A", "B", "C", "D"]), max_shrink=0.5)
    assert not guard.allows("refund_order", "reason_code", "OTHER")
    assert not guard.take("codes", a_set(["A"]), max_shrink=0.5)
    assert guard.allows("refund_order", "reason_code", "D")
    assert guard.held["codes"].values == ("A",)
    assert guard.confirm() == ("codes",)
    assert not guard.allows("refund_order", "reason_code", "D")
    assert (guard.held, guard.confirm()) == ({}, ())
    with pytest.raises(BadInput, match="no set 'other'"):
        guard.take("other", a_set())


def test_a_larger_reading_ends_the_holding_back() -> None:
    guard = a_guard()
    assert not guard.take("codes", a_set(["A"]), max_shrink=0.1)
    assert guard.take("codes", a_set([*CODES, "NEW"]), max_shrink=0.1)
    assert guard.held == {}


def test_the_embedded_guard_loads_nothing_of_the_runner_and_no_network_library() -> None:
    code = (
        "import sys; import scoring.guarded; from corpora.corpus import Probe; from scoring.guard import Guard\n"
        "g = Guard([Probe(tool='t', argument='a', measure='membership', set='s'),"
        " Probe(tool='t', argument='b', measure='closed-world')], {'s': ['A']})\n"
        'g.check(\'t\', \'{"a": "x", "b": "y"}\', \'shown\')\n'
        "print([n for n in ('runner', 'httpx', 'anyio', 'aiohttp', 'sqlalchemy', 'click', 'rich', 'structlog',"
        " 'tenacity', 'asyncio', 'jsonschema_rs') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=20)
    assert done.stdout.strip() == "[]"


def test_a_decision_is_written_in_the_shape_of_a_verdict() -> None:
    line = a_guard().check("refund_order", refund("x")).line()
    assert tuple(line) == ("allow", "reason", *Verdict.__struct_fields__)
    assert isinstance(a_guard().check("refund_order", "{}"), Decision)
