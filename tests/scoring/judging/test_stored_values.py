"""Values of stored calls: which can be judged, and why the others cannot."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from corpora.shapes.stored import StoredCall
from scoring.counting.cells import moment
from scoring.judging.memo import Memo
from scoring.judging.stored import doubt, is_cut, read_values


@pytest.mark.parametrize(
    ("value", "in_a_table", "elsewhere"),
    [
        pytest.param("OTHR", None, None, id="a text"),
        pytest.param(2.0**53, "damaged", "damaged", id="a real beyond what it can hold"),
        pytest.param(-(2.0**53), "damaged", "damaged", id="a negative one"),
        pytest.param(2.0**53 - 1, None, None, id="the last real that is exact"),
        pytest.param(2**60, None, None, id="a whole number"),
        pytest.param("abc...(truncated)", "truncated", "truncated", id="cut"),
        pytest.param("[REDACTED]", "redacted", "redacted", id="masked"),
        pytest.param("***", "redacted", "redacted", id="stars"),
        pytest.param("1.23E+11", "damaged", None, id="a spreadsheet's number"),
        pytest.param(" 1E5 ", "damaged", None, id="with blanks"),
        pytest.param("#REF! ", "damaged", None, id="a spreadsheet's error"),
        pytest.param(None, None, None, id="null"),
        pytest.param({"a": "***"}, None, None, id="an object"),
    ],
)
def test_a_value_that_may_not_be_what_was_emitted_is_doubted(
    value: Any, in_a_table: str | None, elsewhere: str | None
) -> None:
    assert (doubt(value, spreadsheet=True), doubt(value, spreadsheet=False)) == (in_a_table, elsewhere)


CUT = "abc...(truncated)"


@pytest.mark.parametrize(
    ("arguments", "required", "values", "cut_elsewhere"),
    [
        ('{"code": "OTHER"}', False, [("OTHER", None)], False),
        ('{"code": ["A", "B"]}', False, [(["A", "B"], None)], False),
        ('{"note": "x"}', False, [(None, "no-argument")], False),
        ('{"code": "OTH', False, [(None, "truncated")], False),
        ("{code}", False, [(None, "malformed")], False),
        ("", True, [(None, "malformed")], False),
        ("", False, [(None, "no-argument")], False),
        (f'{{"code": "OTHER", "note": "{CUT}"}}', False, [("OTHER", None)], True),
        (f'{{"code": "{CUT}", "note": "{CUT}"}}', False, [(CUT, None)], False),
    ],
)
def test_each_value_of_a_stored_call_is_read_or_has_a_reason(
    arguments: str, required: bool, values: list[tuple[Any, Any]], cut_elsewhere: bool
) -> None:
    found = read_values(StoredCall(tool="t", arguments=arguments), "code", required=required)
    assert (list(found.values), found.cut_elsewhere) == (values, cut_elsewhere)


def test_only_a_text_can_be_cut() -> None:
    assert is_cut(CUT) is True
    assert (is_cut("whole"), is_cut(None), is_cut([CUT])) == (False, False, False)


def test_an_object_that_was_stored_is_not_searched_for_marks() -> None:
    found = read_values(StoredCall(tool="t", value={"code": "OTHER", "note": CUT}), "code", required=True)
    assert found == ((("OTHER", None),), False)


def test_a_moment_is_in_utc_wherever_the_machine_is() -> None:
    assert moment(1_777_600_800.0) == datetime(2026, 5, 1, 2, tzinfo=UTC)


def test_what_is_remembered_is_not_made_again_until_the_memory_is_full() -> None:
    made: list[int] = []
    memo: Memo[int] = Memo(size=2)

    def answer(key: int) -> int:
        def make() -> int:
            made.append(key)
            return -key

        return memo.get(key, make)

    assert [answer(key) for key in (1, 1, 2, 2, 1, 3, 3, 1)] == [-1, -1, -2, -2, -1, -3, -3, -1]
    assert made == [1, 2, 3, 1]
    assert memo.known == {3: -3, 1: -1}
