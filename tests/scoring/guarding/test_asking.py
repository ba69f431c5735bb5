"""What a guard is asked with: names, arguments in every shape, and what was shown."""

from __future__ import annotations

import json
import math
from collections import UserDict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.sets import SetSpec
from scoring.guard import Guard
from scoring.guarding.decision import blank
from scoring.guarding.shown import said
from tests.scoring.build import CODES, a_corpus, a_probe, a_set, a_tool

TOOL = "refund_order"
MEMBER = a_probe("reason_code", TOOL, "membership", set="codes")
ZONE = a_probe("zone", TOOL, type="timezone")


def a_guard(*probes: Any, sets: Any = None, **fields: Any) -> Guard:
    return Guard(probes or (MEMBER,), {"codes": CODES} if sets is None else sets, **fields)


UNREADABLE: list[tuple[Any, str, str]] = [
    (b'{"reason_code": "\xff"}', "not-utf8", "they are no UTF-8"),
    (bytearray(b"\xff"), "not-utf8", "they are no UTF-8"),
    (memoryview(b"\xff"), "not-utf8", "they are no UTF-8"),
    ('{"reason_code": "\udcff"}', "not-utf8", "they are no UTF-8"),
    ("nonsense", "not-json", "they are no JSON"),
    ("[1]", "not-object", "they are no JSON object"),
    (7, "not-object", "they are no JSON object"),
    ('{"reason_code": "OTH', "truncated", "they are cut off"),
    ('{"a": 1, "a": 1}', "duplicate-key", "a key stands in them twice"),
    (
        '{"reason_code": NaN}',
        "non-standard-constant",
        "they hold NaN or an infinity, which JSON does not have",
    ),
    (
        {"reason_code": math.nan},
        "non-standard-constant",
        "they hold NaN or an infinity, which JSON does not have",
    ),
    (
        {"reason_code": {"a": [1, {"b": -math.inf}]}},
        "non-standard-constant",
        "they hold NaN or an infinity, which JSON does not have",
    ),
    (None, "arguments-absent", "there are none, and the tool requires some"),
    (" ", "empty-arguments", "there are none, and the tool requires some"),
    ('"{}"', "double-encoded", "they are a string that holds JSON, and no object"),
    ('{"a": 1} and so on', "trailing-text", "text stands behind the object"),
    ('{"a": {"b": 1}', "missing-brace", "a bracket is missing at the end"),
    ("{'a': 1}", "python-literal", "they are written as Python, and not as JSON"),
    ("```json\n{}\n```", "fenced", "fenced"),
    ("<tool_call>{}", "framing", "framing"),
]


@pytest.mark.parametrize(("arguments", "malformed", "reason"), UNREADABLE, ids=[repr(row[0]) for row in UNREADABLE])
def test_why_arguments_cannot_be_read_is_said_in_words(arguments: Any, malformed: str, reason: str) -> None:
    guard = a_guard(tools=[a_tool(TOOL, ["reason_code"], {"reason_code": {}})])
    decision = guard.check(TOOL, arguments)
    assert decision.reason == f"the arguments of refund_order cannot be read: {reason}"
    found = (decision.allow, decision.malformed, decision.tool, decision.call, decision.offered, decision.flags)
    assert found == (False, malformed, TOOL, 0, True, ())
    assert [one.reason for one in decision.refused] == [decision.reason]


@dataclass
class Row:
    code: str
    at: date


class Fields:
    """As Pydantic's models are: their fields are given by a method."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, mode: str = "python") -> dict[str, Any]:
        return {**self.fields, "mode": mode}


class Word(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "emitted"),
    [
        (True, True),
        (7, 7),
        (2.5, 2.5),
        (10**30, 10**30),
        (date(2027, 3, 4), "2027-03-04"),
        (datetime(2027, 3, 4, 9, tzinfo=UTC), "2027-03-04T09:00:00Z"),
        (Decimal("1.50"), "1.50"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Row("a", date(2027, 3, 4)), {"code": "a", "at": "2027-03-04"}),
        (Fields(a=1), {"a": 1, "mode": "json"}),
        ((1, [2.5, (None, "é")]), [1, [2.5, [None, "é"]]]),
        ({1: {"a": (2.5, True)}}, {"1": {"a": [2.5, True]}}),
        (Word("no"), "no"),
        ([Word("no"), "\ud83d"], ["no", "\\ud83d"]),
        ({"\ud83d": "\ud83d"}, {"\\ud83d": "\\ud83d"}),
    ],
    ids=repr,
)
def test_a_value_of_a_program_is_read_as_the_json_it_would_be(value: Any, emitted: Any) -> None:
    decision = a_guard().check(TOOL, {"reason_code": value})
    assert (decision.emitted, decision.stored, decision.in_set) == (emitted, emitted, False)


@pytest.mark.parametrize("arguments", [{"reason_code": "x"}, UserDict(reason_code="x")], ids=["a dict", "a mapping"])
def test_any_mapping_is_an_object(arguments: Any) -> None:
    assert a_guard().check(TOOL, arguments).in_set is False
    assert a_guard(MEMBER, ZONE).check(TOOL, arguments, "hello").in_set is False


def test_an_object_of_the_program_is_told_by_its_kind() -> None:
    for guard, shown in ((a_guard(), None), (a_guard(MEMBER, ZONE), "hello")):
        decision = guard.check(TOOL, {"reason_code": object(), "zone": "UTC"}, shown)
        assert decision.reason == "an argument of refund_order: object is no JSON value"
        assert (decision.allow, decision.malformed, decision.flags) == (False, None, ("no-json-value",))
        assert decision.refused[0].reason == decision.reason


def test_what_no_probe_asks_for_may_be_any_object() -> None:
    """It is left out also of what stands beside a value."""
    guard = a_guard(MEMBER, a_probe("zone", TOOL, type="timezone", bait=["UTC"]))
    call = {"reason_code": "OTHER", "session": object(), 7: "seven", "note": "in UTC"}
    assert guard.check(TOOL, call).allow
    found = guard.check(TOOL, call, "hello")
    assert found.allow
    assert found.reason == "reason_code is one of the 6 values of codes; zone is left out (absent)"
    for beside in ({"note": math.nan}, {"note": object()}, {}):
        assert guard.check(TOOL, {"reason_code": "OTHER", **beside}, "hello").allow


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("refund_order", ((), True)),
        ("functions.refund_order", (("tool-name-normalised",), True)),
        (" refund_order\n", (("tool-name-normalised",), True)),
    ],
)
def test_a_name_is_read_as_the_scorer_reads_it(name: str, found: Any) -> None:
    for arguments in ('{"reason_code": "OTHER"}', {"reason_code": "OTHER"}):
        decision = a_guard().check(name, arguments)
        assert (decision.flags, decision.allow) == found
        assert decision.tool == TOOL


@pytest.mark.parametrize(
    ("name", "tool", "quoted"),
    [
        ("drop_table", "drop_table", '"drop_table"'),
        ("x" * 300, "x" * 200, '"' + "x" * 78 + "…"),
        ("", "", '""'),
        (None, "", "null"),
        (7, "", "7"),
        ([], "", "[]"),
    ],
    ids=["another", "a long one", "an empty one", "none", "a number", "a list"],
)
def test_a_tool_that_nobody_guards_is_refused_by_its_name(name: Any, tool: str, quoted: str) -> None:
    guard = a_guard(tools=[a_tool("look")])
    for shown in (None, "hello"):
        decision = guard.check(name, "{}", shown)
        assert decision.reason == f"no tool {quoted} is guarded here; guarded: refund_order, look"
        assert (decision.tool, decision.allow, decision.offered, decision.call) == (tool, False, False, 0)
        assert [one.reason for one in decision.refused] == [decision.reason]


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (
            lambda guard: guard.allows(TOOL, "reason", 1),
            "argument: there is no membership probe refund_order.reason in this guard",
        ),
        (
            lambda guard: guard.allows("refund", "reason_code", "x"),
            "argument: there is no membership probe refund.reason_code in this guard",
        ),
        (lambda guard: guard.sets_of("refund"), 'tool: no tool "refund" is guarded here; guarded: refund_order'),
        (lambda guard: guard.take("other", a_set()), "other: there is no set 'other' in this guard"),
        (
            lambda guard: guard.check(TOOL, {"zone": "UTC"}, 7),
            "shown: expected a text, messages or a state; found int",
        ),
        (lambda guard: guard.check(TOOL, {"zone": "UTC"}, ["a", 7]), "shown: message 1 is no object, but int"),
        (
            lambda guard: guard.check(TOOL, {"zone": "UTC"}, [{"content": "x"}]),
            "shown: message 0 names neither a role nor a type",
        ),
        (lambda guard: Guard([MEMBER], {}), "probes.set: the values of the set 'codes' are not known"),
        (
            lambda guard: Guard([a_probe("reason_code", TOOL, "membership")], {"codes": CODES}),
            "probes.set: the values of the set None are not known",
        ),
        (
            lambda guard: Guard([MEMBER], {"codes": lambda: [object()]}),
            "sets.codes: a member is text, a number or a boolean; object is no JSON value",
        ),
        (lambda guard: Guard([MEMBER], {"codes": []}), "sets.codes: the set is empty: values gave no value"),
    ],
    ids=["argument", "tool", "sets of", "take", "shown", "message", "role", "no set", "none named", "member", "empty"],
)
def test_what_the_program_got_wrong_is_said_with_its_place(ask: Any, what: str) -> None:
    with pytest.raises(BadInput) as found:
        ask(a_guard(MEMBER, ZONE))
    assert str(found.value) == what


def test_nothing_is_no_member_even_where_it_stands_in_the_set() -> None:
    guard = a_guard(sets={"codes": changed(a_set(), values=("", "OTHER", 1), compare="case-insensitive")})
    asked = [guard.allows(TOOL, "reason_code", value) for value in ("", None, "other", 1, "1", "XXXX")]
    assert asked == [False, False, True, True, False, False]


def test_a_guard_tells_which_sets_a_tool_is_held_against() -> None:
    probes = (
        a_probe("a", "t", "membership", set="codes"),
        a_probe("b", "t"),
        a_probe("c", "t", "membership", set="zones"),
        a_probe("d", "t", "membership", set="codes"),
        a_probe("e", "u", "membership", set="days"),
    )
    guard = Guard(probes, {"codes": ["A"], "zones": ["UTC"], "days": ["MON"], "more": ["x"]}, tools=[a_tool("v")])
    assert [guard.sets_of(tool) for tool in "tuv"] == [("codes", "zones"), ("days",), ()]


def test_a_guard_of_a_corpus_reads_what_needs_a_connection_by_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "codes.txt").write_text("LATE\n", encoding="utf-8")
    specs = {"zones": SetSpec(url="http://127.0.0.1/zones", refresh_s=7), "codes": SetSpec(file="codes.txt")}
    tools = [a_tool("t", ["a"], {"a": {}}), a_tool("look")]
    made = a_corpus([], tools, [a_probe("a", "t", "membership", set="zones")])
    corpus: Corpus = changed(made, set_specs=specs, folder=str(tmp_path))
    guard = Guard.from_corpus(corpus, lambda spec: ["UTC", str(spec.url)])
    assert guard.sets["zones"].values == ("UTC", "http://127.0.0.1/zones")
    assert (guard.sets["codes"].name, guard.sets["codes"].values) == ("codes", ("LATE",))
    assert (guard.refresh_s, sorted(guard.readers)) == ({"zones": 7}, ["codes", "zones"])
    assert guard.readers["zones"]() == changed(guard.sets["zones"], read_at=guard.readers["zones"]().read_at)
    assert guard.check("look", "{}").allow
    assert guard.check("t", "{}").reason == "a is left out (absent), and the schema of t requires it"


def test_a_source_that_is_read_again_keeps_its_name() -> None:
    guard = a_guard(sets={"codes": lambda: ["A", "B"]})
    again = guard.readers["codes"]()
    assert (again.name, again.values, again.source) == ("codes", ("A", "B"), guard.sets["codes"].source)


TALK: list[Any] = [
    {"role": "user", "content": {"zero": 0}},
    {"role": "tool", "output": "one"},
    {"role": "assistant", "arguments": "two", "input": {"two": 2}},
    {"type": "function_call_output", "output": [{"type": "text", "text": "three"}, {"output": "and"}, 7, "no"]},
    {"role": "assistant", "content": "four", "tool_calls": [{"function": {"arguments": {"four": 4}}}, {}, None]},
    {"role": "user", "content": [{"type": "tool_result", "content": "five"}, {"type": "text", "input": "in"}]},
    {"role": "user", "content": [{"type": "tool_use", "input": "six"}, {"content": [{"text": "deep"}]}]},
    {"role": "user", "content": 7},
    {"role": "developer", "type": "message", "content": "eight"},
    {"role": None, "type": "user", "content": "nine"},
]


def test_each_part_of_a_message_has_its_owner() -> None:
    assert [tuple(one) for one in said(TALK)] == [
        ("user", 0, '{"zero":0}'),
        ("tool", 1, "one"),
        ("assistant", 2, "two"),
        ("assistant", 2, '{"two":2}'),
        ("function_call_output", 3, "three"),
        ("function_call_output", 3, "and"),
        ("assistant", 4, "four"),
        ("assistant", 4, '{"four":4}'),
        ("tool_result", 5, "five"),
        ("user", 5, "in"),
        ("tool_use", 6, "six"),
        ("user", 6, "deep"),
        ("developer", 8, "eight"),
        ("user", 9, "nine"),
    ]
    assert [tuple(one) for one in said("all")] == [("user", 0, "all")]


WHOLE = {"messages": [{"role": "user", "content": "Asia/Tokyo"}], "state": {"zone": "Europe/Berlin"}}


@pytest.mark.parametrize(
    ("shown", "seen"),
    [
        (WHOLE, {"Asia/Tokyo": "user", "Europe/Berlin": "state"}),
        ({"messages": WHOLE["messages"]}, {"Asia/Tokyo": "user", "Europe/Berlin": None}),
        ({"state": WHOLE["state"]}, {"Asia/Tokyo": None, "Europe/Berlin": "state"}),
        ({**WHOLE, "more": 1}, {"Asia/Tokyo": "state", "Europe/Berlin": "state"}),
        ({"messages": "in Asia/Tokyo"}, {"Asia/Tokyo": "user", "Europe/Berlin": None}),
    ],
    ids=["both", "messages", "a state", "a state that holds both", "a text"],
)
def test_messages_and_a_state_are_shown_apart_or_together(shown: Any, seen: dict[str, str | None]) -> None:
    guard = Guard([ZONE], {})
    for zone, where in seen.items():
        assert guard.check(TOOL, json.dumps({"zone": zone}), shown).where == where


class Odd(dict[str, Any]):
    def keys(self) -> Any:
        raise RuntimeError("no keys")


def test_a_fault_inside_the_check_is_a_refusal_of_its_own() -> None:
    decision = Guard([ZONE], {}).check(TOOL, {"zone": "UTC"}, Odd())
    reason = "the check itself failed with RuntimeError, so the call may not pass"
    whole = changed(blank(TOOL), call=0, offered=True, flags=("guard-fault",), reason=reason)
    assert decision == changed(whole, refused=(whole,))


def test_what_was_shown_is_asked_also_of_a_call_that_was_seen_before() -> None:
    guard = a_guard(MEMBER, ZONE)
    call = json.dumps({"reason_code": "OTHER", "zone": "UTC"})
    for _ in range(4):
        assert guard.check(TOOL, call).allow
    assert guard.check(TOOL, call, "hello").argument == "zone"
    assert guard.check(TOOL, call).allow
