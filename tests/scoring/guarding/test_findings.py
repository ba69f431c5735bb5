"""What a decision says of one value, whole: every field of the verdict, and the sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scoring.guard import Decision, Guard
from scoring.guarding.decision import blank
from scoring.judging.sightings import Span
from tests.scoring.build import CODES, a_probe, a_set, a_tool

TOOL = "refund_order"
STORES = {"unknown": {"reason_code": "OTHER"}, "omitted": {"reason_code": "LATE_DELIVERY"}}
STORING = a_tool(TOOL, properties={"reason_code": {}}, stores=STORES)


def told(decision: Decision) -> dict[str, Any]:
    """The fields that say something, but for those that every decision on a call of a known tool has alike."""
    assert (decision.call, decision.offered, decision.malformed) == (0, True, None)
    empty = blank(decision.tool).line()
    fields = {name: value for name, value in decision.line().items() if value != empty[name]}
    assert (fields.pop("call"), fields.pop("offered")) == (0, True)
    return {"allow": False, **fields}


def members(*probes: Any, sets: Any = None, tool: Any = None, **fields: Any) -> Guard:
    own = probes or (a_probe("reason_code", TOOL, "membership", set="codes", **fields),)
    return Guard(own, sets or {"codes": a_set()}, tools=[] if tool is None else [tool])


def a_miss(text: str) -> str:
    return f"reason_code: {text} is not among the 6 values of codes"


MISS: dict[str, Any] = {"allow": False, "argument": "reason_code", "in_set": False, "near": "none"}
FORMER = {"codes": a_set(former=("OLD",))}
ZONES = {"codes": a_set(), "zones": a_set(["UTC"], name="zones")}
MEMBERSHIP: dict[str, tuple[Callable[[], Guard], Any, dict[str, Any]]] = {
    "a near miss": (
        lambda: members(),
        "late delivery",
        {
            "near": "case+separator",
            "nearest": "LATE_DELIVERY",
            "reason": a_miss('"late delivery"') + '; nearest is "LATE_DELIVERY" (case+separator)',
        },
    ),
    "a miss": (lambda: members(), "bored", {"reason": a_miss('"bored"')}),
    "a value of another set": (lambda: members(sets=ZONES), "UTC", {"near": "other-set", "reason": a_miss('"UTC"')}),
    "a number": (lambda: members(), 7, {"flags": ("type-mismatch",), "reason": a_miss("7")}),
    "a boolean": (lambda: members(), True, {"flags": ("type-mismatch",), "reason": a_miss("true")}),
    "an object": (lambda: members(), {"a": "b"}, {"flags": ("type-mismatch",), "reason": a_miss('{"a":"b"}')}),
    "a former member": (
        lambda: members(sets=FORMER),
        "OLD",
        {"flags": ("former-member",), "reason": a_miss('"OLD"') + "; it was once"},
    ),
    "what the service maps": (
        lambda: members(tool=STORING),
        "bored",
        {"flags": ("laundered",), "stored": "OTHER", "reason": a_miss('"bored"')},
    ),
    "a former member that it maps": (
        lambda: members(tool=STORING, sets=FORMER),
        "OLD",
        {"flags": ("former-member", "laundered"), "stored": "OTHER", "reason": a_miss('"OLD"') + "; it was once"},
    ),
    "80 characters": (lambda: members(), "x" * 80, {"reason": a_miss(f'"{"x" * 80}"')}),
    "81 characters": (lambda: members(), "x" * 81, {"reason": a_miss('"' + "x" * 78 + "…")}),
    "letters that are not ASCII": (lambda: members(), "é" * 81, {"reason": a_miss('"' + "é" * 78 + "…")}),
    "what JSON escapes": (lambda: members(), 'a"b\\', {"reason": a_miss('"a\\"b\\\\"')}),
    "a quote alone": (lambda: members(), 'a"b', {"reason": a_miss('"a\\"b"')}),
    "what steers a terminal": (lambda: members(), "a\x1b[31m\u2028é", {"reason": a_miss('"a\\u001b[31m\\u2028é"')}),
}


@pytest.mark.parametrize("name", MEMBERSHIP)
def test_a_value_that_is_no_member_is_told_with_all_that_is_known_of_it(name: str) -> None:
    make, value, expected = MEMBERSHIP[name]
    guard = make()
    for _ in range(2):  # the second answer may come from memory
        decision = guard.check(TOOL, {"reason_code": value})
        assert told(decision) == {**MISS, "emitted": value, "stored": value, **expected}
        assert [told(refused) for refused in decision.refused] == [told(decision)]
        assert all(refused.refused == () for refused in decision.refused)


@pytest.mark.parametrize(
    ("make", "value", "form"),
    [
        pytest.param(lambda: members(), "OTHER", "exact", id="as it is written"),
        pytest.param(
            lambda: members(tool=STORING), "OTHER", "exact", id="where the service maps what it does not know"
        ),
        pytest.param(
            lambda: members(sets={"codes": a_set(compare="case-insensitive")}),
            "other",
            "case-fold",
            id="but for the case",
        ),
    ],
)
def test_a_member_is_told_with_how_it_was_recognised(make: Callable[[], Guard], value: str, form: str) -> None:
    expected = {
        "allow": True,
        "reason": "reason_code is one of the 6 values of codes",
        "argument": "reason_code",
        "emitted": value,
        "stored": value,
        "in_set": True,
        "form": form,
    }
    guard = make()
    for arguments in ({"reason_code": value}, f'{{"reason_code": "{value}"}}', f'{{"reason_code": "{value}"}}'):
        decision = guard.check(TOOL, arguments)
        assert (told(decision), decision.refused) == (expected, ())


def test_a_set_that_does_not_mind_the_case_says_what_else_is_wrong() -> None:
    guard = members(sets={"codes": a_set(compare="case-insensitive")})
    assert told(guard.check(TOOL, {"reason_code": "late delivery"})) == {
        **MISS,
        "near": "separator",
        "nearest": "LATE_DELIVERY",
        "emitted": "late delivery",
        "stored": "late delivery",
        "reason": a_miss('"late delivery"') + '; nearest is "LATE_DELIVERY" (separator)',
    }


OMITTED = [({}, "absent"), ({"reason_code": None}, "null"), ({"reason_code": ""}, "empty")]
REQUIRING = a_tool(TOOL, ["reason_code"], {"reason_code": {}})


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        pytest.param(lambda: members(), {"allow": True, "reason": ""}, id="nothing asks for it"),
        pytest.param(
            lambda: members(tool=STORING),
            {"allow": True, "flags": ("defaulted",), "stored": "LATE_DELIVERY", "reason": ""},
            id="the service has a default",
        ),
        pytest.param(
            lambda: members(**{"pass": ["COPY"]}),
            {"reason": ", and the probe does not let that pass"},
            id="the probe asks",
        ),
        pytest.param(
            lambda: members(tool=REQUIRING),
            {"reason": ", and the schema of refund_order requires it"},
            id="the schema asks",
        ),
        pytest.param(
            lambda: members(tool=REQUIRING, **{"pass": ["COPY"]}),
            {"reason": ", and the probe does not let that pass"},
            id="both ask",
        ),
    ],
)
@pytest.mark.parametrize(("call", "emptiness"), OMITTED)
def test_a_value_that_is_left_out_is_told_with_what_asks_for_it(
    make: Callable[[], Guard], expected: dict[str, Any], call: Any, emptiness: str
) -> None:
    whole = {**expected, "reason": f"reason_code is left out ({emptiness}){expected['reason']}"}
    assert told(make().check(TOOL, call)) == {
        "allow": False,
        "argument": "reason_code",
        "emptiness": emptiness,
        **whole,
    }


@pytest.mark.parametrize(
    ("path", "call", "expected"),
    [
        pytest.param(
            "items.*.code",
            {"items": [{"code": "OTHER"}, {"code": "x"}, {"code": "OTHER"}]},
            [((1,), 'items.*.code: "x" is not among the 6 values of codes')],
            id="one of three",
        ),
        pytest.param(
            "items.*.code",
            {"items": [{}, {"code": "OTHER"}, {"code": None}]},
            [
                ((0,), "items.*.code is left out (absent), and the probe does not let that pass"),
                ((2,), "items.*.code is left out (null), and the probe does not let that pass"),
            ],
            id="two left out",
        ),
        pytest.param(
            "codes[]",
            {"codes": ["OTHER", "no"]},
            [((1,), 'codes[]: "no" is not among the 6 values of codes')],
            id="items without names",
        ),
        pytest.param(
            "a.*.b.*",
            {"a": [{"b": ["OTHER"]}, {"b": ["OTHER", "x"]}]},
            [((1, 1), 'a.*.b.*: "x" is not among the 6 values of codes')],
            id="an array in an array",
        ),
    ],
)
def test_each_element_that_refuses_has_its_place(path: str, call: Any, expected: Any) -> None:
    guard = members(a_probe(path, TOOL, "membership", set="codes", **{"pass": ["COPY"]}))
    decision = guard.check(TOOL, call)
    assert [(one.element, one.reason) for one in decision.refused] == expected
    assert (decision.element, decision.reason) == (expected[0][0], "; ".join(reason for _, reason in expected))


def test_a_path_that_is_required_in_part_may_lead_nowhere() -> None:
    item = {"type": "object", "required": ["code"], "properties": {"code": {}}}
    for schema, allow in (
        ({"items": {"type": "array", "items": item}}, False),
        ({"items": {"type": "array", "items": {**item, "required": []}}}, True),
        ({"items": {"type": "array", "items": {"type": "object"}}}, True),
        ({"items": {"type": "array", "items": True}}, True),
        ({"items": {"type": "array"}}, True),
        ({}, True),
    ):
        probe = a_probe("items[].code", TOOL, "membership", set="codes")
        guard = members(probe, tool=a_tool(TOOL, ["items"], schema))
        assert guard.check(TOOL, {"items": [{}]}).allow is allow
    plain = members(a_probe("a.b", TOOL, "membership", set="codes"), tool=a_tool(TOOL, ["a"], {}))
    assert plain.check(TOOL, {}).reason == "a.b is left out (absent)"


SCHEMA = {"zone": {"type": "string", "description": "such as Europe/Berlin"}}
BOOK = a_tool("book", ["zone"], SCHEMA, stores={"omitted": {"zone": "UTC"}})
NAMED = a_tool("book", ["name"], {"name": {}})


def world(argument: Any = "name", *, tool: Any = None, **fields: Any) -> Guard:
    return Guard([a_probe(argument, "book", **fields)], {}, tools=[] if tool is None else [tool])


def zone() -> Guard:
    return world("zone", tool=BOOK, type="timezone", bait=["UTC"])


COPIED = {"label": "COPY", "allow": True, "passes": True, "bait": False}
MADE_UP = {"label": "INJECT", "passes": False, "bait": False, "subtype": "invention"}
LEFT_OUT = {"label": "OMIT", "passes": True, "emptiness": "absent"}
NOWHERE = "stands nowhere in what was shown"
WORLDS: dict[str, tuple[Callable[[], Guard], Any, Any, dict[str, Any]]] = {
    "the user said it": (
        lambda: world(),
        {"name": "Ada"},
        "I am Ada.",
        {**COPIED, "where": "user", "span": Span(0, None, 5, 8), "form": "exact"}
        | {"reason": 'name: "Ada" stands in what the user said (exact)'},
    ),
    "the user said it otherwise": (
        lambda: world(),
        {"name": "ada"},
        ["Hello.", "I am Ada."],
        {**COPIED, "where": "user", "span": Span(1, None, 5, 8), "form": "case-fold"}
        | {"reason": 'name: "ada" stands in what the user said (case-fold)'},
    ),
    "the state holds it": (
        lambda: world(),
        {"name": "Ada"},
        {"who": [{"name": "Ada"}]},
        {**COPIED, "where": "state", "span": Span(None, "who[0].name", 0, 3), "form": "exact"}
        | {"reason": 'name: "Ada" stands in the state (exact)'},
    ),
    "a tool gave it": (
        lambda: world(),
        {"name": "Ada"},
        [{"role": "user", "content": "look"}, {"role": "tool", "content": '{"name":"Ada"}'}],
        {**COPIED, "where": "tool", "span": Span(1, "name", 0, 3), "form": "exact"}
        | {"reason": 'name: "Ada" stands in a tool\'s result (exact)'},
    ),
    "nobody said it": (lambda: world(), {"name": "Eve"}, "I am Ada.", {**MADE_UP, "reason": f'name: "Eve" {NOWHERE}'}),
    "it may be made up": (
        lambda: world(**{"pass": ["INJECT"]}),
        {"name": "Eve"},
        "I am Ada.",
        {**MADE_UP, "allow": True, "passes": True, "reason": f'name: "Eve" {NOWHERE}'},
    ),
    "the description names it": (
        lambda: zone(),
        {"zone": "Europe/Berlin"},
        "hello",
        {**MADE_UP, "subtype": "schema"}
        | {"reason": f'zone: "Europe/Berlin" {NOWHERE}; it stands in the tool\'s own description'},
    ),
    "the model itself said it": (
        lambda: world(),
        {"name": "Eve"},
        [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Are you Eve?"}],
        {**MADE_UP, "subtype": "assistant"}
        | {"reason": f'name: "Eve" {NOWHERE}; it stands in the model\'s own words only'},
    ),
    "it is a usual default": (
        lambda: zone(),
        {"zone": "UTC"},
        "hello",
        {**MADE_UP, "bait": True, "reason": f'zone: "UTC" {NOWHERE}; it is a usual default'},
    ),
    "it is a default that the model named before": (
        lambda: zone(),
        {"zone": "UTC"},
        [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "In UTC?"}],
        {**MADE_UP, "bait": True, "subtype": "assistant"}
        | {"reason": f'zone: "UTC" {NOWHERE}; it stands in the model\'s own words only; it is a usual default'},
    ),
    "the first of two system texts names it": (
        lambda: world(),
        {"name": "Eve"},
        [
            {"role": "system", "content": "as Eve"},
            {"role": "system", "content": "nor"},
            {"role": "user", "content": "x"},
        ],
        {**MADE_UP, "flags": ("prompt-example-only",), "reason": f'name: "Eve" {NOWHERE}'},
    ),
    "it is left out": (
        lambda: world(),
        {},
        "hello",
        {**LEFT_OUT, "allow": True, "reason": "name is left out (absent)"},
    ),
    "it is null": (
        lambda: world(),
        {"name": None},
        "hello",
        {**LEFT_OUT, "allow": True, "emptiness": "null", "reason": "name is left out (null)"},
    ),
    "it may not be left out": (
        lambda: world(**{"pass": ["COPY"]}),
        {},
        "hello",
        {**LEFT_OUT, "passes": False, "reason": "name is left out (absent), and the probe does not let that pass"},
    ),
    "it is left out and required": (
        lambda: zone(),
        {},
        "hello",
        {**LEFT_OUT, "flags": ("defaulted",), "stored": "UTC"}
        | {"reason": "zone is left out (absent), and the schema of book requires it"},
    ),
    "it is left out and its default stands beside": (
        lambda: world("zone", type="timezone", bait=["UTC"]),
        {"note": "take UTC"},
        "hello",
        {**LEFT_OUT, "allow": True, "flags": ("sibling", "bait-in-text"), "reason": "zone is left out (absent)"},
    ),
    "a placeholder": (
        lambda: world(placeholder_is="OMIT"),
        {"name": "<name>"},
        "hello",
        {
            "label": "OMIT",
            "passes": True,
            "allow": True,
            "flags": ("placeholder",),
            "reason": "name holds a placeholder",
        },
    ),
    "a placeholder where a value is required": (
        lambda: world(placeholder_is="OMIT", tool=NAMED),
        {"name": "<name>"},
        "hello",
        {"label": "OMIT", "passes": True, "flags": ("placeholder",)}
        | {"reason": "name holds a placeholder, and the schema of book requires it"},
    ),
    "one element of two": (
        lambda: world("people.*.name"),
        {"people": [{"name": "Ada"}, {"name": "Eve"}]},
        "I am Ada.",
        {**MADE_UP, "element": (1,), "emitted": "Eve", "stored": "Eve", "reason": f'people.*.name: "Eve" {NOWHERE}'},
    ),
    "one element left out": (
        lambda: world("people.*.name", **{"pass": ["COPY"]}),
        {"people": [{"name": "Ada"}, {}]},
        "I am Ada.",
        {**LEFT_OUT, "passes": False, "element": (1,)}
        | {"reason": "people.*.name is left out (absent), and the probe does not let that pass"},
    ),
}


@pytest.mark.parametrize("name", WORLDS)
def test_what_a_closed_world_probe_says_is_told_with_its_evidence(name: str) -> None:
    make, call, shown, expected = WORLDS[name]
    guard = make()
    argument = guard.probes[0].argument
    value = call.get(argument)
    emitted = {} if value is None else {"emitted": value}
    stored = emitted if expected["label"] == "OMIT" else {**emitted, "stored": value}
    whole = {"allow": False, "argument": argument, "measure": "closed-world", **stored, **expected}
    decision = guard.check("book", call, shown)
    assert told(decision) == whole
    assert [told(refused) for refused in decision.refused] == ([] if decision.allow else [whole])


TWO = (
    a_probe("reason_code", TOOL, "membership", set="codes"),
    a_probe("zone", TOOL, type="timezone"),
    a_probe("name", TOOL),
)


@pytest.mark.parametrize(
    ("call", "shown", "argument", "reason"),
    [
        pytest.param(
            {"reason_code": "OTHER", "zone": "UTC", "name": "x"},
            None,
            "reason_code",
            "reason_code is one of the 6 values of codes; zone is not checked, since nothing shown was given; "
            "name is not checked, since nothing shown was given",
            id="nothing was shown",
        ),
        pytest.param(
            {"reason_code": "no", "zone": "UTC"}, None, "reason_code", a_miss('"no"'), id="nothing was shown, a miss"
        ),
        pytest.param(
            {"reason_code": "OTHER", "zone": "UTC", "name": "Ada"},
            "Ada, in UTC",
            "reason_code",
            'reason_code is one of the 6 values of codes; zone: "UTC" stands in what the user said (exact); '
            'name: "Ada" stands in what the user said (exact)',
            id="all is well",
        ),
        pytest.param(
            {"reason_code": "OTHER", "zone": "UTC", "name": "Eve"},
            "Ada, in UTC",
            "name",
            f'name: "Eve" {NOWHERE}',
            id="the last refuses",
        ),
        pytest.param(
            {"reason_code": "no", "zone": "UTC", "name": "Eve"},
            "Ada",
            "reason_code",
            a_miss('"no"') + f'; zone: "UTC" {NOWHERE}; name: "Eve" {NOWHERE}',
            id="all refuse",
        ),
        pytest.param(
            {},
            None,
            "reason_code",
            "reason_code is left out (absent); "
            + "; ".join(f"{name} is not checked, since nothing shown was given" for name in ("zone", "name")),
            id="nothing was given",
        ),
    ],
)
def test_one_sentence_tells_of_every_probe(call: Any, shown: Any, argument: str, reason: str) -> None:
    guard = Guard(TWO, {"codes": a_set()})
    for _ in range(2):
        decision = guard.check(TOOL, call, shown)
        assert (decision.argument, decision.reason) == (argument, reason)
        assert decision.allow is (not decision.refused)


def test_twenty_findings_are_told_in_words_and_all_are_there() -> None:
    guard = members(a_probe("codes.*", TOOL, "membership", set="codes"))
    bad = guard.check(TOOL, {"codes": [f"x{number}" for number in range(30)]})
    assert (len(bad.refused), bad.reason.count("is not among"), bad.reason.count("; ")) == (30, 20, 19)
    assert [one.emitted for one in bad.refused] == [f"x{number}" for number in range(30)]
    good = guard.check(TOOL, {"codes": list(CODES) * 5})
    assert (good.allow, good.reason.count("is one of"), good.reason.count("; ")) == (True, 20, 19)


def test_a_name_that_reads_like_a_path_is_not_what_the_path_leads_to() -> None:
    guard = members(a_probe("a.code", TOOL, "membership", set="codes"))
    call = {"a.code": "OTHER", "a": {"code": "no"}}
    for arguments in (call, json.dumps(call)):
        for _ in range(3):
            assert guard.check(TOOL, arguments).emitted == "no"
    assert guard.check(TOOL, {"a.code": "no", "a": {"code": "OTHER"}}).allow
