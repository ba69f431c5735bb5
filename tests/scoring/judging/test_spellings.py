"""Ways to rewrite a spelling, one by one; and at which lengths they begin."""

from __future__ import annotations

import pytest

from scoring.judging.near import Index
from scoring.judging.spellings import ALL, rewrite, words


@pytest.mark.parametrize(
    ("text", "singular"),
    [
        ("refunds", "refund"),
        ("REFUNDS", "REFUND"),
        ("cities", "city"),
        ("CITIES", "CITY"),
        ("flies", "fly"),
        ("ties", "tie"),
        ("cats", "cat"),
        ("gas", "gas"),
        ("loss", "loss"),
        ("LOSS", "LOSS"),
        ("losS", "losS"),
        ("sales", "sale"),
        ("kinX", "kinX"),
        ("passes and tests", "passe and test"),
        ("FAXS", "FAX"),
    ],
)
def test_a_plural_ends_in_s_and_is_longer_than_three_letters(text: str, singular: str) -> None:
    assert rewrite(text, ("plural",)) == singular


@pytest.mark.parametrize(
    ("text", "classes", "rewritten"),
    [
        ("other ( )", ("punctuation", "whitespace"), "other"),
        ("other ( )", ("punctuation",), "other  "),
        ("a . b", ("whitespace", "punctuation"), "a b"),
        ("a_b-c*`d", ("punctuation",), "a_b-c*`d"),
        ("X.x", ("punctuation",), "Xx"),
        ("a$b+c", ("punctuation",), "abc"),
    ],
)
def test_white_space_that_punctuation_leaves_goes_with_it(text: str, classes: tuple[str, ...], rewritten: str) -> None:
    assert rewrite(text, classes) == rewritten


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("late\u200bness fee", ["lateness", "fee"]),
        ("\uff26\uff25\uff25 late", ["fee", "late"]),
        ("f\u0435e", ["fee"]),
        ("2. late **fee**", ["late", "fee"]),
        ("lateFees", ["late", "fee"]),
        ("HTTPError", ["http", "error"]),
    ],
)
def test_words_are_those_behind_what_hides_them(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("member", "value", "name"),
    [
        ("ABCD", "ABXD", "edit"),
        ("ABC", "ABX", "none"),
        ("ABCDEFG", "ABXDEYG", "none"),
        ("ABCDEFG", "ABCDEYG", "edit"),
        ("ABCDEFGH", "ABXDEYGH", "edit"),
        ("ABCDEFGHIJK", "XBCDYFGHZJK", "none"),
        ("LATE_DELIVERY", "deliveryLate", "case+separator+word-order"),
        ("LATE_DELIVERY", "DeliveryLate", "case+separator+word-order"),
        ("lateDelivery", "deliveryLate", "case+separator+word-order"),
        ("OTHER", "code: OTHER,", "punctuation+prefix"),
        ("LATE_DELIVERY", "code: late delivery;", "case+separator+punctuation+prefix"),
        ("A" * 1_000, "a" * 1_000, "case"),
        ("AB" * 500, "ab" * 500, "case"),
        ("A" * 1_001, "a" * 1_001, "none"),
        ("NONE_OF_THE_ABOVE", "NONE_OF_THE", "truncation"),
        ("ABC", "AB", "none"),
        ("ABCDE", "ABCD", "truncation"),
    ],
)
def test_at_which_length_a_way_begins(member: str, value: str, name: str) -> None:
    assert Index((member,)).near(value).name == name


def test_where_members_differ_by_what_is_rewritten_the_smallest_change_decides() -> None:
    """Of several members behind one spelling: the fewest classes, then the alphabet."""
    assert Index(("Late_Fee", "LATE-FEE", "late_fee")).near("late_fees") == ("plural", "late_fee")
    assert Index(("late-FEE", "LATE_fee")).near("LATE_FEE ")[1] == "LATE_fee"
    assert Index(("OTHER", "other")).near("Other") == ("case", "OTHER")
    assert Index(("B_x", "b-X")).near("b_x") == ("case", "B_x")


def test_each_of_several_says_how_it_was_spelt() -> None:
    near = Index(("OTHER", "LATE_DELIVERY")).near("other, late-delivery")
    assert near == ("case+separator+multiple", ["OTHER", "LATE_DELIVERY"])


def test_every_table_can_be_made_ahead() -> None:
    index = Index(("LATE_FEE",))
    index.prepare()
    assert {"spellings", "by_spelling", "by_words"} <= vars(index).keys()


def test_rewritten_by_all_a_spelling_stays_as_it_is() -> None:
    for text in ("Late Fees!", "** OTHER **", "2) b\u00adc"):
        assert rewrite(rewrite(text, ALL), ALL) == rewrite(text, ALL)
