"""Text folded for comparison, and the way back to the characters that a piece of it came from."""

from __future__ import annotations

import unicodedata
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.judging.folding import (
    Folded,
    _starts,
    both,
    case_folded,
    compatible,
    fold_case,
    fold_case_too,
    fold_compatible,
    lower_ascii,
    other_digits,
)
from scoring.judging.tokens import find_token


def both_folded(text: str) -> Folded:
    return fold_case_too(text, fold_compatible(text))


WAYS = {"case": (fold_case, case_folded), "form": (fold_compatible, compatible), "both": (both_folded, both)}


NFD_SEOUL = unicodedata.normalize("NFD", "\uc11c\uc6b8\uc5ed")


@pytest.mark.parametrize(
    ("text", "way", "folded", "piece", "span"),
    [
        pytest.param("AbC", "form", "AbC", "bC", (1, 3), id="nothing to fold"),
        pytest.param("a\ufb01x", "form", "afix", "fi", (1, 2), id="a ligature is one character of two"),
        pytest.param("abc\ufb01", "form", "abcfi", "b", (1, 2), id="one of several that fold into themselves"),
        pytest.param("\ufb01xy", "form", "fixy", "x", (1, 2), id="the second character stands by itself"),
        pytest.param("ae\u0301z", "form", "a\u00e9z", "\u00e9", (1, 3), id="a letter with its mark is one piece"),
        pytest.param("ae\u0301z", "form", "a\u00e9z", "z", (3, 4), id="what stands behind a mark"),
        pytest.param("\u0301a\ufb01", "form", "\u0301afi", "a", (1, 2), id="a mark without a letter"),
        pytest.param("\u337fx", "form", "\u682a\u5f0f\u4f1a\u793ex", "\u682a", (0, 1), id="one of four"),
        pytest.param("y\u337f", "form", "y\u682a\u5f0f\u4f1a\u793e", "\u5f0f", (1, 2), id="the last of all"),
        pytest.param("ABC", "case", "abc", "b", (1, 2), id="case"),
        pytest.param("a\u0301\u1e00\u0323z", "form", "\u00e1\u1e00\u0323z", "z", (4, 5), id="behind two marks"),
        pytest.param("\ufb01\u0390a\ufb01z", "both", "fi\u03b9\u0308\u0301afiz", "z", (4, 5), id="behind one of three"),
        pytest.param("Stra\u00dfe 7", "case", "strasse 7", "7", (7, 8), id="a letter that folds into two"),
        pytest.param("e\u0301\ufb01z", "form", "\u00e9fiz", "z", (3, 4), id="a mark less and a letter more"),
        pytest.param(NFD_SEOUL, "form", "\uc11c\uc6b8\uc5ed", "\uc6b8", (2, 5), id="letters of a Hangul syllable"),
        pytest.param("\uac00\u11a8x", "form", "\uac01x", "\uac01", (0, 2), id="the last letter of a syllable"),
        pytest.param("\uffa1\uffc2x", "form", "\uac00x", "\uac00", (0, 2), id="halfwidth letters of a syllable"),
        pytest.param("\u3131\u314fx", "form", "\uac00x", "x", (2, 3), id="letters as on a keyboard"),
        pytest.param("\uff8a\uff9d\uff76\uff9e", "form", "\u30cf\u30f3\u30ac", "\u30ac", (2, 4), id="halfwidth kana"),
        pytest.param("\u0995\u09c7\u09bex", "form", "\u0995\u09cbx", "\u0995\u09cb", (0, 3), id="two Bengali signs"),
    ],
)
def test_a_piece_of_a_folded_text_leads_back_to_where_it_stood(
    text: str, way: str, folded: str, piece: str, span: tuple[int, int]
) -> None:
    found = WAYS[way][0](text)
    assert found.text == folded
    at = folded.index(piece)
    assert found.span(at, at + len(piece)) == span
    assert found.span(at, at + len(piece)) == span  # the way back is kept
    assert found.span(0, len(folded)) == (0, len(text))


@pytest.mark.parametrize("at", range(5))
def test_nothing_of_a_folded_text_came_from_nothing(at: int) -> None:
    start, end = fold_compatible("a\ufb01x").span(at, at)
    assert start == end


@pytest.mark.parametrize("text", ["", "any \ufb01"])
def test_a_text_that_is_its_own_folding_leads_back_to_itself(text: str) -> None:
    assert Folded.same(text).text == text
    assert Folded.same(text).span(0, len(text)) == (0, len(text))
    for fold, _ in WAYS.values():
        assert fold("").span(0, 0) == (0, 0)


LETTERS = st.sampled_from(
    "ab \u00df\ufb01\u337f\u0390\u0301\u0323\u00b4\u0345"  # Latin, Greek and marks
    "\u1109\u1165\u11af\u1112\u1100\u1161\u11a8\uac00\uac01\u3131\u314f\uffa1\uffc2"  # Hangul
    "\uff76\uff9e\uff8a\uff9f\u30ab\u3099"  # kana
    "\u0995\u09c7\u09be\u0bc6\u0bbe\u0915\u093c"  # letters and signs of India
)


@settings(max_examples=300, deadline=None)
@given(st.text(LETTERS, max_size=8) | st.text(max_size=8), st.sampled_from(sorted(WAYS)))
@example("a\u0301\u0323", "form")
def test_a_text_is_folded_as_a_whole_and_each_character_of_it_came_from_its_piece(text: str, way: str) -> None:
    fold, how = WAYS[way]
    found = fold(text)
    assert found.text == how(text)
    places = [found.span(at, at + 1) for at in range(len(found.text))]
    assert all(character in how(text[slice(*place)]) for character, place in zip(found.text, places, strict=True))
    assert places == sorted(places)


def test_what_is_in_compatibility_form_is_told_as_the_database_of_characters_tells_it() -> None:
    for code in range(0x3000):
        for text in (chr(code), f"a{chr(code)}", f"\u00e9{chr(code)}\u2019"):
            assert (fold_compatible(text).text is text) is unicodedata.is_normalized("NFKC", text)


PIECES = st.sampled_from(
    ["a", "1", " ", "\u00a0", "\u202f", "\u2026", "\u3000", "\uff08", "\uff1a", "\u00e9", "\u0301", "\u0338", "\u033e",
     "\ufb01", "\u2019", "\u00df", "\u1112", "\u1161", "\u0345", "\u0130", "\u00b2"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_usual_signs_are_replaced_as_each_piece_would_be_folded(text: str) -> None:
    plain = fold_compatible(text)
    for how, quick in ((compatible, plain), (both, fold_case_too(text, plain))):
        close = Folded(how(text), partial(_starts, text, how))
        assert quick.text == close.text
        if plain.text is not text:
            spans = [(start, end) for end in range(len(quick.text) + 1) for start in range(end)]
            assert [quick.span(*span) for span in spans] == [close.span(*span) for span in spans]


def test_a_mark_behind_a_sign_that_was_replaced_goes_with_it() -> None:
    plain = fold_compatible("a\uff08\u033e\u033e1")
    assert plain.text == "a(\u033e\u033e1"
    assert plain.span(1, 2) == plain.span(2, 3) == plain.span(3, 4) == (1, 4)
    assert plain.span(0, 1) == (0, 1)
    assert plain.span(4, 5) == (4, 5)


IN_FORM = [chr(code) for code in range(128, 0x20000) if unicodedata.is_normalized("NFKC", chr(code))]
"""What may stand in a text in compatibility form and is no ASCII."""
CASED = [letter for letter in IN_FORM if letter.casefold() != letter]


def test_only_sharp_s_becomes_letters_of_ascii_without_a_mark_behind_them() -> None:
    for letter in CASED:
        kept = "".join(one if one.isascii() else "?" for one in letter.casefold())
        assert kept.strip("?") == "" or letter in "\u00df\u1e9e" or (kept[0] + "?" * (len(kept) - 1) == kept)
        assert all(unicodedata.combining(one) for one in letter.casefold()[1:] if kept[0] != "?" and kept != "ss")
        assert lower_ascii(f"A{letter}4") == "a?4"
    assert lower_ascii("4. M\u00c4RZ \U0001f600 Z") == "4. m?rz ? z"


def test_no_other_character_becomes_a_digit_or_a_sign_nor_changes_what_a_token_ends_at() -> None:
    for letter in CASED:
        folded = letter.casefold()
        assert all(one.isalpha() or not one.isascii() for one in folded)
        for text, stands in ((f"{letter}1-2", f"{folded[-1]}1-2"), (f"1-2{letter}", f"1-2{folded[0]}")):
            assert [find_token("1-2", text, strict=strict) for strict in (True, False)] == [
                find_token("1-2", stands, strict=strict) for strict in (True, False)
            ]


def test_every_digit_of_another_script_is_known() -> None:
    for letter in IN_FORM:
        assert other_digits(f"x{letter}") is letter.isdecimal()
        assert other_digits(f"{letter}1\ud800") is letter.isdecimal()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12", False),
        ("\u00e9\u00a012", False),
        ("\u00e9\u0967", True),
        ("\uff08\u0967\uff09", True),
        ("\u2026\u0967", True),
        ("\u2026\u00a012", False),
        ("\u00a0\u0967", True),
        ("\ufb01\u0967", True),
        ("\uff11", False),
    ],
    ids=ascii,
)
def test_digits_of_another_script_are_told_whatever_was_folded_beside_them(text: str, found: bool) -> None:
    assert fold_compatible(text).other_digits is found
