"""Numbers and amounts as tokens of a text: what is one, and what goes on where its digits stop."""

from __future__ import annotations

from decimal import Decimal

import pytest

from scoring.judging.quantities import money, number, numbers_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7", ["7"]),
        ("7.", ["7"]),
        ("7, 8; 9!", ["7", "8", "9"]),
        ("a 1,234.50 b", ["1234.50"]),
        ("1 234 567", ["1234567"]),
        ("12 34", ["12", "34"]),
        ("1'000", ["1000"]),
        ("x -5 y +6 z \u22127", ["-5", "6", "-7"]),
        ("(-5)", ["-5"]),
        ("00718 and 0 and 0.5", ["0", "0.5"]),
        ("2027-03-04", []),
        ("09:30", []),
        ("3/4 5", ["5"]),
        ("5-x 6", ["5", "6"]),
        ("a-5", []),
        ("-/5", ["5"]),
        (".-5", ["5"]),
        ("8- 9", ["8", "9"]),
        ("MP3 3x 4_ 5kg 6\u20ac 7EUR 8 EUR", ["6", "7", "8"]),
        ("1st 2ND 3rd 4th 5the", ["1", "2", "3", "4"]),
        ("9\u65e5", ["9"]),
        ("9\u00e9", ["9"]),
        ("1.2.3 4", ["4"]),
        ("12,5", []),
        ("1,2345 7", ["7"]),
        ("4%", ["4"]),
        ("12'", ["12"]),
        ("5x\u00e9 6", ["6"]),
    ],
)
def test_numbers_stand_as_whole_tokens(text: str, values: list[str]) -> None:
    assert [value for _, _, value in numbers_in(text)] == [Decimal(value) for value in values]


@pytest.mark.parametrize(
    ("text", "locale", "values"),
    [
        ("1.234,50", "de", ["1234.50"]),
        ("1.234,50", "pt-BR", ["1234.50"]),
        ("1.234,50", "en_GB", []),
        ("1.234", "de", ["1234"]),
        ("1.234", "en", ["1.234"]),
        ("1.234", None, ["1.234"]),
    ],
)
def test_a_locale_says_what_a_comma_is(text: str, locale: str | None, values: list[str]) -> None:
    assert [value for _, _, value in numbers_in(text, locale)] == [Decimal(value) for value in values]


def test_the_place_of_a_number_is_that_of_its_characters() -> None:
    assert [(start, end) for start, end, _ in numbers_in("ab 12, cd 1,000.")] == [(3, 5), (10, 15)]


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("$219.99", "219.99"),
        ("219.99 EUR", "219.99"),
        ("40 Dollars", "40"),
        (40, "40"),
        (0.1, "0.1"),
        ("1,5", None),
        ("about 4", None),
        (True, None),
        (None, None),
        ([], None),
        ("", None),
    ],
)
def test_an_amount_is_a_number_with_or_without_a_currency(value: object, amount: str | None) -> None:
    assert money(value) == (None if amount is None else Decimal(amount))


def test_an_amount_is_read_by_its_locale() -> None:
    assert money("1.234,50 EUR", "de") == Decimal("1234.50")
    assert number("1.234,50", "de") == Decimal("1234.50")
    assert number(" 12 ") == Decimal(12)
    assert number(True) is None
    assert number({"a": 1}) is None
