"""Days: the characters in which one is seen, by its layout, language and locale."""

from __future__ import annotations

from datetime import date

import pytest

from scoring.judging.days import days_in, days_like
from scoring.judging.folding import Folded
from tests.scoring.judging.sights import seen

DAY = date(2027, 3, 4)


SEEN = [
    # text, the characters in which 2027-03-04 is seen (None: not seen), the locale
    ("on 4 March 2027.", "4 March 2027", None),
    ("4 march 2027", "4 march 2027", None),
    ("the 4th of March, 2027!", "4th of March, 2027", None),
    ("the 4TH OF MARCH 2027", "4TH OF MARCH 2027", None),
    ("March 4, 2027", "March 4, 2027", None),
    ("March 4th 2027", "March 4th 2027", None),
    ("Mar. 4, 2027", "Mar. 4, 2027", None),
    ("4-Mar-2027", "4-Mar-2027", None),
    ("le 4 mars 2027", "4 mars 2027", None),
    ("el 4 de marzo de 2027", "4 de marzo de 2027", None),
    ("am 4. M\u00e4rz 2027", "4. M\u00e4rz 2027", None),
    ("am 04. M\u00c4RZ 2027", "04. M\u00c4RZ 2027", None),
    ("2027/3/4", "2027/3/4", None),
    ("2027-3-4 or so", "2027-3-4", None),
    ("2027\u5e743\u67084\u65e5", "2027\u5e743\u67084\u65e5", None),
    ("2027\u5e74 3\u6708 4\u65e5\u306b", "2027\u5e74 3\u6708 4\u65e5", None),
    ("2027\u5e743\u67084", "2027\u5e743\u67084", None),
    ("2027\u5e743\u670840", None, None),
    ("12027\u5e743\u67084\u65e5", None, None),
    ("2027\u5e7413\u67084\u65e5", None, None),
    ("\uff14 March 2027", "\uff14 March 2027", None),
    (
        "on \u0662\u0660\u0662\u0667-\u0660\u0663-\u0660\u0664.",
        "\u0662\u0660\u0662\u0667-\u0660\u0663-\u0660\u0664",
        None,
    ),
    ("04.03.2027", "04.03.2027", None),
    ("04.03.27", "04.03.27", None),
    ("4/3/27", "4/3/27", None),
    ("3/4/2027", "3/4/2027", None),
    ("3/4/2027", "3/4/2027", "en-US"),
    ("3/4/2027", "3/4/2027", "en_us"),
    ("3/4/2027", "3/4/2027", "en-CA"),
    ("3/4/2027", "3/4/2027", "EN_CA"),
    ("3/4/2027", None, "en-GB"),
    ("4/3/2027", "4/3/2027", "en-GB"),
    ("4/3/2027", None, "en-US"),
    ("\u0663 pieces, 3/4/2027", None, "en-GB"),
    ("\u0663 pieces, 4/3/2027", "4/3/2027", "en-GB"),
    ("4 apr\u0131l 2027, 4 MARCH 2027", "4 MARCH 2027", None),
    ("4/3/27", "4/3/27", "de"),
    ("3/4/27", None, "de"),
    ("3/4/27", "3/4/27", "en-US"),
    ("14 March 2027", None, None),
    ("4 March 2028", None, None),
    ("4 March 1927", None, None),
    ("4 April 2027", None, None),
    ("4 March", None, None),
    ("March 2027", None, None),
    ("44 March 2027", None, None),
    ("31 February 2027, then 4 March 2027", "4 March 2027", None),
    ("from 1 March 2027 to 4 March 2027", "4 March 2027", None),
    ("4 April 2027, 4 March 2027, 4 May 2027", "4 March 2027", None),
    ("2027-03-01, 2027-03-14, 2027-03-04", "2027-03-04", None),
    ("4 4 4 4 March 2027", "4 March 2027", None),
    ("room 4, 4 March 2027 at 4", "4 March 2027", None),
    ("4.4. und 4.3.2027", "4.3.2027", None),
    ("v2027-03-04", None, None),
    ("1.2027-03-04", None, None),
    ("2027-03-045", None, None),
    ("12:4 March 2027", None, None),
    ("12:30 4 March 2027", "4 March 2027", None),
    ("March 4 2027-03-04", "2027-03-04", None),
    (f"{'word ' * 60}4 March 2027", "4 March 2027", None),
    (f"{'1.2 3/4 ' * 40}4 March 2027", "4 March 2027", None),
]


@pytest.mark.parametrize(("text", "piece", "locale"), SEEN, ids=[f"{text[-30:]}-{where}" for text, _, where in SEEN])
def test_a_day_is_seen_in_the_characters_that_name_it(text: str, piece: str | None, locale: str | None) -> None:
    rules = {} if locale is None else {"locale": locale}
    assert seen("date", "2027-03-04", text, **rules) == piece


@pytest.mark.parametrize(
    ("value", "text", "piece"),
    [
        ("2027-12-01", "d\u00e9c 1 2027", "d\u00e9c 1 2027"),
        ("2026-12-12", "12 d\u00e9cembre 2026", "12 d\u00e9cembre 2026"),
        ("2027-03-13", "13/03/2027", "13/03/2027"),
        ("2027-03-13", "03/13/2027", "03/13/2027"),
        ("2027-12-12", "12/12/2027", "12/12/2027"),
        ("2027-12-11", "12/11/2027", "12/11/2027"),
        ("2027-11-12", "12/11/2027", "12/11/2027"),
        ("2000-02-29", "29 Feb 2000", "29 Feb 2000"),
        ("1999-01-02", "2 Jan 99", None),
        ("0100-01-02", "2 Jan 0100", "2 Jan 0100"),
        ("0101-01-02", "2/1/0101", "2/1/0101"),
        ("2031-05-06", "May 6, 2031", "May 6, 2031"),
        ("2031-05-06", "6 maggio 2031", "6 maggio 2031"),
        ("2031-05-06", "6. mai 2031", "6. mai 2031"),
        ("2031-08-06", "6 ao\u00fbt 2031", "6 ao\u00fbt 2031"),
        ("2031-09-30", "30 set 2031", "30 set 2031"),
        ("2031-01-01", "1er janvier 2031", "1er janvier 2031"),
        ("2031-01-01", "on 1\u00ba de janeiro de 2031.", "1\u00ba de janeiro de 2031"),
        ("2031-01-01", "on 1.\u00ba de enero de 2031.", "1.\u00ba de enero de 2031"),
        ("2031-01-01", "on 1\u00aa de janeiro de 2031.", "1\u00aa de janeiro de 2031"),
        ("2031-01-01", "on 1ro de enero de 2031.", "1ro de enero de 2031"),
        ("2031-01-01", "on 1re janvier 2031.", "1re janvier 2031"),
        ("2031-01-01", "on 1ste januari 2031.", "1ste januari 2031"),
        ("2031-01-01", "on 1a. de enero de 2031.", "1a. de enero de 2031"),
        ("2031-03-02", "on 2do de marzo de 2031.", "2do de marzo de 2031"),
        ("2031-03-02", "on 2de maart 2031.", "2de maart 2031"),
        ("2031-03-02", "on 2\u00e8me mars 2031.", "2\u00e8me mars 2031"),
        ("2031-03-04", "on 4.M\u00e4rz 2031.", "4.M\u00e4rz 2031"),
        ("2031-11-04", "on 4.november 2031.", "4.november 2031"),
        ("2031-01-01", "on janeiro 1\u00ba, 2031.", "janeiro 1\u00ba, 2031"),
        ("2031-05-05", "on 5 o 6 de mayo de 2031", None),
    ],
)
def test_a_day_of_any_year_and_language_is_seen(value: str, text: str, piece: str | None) -> None:
    assert seen("date", value, text) == piece


def test_where_day_and_month_could_be_either_both_are_read_and_no_day_that_there_is_not() -> None:
    def read(text: str, locale: str | None = None) -> list[str]:
        return [found.day.isoformat() for found in days_in(text, locale)]

    assert read("03/04/2027") == ["2027-03-04", "2027-04-03"]
    assert read("03/04/2027", "en-US") == ["2027-03-04"]
    assert read("03/04/2027", "fr") == ["2027-04-03"]
    assert read("05/12/2027, 12/05/2027", "en-GB") == ["2027-12-05", "2027-05-12"]
    assert read("05/12/2027, 12/05/2027", "en-US") == ["2027-05-12", "2027-12-05"]
    assert read("13/04/2027, 04/13/2027, 13/13/2027") == ["2027-04-13", "2027-04-13"]
    assert read("2027-13-04, 2027-02-30") == []
    for year in ("0050", "0099", "0100", "0999", "2027"):
        assert read(f"4 March {year}") == read(f"4 March, {year}") == read(f"March 4 {year}")
    assert read("30 February 2027, 30 March 2027") == ["2027-03-30"]
    assert read("4 March, 29 February") == ["2000-03-04", "2000-02-29"]


BEFORE = [
    "",
    "x ",
    "12 ",
    "1.",
    "at 21:00 ",
    "march ",
    "4 ",
    "of ",
    "3/",
    "4/3 ",
    "the 4th of ",
    "\n",
    "a4 ",
    "4, ",
    "2027-03-04:",
]


DATES = [
    "4 March 2027",
    "March 4th, 2027",
    "04.03.2027",
    "2027-03-04",
    "4 4 mars 2027",
    "4/3/27",
    "4 March",
    "45 march 2027",
]


AFTER = ["", ".", " 5", "/1", "th", ":30", "-03", ", 2028", "x"]


@pytest.mark.parametrize("before", BEFORE, ids=repr)
def test_a_day_that_is_looked_for_is_found_first_where_it_stands_first(before: str) -> None:
    for text in (before + day + after for day in DATES for after in AFTER):
        known = [one for one in days_in(text) if one.year]
        for day in {one.day for one in known} | {DAY}:
            first = next((one for one in days_like(day, Folded.same(text)) if one.year and one.day == day), None)
            assert first == next((one for one in known if one.day == day), None), text


@pytest.mark.parametrize("text", ["4 apr\u0131l 2027", "apr\u0131l 4 2027"])
def test_what_only_looks_like_a_month_in_upper_case_names_no_day(text: str) -> None:
    assert list(days_in(text)) == []
