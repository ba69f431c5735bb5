"""Two values by the type of a field: one value, in which form, or two; and which texts of a schema speak of values."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.judging.asking import asks
from scoring.judging.fieldnames import field_names
from scoring.judging.forms import same, written
from scoring.judging.visible import schema_sources
from tests.scoring.build import a_probe, a_tool


@pytest.mark.parametrize(
    ("kind", "emitted", "known", "form"),
    [
        ("text", "a", "a", "exact"),
        ("text", "A", "a", "case-fold"),
        ("text", "\uff21", "A", "unicode-form"),
        ("text", "\uff21", "a", "unicode-form"),
        ("text", "a", "b", None),
        ("text", True, True, "exact"),
        ("text", True, 1, None),
        ("text", 1, True, None),
        ("text", 1, 1.0, "equivalent-format"),
        ("text", 5, "5", "equivalent-format"),
        ("text", "5", 5, "equivalent-format"),
        ("text", "5.0", "5", None),
        ("text", 5, "6", None),
        ("text", None, None, "exact"),
        ("text", [1], [1], "exact"),
        ("text", {"a": 1}, {"a": 2}, None),
        ("id", 718, "718", "equivalent-format"),
        ("id", "718", 718, "equivalent-format"),
        ("id", "0718", 718, None),
        ("id", 718, 718.0, None),
        ("id", None, [], None),
        ("id", [718], "718", None),
        ("number", "1,000", 1000, "equivalent-format"),
        ("number", "1,000", "1000", "equivalent-format"),
        ("number", "x", "y", None),
        ("timezone", "Asia/Calcutta", "Asia/Kolkata", "equivalent-format"),
        ("timezone", "Asia/Tokyo", "Asia/Kolkata", None),
        ("timezone", "nowhere", "elsewhere", None),
        ("timezone", "GMT", "Etc/Greenwich", "equivalent-format"),
        ("timezone", "Z", "UTC", "equivalent-format"),
        ("timezone", "UTC", "GMT", None),
        ("datetime", "2027-03-04T21:00", "2027-03-04T21:00:00", None),
        ("timezone", 7, "Asia/Tokyo", None),
        ("money", 219.99, "$219.99", "equivalent-format"),
        ("money", "219.99 EUR", 219.99, "equivalent-format"),
        ("money", "about", "roughly", None),
        ("money", 219.99, "$219.98", None),
    ],
)
def test_two_values_are_one_by_the_type_of_the_field(kind: str, emitted: Any, known: Any, form: str | None) -> None:
    assert same(a_probe(type=kind), emitted, known) == form


@pytest.mark.parametrize(
    ("emitted", "known", "rules", "form"),
    [
        (21999, "$219.99", {"minor_units": 2}, "equivalent-format"),
        (21999, "$219.99", {}, None),
        ("1.234,50", "1.234,50 EUR", {"locale": "de"}, "equivalent-format"),
        (1234.5, "1.234,50 EUR", {"locale": "de"}, "equivalent-format"),
        (1234.5, "1.234,50 EUR", {}, None),
    ],
)
def test_a_declared_rule_says_what_an_amount_is(
    emitted: Any, known: Any, rules: dict[str, Any], form: str | None
) -> None:
    assert same(a_probe(type="money", **rules), emitted, known) == form


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "a"), ("", ""), (7, "7"), (0.5, "0.5"), (True, None), (None, None), ([], None), ({}, None)],
)
def test_a_text_and_a_number_have_a_text(value: Any, text: str | None) -> None:
    assert written(value) == text


def test_the_texts_of_a_schema_that_speak_of_values_are_found_wherever_they_stand() -> None:
    tool = a_tool(
        description="Books a room.",
        properties={
            "zone": {"type": "string", "description": "an IANA name", "default": "UTC", "enum": ["A", "B"]},
            "description": {"type": "string", "title": "in words"},
            "rooms": {"items": {"anyOf": [{"const": 7}, {"examples": ["big", {"k": "small"}]}]}},
            "title": {"default": {"type": "string", "description": "deep"}},
            "default": {"type": "string", "enum": ["named so"]},
            "enum": [{"k": "listed"}],
        },
    )
    assert [source.text for source in schema_sources(tool)] == SPOKEN
    assert schema_sources(a_tool(properties={})) == []


SPOKEN = [
    "Books a room.",
    "an IANA name",
    "UTC",
    "A",
    "B",
    "in words",
    "7",
    "big",
    "small",
    "deep",
    "named so",
    "listed",
]


@pytest.mark.parametrize(
    ("argument", "ask", "text", "asked"),
    [
        ("tone", [], "Which shade?", True),
        ("tone", ["colour"], "Which shade?", False),
        ("tone", ["colour"], "Which colours?", True),
        ("tone", ["colour"], "Which discolour?", False),
        ("tone", ["colour"], "What is the colourful one?", False),
        ("tone", ["colour name"], "Which colour-name?", True),
        ("tone", ["\u8272"], "\u4f55\u8272\u304c\u3088\u308d\u3057\u3044\u3067\u3059\u304b", True),
        ("tone", [], "Which tones?", True),
        ("tone", [], "Which stone?", False),
    ],
)
def test_a_field_is_called_by_whole_words_and_by_hints_only_where_nobody_says_how(
    argument: str, ask: list[str], text: str, asked: bool
) -> None:
    tool = a_tool(properties={argument: {"type": "string", "description": "the shade"}, "size": {}})
    assert asks(text, field_names(a_probe(argument, ask=ask), tool)).asked is asked
