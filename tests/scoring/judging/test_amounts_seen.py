"""Numbers by a locale, and amounts of money: the characters in which one is seen."""

from __future__ import annotations

from decimal import Decimal

import pytest

from corpora.values import Json
from scoring.judging.forms import same
from scoring.judging.quantities import money, number
from tests.scoring.build import a_probe
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


NAMED = [
    # value, text, the characters in which it is seen
    ("19.99 USD", "it was \u20ac19.99", None),
    ("19.99 USD", "\u20ac19.99", None),
    ("19.99 USD", "it was 19.99 EUR", None),
    ("19.99 usd", "it was 19.99\u00a0euros.", None),
    ("\u00a319.99", "it was -$ 19.99", None),
    ("pounds 19.99", "it was CHF 19.99", None),
    ("19.99 USD", "\u20ac19.99 is what $19.99 is here", "19.99"),
    ("19.99 USD", "it was 19.99", "19.99"),
    ("19.99 USD", "it was 19.99 for 5 euros", "19.99"),
    ("19.99 USD", "5 euros, then 19.99", "19.99"),
    ("19.99 USD", "it was 19.99 dollars", "19.99"),
    ("$19.99", "it was 19.99 CAD", "19.99"),
    ("CAD 19.99", "it was $19.99", "19.99"),
    ("EUR 19.99", "it was \u20ac 19.99", "19.99"),
    ("1 euro", "just 1 EURO", "1 EURO"),
    ("300 JPY", "\u00a5300", "300"),
    ("300 KRW", "\u00a5300", None),
]


@pytest.mark.parametrize(("value", "text", "piece"), NAMED, ids=[ascii(f"{v} {t}") for v, t, _ in NAMED])
def test_an_amount_in_one_currency_is_not_seen_in_another(value: Json, text: str, piece: str | None) -> None:
    assert seen("money", value, text) == piece


@pytest.mark.parametrize(
    ("emitted", "known", "form"),
    [
        ("19.99 USD", "\u20ac19.99", None),
        ("19.99 USD", "$19.99", "equivalent-format"),
        ("19.99 USD", "19.99", "equivalent-format"),
        ("19.99 USD", 19.99, "equivalent-format"),
        (19.99, "19.99 USD", "equivalent-format"),
        ("none", "19.99 USD", None),
        ("19.99 USD", "none", None),
    ],
    ids=ascii,
)
def test_two_amounts_in_two_currencies_are_two(emitted: Json, known: Json, form: str | None) -> None:
    assert same(a_probe(type="money"), emitted, known) == form
