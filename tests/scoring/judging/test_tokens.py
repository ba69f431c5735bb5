"""Whole tokens: where a text stands in another by itself, for words and for ids."""

from __future__ import annotations

import pytest

from scoring.judging.tokens import find_token, is_token


@pytest.mark.parametrize(
    ("needle", "text", "at", "id_at"),
    [
        ("", "abc", -1, -1),
        ("a", "", -1, -1),
        ("est", "latest best est est", 12, 12),
        ("a", "a_b", -1, -1),
        ("a", "_a a", 3, 3),
        ("a", "a+b", 0, -1),
        ("904", "AC-904", 3, -1),
        ("904", "AC-904 904", 3, 7),
        ("904", "#904", 1, 1),
        ("904", "904-AC", 0, -1),
        ("AC", "AC.", 0, 0),
        ("AC", "AC-", 0, 0),
        ("a", "a=b&c", 0, -1),
        ("1", "1.5", -1, -1),
        ("5", "1.5", -1, -1),
        ("5", "a.5", 2, -1),
        ("5", "-5", -1, 1),
        ("-3.5", "5-3.5", -1, -1),
        ("5", "(-5)", -1, 2),
        ("5", "x -5", -1, 3),
        ("5", "a-5", 2, -1),
        ("5", "\u22125", -1, 1),
        ("-3", "5-3", -1, -1),
        ("-3", "A-3, x_-3", -1, -1),
        ("-3", "5-3 or -3", 7, 7),
        ("-3", "-3", 0, 0),
        ("-3", "(-3)", 1, 1),
        ("-3", "at:-3", 3, 3),
        ("\u22123", "5\u22123", -1, -1),
        ("-x", "5-x", 1, 1),
        ("-", "5-3", 1, 1),
        ("+3", "5+3", 1, 1),
        ("\u0930\u093e\u092e", "\u0930\u093e\u092e\u093e \u0930\u093e\u092e", 5, 5),
        ("\u0930\u093e\u092e\u093e", "\u0930\u093e\u092e\u093e\u092f\u0923", -1, -1),
        ("\u092e", "\u0930\u093e\u092e", -1, -1),
        ("\u093e\u092e", "\u0930\u093e\u092e", -1, -1),
        ("\u0b95", "\u0b95\u0bcb", -1, -1),
        ("\u0e2b\u0e19", "\u0e2b\u0e19\u0e35\u0e49", -1, -1),
        ("\u0e20\u0e32\u0e29\u0e32", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", 0, 0),
        ("\u304b", "\u304b\u3099", -1, -1),
        ("\u304b\u3099", "\u304b\u3099\u304b", 0, 0),
        ("e", "e\u0301 e", 3, 3),
        ("1", "1\ufe00", 0, 0),
        ("1", "1\ufe0f\u20e3", 0, 0),
        ("\u845b", "\u845b\U000e0100", 0, 0),
        ("x", " \u093ex x", 4, 4),
        ("5", "2,5", -1, -1),
        ("5", "2, 5", 3, 3),
        ("Tokyo", "Tokyo's", 0, 0),
        ("Tokyo", "at Tokyo's", 3, 3),
        ("TOKYO", "TOKYO'S zone", 0, 0),
        ("Tokyo", "Tokyo\u2019s zone", 0, 0),
        ("Tokyo", "Tokyo'sx", -1, -1),
        ("Tokyo", "Tokyo's_", -1, -1),
        ("don", "don't", -1, -1),
        ("5", "5's", 0, 0),
        ("5", "5't", 0, 0),
        ("4", "go to 2,3,4", 10, -1),
        ("2", "go to 2,3,4", 6, -1),
        ("3", "go to 2,3,4.", 8, -1),
        ("5", "1,2,3 and 4,5,6", 12, -1),
        ("2", "1,2,3 and 4,5,6", 2, -1),
        ("6", "1,2,3 and 4,5,6", 14, -1),
        ("2,3", "1,2,3,4", -1, -1),
        ("12", "112,3,4", -1, -1),
        ("11", "112,3,4", -1, -1),
        ("11", "3,112,4", -1, -1),
        ("12", "3,112,4", -1, -1),
        ("3", "2,3", -1, -1),
        ("345", "12,345,678", -1, -1),
        ("3", "x2,3,4", -1, -1),
        ("3", "2,3,4x", -1, -1),
        ("\u6771\u4eac", "\u6771\u4eac\u90fd", 0, 0),
        ("a\u0301", "xa\u0301 a\u0301", 4, 4),
        (".", "a.b", 1, 1),
    ],
    ids=ascii,
)
def test_a_token_stands_where_nothing_at_its_borders_goes_on_with_it(
    needle: str, text: str, at: int, id_at: int
) -> None:
    assert find_token(needle, text) == find_token(needle, text, strict=False) == at
    assert find_token(needle, text, strict=True) == id_at


def test_a_place_is_asked_for_words_where_nobody_says_that_it_is_of_an_id() -> None:
    assert is_token("AC-904", 3, 6)
    assert not is_token("AC-904", 3, 6, strict=True)
    assert not is_token("AC-9045", 3, 6)
