"""What else is said of a value: why it only looks like a visible one, that it stands for none, or went elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.records import Turn
from scoring import judge
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_tool, an_effect

SYSTEM = "You are brief. Say x-9 for example. {state}"


def flags(
    arguments: dict[str, Any],
    user: str = "",
    answer: Any = None,
    parameters: Any = None,
    hidden: Any = None,
    visible: Any = None,
    **probe: Any,
) -> tuple[str, ...]:
    """The flags of the probe's field in a call that came after a tool's `answer`."""
    tool = a_tool(properties={"value": {}}) if parameters is None else a_tool(parameters=parameters)
    one = a_fixture(user=user, hidden=hidden or {}, visible=visible or {})
    corpus = a_corpus([one], [tool], [a_probe(**probe)], SYSTEM)
    effects = () if answer is None else (an_effect(0, "act", answer),)
    turns = (Turn(text=None, response=None), Turn(text=None, response=None))
    record = a_record(one, calls=[a_call("act", arguments, turn=1)], turns=turns, effects=effects)
    verdicts = list(judge(record, corpus, {}))
    return verdicts[0].flags


ZEROS = ("differs-only-in-leading-zeros",)


@pytest.mark.parametrize(
    ("value", "user", "found"),
    [
        pytest.param("42", "it is 0042", ZEROS, id="zeros lost"),
        pytest.param("0042", "it is 42", ZEROS, id="zeros gained"),
        pytest.param("042", "it is 00042", ZEROS, id="other zeros"),
        pytest.param(42, "it is 0042", ZEROS, id="a number that lost them"),
        pytest.param("420", "it is 0420", ZEROS, id="a zero at the end is no zero in front"),
        pytest.param("42", "it is 0420", (), id="a zero at the end"),
        pytest.param("00", "it is 0", ZEROS, id="zeros for a zero"),
        pytest.param("0", "it is 000", ZEROS, id="a zero for zeros"),
        pytest.param("0", "it is 0001", (), id="a zero for something"),
        pytest.param(True, "it is 01 and 001", (), id="a truth is no number"),
        pytest.param(-5, "it is x0-5", (), id="a number below zero has no zeros in front"),
        pytest.param(1.5, "it is 01.5", (), id="a fraction has none either"),
        pytest.param("42", "it is 1.0042", (), id="digits after a point"),
        pytest.param("42", "it is a0042", (), id="digits after a letter"),
        pytest.param("42", "it is 0042-7", (), id="digits before a hyphen"),
        pytest.param("42", "it is 42.5, or 042,5", (), id="digits before a fraction"),
        pytest.param("0042", "it is 42. 5 more", ZEROS, id="digits before the end of a sentence"),
        pytest.param("0042", "42", ZEROS, id="nothing but the digits"),
        pytest.param("42", "it is 4242, then 0042", ZEROS, id="after digits that go on"),
        pytest.param("\u0664\u0662", "it is 042", (), id="digits of another script"),
        pytest.param("42", "it is 0042a", (), id="digits before a letter"),
        pytest.param("x", "it is 00", (), id="a text"),
        pytest.param("", "it is 00", (), id="an empty text"),
        pytest.param("9" * 100, "it is 0" + "9" * 100, ZEROS, id="a hundred digits"),
        pytest.param("9" * 101, "it is 0" + "9" * 101, (), id="more digits than an id has"),
        pytest.param("re\u200bd", "it is red", ("invisible-character",), id="a character that is not seen"),
        pytest.param("red\U000e0041", "it is red", ("invisible-character",), id="a tag, by which texts are hidden"),
        pytest.param("r\u0435d", "it is red", ("homoglyph",), id="a letter that looks like another"),
        pytest.param("r\u0435d", "it is blue", (), id="such a letter in what was not shown"),
        pytest.param("plain", "it is blue", (), id="nothing of the kind"),
        pytest.param("x-9", "it is blue", ("prompt-example-only",), id="an example of the system text"),
        pytest.param(["zz", "r\u0435d"], "it is red", ("homoglyph",), id="the second of a list"),
        pytest.param([7, "r\u0435d"], "it is red", ("homoglyph",), id="a text after a number"),
        pytest.param(["42", 42], "it is 0042", ZEROS, id="a text and a number said once"),
        pytest.param([None, "42", "0042", 42], "it is 042", ZEROS, id="said once"),
        pytest.param(["r\u0435d", "x-9"], "it is red", ("homoglyph", "prompt-example-only"), id="two things"),
    ],
)
def test_a_value_that_only_looks_like_a_visible_one_is_told(value: Any, user: str, found: tuple[str, ...]) -> None:
    assert flags({"value": value}, user, type="id") == found


@pytest.mark.parametrize("value", ["42", "r\u0435d"])
def test_what_a_tool_answered_before_the_call_was_shown_too(value: str) -> None:
    assert flags({"value": value}, "nothing", {"is": "0042 red"}, type="id") != ()
    assert flags({"value": value}, "nothing", type="id") == ()


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        pytest.param(42, ZEROS, id="a whole number"),
        pytest.param([True, {"n": 42}], ZEROS, id="deep in a list"),
        pytest.param(43, (), id="another number"),
        pytest.param(42.5, (), id="a fraction"),
    ],
)
def test_a_number_in_json_has_no_zeros_in_front(answer: Any, found: tuple[str, ...]) -> None:
    assert flags({"value": "0042"}, "nothing", {"is": answer}, type="id") == found
    assert flags({"value": "0042"}, "nothing", visible={"is": answer}, type="id") == found
    assert flags({"value": "0042"}, "a\x00b", visible={"is": answer}, type="id") == found


@pytest.mark.parametrize("kind", ["date", "datetime"])
def test_a_zone_that_nobody_showed_is_told_in_each_part_by_type(kind: str) -> None:
    told = flags({"value": ["2027-03-05T09:00:00Z"]}, "on 2027-03-05 at 09:00", type=kind)
    assert "zone-in-datetime" in told
    assert "zone-in-datetime" not in flags({"value": ["2027-03-05T09:00:00"]}, "on 2027-03-06", type="datetime")


HIDDEN = {"value": "Asia/Tokyo", "site.zone": "Asia/Tokyo"}
SIBLING, BAIT = ("sibling",), ("sibling", "bait-in-text")


@pytest.mark.parametrize(
    ("arguments", "user", "found"),
    [
        pytest.param({"note": "in Asia/Tokyo"}, "", SIBLING, id="the withheld value in a text"),
        pytest.param({"n": 3, "note": "in Asia/Tokyo"}, "", SIBLING, id="after a number"),
        pytest.param({"value": None, "note": "in Asia/Tokyo"}, "", SIBLING, id="after the field itself"),
        pytest.param({"note": {"deep": ["x", "Asia/Tokyo"]}}, "", SIBLING, id="deep in an object"),
        pytest.param({"note": "in Asia/Tokyo"}, "it is Asia/Tokyo", (), id="a value that was shown"),
        pytest.param({"note": "in UTC"}, "", BAIT, id="a default"),
        pytest.param({"first": "x", "note": "in UTC"}, "", BAIT, id="a default in the second text"),
        pytest.param({"note": "in Europe/Rome"}, "", BAIT, id="another default"),
        pytest.param({"note": "in UTC"}, "use UTC", (), id="a default that was shown"),
        pytest.param({"note": "in UTC, Asia/Tokyo"}, "", SIBLING, id="both: the withheld value"),
        pytest.param({"note": "in UTC, Asia/Tokyo"}, "it is Asia/Tokyo", BAIT, id="both, and one was shown"),
        pytest.param({"note": "nothing"}, "", (), id="neither"),
        pytest.param({}, "", (), id="no other field"),
    ],
)
@pytest.mark.parametrize("argument", ["value", "site.zone"])
def test_a_value_put_into_another_field_is_told(
    argument: str, arguments: dict[str, Any], user: str, found: tuple[str, ...]
) -> None:
    known: dict[str, Any] = {"type": "timezone", "bait": ["UTC", "Europe/Rome"], "argument": argument}
    if argument == "site.zone":
        arguments = {("site" if key == "value" else key): value for key, value in arguments.items()}
    assert flags(arguments, user, hidden=HIDDEN, **known) == found
    without = {"hidden": {"other": "Asia/Tokyo"}, **known, "bait": []}
    assert flags(arguments, user, **without) == ()


def test_the_withheld_value_beside_the_field_in_its_own_object_is_none() -> None:
    arguments = {"site": {"note": "in Asia/Tokyo"}}
    assert flags(arguments, hidden=HIDDEN, argument="site.zone", type="timezone") == ()
    deep = {"site.area.zone": "Asia/Tokyo"}
    assert flags(arguments, hidden=deep, argument="site.area.zone", type="timezone") == ()
    assert flags({"note": "in Asia/Tokyo"}, hidden=deep, argument="site.area.zone", type="timezone") == SIBLING


def test_a_value_that_a_tool_answered_is_nothing_withheld() -> None:
    known: dict[str, Any] = {"hidden": HIDDEN, "type": "timezone", "bait": ["UTC"]}
    assert flags({"note": "in Asia/Tokyo"}, "", {"zone": "Asia/Tokyo"}, **known) == ()
    assert flags({"note": "in UTC"}, "", {"zone": "UTC"}, **known) == ()


@pytest.mark.parametrize(
    ("value", "placeholder"),
    [
        (" <zone> ", True), ("value", True), (" value ", True), ("values", False), ("N/A", True), ("n/a please", False),
        ("your_zone", True), ("insert zone", True), ("...", True), ("..", False), ("xxx", True), ("xx", False),
        (3, False), (None, False), (["value"], False),
    ],
)  # fmt: skip
def test_a_text_that_stands_for_a_value_is_told(value: Any, placeholder: bool) -> None:
    assert ("placeholder" in flags({"value": value})) is placeholder


TYPED = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "whole": {"type": "integer"},
        "number": {"type": "number"},
        "truth": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "string"}},
        "object": {"type": "object", "properties": {"inner": {"type": "integer"}, "bare": {}}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"code": {"type": "string"}}}},
        "either": {"type": ["integer", "null"]},
        "odd": {"type": "odd"},
        "odder": {"type": {"not": "a name"}},
        "either odd": {"type": ["string", "odd"]},
        "bare": {},
        "true": True,
        "without": {"type": "object", "properties": None},
    },
}


@pytest.mark.parametrize(
    ("argument", "arguments", "fits"),
    [
        pytest.param("text", {"text": "a"}, True, id="a text"),
        pytest.param("text", {"text": 1}, False, id="a number for a text"),
        pytest.param("whole", {"whole": 1}, True, id="a whole number"),
        pytest.param("whole", {"whole": 1.0}, True, id="one with a point"),
        pytest.param("whole", {"whole": 1.5}, False, id="a fraction for a whole number"),
        pytest.param("whole", {"whole": "1"}, False, id="a text for a number"),
        pytest.param("whole", {"whole": True}, False, id="a truth for a number"),
        pytest.param("number", {"number": 1.5}, True, id="a fraction"),
        pytest.param("number", {"number": 1}, True, id="a whole number for a number"),
        pytest.param("number", {"number": False}, False, id="a truth for a fraction"),
        pytest.param("truth", {"truth": True}, True, id="a truth"),
        pytest.param("truth", {"truth": 1}, False, id="a number for a truth"),
        pytest.param("truth", {"truth": 1.0}, False, id="a fraction for a truth"),
        pytest.param("list", {"list": ["a"]}, True, id="a list"),
        pytest.param("list", {"list": "a"}, False, id="a text for a list"),
        pytest.param("object", {"object": {"a": 1}}, True, id="an object"),
        pytest.param("object", {"object": [1]}, False, id="a list for an object"),
        pytest.param("object.inner", {"object": {"inner": 1}}, True, id="within an object"),
        pytest.param("object.inner", {"object": {"inner": "a"}}, False, id="a misfit within an object"),
        pytest.param("object.bare", {"object": {"bare": "a"}}, True, id="no type within an object"),
        pytest.param("object.absent", {"object": {"absent": "a"}}, True, id="what the schema does not name"),
        pytest.param("list.*", {"list": ["a"]}, True, id="each of a list"),
        pytest.param("list.*", {"list": [1]}, False, id="a misfit in a list"),
        pytest.param("list[]", {"list": [1]}, False, id="written otherwise"),
        pytest.param("rows.*.code", {"rows": [{"code": "a"}]}, True, id="within each object of a list"),
        pytest.param("rows.*.code", {"rows": [{"code": 1}]}, False, id="a misfit there"),
        pytest.param("rows[].code", {"rows": [{"code": 1}]}, False, id="and written otherwise"),
        pytest.param("either", {"either": 1}, True, id="one of two types"),
        pytest.param("either", {"either": "a"}, False, id="neither"),
        pytest.param("odd", {"odd": 1}, True, id="a type that nobody knows"),
        pytest.param("odder", {"odder": 1}, True, id="a type that is no name"),
        pytest.param("either odd", {"either odd": 1}, True, id="one of two, one unknown"),
        pytest.param("bare", {"bare": 1}, True, id="no type"),
        pytest.param("true", {"true": 1}, True, id="a schema that is none"),
        pytest.param("without.deep", {"without": {"deep": 1}}, True, id="an object without properties"),
    ],
)
def test_a_value_of_another_type_is_told(argument: str, arguments: dict[str, Any], fits: bool) -> None:
    assert ("type-mismatch" in flags(arguments, parameters=TYPED, argument=argument)) is not fits
