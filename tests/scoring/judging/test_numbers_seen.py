"""Numbers: the characters in which one is seen, and which numbers of a text are read at all."""

from __future__ import annotations

from decimal import Decimal

import pytest

from corpora.values import Json
from scoring.judging.folding import Folded, other_digits
from scoring.judging.quantities import numbers_in, numbers_like
from tests.scoring.judging.sights import seen

SEEN = [
    # value, text, the characters in which it is seen
    (7, "7 of them", "7"),
    (7, "the 7th", "7"),
    (7, "07, 70, 17, 7.5, 1,7, 7", "7"),
    (7, "77", None),
    (12, "1 2, 12", "12"),
    (12, "112 121 12", "12"),
    (12, "012", None),
    (120, "1200, 120", "120"),
    (120, "0120", None),
    (1200, "1,200 pieces", "1,200"),
    (1200, "1 200 pieces", "1 200"),
    (1200, "1'200 pieces", "1'200"),
    (1200, "1\u2019200 pieces", "1\u2019200"),
    (1200, "1\u202f200 pieces", "1\u202f200"),
    (1200, "1\u00a0200.0 pieces", "1\u00a0200.0"),
    (1200, "12'00 pieces", "12'00"),
    (1200, "1200", "1200"),
    (1200, "1200.00", "1200.00"),
    (1200, "1,2000", None),
    (1200, "2,1200", None),
    (1200, "1,20", None),
    (1200, ",200", None),
    (1200, "1.200", None),
    (999, "999", "999"),
    (123456, "it is 123,456 now", "123,456"),
    (123456, "it is 1234,456 now", None),
    (1234567, "1,234,567", "1,234,567"),
    (1234567, "1234,567", None),
    (1234567, "1 234 567", "1 234 567"),
    (-3, "at -3 degrees", "-3"),
    (-3, "at \u22123 degrees", "\u22123"),
    (-3, "(-3)", "-3"),
    (-3, "3", None),
    (-1200, "-1,200", "-1,200"),
    (3, "+3 points", "3"),
    (3, "3-", "3"),
    (0, "0", "0"),
    (0, "0.0", "0.0"),
    (0, "00", None),
    (0.5, "0.5 or so", "0.5"),
    (0.5, "0.50 or so", "0.50"),
    (0.5, ".5", None),
    (2.25, "2.250", "2.250"),
    (2.25, "12.25", None),
    (1e3, "1000", "1000"),
    (10**30 + 7, f"{10**30 + 7:,} atoms", f"{10**30 + 7:,}"),
    (-(10**30) - 7, f"at -{10**30 + 7:,} atoms", f"-{10**30 + 7:,}"),
    (10**30 + 7, f"{10**30 + 8:,} atoms", None),
    (1e22, "10000000000000000000000", "10000000000000000000000"),
    (10**22, "10,000,000,000,000,000,000,000", "10,000,000,000,000,000,000,000"),
    (7, "\u0667 pieces", "\u0667"),
    (7, "\uff17 pieces", "\uff17"),
    (7, "\U0001d7d5 pieces", "\U0001d7d5"),
    (7, "\U0001e957 pieces", "\U0001e957"),
    (1200, "\u0661\u0662\u0660\u0660", "\u0661\u0662\u0660\u0660"),
    ("1,200", "1200", "1200"),
    ("1200", "1 200", "1 200"),
    (" 1200 ", "1 200", "1 200"),
    ("twelve", "12", None),
    (5, "5kg", None),
    (5, "5 kg", "5"),
    (5, "5:30", None),
    (5, "5/6", None),
    (5, "6/5", None),
    (5, "x/5 5", "5"),
    (5, "5-x", "5"),
    (5, "5_", None),
    (5, "5\u20ac", "5"),
    (5, "5EUR", "5"),
    (5, "5the", None),
    (5, "5%", "5"),
    (5, "'5'", "5"),
    (5, f"{'15 55 5x ' * 30}5", "5"),
    (1200, f"{'1,2 00 1 200x ' * 30}1,200", "1,200"),
    (1200, f"{'1.' * 60} 1,200", "1,200"),
    (True, "1", None),
    (None, "0", None),
]


@pytest.mark.parametrize(("value", "text", "piece"), SEEN, ids=[f"{v!r} {text[-30:]}" for v, text, _ in SEEN])
def test_a_number_is_seen_in_the_characters_that_write_it(value: Json, text: str, piece: str | None) -> None:
    assert seen("number", value, text) == piece


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("", False),
        ("plain 123", False),
        ("Stra\u00dfe 123 \u6771\u4eac \U0001f600", False),
        ("\u0663", True),
        ("\u096d", True),
        ("\uff17", True),
        ("\U0001d7d5", True),
        ("\U0001e957", True),
    ],
    ids=ascii,
)
def test_digits_of_other_scripts_are_known(text: str, others: bool) -> None:
    assert other_digits(text) is others


BEFORE = ["", "x", "x ", "1", "1 ", "12,", "-", "(-", "5-", "1.", "$", "a/", "1'", "1\u2019", "\u2212", "\u0663 "]


NUMBERS = ["7", "12", "120", "1,200", "1 200", "0.5", "00718", "45.90", "200"]


AFTER = ["", ".", ",5", " 000", "x", "th", "-1", ":30", "EUR", "'5", " 7 12 120 200"]


@pytest.mark.parametrize("locale", [None, "de"])
@pytest.mark.parametrize("before", BEFORE, ids=ascii)
def test_a_number_that_is_looked_for_is_found_first_where_it_stands_first(before: str, locale: str | None) -> None:
    for text in (before + written + after for written in NUMBERS for after in AFTER):
        known = list(numbers_in(text, locale))
        for value in {one for _, _, one in known} | {Decimal(7), Decimal(1200), Decimal("0.5")}:
            first = next((one for one in numbers_like(value, Folded.same(text), locale) if one[2] == value), None)
            assert first == next((one for one in known if one[2] == value), None), text


@pytest.mark.parametrize(
    ("value", "text", "read"),
    [
        ("5", "1 x 5", ["5"]),
        ("5", "5 x 5 x 5", ["5", "5", "5"]),
        ("5", "it's 1 or 5", ["5"]),
        ("5", "it\u2019s 1 or 5", ["5"]),
        ("5", "55, or 15, or 51, or x", []),
        ("5", "50 or 155 or 5x5", []),
        ("12", "120 or 112 or 121", []),
        ("12", "112 or 312", []),
        ("120", "1200 or 1201", []),
        ("120", "1,120 or 2 120", ["1,120", "2 120"]),
        ("200", "x 1200", ["1200"]),
        ("5", "1 or 2 or 3", []),
        ("234", f"1{' 234' * 20}", [f"1{' 234' * 20}"]),
        ("234", f"1{' 000' * 19} 234", [f"1{' 000' * 19} 234"]),
        ("5", "", []),
    ],
)
def test_numbers_that_cannot_be_the_one_that_is_looked_for_are_passed_over(
    value: str, text: str, read: list[str]
) -> None:
    assert [text[start:end] for start, end, _ in numbers_like(Decimal(value), Folded.same(text))] == read
