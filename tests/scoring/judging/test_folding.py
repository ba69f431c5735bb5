"""Text folded for comparison, and the way back to the characters that a piece of it came from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.judging.folding import Folded, both, case_folded, compatible, fold


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
