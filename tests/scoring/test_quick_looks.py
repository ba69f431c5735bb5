"""The quick looks never say no where the close look says yes."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.judging import quantities, zones
from scoring.judging.folding import compatible
from scoring.judging.forms import Source, find, may_stand
from tests.scoring.build import a_probe

PIECES = st.sampled_from(
    ["UTC", "utc+9", "GMT", "Z", "09:00Z", "+09:00", "-0530", "\u22124", "UTC \u2212 4", "Asia/Tokyo", "us/eastern",
     "Zulu", "45.90", "45,90", "1,200", "1 200", "-3", "00718", "7", "\u0663", "3rd", "$4.50", "EST", "\uff15",
     "Stra\u00dfe", "+530", "2027-03-04", " ", ", ", ".", "x", "Universal", "Etc/GMT+0", "+0", "-00:00"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=6).map("".join) | st.lists(PIECES, max_size=6).map(" ".join) | st.text(max_size=20)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_each_zone_in_a_text_is_one_that_it_may_name(text: str) -> None:
    for _, _, zone in zones.zones_in(compatible(text)):
        assert zones.may_name(zone, compatible(text).casefold())


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from([None, "de"]))
def test_each_number_in_a_text_is_one_that_it_may_hold(text: str, locale: str | None) -> None:
    for _, _, value in quantities.numbers_in(compatible(text), locale):
        assert isinstance(value, Decimal)
        assert quantities.may_hold(value, compatible(text))


@pytest.mark.parametrize("kind", ["text", "id", "number", "money", "timezone", "enum"])
@settings(max_examples=150, deadline=None)
@given(TEXTS, PIECES | st.text(min_size=1, max_size=4))
def test_what_is_found_in_a_text_may_stand_there(kind: str, text: str, value: str) -> None:
    probe = a_probe(type=kind)
    if find(probe, value, Source(text)) is not None:
        assert may_stand(probe, value, Source(text))
