"""Ask detection: on rows that nobody here wrote, on replies written here, and case by case."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from scoring.judging.asking import asks
from scoring.judging.fieldnames import field_names
from tests.scoring.ask_error import (
    ASK_NAMES,
    counted,
    first_half,
    held_out_rows,
    label,
    replies,
    tools_of,
    when2call,
)
from tests.scoring.build import a_probe, a_tool


def test_each_canned_answer_of_when2call_gets_the_label_of_first_principles() -> None:
    """400 answers; the five that do not are asks seen as DRIFT, or the other way round, and are counted here."""
    rows = list(held_out_rows())
    assert len(rows) == 400
    assert Counter(row.due for row in rows) == {"ASK": 100, "DRIFT": 200, "INJECT": 92, "COPY": 8}
    wrong = Counter((row.answer, row.due, row.verdict.label) for row in rows if row.verdict.label != row.due)
    assert wrong == {("request_for_info", "ASK", "DRIFT"): 4, ("direct", "DRIFT", "ASK"): 1}


def test_a_held_out_value_that_stands_in_the_tools_own_schema_is_told_apart() -> None:
    subtypes = Counter(row.verdict.subtype for row in held_out_rows() if row.verdict.label == "INJECT")
    assert subtypes == {"schema": 23, "invention": 69}


def test_a_call_of_a_tool_that_was_never_offered_gets_no_label() -> None:
    rows = when2call("cannot_answer")
    assert len(rows) == 100
    for row in rows:
        tools = [*tools_of(row), a_tool()]
        verdict = label({**row, "tools": [json.dumps(_plain(tool)) for tool in tools]}, "tool_call", "act", "value")
        assert (verdict.offered, verdict.label) == (False, None)


def _plain(tool: object) -> dict[str, object]:
    return {key: getattr(tool, key) for key in ("name", "description", "parameters")}


def test_scalar_arguments_are_copies_where_they_stand_as_whole_tokens() -> None:
    """195 scalar arguments: 134 stand in the question as a substring, 7 of these inside another word or number."""
    found: Counter[tuple[bool, str | None]] = Counter()
    for row in when2call("tool_call"):
        call = json.loads(row["answers"]["tool_call"])
        for argument, value in call["arguments"].items():
            if isinstance(value, dict | list | bool):
                continue
            inside = str(value).lower() in row["question"].lower()
            found[inside, label(row, "tool_call", call["name"], argument).label] += 1
    assert found == {(True, "COPY"): 127, (True, "INJECT"): 7, (False, "INJECT"): 60, (False, "COPY"): 1}


def test_the_replies_written_here_are_as_many_as_is_said() -> None:
    rows = [row for row, _ in replies()]
    assert len(rows) == 200
    assert Counter(row["lang"] for row in rows) == dict.fromkeys(("en", "de", "fr", "es", "it", "pt", "nl", "ja"), 25)


@pytest.mark.parametrize("half", [True, False], ids=["looked at", "counted only"])
def test_precision_and_recall_on_our_replies_hold(half: bool) -> None:
    pairs = [(row["asks"], said) for row, said in replies() if first_half(row["id"]) is half]
    found = counted(pairs)
    assert found.true / (found.true + found.false) >= 0.97
    assert found.true / (found.true + found.missed) >= 0.95


TIMEZONE = field_names(a_probe("timezone", **ASK_NAMES["timezone"]), a_tool())


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param("Which time zone?", True, id="a fragment that is put to the reader"),
        pytest.param("Which time zone? UTC, obviously.", False, id="a question that answers itself"),
        pytest.param("> Which time zone?\nYes.", False, id="a quoted line"),
        pytest.param("```\nWhich time zone?\n```\nDone.", False, id="code"),
        pytest.param('The form says "Which time zone is it?".', False, id="a quoted question"),
        pytest.param('Which "time zone" is it?', True, id="a quoted word"),
        pytest.param("Should I assume UTC as the time zone?", True, id="a proposal"),
        pytest.param("I'll assume UTC as the time zone. Let me know if that is wrong.", False, id="an assumption"),
        pytest.param("I will use the time zone of Paris unless you object.", False, id="a default with a way out"),
        pytest.param("Please send:\n- the time zone\n- the length", True, id="an item of a list that is asked for"),
        pytest.param("I have set:\n- the time zone\n- the length", False, id="an item of a list of what was done"),
        pytest.param("The time zone was not given. Can you send it?", True, id="by a pronoun"),
        pytest.param("Which value belongs in the time zone field?", True, id="the field by its name"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_an_ask_is_told_from_what_looks_like_one(text: str, asked: bool) -> None:
    assert asks(text, TIMEZONE).asked is asked


@pytest.mark.parametrize(
    ("argument", "text", "asked"),
    [
        pytest.param("order_id", "What is your order number?", True, id="an id by its number"),
        pytest.param("departure_date", "Which day do you leave?", True, id="a date by when"),
        pytest.param("departure_date", "What is the return date?", False, id="the date of another argument"),
        pytest.param("newAlarmTime", "At what time should the alarm ring?", True, id="camel case"),
        pytest.param("sites.*.timezone", "Which timezone?", True, id="the last step of a path"),
    ],
)
def test_a_field_without_declared_names_is_known_by_its_own(argument: str, text: str, asked: bool) -> None:
    tool = a_tool(properties={argument: {"description": "When to leave"}, "return_date": {"type": "string"}})
    assert asks(text, field_names(a_probe(argument), tool)).asked is asked


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ('What is "the order number"?', True),
        ('Which "order number, please"?', True),
        ('Is "give the order number" right?', False),
        ('He wrote "please give me the order number now". Done.', False),
        ('"Order number?" he said.', False),
        ("\u00abOrder number?\u00bb he said.", False),
        ("What is \u201cthe order number\u201d?", True),
    ],
)
def test_a_quote_of_three_words_is_a_name_and_a_longer_one_or_a_question_is_somebodys_words(
    text: str, asked: bool
) -> None:
    names = field_names(a_probe("order_number"), a_tool(properties={"order_number": {}}))
    assert asks(text, names).asked is asked


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("- order number\n- date", False),
        ("Please send me:\n- order number\n- date", True),
        ("Please send me:\n1. date\n2. order number", True),
        ("Please send me:\n- date\nThat is all.\n- order number", False),
        ("I looked up:\n- order number", False),
    ],
)
def test_an_item_asks_where_a_request_opened_its_list(text: str, asked: bool) -> None:
    names = field_names(a_probe("order_number"), a_tool(properties={"order_number": {}}))
    assert asks(text, names).asked is asked
