"""In which way a value misses a set: vectors, one row per class and combination."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.judging.members import ORDER
from scoring.judging.membership import Membership
from scoring.judging.near import Index
from tests.scoring.build import CODES, a_set

VECTORS = [
    ("late_delivery", "case", "LATE_DELIVERY"),
    ("LATE-DELIVERY", "separator", "LATE_DELIVERY"),
    ("LATE DELIVERY", "separator", "LATE_DELIVERY"),
    ("LATEDELIVERY", "separator", "LATE_DELIVERY"),
    ("LATE\u2013DELIVERY", "separator", "LATE_DELIVERY"),
    ("lateDelivery", "case+separator", "LATE_DELIVERY"),
    ("OTHER\n", "whitespace", "OTHER"),
    ("\u00a0OTHER", "whitespace", "OTHER"),
    ('"OTHER"', "punctuation", "OTHER"),
    ("OTHER;", "punctuation", "OTHER"),
    ("\u201cOTHER\u201d", "punctuation", "OTHER"),
    ("OT\u00adHER", "invisible", "OTHER"),
    ("\ufeffOTHER", "invisible", "OTHER"),
    ("\uff2f\uff34\uff28\uff25\uff32", "unicode-form", "OTHER"),
    ("\u041eTHER", "homoglyph", "OTHER"),
    ("\u043ether", "case+homoglyph", "OTHER"),
    ("**OTHER**", "decoration", "OTHER"),
    ("`OTHER`", "decoration", "OTHER"),
    ("- OTHER", "decoration", "OTHER"),
    ("2. OTHER", "decoration", "OTHER"),
    ("OTHER \u2705", "decoration", "OTHER"),
    ("# OTHER", "decoration", "OTHER"),
    ("> OTHER", "decoration", "OTHER"),
    ("\u2022 other", "case+decoration", "OTHER"),
    ("~~OTHER~~", "decoration", "OTHER"),
    ("\uff0aOTHER", "punctuation", "OTHER"),
    ("OTHERS", "plural", "OTHER"),
    ("LATE_DELIVERIES", "plural", "LATE_DELIVERY"),
    ("LATE_DELIVREY", "edit", "LATE_DELIVERY"),
    ("OTHR", "edit", "OTHER"),
    ("ANDERE", "translation", "OTHER"),
    ("sonstiges", "translation", "OTHER"),
    ("その他", "translation", "OTHER"),
    ("OTHER~~", "decoration", "OTHER"),
    ("livraison_tardive", "translation", "LATE_DELIVERY"),
    ("\u20acOTHER", "edit", "OTHER"),
    ("late_entrega", "translation", "LATE_DELIVERY"),
    ("reason: OTHER", "prefix", "OTHER"),
    ("REASON_OTHER", "prefix", "OTHER"),
    ("ReasonCode.other", "case+prefix", "OTHER"),
    ("DAMAGED_ON", "truncation", "DAMAGED_ON_ARRIVAL"),
    ("damaged_on_a", "case+truncation", "DAMAGED_ON_ARRIVAL"),
    ("DELIVERY_LATE", "word-order", "LATE_DELIVERY"),
    ("delivery late", "case+separator+word-order", "LATE_DELIVERY"),
    ("OTHER|LATE_DELIVERY", "multiple", ["OTHER", "LATE_DELIVERY"]),
    ("other and late_delivery", "case+multiple", ["OTHER", "LATE_DELIVERY"]),
    ("CUSTOMER_UNHAPPY", "none", None),
    ("XYZ", "none", None),
    ("OT", "none", None),
    ("OTHER, AND MORE", "none", None),
    ("\u043ekay", "none", None),
    ("", "none", None),
]


@pytest.mark.parametrize(("value", "near", "nearest"), VECTORS, ids=[f"{near}-{value!r}" for value, near, _ in VECTORS])
def test_a_miss_is_explained_by_the_smallest_change(value: str, near: str, nearest: object) -> None:
    assert Index(CODES).near(value) == (near, nearest)


@pytest.mark.parametrize("member", CODES)
@given(data=st.data())
@settings(max_examples=30)
def test_a_member_whose_spelling_was_changed_is_found_again(member: str, data: st.DataObject) -> None:
    changes = data.draw(st.permutations([str.lower, lambda t: t.replace("_", "-"), lambda t: f" {t}"]))
    value = member
    for change in changes[: data.draw(st.integers(1, 3))]:
        value = change(value)
    if value != member:
        near = Index(CODES).near(value)
        assert near.nearest == member
        assert set(near.name.split("+")) <= {"case", "separator", "whitespace"}


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("Delivery/Late", "case+separator+punctuation+word-order"),
        ("DELIVERY,LATE", "separator+punctuation+word-order"),
        ("DELIVERY\u2013LATE", "separator+word-order"),
        ("LATE/DELIVERY", "separator+punctuation"),
        ("\u20acLATE DELIVERY", "separator+edit"),
        ("_DELIVERY_LATE", "separator+word-order"),
        ("DEL\u00adIVERY_LATE", "invisible+word-order"),
        ("DEL\u00adIVERY LATE", "separator+invisible+word-order"),
        ("DELIVERY_\uff2c\uff21\uff34\uff25", "unicode-form+word-order"),
        ("DELIVERY_L\u0410TE", "homoglyph+word-order"),
        ("- DELIVERY_LATE", "decoration+word-order"),
        ("DELIVERIES_LATE", "plural+word-order"),
        ("DELIVERY_LATE.", "punctuation+word-order"),
        ("LATE\u20acDELIVERY", "separator+punctuation"),
        ("DELIVERY  LATE", "separator+word-order"),
    ],
)
def test_words_in_another_order_say_what_else_is_changed_and_no_more(value: str, near: str) -> None:
    assert Index(("LATE_DELIVERY", "HTTPError")).near(value) == (near, "LATE_DELIVERY")


def test_a_letter_at_the_end_is_no_sign() -> None:
    assert Index(("TAX_LATE",)).near("LATE TAX") == ("separator+word-order", "TAX_LATE")


def test_words_that_differ_in_a_hump_only_are_in_no_other_order() -> None:
    assert Index(("HTTPError",)).near("HTTPSError") == ("separator+plural", "HTTPError")


@pytest.mark.parametrize(
    ("member", "value", "near"),
    [
        ("LATE_DELIVERY-", "-LATE_DELIVERY", "edit"),
        ("RETURN-", "-RETURN", "none"),
        ("22----", "--22--", "none"),
        ("!_", "***", "none"),
        ("!_", "! ", "none"),
        ("\u20ac", "_", "none"),
    ],
)
def test_signs_round_the_words_that_change_places_are_no_change_without_a_name(
    member: str, value: str, near: str
) -> None:
    assert Index((member,)).near(value).name == near


PIECES = st.sampled_from(
    ["LATE", "late", "Delivery", "OTHERS", "a", "\u00e9", "\u65e5\u672c", "1", "22", "---", "***", "!", "\u20ac", " ",
     "_", "-", "/", ".", ", ", "\u00a0", "\u200b", " or ", "\ufb01t", "\u041e"]
)  # fmt: skip
TEXTS = st.lists(PIECES, min_size=1, max_size=5).map("".join)


@given(members=st.lists(TEXTS, min_size=1, max_size=3, unique=True), value=TEXTS, data=st.data())
@settings(max_examples=400, deadline=None)
def test_every_miss_has_a_name_that_the_contract_knows(members: list[str], value: str, data: st.DataObject) -> None:
    moved = "".join(data.draw(st.permutations(list(members[0]))))
    for miss in {value, moved, members[0][1:] + members[0][0]} - set(members):
        near = Index(tuple(members)).near(miss)
        assert near.name == "none" or set(near.name.split("+")) <= set(ORDER)
        assert (near.nearest is None) == (near.name == "none")


def test_classes_stand_in_the_contracts_order() -> None:
    names = Index(CODES).near(" other.").name.split("+")
    assert names == sorted(names, key=ORDER.index) == ["case", "whitespace", "punctuation"]


def test_a_member_of_another_set_of_the_corpus_is_named() -> None:
    found = Membership(a_set(), (a_set(("REFUND", 7), name="kinds"),))
    assert (found.standing("REFUND").near, found.standing("REFUND").nearest) == ("other-set", None)
    assert found.standing(7).near == "other-set"
    assert found.standing(8).near == "none"


def test_a_beginning_that_two_members_share_is_no_truncation() -> None:
    assert Index(("ALPHA_ONE", "ALPHA_TWO")).near("ALPHA_").name == "none"


def test_ties_are_settled_the_same_way_whatever_the_order_of_the_set() -> None:
    members = ("CODE_1A", "CODE_1B", "CODE_1C")
    assert Index(members).near("CODE_1X") == Index(members[::-1]).near("CODE_1X") == ("edit", "CODE_1A")


def test_of_two_members_as_near_as_each_other_the_first_by_its_letters_is_named() -> None:
    members = ("LATE-DELIVERY", "late_delivery")
    assert Index(members).near("LATE_DELIVERY") == Index(members[::-1]).near("LATE_DELIVERY")
    assert Index(members).near("LATE_DELIVERY") == ("separator", "LATE-DELIVERY")


@pytest.mark.parametrize("value", ["en attente", "EN_ATTENTE", "enAttente", "En-Attente!"])
def test_a_phrase_that_is_one_word_in_english_is_translated_whole(value: str) -> None:
    assert Index(("OPEN", "PENDING")).near(value) == ("translation", "PENDING")


def test_a_set_of_a_hundred_thousand_members_answers_at_once() -> None:
    members = [f"SKU-{number:06}" for number in range(100_000)]
    found = Membership(a_set(members))
    assert found.standing("SKU-000017").in_set
    assert found.standing("sku-000017").near == "case"
    assert found.standing("nothing at all like it").near == "none"


@pytest.mark.parametrize(
    ("members", "value", "in_set"),
    [
        pytest.param((1, 2), 1.0, True, id="1.0 is 1"),
        pytest.param((1, 2), True, False, id="true is not 1"),
        pytest.param((1, 2), "1", False, id="a text is no number"),
        pytest.param(("1",), 1, False, id="a number is no text"),
        pytest.param((True,), True, True, id="a boolean"),
        pytest.param((2**60,), 2**60 + 1, False, id="big numbers are not rounded"),
        pytest.param(({"a": 1},), {"a": 1}, True, id="an object"),
    ],
)
def test_membership_is_equality_of_json_values(members: tuple[object, ...], value: object, in_set: bool) -> None:
    assert Membership(a_set(members)).standing(value).in_set is in_set


def test_a_set_compared_without_case_says_how_a_member_was_recognised() -> None:
    found = Membership(a_set(("USD", "EUR"), compare="case-insensitive", catch_all=("EUR",)))
    assert found.standing("usd")[:2] == (True, False)
    assert found.standing("eur").catch_all
    assert (found.standing("usd").form, found.standing("USD").form) == ("case-fold", "exact")
    assert found.equal("usd", "USD")
    assert found.standing("us d").near == "separator"
    assert found.standing(" us d").near == "separator+whitespace"
