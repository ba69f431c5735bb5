"""Time zones: the one spelling of a zone, and the characters in which it is seen."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.judging.folding import Folded
from scoring.judging.forms import find
from scoring.judging.texts import Source
from scoring.judging.zones import may_name, zone, zones_in, zones_like
from tests.scoring.build import a_probe
from tests.scoring.judging.sights import seen


@pytest.mark.parametrize(
    ("value", "spelt"),
    [
        ("UTC", "+00:00"),
        (" utc ", "+00:00"),
        ("Z", "+00:00"),
        ("Zulu", "+00:00"),
        ("Etc/UTC", "+00:00"),
        ("+00:00", "+00:00"),
        ("-0", "+00:00"),
        ("-00:30", "-00:30"),
        ("UTC+0", "+00:00"),
        ("GMT", "gmt"),
        ("Etc/GMT+0", "gmt"),
        ("Greenwich", "gmt"),
        ("+2", "+02:00"),
        ("UTC+2", "+02:00"),
        ("utc + 02:00", "+02:00"),
        ("GMT-5", "-05:00"),
        ("GMT\u22125:30", "-05:30"),
        ("\u22124", "-04:00"),
        ("+0530", "+05:30"),
        ("+530", "+05:30"),
        ("-14:45", "-14:45"),
        ("Asia/Calcutta", "asia/kolkata"),
        ("asia/kolkata", "asia/kolkata"),
        ("US/Eastern", "america/new_york"),
        ("America/New York", "america/new_york"),
        ("Antarctica/McMurdo", "pacific/auckland"),
        ("EST", "est"),
        ("Mars/Olympus", "mars/olympus"),
        ("Etc/GMT+5", "etc/gmt+5"),
        ("+5:3", "+5:3"),
        ("", ""),
        (" US/Pacific" + " " * 60, "america/los_angeles"),
        ("x" * 80, "x" * 80),
        (7, None),
        (None, None),
        (["UTC"], None),
    ],
    ids=lambda one: repr(one)[:30],
)
def test_a_zone_has_one_spelling_and_an_unknown_name_stands_for_itself(value: Any, spelt: str | None) -> None:
    assert zone(value) == spelt


SEEN = [
    # value, text, the characters in which it is seen
    ("UTC", "at 9 UTC.", "UTC"),
    ("UTC", "at 9 utc.", "utc"),
    ("Etc/UTC", "in Zulu time", "Zulu"),
    ("Zulu", "09:00Z", "Z"),
    ("Zulu", "09:00z", "z"),
    ("Zulu", "Z", None),
    ("Zulu", "z9", None),
    ("Zulu", "aZ", None),
    ("Zulu", "9Z9", None),
    ("Zulu", "UTC+0 is it", "UTC+0"),
    ("Zulu", "UTC+2, UTC", "UTC"),
    ("Zulu", "UTC, UTC+2", "UTC"),
    ("\uff35\uff34\uff23+2", "f\u00fcr \uff35\uff34\uff23+2.", "\uff35\uff34\uff23+2"),
    ("\uff35\uff34\uff23+2", "in UTC+2.", "UTC+2"),
    ("\uff35\uff34\uff23", "\uff35\uff34\uff23+2", None),
    ("UTC", "\u00e9 UTC+2 for all", None),
    ("GMT+5", "\u00e9 Etc/GMT+5", None),
    ("GMT+5", "Etc/GMT+5 \u00e9", None),
    ("UTC", "UTC+2 in Zulu time", "Zulu"),
    ("UTC" + " " * 9_997, "in Zulu time", "Zulu"),
    ("UTC" + " " * 9_998, "in Zulu time", None),
    ("Zulu", "+00:00 is it", "+00:00"),
    ("Zulu", "-0000 is it", "-0000"),
    ("UTC", "GMT", None),
    ("GMT", "Greenwich", "Greenwich"),
    ("Greenwich", "Etc/GMT-0", "Etc/GMT-0"),
    ("GMT", "the GMT zone", "GMT"),
    ("Greenwich", "in gmt", "gmt"),
    ("Greenwich", "in gmt+1", None),
    ("+02:00", "UTC+2", "UTC+2"),
    ("+02:00", "UTC +2 it is", "UTC +2"),
    ("+02:00", "UTC + 2 it is", "UTC + 2"),
    ("+02:00", "gmt+0200", "gmt+0200"),
    ("+02:00", "at 09:00+0200 sharp", "+0200"),
    ("+02:00", "at 09:00 +02:00 sharp", "+02:00"),
    ("UTC+2", "x+02:00", None),
    ("UTC+2", "UTC-2", None),
    ("UTC+2", "UTC+22", None),
    ("UTC+2", "UTC+2:30", None),
    ("UTC+2", "+0222", None),
    ("UTC+2", "+12:00", None),
    ("UTC+2", "+20:00", None),
    ("UTC+2", "2", None),
    ("UTC+2", "UTC+1, UTC+12, UTC+2", "UTC+2"),
    ("UTC+2", "+02:0, +0:02, +02:00", "+02:00"),
    ("UTC+12", "UTC+1, UTC+12:30, UTC+1200", "UTC+1200"),
    ("UTC+10", "UTC+1, UTC+01, UTC+10", "UTC+10"),
    ("UTC-4", "UTC\u22124", "UTC\u22124"),
    ("UTC-4", "\u221204:00", "\u221204:00"),
    ("UTC-4", "+4, UTC+4, \u2212 4, UTC \u2212 4", "UTC \u2212 4"),
    ("UTC-4", "UTC+4 and UTC-4", "UTC-4"),
    ("UTC+5:30", "IST is UTC+5:30", "UTC+5:30"),
    ("UTC+5:30", "IST is UTC+530", "UTC+530"),
    ("UTC+5:30", "IST is UTC+0530", "UTC+0530"),
    ("UTC+5:30", "IST is UTC+05:30", "UTC+05:30"),
    ("UTC+5:30", "IST is UTC+5", None),
    ("UTC+5:30", "UTC+53000", None),
    ("UTC-00:30", "UTC-0030", "UTC-0030"),
    ("Asia/Calcutta", "zone Asia/Kolkata.", "Asia/Kolkata"),
    ("Asia/Kolkata", "zone ASIA/CALCUTTA", "ASIA/CALCUTTA"),
    ("America/New_York", "it is US/Eastern time", "US/Eastern"),
    ("US/Eastern", "it is America/New_York", "America/New_York"),
    ("US/Eastern", "it is America/New_Yorks", None),
    ("US/Eastern", "EST", None),
    ("Asia/Tokyo", "Japan it is", "Japan"),
    ("Asia/Tokyo", "Japanese", None),
    ("Japan", "Asia/Tokyo/Shibuya", None),
    ("Japan", "Stra\u00dfe 7, Asia/Tokyo", "Asia/Tokyo"),
    ("Japan", "\ufb01ve o'clock, \uff21sia/Tokyo", "\uff21sia/Tokyo"),
    ("Japan", "Stra\u00dfe 7, Osaka", None),
    ("UTC+2", "Stra\u00dfe 7, UTC+2", "UTC+2"),
    ("UTC+2", "\u00df" * 30 + " UTC+2 and many more words stand behind it", "UTC+2"),
    ("Japan", f"{'Asia/Tokyos ' * 20}Asia/Tokyo", "Asia/Tokyo"),
    ("Japan", f"{'x' * 200} Asia/Tokyo", "Asia/Tokyo"),
    ("UTC+2", f"{'UTC+3 ' * 30}UTC+2", "UTC+2"),
    (None, "UTC", None),
    # an offset behind UTC or GMT makes another zone of it
    ("UTC", "the server is on UTC+2", None),
    ("UTC", "the server is on utc -05:00", None),
    ("UTC", "the server is on UTC + 2.", None),
    ("UTC", "the server is on UTC - 5.", None),
    ("UTC", "the server is on UTC\u22125", None),
    ("UTC", "the server is on UTC\u20135", None),
    ("UTC", "the server is on UTC+2h", None),
    ("UTC", "the server is on \uff35\uff34\uff23\uff0b\uff12", None),
    ("UTC", "the server is on UTC+5:30", None),
    ("UTC", "the server is on UTC+00:30", None),
    ("UTC", "the server is on UTC/GMT+2", None),
    ("UTC", "the server is on UTC/GMT +2", None),
    ("Zulu", "the server is on UTC+2h", None),
    ("GMT", "the server is on GMT+1", None),
    ("GMT", "the server is on GMT+1/+2", None),
    ("GMT", "the server is on Etc/GMT-5", None),
    ("Etc/GMT", "the server is on Etc/GMT-5", None),
    ("GMT+5", "the server is on Etc/GMT+5", None),
    ("+5", "the server is on Etc/GMT+5", None),
    ("Etc/GMT+5", "the server is on Etc/GMT+5", "Etc/GMT+5"),
    ("GMT+2", "the server is on UTC/GMT+2", "GMT+2"),
    ("+2", "the server is on UTC+2", "+2"),
    ("UTC", "the server is on UTC+2, I am on UTC.", "UTC"),
    ("UTC", "the server is on UTC+2, I am on utc.", "utc"),
    ("UTC", "\ufb01rst UTC+2, then \uff35\uff34\uff23.", "\uff35\uff34\uff23"),
    ("UTC", "\ufb01rst UTC+2, then UTC.", "UTC"),
    ("UTC", "UTC - the engineer", "UTC"),
    ("UTC", "by 17:00 UTC - 4 March", "UTC"),
    ("UTC", "09:00 UTC - 10:00", "UTC"),
    ("UTC", "from UTC-2027-03-04", "UTC"),
    ("UTC", "my zone is UTC\n+1 555 0100 is my number", "UTC"),
    ("UTC", "my zone is UTC\n-5 degrees", "UTC"),
    ("UTC", "UTC\u00a0+1", None),
    ("UTC", "my zone is UTC - 05:00", None),
    ("GMT", "my zone is GMT - 05:00", None),
    ("UTC", "9 a.m. UTC - 10:30", "UTC"),
    ("UTC", "9 am UTC - 10:30", "UTC"),
    ("GMT", "09:00 GMT - 10:30", "GMT"),
    ("Zulu", "my zone is UTC\n+1 555 0100 is my number", "UTC"),
    ("UTC+1", "my zone is UTC\n+1 555 0100 is my number", None),
    ("UTC", "UTC/GMT", "UTC"),
    ("GMT", "UTC/GMT", "GMT"),
    ("UTC", "UTC+0", "UTC"),
    ("UTC", "UTC+00:00", "UTC"),
    ("GMT", "GMT+0", "GMT"),
    ("GMT", "GMT-00:00: yes", "GMT"),
]


@pytest.mark.parametrize(("value", "text", "piece"), SEEN, ids=[f"{v} {text[-30:]}" for v, text, _ in SEEN])
def test_a_zone_is_seen_in_the_characters_that_name_it(value: Any, text: str, piece: str | None) -> None:
    assert seen("timezone", value, text) == piece


def test_every_zone_of_a_text_is_read_where_it_stands() -> None:
    text = "09:00Z in Asia/Calcutta, or UTC + 2 (EST)"
    found = [(text[start:end], spelt) for start, end, spelt in zones_in(text)]
    assert found == [
        ("Z", "+00:00"),
        ("in", "in"),
        ("Asia/Calcutta", "asia/kolkata"),
        ("or", "or"),
        ("UTC + 2", "+02:00"),
        ("EST", "est"),
    ]


NAMED = [
    "UTC", "utc+2", "UTC + 2", "GMT", "Etc/GMT-0", "Z", "9Z", "09:00Z", "+02:00", "09:00+0200", "\u22124", "UTC\u22124",
    "-0530", "US/Eastern", "America/New_York", "Japan", "+530", "+0", "UTC+12", "Zulu", "EST", "+00:00", "1Z",
]  # fmt: skip


ROUND = [
    ("", ""),
    ("x ", " y"),
    ("(", ")"),
    ("UTC ", ""),
    ("GMT+", ""),
    ("in ", "/x"),
    ("9", "9"),
    ("\n", "\n"),
    ("a/", ":"),
]


@pytest.mark.parametrize("name", NAMED)
def test_a_zone_that_is_looked_for_is_found_first_where_it_stands_first(name: str) -> None:
    for text in (f"{before}{name}{after}{more}" for before, after in ROUND for more in ("", f" {name}", " UTC+2 Z")):
        known = list(zones_in(text))
        for spelt in {found for _, _, found in known} | {"+02:00", "+00:00", "america/new_york"}:
            first = next((one for one in zones_like(spelt, Folded.same(text), text.lower()) if one[2] == spelt), None)
            assert first == next((one for one in known if one[2] == spelt), None), text
            assert first is None or may_name(spelt, text, text.lower()), text


@pytest.mark.parametrize(
    ("spelt", "text"),
    [
        ("+02:00", "nothing"),
        ("+02:00", "utc+3"),
        ("+02:00", "-1, +1, + 3"),
        ("+02:00", "+20"),
        ("+02:00", "+20000"),
        ("+02:00", "+2000000"),
        ("+00:00", "zone z"),
        ("+00:00", "utm"),
        ("gmt", "utc"),
        ("america/new_york", "america/chicago, us/central"),
        ("asia/tokyo", "asia, tokyo"),
    ],
)
def test_a_zone_that_a_text_names_nowhere_is_refused_at_a_glance(spelt: str, text: str) -> None:
    assert not may_name(spelt, text, text)
    assert list(zones_like(spelt, Folded.same(text), text)) == []


@pytest.mark.parametrize(
    ("spelt", "text", "passed_over"),
    [
        ("+02:00", "GMT EST PST UTC+2", ["GMT", "EST"]),
        ("asia/tokyo", "GMT EST PST CET Asia/Tokyo UTC", ["GMT", "EST", "UTC"]),
        ("+02:00", "UTC+3 UTC+4 UTC+5 UTC+6", ["UTC+3", "UTC+4", "UTC+5", "UTC+6"]),
        ("+02:00", "UTC+2 GMT EST PST CET UTC+2", ["GMT", "EST"]),
    ],
)
def test_zones_that_cannot_be_the_one_that_is_looked_for_are_passed_over(
    spelt: str, text: str, passed_over: list[str]
) -> None:
    read = [text[start:end] for start, end, _ in zones_like(spelt, Folded.same(text), text.lower())]
    assert not set(read) & set(passed_over)


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("UTC", "UTC+2, UTC", (7, 10, "exact")),
        ("UTC", "UTC+2, utc", (7, 10, "case-fold")),
        ("UTC", "UTC+2, \uff35\uff34\uff23", (7, 10, "unicode-form")),
        ("GMT+5", "Etc/GMT+5, GMT+5", (11, 16, "exact")),
        ("GMT+5", "Etc/GMT+5, UTC/GMT+5", (15, 20, "exact")),
        ("UTC", "UTC+2, UTC=9", (7, 10, "exact")),
        ("utc", "at UTC=9", (3, 6, "case-fold")),
        ("UTC+2", "at utc+2", (3, 8, "case-fold")),
    ],
)
def test_a_zone_beside_another_that_holds_its_name_keeps_its_form(
    value: str, text: str, found: tuple[int, int, str]
) -> None:
    assert find(a_probe(type="timezone"), value, Source(text)) == found
