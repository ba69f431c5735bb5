"""The quick looks say what the close ones say; where they may only refuse, they never do so wrongly."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.judging import quantities, zones
from scoring.judging.clocks import says_time, times_in
from scoring.judging.dates import _named, _numbered, _reader
from scoring.judging.days import days_in, days_like, may_name_day
from scoring.judging.folding import Folded, both, case_folded, compatible
from scoring.judging.forms import find
from scoring.judging.leaves import Leaf
from scoring.judging.sightings import look, look_closely
from scoring.judging.texts import Source
from scoring.judging.view import Tree, View
from scoring.judging.when import may_show, visible_day
from tests.scoring.build import a_probe

PIECES = st.sampled_from(
    ["UTC", "utc+9", "GMT", "Z", "09:00Z", "+09:00", "-0530", "\u22124", "UTC \u2212 4", "Asia/Tokyo", "us/eastern",
     "Zulu", "45.90", "45,90", "1,200", "1 200", "-3", "00718", "7", "\u0663", "3rd", "$4.50", "EST", "\uff15",
     "Stra\u00dfe", "+530", "2027-03-04", " ", ", ", ".", "x", "Universal", "Etc/GMT+0", "+0", "-00:00", "1'2'3",
     "12\u2019000", "1.200.000", "0.5", "1249", "GMT +0900", "\u0130x", "\u00a0", "value: yes", "VALUE no", "4"]
)  # fmt: skip
DAYS = st.sampled_from(
    ["4 March 2027", "March 4th, 2027", "45 march", "2027-03-04", "4/3/27", "04.03.2027", "3/4/2027", "4 mars 2027",
     "12 d\u00e9cembre 2026", "\u0664 March 2027", "2027\u5e743\u67084\u65e5", "tomorrow", "4 March", "today", "friday",
     "at 9", "09:00", "UTC", "99/3/04", "31 feb 2027", "M\u00c4RZ", "4 m\u00e4rz 2027", "4\u00ba de mar\u00e7o de 2027",
     "24:00", "midnight", "4to de marzo 2027", "4.o mar 2027", "4e", "o", "1 AUGUST 2026", " ", "-", "x"]
)  # fmt: skip


TIMES = st.sampled_from(
    ["09:00", "9 am", "9:00", "21:00", "9pm", "nine in the morning", "nine o'clock", "T09:00:00Z", "12:00", "noon",
     "midnight", "12 am", "0:00", "24:00", "10:30", "10.30 Uhr", "10h30", "9 h", "9h", "19", "9", "10:30:15.5", " ",
     ":", "-", "x", "T", "9 p.m.", "9 p. m.", "nine pm", "0 pm", "09 at night", "2027-03-04"]
)  # fmt: skip
MONTHS = ("jan", "Februar", "mars", "april", "mai", "june", "lug", "agosto", "sep", "Okt", "november", "dic")
LAYOUTS = (
    "{day}/{month}/{year:04}", "{day:02}.{month:02}.{year:04}", "{day}-{month}-{year:04}", "{day} {name} {year:04}",
    "{day}th {name} {year:04}", "{day}. {name} {year:04}", "{day} of {name} {year:04}", "{name} {day}, {year:04}",
    "{name} {day}th {year:04}", "{name} {day} {year:04}",
)  # fmt: skip


def texts_of(pieces: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(pieces, max_size=6).map("".join) | st.lists(pieces, max_size=6).map(" ".join)


TEXTS = texts_of(PIECES) | st.text(max_size=20)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_each_zone_in_a_text_is_found_where_it_is_looked_for(text: str) -> None:
    readable = compatible(text)
    found = list(zones.zones_in(readable))
    for _, _, zone in found:
        assert zones.may_name(zone, readable, readable.casefold())
        first = next(
            token for token in zones.zones_like(zone, Folded.same(readable), readable.casefold()) if token[2] == zone
        )
        assert first == next(token for token in found if token[2] == zone)


SPELT = st.sampled_from(
    ["UTC", "utc", "Z", "+09:00", "UTC+9", "Asia/Tokyo", "asia/tokyo ", "US/Eastern", "Japan", "GMT+0", "Etc/UTC",
     "EST", "America/New York", "america/new_york", "\uff35TC", "Universal", "+00:00", "x UTC"]
)  # fmt: skip
OTHER_ZONE = re.compile(r"(?:UTC|GMT)\s?[+\-\u2212\u2013]\s?\d", re.IGNORECASE)
MARKED = st.sampled_from(["", "\u0327", "s", "'s", "/x", "+2", " +9", "."])


@settings(max_examples=800, deadline=None)
@given(SPELT, texts_of(PIECES | SPELT), MARKED)
def test_a_zone_is_seen_where_it_stands_as_it_was_emitted_or_by_another_name(
    emitted: str, before: str, mark: str
) -> None:
    for text in (before + mark, f"{before} {emitted}{mark}", f"{before}{emitted.upper()}{mark} x"):
        as_it_is = find(a_probe(type="text"), emitted, Source(text))
        named = zones.zone(emitted)
        by_name = any(found == named for _, _, found in zones.zones_in(compatible(text)))
        hit = find(a_probe(type="timezone"), emitted, Source(text))
        if OTHER_ZONE.search(compatible(text)):
            assert hit is None or as_it_is is not None or by_name
            continue
        assert hit == as_it_is if as_it_is is not None else (hit is not None) == by_name


def test_a_state_of_known_names_says_today_as_soon_as_one_of_them_does() -> None:
    probe = a_probe(type="date")
    state = {"note": "please tomorrow", "made": "2027-03-04"}
    for names in (state, state, {**state, "today": "2027-03-04"}, {**state, "\u4eca\u65e5": "x"}, state):
        seen = may_show(probe, "2027-03-05", View([Tree("state", None, names)]))
        assert seen is (len(names) == 3)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from([None, "de"]))
def test_each_number_in_a_text_is_found_where_it_is_looked_for(text: str, locale: str | None) -> None:
    readable = compatible(text)
    found = list(quantities.numbers_in(readable, locale))
    for _, _, value in found:
        first = next(
            token for token in quantities.numbers_like(value, Folded.same(readable), locale) if token[2] == value
        )
        assert first == next(token for token in found if token[2] == value)


@settings(max_examples=400, deadline=None)
@given(texts_of(DAYS), st.sampled_from([None, "de", "en-US"]))
def test_each_day_in_a_text_is_one_that_it_may_name(text: str, locale: str | None) -> None:
    for found in days_in(compatible(text), locale):
        if found.year:
            assert may_name_day(found.day, Source(text))


@settings(max_examples=400, deadline=None)
@given(texts_of(DAYS), st.sampled_from([None, "de", "en-US"]))
def test_each_day_in_a_text_is_found_where_it_is_looked_for(text: str, locale: str | None) -> None:
    readable = compatible(text)
    known = [found for found in days_in(readable, locale) if found.year]
    for day in {found.day for found in known} | {date(2027, 3, 4)}:
        first = next(
            (one for one in days_like(day, Folded.same(readable), locale) if one.year and one.day == day), None
        )
        assert first == next((one for one in known if one.day == day), None)


@settings(max_examples=400, deadline=None)
@given(texts_of(TIMES))
def test_each_time_in_a_text_is_found_where_it_is_looked_for(text: str) -> None:
    known = {found.time for found in times_in(compatible(text))}
    for one in known | {time(9), time(21), time(12), time(0), time(0, 0, 0, 1), time(10, 30)}:
        assert says_time(one, Folded.same(compatible(text))) is (one in known)


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 40), st.integers(0, 14), st.integers(90, 2110), st.sampled_from(LAYOUTS), st.booleans())
def test_a_usual_layout_is_read_as_the_library_reads_it(
    day: int, month: int, year: int, layout: str, day_first: bool
) -> None:
    name = MONTHS[month % 12] if "name" in layout else ""
    written = layout.format(day=day, month=month, year=year, name=name)
    plain = _named(written.casefold()) or _numbered(written.casefold(), day_first=day_first)
    if plain is not None:
        read = [
            _reader(day_first=day_first)(
                re.sub(r"^(\d+)(?:st|nd|rd|th|\.)(?=\D)(?!\d)", r"\1 ", written.casefold())
                if "name" in layout
                else written,
                datetime(one, 1, 1),
            )
            for one in (2000, 2004)
        ]
        assert [plain, plain] == [one.date() for one in read]


VALUES = st.deferred(lambda: TEXTS | st.sampled_from([4, 4.0, 45.9, 1e22, 10**22, True, False, None, 2**53 + 1, -3]))
TREES = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcvalue"), inner),
    max_leaves=6,
)
PARTS = st.lists(
    TEXTS.map(lambda text: Leaf("user", 0, None, text, Source(text)))
    | TREES.map(lambda tree: Tree("state", None, {"value": tree}))
    | TREES.map(lambda tree: Tree("tool", 1, tree)),
    max_size=4,
)


@pytest.mark.parametrize("kind", ["text", "id", "number", "money", "timezone", "enum", "boolean"])
@settings(max_examples=200, deadline=None)
@given(PARTS, PIECES | VALUES | st.text(min_size=1, max_size=4), st.sampled_from([None, 2]))
def test_one_search_of_all_that_was_shown_finds_what_a_look_at_each_leaf_finds(
    kind: str, parts: list[Leaf | Tree], value: Any, minor_units: int | None
) -> None:
    probe = a_probe(type=kind, **({} if minor_units is None else {"minor_units": minor_units}))
    quick, close = look(probe, value, View(parts)), look_closely(probe, value, View(parts).leaves)
    if isinstance(value, str):
        assert quick == close
    else:  # a number that is written alike somewhere is found there before it is found in another layout
        assert (quick and quick.form) == (close and close.form)


@settings(max_examples=300, deadline=None)
@given(PARTS)
def test_a_leaf_that_is_made_alone_is_the_one_among_all(parts: list[Leaf | Tree]) -> None:
    view, whole = View(parts), View(parts)
    assert view.values == [leaf.value for leaf in whole.leaves]
    for number, leaf in enumerate(whole.leaves):
        assert view.leaf(number)[:4] == leaf[:4]
        assert view.leaf(number).source.text == leaf.source.text


@settings(max_examples=300, deadline=None)
@given(
    st.lists(texts_of(DAYS), min_size=1, max_size=3),
    st.sampled_from(
        [
            "2027-03-04",
            "2027-03-04T09:00:00",
            "2027-03-04T09:00Z",
            "4 March 2027",
            "2027-03-05",
            "2027-03-04T24:00",
            "2027-03-05T00:00",
            "x",
        ]
    ),
    st.sampled_from(
        [
            {},
            {"today": "2027-03-03"},
            {"as_of_Date": "2 March 2027"},
            {"asOf": "2027-03-03"},
            {"As of": "2027-03-03"},
            {"due_date": "2027-03-03"},
            {"other": "3"},
        ]
    ),
    st.booleans(),
)
def test_what_may_not_show_a_day_shows_none(
    texts: list[str], value: str, state: dict[str, str], zone_too: bool
) -> None:
    probe = a_probe(type="datetime")
    view = View([Tree("state", None, state), *(Leaf("user", 0, None, text, Source(text)) for text in texts)])
    found = visible_day(probe, value, view, zone_too=zone_too)
    alone = View(view.leaves)
    assert (found is None) is (visible_day(probe, value, alone, zone_too=zone_too) is None)
    if found is not None:
        assert may_show(probe, value, view, zone_too=zone_too)
        assert may_show(probe, value, alone, zone_too=zone_too)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([case_folded, compatible, both]))
@example("Stra\u00dfe \ufb01x", both)
def test_a_folding_finds_the_way_back(text: str, how: Any) -> None:
    source = Source(text)
    folded = {case_folded: source.cased, compatible: source.plain, both: source.both}[how]()
    assert folded.text == how(text)
    for start in range(len(folded.text)):
        begin, end = folded.span(start, start + 1)
        assert begin <= end <= len(text)
    hit = find(a_probe(type="text"), text, source)
    assert hit is None or text[hit.start : hit.end].strip() != ""
