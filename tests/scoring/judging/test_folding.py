"""Text folded for comparison, and the way back to the characters that a piece of it came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.judging.folding import (
    Folded,
    both,
    case_folded,
    compatible,
    fold,
    fold_case_too,
    fold_compatible,
    is_compatible,
)


@pytest.mark.parametrize(
    ("text", "how", "folded", "piece", "span"),
    [
        pytest.param("AbC", compatible, "AbC", "bC", (1, 3), id="nothing to fold"),
        pytest.param("a\ufb01x", compatible, "afix", "fi", (1, 2), id="a ligature is one character of two"),
        pytest.param("\ufb01xy", compatible, "fixy", "x", (1, 2), id="the second character stands by itself"),
        pytest.param("ae\u0301z", compatible, "a\u00e9z", "\u00e9", (1, 3), id="a letter with its mark is one piece"),
        pytest.param("ae\u0301z", compatible, "a\u00e9z", "z", (3, 4), id="what stands behind a mark"),
        pytest.param("\u0301a\ufb01", compatible, "\u0301afi", "a", (1, 2), id="a mark without a letter"),
        pytest.param("\u337fx", compatible, "\u682a\u5f0f\u4f1a\u793ex", "\u682a", (0, 1), id="one of four"),
        pytest.param("y\u337f", compatible, "y\u682a\u5f0f\u4f1a\u793e", "\u5f0f", (1, 2), id="the last of all"),
        pytest.param("ABC", case_folded, "abc", "b", (1, 2), id="case"),
        pytest.param("a\u0301\u1e00\u0323z", compatible, "\u00e1\u1e00\u0323z", "z", (4, 5), id="behind two marks"),
        pytest.param("\ufb01\u0390a\ufb01z", both, "fi\u03b9\u0308\u0301afiz", "z", (4, 5), id="behind one of three"),
        pytest.param("Stra\u00dfe 7", case_folded, "strasse 7", "7", (7, 8), id="a letter that folds into two"),
    ],
)
def test_a_piece_of_a_folded_text_leads_back_to_where_it_stood(
    text: str, how: Callable[[str], str], folded: str, piece: str, span: tuple[int, int]
) -> None:
    found = fold(text, how, whole=how is case_folded)
    assert found.text == folded
    at = folded.index(piece)
    assert found.span(at, at + len(piece)) == span
    assert found.span(at, at + len(piece)) == span  # the way back is kept
    assert found.span(0, len(folded)) == (0, len(text))


@pytest.mark.parametrize("at", range(5))
def test_nothing_of_a_folded_text_came_from_nothing(at: int) -> None:
    start, end = fold("a\ufb01x", compatible, whole=False).span(at, at)
    assert start == end


@pytest.mark.parametrize("text", ["", "any \ufb01"])
def test_a_text_that_is_its_own_folding_leads_back_to_itself(text: str) -> None:
    assert Folded.same(text).text == text
    assert Folded.same(text).span(0, len(text)) == (0, len(text))
    for whole in (False, True):
        assert fold("", compatible, whole=whole).span(0, 0) == (0, 0)


def test_what_is_in_compatibility_form_is_told_as_the_database_of_characters_tells_it() -> None:
    for code in range(0x3000):
        for text in (chr(code), f"a{chr(code)}", f"\u00e9{chr(code)}\u2019"):
            assert is_compatible(text) is unicodedata.is_normalized("NFKC", text)


PIECES = st.sampled_from(
    ["a", "1", " ", "\u00a0", "\u202f", "\u2026", "\u3000", "\uff08", "\uff1a", "\u00e9", "\u0301", "\u0338", "\u033e",
     "\ufb01", "\u2019", "\u00df", "\u1112", "\u1161", "\u0345", "\u0130", "\u00b2"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_usual_signs_are_replaced_as_each_piece_would_be_folded(text: str) -> None:
    plain, slow = fold_compatible(text), fold(text, compatible)
    assert plain.text == slow.text
    cased, slowly = fold_case_too(text, plain), fold(text, both)
    for quick, close in ((plain, slow), (cased, slowly)):
        if len(quick.text) == len(close.text) and plain.text is not text:
            spans = [(start, end) for end in range(len(quick.text) + 1) for start in range(end)]
            assert [quick.span(*span) for span in spans] == [close.span(*span) for span in spans]


def test_a_mark_behind_a_sign_that_was_replaced_goes_with_it() -> None:
    plain = fold_compatible("a\uff08\u033e\u033e1")
    assert plain.text == "a(\u033e\u033e1"
    assert plain.span(1, 2) == plain.span(2, 3) == plain.span(3, 4) == (1, 4)
    assert plain.span(0, 1) == (0, 1)
    assert plain.span(4, 5) == (4, 5)
