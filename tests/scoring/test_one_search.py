"""One search of all that was shown: never across two texts, never later than a look at each, and in one pass."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from corpora.values import Json
from scoring.judging import quantities, zones
from scoring.judging.folding import Folded
from scoring.judging.leaves import Leaf
from scoring.judging.sightings import Sighting, look, look_closely
from scoring.judging.tokens import find_token
from scoring.judging.view import SEPARATOR, Tree, View
from scoring.judging.when import visible_day
from tests.scoring.build import a_probe

STATE = {"region": "eu-1", "zone": "America/New_York", "count": 3, "note": "\u0301x Stra\u00dfe"}


def both_ways(value: Json, tree: Json = STATE, **probe: Any) -> Sighting | None:
    """What the one search sees, and a look at each leaf sees it too."""
    one = a_probe(**probe)
    view = View([Tree("state", None, tree)])
    found = look(one, value, view)
    assert found == look_closely(one, value, View([Tree("state", None, tree)]).leaves)
    return found


@pytest.mark.parametrize("word", ["eu-1", "America/New_York"])
@pytest.mark.parametrize("edge", ["\n", "\x00", SEPARATOR, "\n\x00", "\x00\n"], ids=repr)
def test_a_value_with_a_blank_that_no_text_has_is_not_seen(word: str, edge: str) -> None:
    for value in (word + edge, edge + word, edge + word + edge, edge):
        assert both_ways(value) is None
        assert both_ways(value.upper()) is None


def test_a_value_with_a_blank_that_a_text_has_is_seen_there() -> None:
    found = both_ways("a\n", {"one": "a", "two": "a\n", "three": "a"})
    assert found is not None
    assert (found.span.path, found.span.start, found.span.end) == ("two", 0, 2)


def test_a_mark_at_the_start_of_a_text_belongs_to_that_text() -> None:
    found = both_ways("\u0301X")
    assert found is not None
    assert (found.span.path, found.span.start, found.span.end) == ("note", 0, 2)


@pytest.mark.parametrize("kind", ["number", "money", "text"])
@pytest.mark.parametrize(
    ("first", "second"), [("1,000", "1000"), ("1000.0", "1000"), ("never 1,000", "1000"), ("1,000", "x 1000 y")]
)
def test_a_number_is_seen_where_it_was_shown_first_however_it_is_written_there(
    kind: str, first: str, second: str
) -> None:
    found = both_ways(1000, {"some": "text", "one": first, "two": second}, type=kind)
    assert found is not None
    assert found.span.path == "one"
    assert found.negated == first.startswith("never")


@pytest.mark.parametrize("blank", [" ", "\n", "\r\n", "\x0b", "\x0c", "\x85", "\u00a0", "\u2028", "\u3000"], ids=repr)
@pytest.mark.parametrize(
    "text", ["on March_4, 2027", "on 4_March_2027", "at 21:00_March 4, 2027", "2027\u5e74_3\u6708_4\u65e5"]
)
def test_a_day_is_seen_whatever_blank_stands_in_it_or_clock_before_it(text: str, blank: str) -> None:
    tree = {"some": "x", "when": text.replace("_", blank)}
    world = View([Tree("state", None, tree)])
    found = visible_day(a_probe(type="date"), "2027-03-04", world)
    assert found is not None
    assert found.leaf.path == "when"
    assert "4" in str(found.leaf.value)[found.start : found.end]


def test_the_second_day_of_a_span_is_seen() -> None:
    found = visible_day(
        a_probe(type="date"), "2027-03-07", View([Tree("state", None, {"when": "2027-03-04:2027-03-07"})])
    )
    assert found is not None
    assert found.start == 11


@pytest.mark.parametrize(
    ("needle", "text", "at"),
    [
        ("cafe", "cafe\u0301", -1),
        ("clair", "e\u0301clair", -1),
        ("q", "q\u0301", -1),
        ("cafe\u0301", "cafe\u0301s", -1),
        ("cafe\u0301", "a cafe\u0301.", 2),
        ("\u0928\u092e", "\u0928\u092e\u0938\u094d\u0924\u0947", -1),
        ("\u6771", "\u6771\u3099", -1),
        ("5", "5\ufe0f\u20e3", 0),
    ],
    ids=ascii,
)
def test_a_mark_goes_on_with_the_word_before_it(needle: str, text: str, at: int) -> None:
    assert find_token(needle, text) == at


@pytest.mark.parametrize("others", [[], ["\ufb01 Stra\u00dfe"]], ids=["alone", "beside a text that grows when folded"])
def test_what_was_seen_is_never_less_than_a_character(others: list[str]) -> None:
    found = both_ways("!", {"some": others, "one": "Ok!\u0301"})
    assert found is not None
    assert (found.span.path, found.span.start, found.span.end) == ("one", 2, 3)
    found = both_ways("\u2460", {"some": others, "one": "\u00bd"})
    assert found is not None
    assert (found.span.start, found.span.end) == (0, 1)


MANY = 60_000


@pytest.mark.parametrize("piece", ["x5 ", "2026-01-15, ", ".5", "15-", "5:", "5a "])
def test_a_long_text_is_searched_once_for_a_number(piece: str) -> None:
    wanted = Decimal(15 if "15" in piece else 5)
    assert list(quantities.numbers_like(wanted, Folded.same(piece * MANY))) == []


@pytest.mark.parametrize("piece", ["xutc/", "-utcx", "xutc ", "+0 ", "1z2", "+00:0"])
def test_a_long_text_is_searched_once_for_a_zone(piece: str) -> None:
    text = piece * MANY
    assert all(found != "+00:00" for _, _, found in zones.zones_like("+00:00", Folded.same(text + "x"), text + "x"))


@pytest.mark.parametrize(("needle", "piece"), [("1", "1,2x "), ("1", "1,5\n"), ("000", ",000")], ids=repr)
def test_a_long_table_is_searched_once_for_a_digit(needle: str, piece: str) -> None:
    assert find_token(needle, f"1{piece * MANY}") == -1


def test_a_leaf_alone_may_hold_what_stands_between_others() -> None:
    leaf = Leaf("user", 0, None, f"a{SEPARATOR}b", View([Tree("user", None, f"a{SEPARATOR}b")]).source)
    found = look(a_probe(), f"a{SEPARATOR}b", View([leaf]))
    assert found is not None
    assert found.span.end == 5
