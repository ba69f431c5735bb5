"""Rows of CSV: what any reader takes for the same cells, and what only quotes tell apart."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.report.escaping import safe
from scoring.report.rows import as_rows


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        ("", '""'),
        (" ", " "),
        (0, "0"),
        (5, "5"),
        ("5", '"5"'),
        ("05", '"05"'),
        ("1e9", '"1e9"'),
        ("9", '"9"'),
        ("90.5E+3", '"90.5E+3"'),
        ("7.", '"7."'),
        ("2e-10", '"2e-10"'),
        ("2026-05", "2026-05"),
        ("1.2.3", "1.2.3"),
        ("12e", "12e"),
        ("5 a", "5 a"),
        ("e5", "e5"),
        (0.25, "0.25"),
        ("0.25", '"0.25"'),
        (-5, "-5"),
        ("-5", "'-5"),
        (True, "True"),
        ("True", '"True"'),
        (False, "False"),
        ("False", '"False"'),
        ("Truer", "Truer"),
        ("true", "true"),
        ("a", "a"),
        ("a,b", '"a,b"'),
        ('a"b', '"a""b"'),
        (",", '","'),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("@a", "'@a"),
        ("=A1,B1", '"\'=A1,B1"'),
        ("a\nb\r\x1b", "a\\u000ab\\u000d\\u001b"),
        (["a"], '"[""a""]"'),
        ([], "[]"),
        ({"a": 1}, '"{""a"":1}"'),
    ],
    ids=repr,
)
def test_a_text_that_would_stand_for_something_else_is_quoted(value: Any, cell: str) -> None:
    assert as_rows([["head", "x"], ["a", value]]) == f"head,x\na,{cell}\n"


def test_no_rows_are_no_text() -> None:
    assert as_rows([]) == ""
    assert as_rows([["a"], ["b"]]) == "a\nb\n"


@given(st.lists(st.lists(st.none() | st.integers() | st.booleans() | st.text(), min_size=2, max_size=2), min_size=1))
def test_any_reader_of_csv_finds_the_same_cells(rows: list[list[Any]]) -> None:
    def read_as(value: Any) -> str:
        text = "" if value is None else safe(value) if isinstance(value, str) else str(value)
        return f"'{text}" if isinstance(value, str) and text[:1] in tuple("=+-@") else text

    found = list(csv.reader(io.StringIO(as_rows(rows)), strict=True))
    assert found == [[read_as(value) for value in row] for row in rows]


@given(*[st.none() | st.integers() | st.booleans() | st.text()] * 2)
def test_two_values_have_one_cell_only_where_they_are_one_text_made_safe(one: Any, other: Any) -> None:
    if as_rows([[one, 0]]) == as_rows([[other, 0]]) and not isinstance(one, str):
        assert (type(one), one) == (type(other), other)
