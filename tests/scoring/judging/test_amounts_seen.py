"""Numbers by a locale, and amounts of money: the characters in which one is seen."""

from __future__ import annotations

from decimal import Decimal

import pytest

from corpora.values import Json
from scoring.judging.quantities import money, number
from tests.scoring.judging.sights import seen

LOCAL = [
    # value, text, locale, the characters in which it is seen
    (1234.5, "1.234,5 EUR", "de", "1.234,5"),
    (1234.5, "1.234,50 EUR", "de-AT", "1.234,50"),
    (1234.5, "1.234,50 EUR", "pt_BR", "1.234,50"),
    (1234.5, "1.234,50 EUR", "DE", "1.234,50"),
    (1234.5, "1.234,50 EUR", "en", None),
    (1234.5, "1.234,50 EUR", None, None),
    (1234.5, "1,234.50 EUR", "en", "1,234.50"),
    (1234.5, "1,234.50 EUR", "de", None),
    (1234, "1.234", "de", "1.234"),
    (1234, "1.234", "en", None),
    (1.234, "1.234", "en", "1.234"),
    (1234, "1'234", "de-CH", "1'234"),
    (1234, "\u0661.\u0662\u0663\u0664", "de", "\u0661.\u0662\u0663\u0664"),
]


@pytest.mark.parametrize("kind", ["number", "money"])
@pytest.mark.parametrize(("value", "text", "locale", "piece"), LOCAL, ids=[f"{v} {t} {w}" for v, t, w, _ in LOCAL])
def test_a_locale_says_which_mark_is_the_point(
    kind: str, value: Json, text: str, locale: str | None, piece: str | None
) -> None:
    rules = {} if locale is None else {"locale": locale}
    assert seen(kind, value, text, **rules) == piece


AMOUNTS = [
    # value, text, minor units, the characters in which it is seen
    (219.99, "$219.99", None, "219.99"),
    ("$219.99", "219.99 dollars", None, "219.99"),
    ("USD 1,200", "1200", None, "1200"),
    ("1200 EUR", "\u20ac1 200.00", None, "1 200.00"),
    (21999, "$219.99", 2, "219.99"),
    ("219.99", "$219.99", 2, "219.99"),
    ("21999", "$219.99", 2, "219.99"),
    (21999, "$21999", 2, "21999"),
    (300, "\u00a5300", 0, "300"),
    (300, "\u00a53", 2, "3"),
    ("EURO", "EUR", None, None),
    ("EUR", "5 EUR", None, "EUR"),
]


@pytest.mark.parametrize(("value", "text", "minor", "piece"), AMOUNTS, ids=[f"{v} {t} {m}" for v, t, m, _ in AMOUNTS])
def test_an_amount_is_seen_with_or_without_a_currency(
    value: Json, text: str, minor: int | None, piece: str | None
) -> None:
    rules = {} if minor is None else {"minor_units": minor}
    assert seen("money", value, text, **rules) == piece


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234,567.89", "1234567.89"),
        ("+12", "12"),
        ("\u221212", "-12"),
        ("-1,234", "-1234"),
        ("999,999", "999999"),
        ("0", "0"),
        ("-0", "0"),
        ("0.10", "0.10"),
        ("5.", "5"),
        ("1 2 3", "123"),
        ("12,34", None),
        ("1234,567", None),
        (",567", None),
        ("1,,234", None),
        ("1,234.5.6", None),
        ("1.5e3", None),
        ("007", None),
        ("-07", None),
        ("-", None),
        (".", None),
        (".5", None),
        ("", None),
        ("x", None),
        ("1x", None),
        ("1.x", None),
    ],
)
def test_a_text_is_one_number_or_none(text: str, value: str | None) -> None:
    assert number(text) == money(text) == (None if value is None else Decimal(value))


def test_an_amount_of_many_digits_in_minor_units_is_not_rounded() -> None:
    amount = 10**32 + 4590
    assert seen("money", amount, f"${10**30 + 45:,}.90", minor_units=2) == f"{10**30 + 45:,}.90"
    assert seen("money", amount, f"${10**30 + 45:,}.91", minor_units=2) is None
    assert seen("money", amount, f"${10**30 + 46:,}.90", minor_units=2) is None
