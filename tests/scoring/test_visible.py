"""What counts as visible: whole tokens of a type, in state, user turns and tool results; and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from scoring import Verdict, judge
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_tool


def verdict_on(
    value: Any, user: str = "", probe: dict[str, Any] | None = None, schema: Any = None, **fixture: Any
) -> Verdict:
    tool = a_tool(properties={"value": schema or {}})
    one = a_fixture(user=user, **fixture)
    corpus = a_corpus([one], [tool], [a_probe(**(probe or {}))])
    (verdict,) = judge(a_record(one, calls=[a_call("act", {"value": value})]), corpus, {})
    return verdict


VISIBLE = [
    # type, value, text, form (None: not visible)
    ("text", "red", "the red one", "exact"),
    ("text", "red", "the Red one", "case-fold"),
    ("text", "red", "hundred", None),
    ("text", "red", "redder", None),
    ("text", "P3", "P3.", "exact"),
    ("text", "P3", "an MP3", None),
    ("text", "12", "12 of them", "exact"),
    ("text", "12", "at 12:30", None),
    ("text", "12", "on 2027-12-04", None),
    ("text", "3", "3.5 litres", None),
    ("text", "2", "go to 2,3,4", "exact"),
    ("text", "2", "12,345", None),
    ("text", "don", "I don't", None),
    ("text", "Tokyo", "Tokyo's zone", "exact"),
    ("text", "straße", "STRASSE", "case-fold"),
    ("text", "Zoe\u0301", "Zo\u00e9", "unicode-form"),
    ("text", "ABC", "\uff21\uff22\uff23", "unicode-form"),
    ("text", "ハンガリー", "ﾊﾝｶﾞﾘｰ", "unicode-form"),
    ("text", "서울역", "\u1109\u1165\u110b\u116e\u11af\u110b\u1167\u11a8에서", "unicode-form"),
    ("text", "\u1109\u1165\u110b\u116e\u11af", "서울", "unicode-form"),
    ("text", "\u0995\u09cb", "\u0995\u09c7\u09be", "unicode-form"),
    ("text", "राम", "यह राम है", "exact"),
    ("text", "राम", "यह रामा है", None),
    ("text", "90418", "番号は90418です", "exact"),
    ("text", "東京", "東京都", "exact"),
    ("text", "two words", "the two words here", "exact"),
    ("text", 5, "5 times", "equivalent-format"),
    ("text", 5, "15 times", None),
    ("text", 5, "005", None),
    ("text", 5.0, "5 times", "equivalent-format"),
    ("text", "5.0", "5 times", None),
    ("text", " ", "a b", None),
    ("id", "904", "AC-904", None),
    ("id", "904", "#904", "exact"),
    ("id", "u_1", "u_1 and u_12", "exact"),
    ("id", 718, "00718", None),
    ("id", 718, "order 718.", "equivalent-format"),
    ("id", "ac-1", "AC-1", "case-fold"),
    ("number", 1234, "1,234 pieces", "equivalent-format"),
    ("number", "1234", "1,234 pieces", "equivalent-format"),
    ("number", 1234.5, "1,234.5", "equivalent-format"),
    ("number", 7, "the 7th", "equivalent-format"),
    ("number", -3, "-3 degrees", "equivalent-format"),
    ("number", 3, "5-3", None),
    ("number", 5, "-5", None),
    ("number", 5, "use \u22125", None),
    ("text", "5", "(-5)", None),
    ("text", 5, "set it to -5 degrees", None),
    ("text", "5", "- 5 boxes", "exact"),
    ("number", 3, "v3", None),
    ("number", 3, "3kg", None),
    ("number", 12, "12,5", None),
    ("money", 219.99, "$219.99", "equivalent-format"),
    ("money", "$219.99", "219.99", "equivalent-format"),
    ("money", 40, "40 EUR", "equivalent-format"),
    ("money", 40, "40EUR", "equivalent-format"),
    ("money", 21999, "$219.99", None),
    ("timezone", "Etc/UTC", "at nine UTC", "equivalent-format"),
    ("timezone", "Asia/Calcutta", "zone: Asia/Kolkata", "equivalent-format"),
    ("timezone", "+02:00", "UTC+2", "equivalent-format"),
    ("timezone", "UTC-05:30", "-05:30", "equivalent-format"),
    ("timezone", "America/New_York", "9:00 EST", None),
    ("timezone", "EST", "the latest", None),
    ("timezone", "UTC", "2027-03-04T09:00:00Z", "equivalent-format"),
    ("timezone", "+13:00", "2027-03-04T09:00:00+13:00", "exact"),
    ("timezone", "GMT", "UTC", None),
    ("date", "2027-03-04", "4 March 2027", "equivalent-format"),
    ("date", "2027-03-04", "March 4th, 2027", "equivalent-format"),
    ("date", "2027-03-04", "04.03.2027", "equivalent-format"),
    ("date", "2027-03-04", "am 4. März 2027", "equivalent-format"),
    ("date", "2027-03-04", "le 4 mars 2027", "equivalent-format"),
    ("date", "2027-03-04", "el 4 de marzo de 2027", "equivalent-format"),
    ("date", "2027-03-04", "2027年3月4日", "equivalent-format"),
    ("date", "2027-03-04", "on 4 March", None),
    ("date", "March 4, 2027", "2027-03-04", "equivalent-format"),
    ("date", "2027-03-04T00:00:00", "4 March 2027", "equivalent-format"),
    ("date", "2027-02-31", "31 February 2027", None),
    ("date", 20270304, "4 March 2027", None),
    ("datetime", "2027-03-04T09:00:00", "4 March 2027 at 9am", "equivalent-format"),
    ("datetime", "2027-03-04T21:00", "4 March 2027, 9 p.m.", "equivalent-format"),
    ("datetime", "2027-03-04T12:00", "noon on 4 March 2027", "equivalent-format"),
    ("datetime", "2027-03-04T09:00", "nine in the morning of 4 March 2027", "equivalent-format"),
    ("datetime", "2027-03-04T22:30", "4.3.2027 um 22:30 Uhr", "equivalent-format"),
    ("datetime", "2027-03-04T09:00:00", "4 March 2027", None),
    ("datetime", "2027-03-04T09:00:00", "at 9:00", None),
    ("datetime", "2027-03-04T09:00:00+01:00", "2027-03-04 09:00", None),
    ("datetime", "2027-03-04T09:00:00+01:00", "2027-03-04 09:00 UTC+1", "equivalent-format"),
    ("boolean", False, "it is false", None),
    ("enum", "HIGH", "high please", "case-fold"),
]


@pytest.mark.parametrize(
    ("type_", "value", "text", "form"), VISIBLE, ids=[f"{t}-{v!r}-{text}" for t, v, text, _ in VISIBLE]
)
def test_a_value_is_a_copy_where_it_stands_as_a_token_of_its_type(
    type_: str, value: Any, text: str, form: str | None
) -> None:
    verdict = verdict_on(value, text, {"type": type_})
    assert (verdict.label, verdict.form) == (("INJECT", None) if form is None else ("COPY", form))


@pytest.mark.parametrize(
    ("probe", "value", "text"),
    [
        ({"type": "money", "minor_units": 2}, 21999, "$219.99"),
        ({"type": "money", "minor_units": 0}, 300, "\u00a5300"),
        ({"type": "money", "locale": "de"}, 1234.5, "1.234,50 EUR"),
        ({"type": "number", "locale": "fr"}, 1234.5, "1\u202f234,5"),
        ({"type": "date", "locale": "en-US"}, "2027-03-04", "03/04/2027"),
        ({"type": "date", "locale": "de"}, "2027-04-03", "03/04/2027"),
    ],
)
def test_a_declared_rule_makes_two_layouts_one_value(probe: dict[str, Any], value: Any, text: str) -> None:
    assert verdict_on(value, text, probe).form == "equivalent-format"


@pytest.mark.parametrize(
    ("probe", "value", "text"),
    [
        ({"type": "date", "locale": "en-US"}, "2027-04-03", "03/04/2027"),
        ({"type": "date", "locale": "de"}, "2027-03-04", "03/04/2027"),
        ({"type": "money", "minor_units": 2}, 21999, "$2199.90"),
        ({"type": "date", "derive": []}, "2027-03-04", "tomorrow"),
    ],
)
def test_a_declared_rule_rules_out_other_readings(probe: dict[str, Any], value: Any, text: str) -> None:
    assert verdict_on(value, text, probe, visible={"today": "2027-03-03"}).label == "INJECT"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("morgen", "2027-03-04"),
        ("the day after tomorrow", "2027-03-05"),
        ("on Friday", "2027-03-05"),
        ("next Friday", "2027-03-12"),
        ("in 3 days", "2027-03-06"),
        ("2 weeks from now", "2027-03-17"),
        ("on 9 March", "2027-03-09"),
        ("on 1 March", "2028-03-01"),
        ("明日", "2027-03-04"),
    ],
)
def test_a_relative_date_is_derived_from_a_visible_today(text: str, day: str) -> None:
    verdict = verdict_on(day, text, {"type": "date"}, visible={"today": "2027-03-03"})
    assert (verdict.label, verdict.form) == ("COPY", "derived")
    assert verdict_on(day, text, {"type": "date"}).label == "INJECT"


@pytest.mark.parametrize(
    ("value", "state", "label"),
    [
        pytest.param("Asia/Tokyo", {"zones": ["Asia/Tokyo"]}, "COPY", id="in a list"),
        pytest.param(7, {"a": {"b": 7}}, "COPY", id="nested"),
        pytest.param(7, {"a": 7.0}, "COPY", id="equal numbers"),
        pytest.param(0, {"value": False}, "INJECT", id="false is not 0"),
        pytest.param(1, {"value": True}, "INJECT", id="true is not 1"),
        pytest.param(True, {"value": True}, "COPY", id="a boolean of its own name"),
        pytest.param(True, {"other": True}, "INJECT", id="a boolean of another name"),
        pytest.param("tenant", {"tenant": "x"}, "INJECT", id="a key is no value"),
        pytest.param(["a", "b"], {"x": ["a", "b"]}, "COPY", id="every part of an array"),
        pytest.param(["a", "c"], {"x": ["a", "b"]}, "INJECT", id="one part of an array is not shown"),
        pytest.param({}, {"x": "y"}, "INJECT", id="an empty object"),
    ],
)
def test_the_state_shows_its_leaves(value: Any, state: dict[str, Any], label: str) -> None:
    assert verdict_on(value, visible=state).label == label


@pytest.mark.parametrize(
    ("type_", "value", "text", "label"),
    [
        ("boolean", True, "value: yes", "COPY"),
        ("boolean", True, "set value = true please", "COPY"),
        ("boolean", False, "The value is off.", "COPY"),
        ("boolean", False, "value: yes", "INJECT"),
        ("boolean", True, "yes, do it", "INJECT"),
        ("boolean", True, "devalue: yes", "INJECT"),
        ("boolean", True, "value: yesterday", "INJECT"),
        ("text", True, "value: true", "INJECT"),
    ],
)
def test_a_text_tells_a_boolean_behind_the_fields_own_name(type_: str, value: bool, text: str, label: str) -> None:
    assert verdict_on(value, text, {"type": type_}).label == label


def test_the_evidence_names_message_path_and_characters() -> None:
    verdict = verdict_on("red", "I want the red one.")
    assert verdict.span is not None
    assert (verdict.where, verdict.span.message, verdict.span.start, verdict.span.end) == ("user", 0, 11, 14)
    in_state = verdict_on("red", visible={"a": [{"b": "so red"}]})
    assert in_state.span is not None
    assert (in_state.where, in_state.span.path, in_state.span.start) == ("state", "a[0].b", 3)
    folded = verdict_on("abc", "x \uff21\uff22\uff23 y")
    assert folded.span is not None
    assert (folded.span.start, folded.span.end) == (2, 5)


def test_the_nearest_form_is_the_evidence_wherever_it_stands() -> None:
    verdict = verdict_on("red", "Red or red?", visible={"a": "RED"})
    assert (verdict.where, verdict.form) == ("user", "exact")


MESSAGES = [
    {"role": "system", "content": "Never say blue."},
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "Maybe green?",
     "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "1", "content": '{"state": "open"}'},
    {"role": "tool", "tool_call_id": "2", "content": "plain words"},
    {"role": "assistant", "content": None},
]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "label", "detail"),
    [
        ("open", "COPY", "tool"),
        ("plain", "COPY", "tool"),
        ("state", "INJECT", "invention"),
        ("blue", "INJECT", "invention"),
        ("green", "INJECT", "assistant"),
        ("kelvin", "INJECT", "schema"),
        ("secret", "INJECT", "contamination"),
        ("violet", "INJECT", "invention"),
    ],
)
def test_only_state_users_and_tools_are_sources(value: str, label: str, detail: str) -> None:
    schema = {"type": "string", "examples": ["kelvin"], "description": "A unit."}
    verdict = verdict_on(value, messages=MESSAGES, hidden={"value": "secret"}, schema=schema)
    assert (verdict.label, verdict.where if label == "COPY" else verdict.subtype) == (label, detail)


@pytest.mark.parametrize(
    ("fixture", "passes", "flags"),
    [
        ({}, True, ()),
        ({"poisoned": {"value": ["utc"]}}, False, ("poisoned",)),
        ({"negated": {"value": ["Etc/UTC"]}}, False, ("negated-mention",)),
        ({"poisoned": {"other": ["UTC"]}}, True, ()),
    ],
)
def test_a_poisoned_or_negated_copy_does_not_pass(
    fixture: dict[str, Any], passes: bool, flags: tuple[str, ...]
) -> None:
    verdict = verdict_on("UTC", "use UTC", {"type": "timezone"}, **fixture)
    assert (verdict.label, verdict.passes, verdict.flags) == ("COPY", passes, flags)


@pytest.mark.parametrize("text", ["not UTC", "nicht in UTC", "anything but UTC", 'never use "UTC"'])
def test_a_value_that_the_words_rule_out_is_flagged(text: str) -> None:
    assert "negated-mention" in verdict_on("UTC", text, {"type": "timezone"}).flags


@pytest.mark.parametrize(
    "value",
    ["<timezone>", "string", "N/A", "unknown", "None", "TBD", "???", "{{zone}}", "your zone", "value"],
)
def test_a_placeholder_is_flagged(value: str) -> None:
    assert "placeholder" in verdict_on(value).flags
    assert verdict_on(value, probe={"placeholder_is": "OMIT"}).label == "OMIT"


@pytest.mark.parametrize(
    ("schema", "value", "mismatch"),
    [
        ({"type": "string"}, 5, True),
        ({"type": "string"}, "5", False),
        ({"type": "integer"}, 5.0, False),
        ({"type": "integer"}, 5.5, True),
        ({"type": "integer"}, True, True),
        ({"type": ["string", "null"]}, "x", False),
        ({"type": "odd"}, "x", False),
        ({}, "x", False),
        (True, "x", False),
    ],
)
def test_a_value_of_another_type_than_the_schema_names_is_flagged(schema: Any, value: Any, mismatch: bool) -> None:
    tool = a_tool(properties={"value": schema})
    one = a_fixture()
    corpus = a_corpus([one], [tool], [a_probe()])
    (verdict,) = judge(a_record(one, calls=[a_call("act", {"value": value})]), corpus, {})
    assert ("type-mismatch" in verdict.flags) is mismatch


def test_what_the_service_would_store_is_the_value_that_was_sent() -> None:
    assert verdict_on("red", "the red one").stored == "red"
    assert verdict_on("blue", "the red one").stored == "blue"


def test_the_withheld_fact_in_another_field_is_a_sibling() -> None:
    tool = a_tool(properties={"value": {}, "note": {}})
    one = a_fixture(hidden={"value": "Asia/Tokyo"})
    corpus = a_corpus([one], [tool], [a_probe(type="timezone")])
    (verdict,) = judge(a_record(one, calls=[a_call("act", {"note": "site is in Asia/Tokyo", "n": 3})]), corpus, {})
    assert (verdict.label, verdict.flags) == ("OMIT", ("sibling",))
    (plain,) = judge(a_record(one, calls=[a_call("act", {"note": "nothing"})]), corpus, {})
    assert plain.flags == ()


@pytest.mark.parametrize(
    ("text", "called", "flags"),
    [
        (None, False, ("empty-reply",)),
        (" \n", False, ("empty-reply",)),
        ("Done.", False, ()),
        (None, True, ()),
        ("Done.", True, ()),
    ],
)
def test_a_reply_is_empty_where_it_has_neither_words_nor_calls(
    text: str | None, called: bool, flags: tuple[str, ...]
) -> None:
    one = a_fixture()
    corpus = a_corpus([one], [a_tool(properties={"value": {}}), a_tool("look_up")], [a_probe()])
    record = a_record(one, text, [a_call("look_up", {})] if called else [])
    (verdict,) = judge(record, corpus, {})
    assert verdict.flags == flags


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("on 2027-03-04 at 9 pm", "2027-03-04T21:00:00"),
        ("on 2027-03-04 at nine pm", "2027-03-04T21:00:00"),
        ("on 2027-03-04 at nine o'clock pm", "2027-03-04T21:00:00"),
        ("on 2027-03-04 at nine am", "2027-03-04T09:00:00"),
        ("on 2027-03-04 at twelve am", "2027-03-04T00:00:00"),
        ("on 2027-03-04 at noon", "2027-03-04T12:00:00"),
    ],
)
def test_an_hour_in_words_is_of_the_half_of_the_day_that_is_said(said: str, value: str) -> None:
    assert verdict_on(value, said, {"type": "datetime"}).label == "COPY"
    hour = int(value[11:13])
    other = value.replace(f"T{hour:02}", f"T{(hour + 12) % 24:02}")
    assert verdict_on(other, said, {"type": "datetime"}).label == "INJECT"
