"""What a value says of a point in time, and the times of day that a text says."""

from __future__ import annotations

from datetime import date, time
from typing import Any

import pytest

from scoring.judging.clocks import says_time, times_in
from scoring.judging.days import days_in
from scoring.judging.folding import Folded
from scoring.judging.moments import Moment, moment

DAY = date(2027, 3, 4)


NINE = time(9)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2027-03-04", (DAY, None, None)),
        (" 2027-03-04 ", (DAY, None, None)),
        ("2027-03-04T09:00", (DAY, NINE, None)),
        ("2027-03-04 09:00:30", (DAY, time(9, 0, 30), None)),
        ("2027-03-04T09:05:30.5Z", (DAY, time(9, 5, 30), "+00:00")),
        ("2027-03-04T09:00:30,25+01:00", (DAY, time(9, 0, 30), "+01:00")),
        ("2027-03-04T09:00+0530", (DAY, NINE, "+05:30")),
        ("2027-03-04 09:00 Asia/Tokyo", (DAY, NINE, "asia/tokyo")),
        ("2027-03-04T23:59:59", (DAY, time(23, 59, 59), None)),
        ("2027-03-03T24:00", (DAY, time(0), None)),
        ("2027-03-03T24:00:00Z", (DAY, time(0), "+00:00")),
        ("3 March 2027, 24:00", (DAY, time(0), None)),
        ("2027-03-03T24:05:07", (DAY, time(0, 5, 7), None)),
        ("2027\u5e743\u67084\u65e5 \u6728\u66dc\u65e5 9:00", (DAY, NINE, None)),
        ("3 March, 24:00", (None, time(0), None)),
        ("24:00", (None, time(0), None)),
        ("2026-12-31T24:00", (date(2027, 1, 1), time(0), None)),
        ("9999-12-31T24:00", None),
        ("4 March 2027, midnight", (DAY, time(0), None)),
        ("2027-03-04T25:00", None),
        ("2027-03-04T09:60", None),
        ("2027-03-04T09:00:60", None),
        ("2027-02-31", None),
        ("2027-02-31T09:00", None),
        ("4 March 2027, 9:00", (DAY, NINE, None)),
        ("4 March 2027 9:00 UTC", (DAY, NINE, "+00:00")),
        ("4 March 2027 9:00Z", (DAY, NINE, "+00:00")),
        ("4 March 2027 9:00 Asia/Kolkata", (DAY, NINE, "asia/kolkata")),
        ("9:00 UTC, 4 March 2027", (DAY, NINE, "+00:00")),
        ("UTC, 4 March 2027 9:00", (DAY, NINE, "+00:00")),
        ("@ 4 March 2027,", (DAY, None, None)),
        ("4 March 2027T09:00:00", (DAY, NINE, None)),
        ("March 4, 2027 at 9:00 AM", (DAY, NINE, None)),
        ("March 4, 2027 at 9:00 AM UTC+2", (DAY, NINE, "+02:00")),
        ("am 4. M\u00e4rz 2027 um 9:00 Uhr", (DAY, NINE, None)),
        ("le 4 mars 2027 \u00c0 9h", (DAY, NINE, None)),
        ("4 de marzo de 2027 a las 9:00", (DAY, NINE, None)),
        ("4 marzo 2027 alle ore 9:00", (DAY, NINE, None)),
        ("4 de mar\u00e7o de 2027 \u00e0s 9:00 horas", (DAY, NINE, None)),
        ("op 4 maart 2027 om 9:00 uur", (DAY, NINE, None)),
        ("4.3.2027 - 9:00", (DAY, NINE, None)),
        ("9:00 o'clock on the 4th of March 2027.", (DAY, NINE, None)),
        ("4 March 2027 @ 9:00 a.m.", (DAY, NINE, None)),
        ("Thursday, 4 March 2027, 9:00", (DAY, NINE, None)),
        ("Thu 4 March 2027 9:00", (DAY, NINE, None)),
        ("Friday, 4 March 2027, 9:00", (DAY, NINE, "friday")),
        ("4 March 2027 9:00 EST", (DAY, NINE, "est")),
        ("4 March 2027 9:00 X", (DAY, NINE, "x")),
        ("TRT 4 March 2027 9:00", (DAY, NINE, "trt")),
        ("4 March 2027 9:00 (UTC)", (DAY, NINE, "+00:00")),
        ("4 March 2027 9:00 Europe/Berlin", (DAY, NINE, "europe/berlin")),
        ("4 March 2027 at 9:00 (America/New York)", (DAY, NINE, "america/new_york")),
        ("America/Argentina/Buenos_Aires, 4.3.2027, 9:00", (DAY, NINE, "america/argentina/buenos_aires")),
        ("2027-03-04T09:00:00 America/Port-au-Prince", (DAY, NINE, "america/port-au-prince")),
        ("2027-03-04T09:00:00[Europe/Berlin]", (DAY, NINE, "europe/berlin")),
        ("4 March 2027 - 9:00 - UTC - 5", (DAY, NINE, "-05:00")),
        ("4 March 2027 9:00 Etc/Greenwich", (DAY, NINE, "gmt")),
        ("4 March 2027 9:00 breakfast/lunch", None),
        ("4 March 2027 9:00 Europe/" + "x" * 42, (DAY, NINE, "europe/" + "x" * 42)),
        ("4 March 2027 9:00 Europe/" + "x" * 43, None),
        ("2027-03-04 at 09:00", (DAY, NINE, None)),
        ("2027-03-04 09:00 AM", (DAY, NINE, None)),
        ("2027-03-04 09:00 pm", (DAY, time(21), None)),
        ("2027-03-04 09:00 Uhr", (DAY, NINE, None)),
        ("2027-03-04 09:00 PMT", (DAY, NINE, "pmt")),
        ("9:00", (None, NINE, None)),
        ("noon", (None, time(12), None)),
        ("4 March", (None, None, None)),
        ("4 March 2027 or some later", None),
        ("hello", None),
        ("UTC", None),
        ("", None),
        (20270304, None),
        (None, None),
        (["2027-03-04"], None),
        (" " * 190 + "2027-03-04", (DAY, None, None)),
        (" " * 191 + "2027-03-04", None),
    ],
    ids=lambda one: repr(one)[-40:],
)
def test_a_value_says_a_day_a_time_and_a_zone_or_leaves_them_out(value: Any, said: Any) -> None:
    assert moment(value) == (None if said is None else Moment(*said))


CLOCKS = [
    # text, times of day that are said in it
    ("at 09:00", ["09:00:00"]),
    ("at 9:05:07", ["09:05:07"]),
    ("at 9:05:07.25 sharp", ["09:05:07"]),
    ("2027-03-04T21:05:06Z", ["21:05:06"]),
    ("2027-03-04T21:05", ["21:05:00"]),
    ("9am and 10 p.m.", ["09:00:00", "22:00:00"]),
    ("9:30 a. m., 9 p.\u00a0m.", ["09:30:00", "21:00:00"]),
    ("9:30 a meeting", ["09:30:00"]),
    ("9 p. moved", []),
    ("9:30 AM, 9:30 PM", ["09:30:00", "21:30:00"]),
    ("12 am or 12 pm", ["00:00:00", "12:00:00"]),
    ("12:30 am or 12:30 pm", ["00:30:00", "12:30:00"]),
    ("11 pm, 1 pm, 1 am", ["23:00:00", "13:00:00", "01:00:00"]),
    ("13:00 pm", ["13:00:00"]),
    ("13:00 am", ["13:00:00"]),
    ("\u0669 am or 10:30", ["09:00:00", "10:30:00"]),
    ("9 in the morning", ["09:00:00"]),
    ("9 in the afternoon", ["21:00:00"]),
    ("8 in the evening", ["20:00:00"]),
    ("10 at night", ["22:00:00"]),
    ("8 tonight", ["20:00:00"]),
    ("nine in the morning", ["09:00:00"]),
    ("Nine In The Evening", ["21:00:00"]),
    ("eleven o'clock", ["11:00:00"]),
    ("n\u0131ne o'clock, s\u0131x pm", []),  # the letter without its dot is an i in upper case only
    ("TWELVE o\u2019clock", ["12:00:00"]),
    ("five o'clock pm", ["17:00:00"]),
    ("twelve am", ["00:00:00"]),
    ("noon", ["12:00:00"]),
    ("Midday", ["12:00:00"]),
    ("midnight", ["00:00:00", "00:00:00.000001"]),
    ("MIDNIGHT", ["00:00:00", "00:00:00.000001"]),
    ("um 9 Uhr", ["09:00:00"]),
    ("um 9.30 Uhr", ["09:30:00"]),
    ("\u00e0 9h30", ["09:30:00"]),
    ("\u00e0 21 heures", ["21:00:00"]),
    ("9\u6642", ["09:00:00"]),
    # the halves of the day, in each language
    ("9 Uhr morgens, 9 Uhr abends", ["09:00:00", "21:00:00"]),
    ("9 am Abend, 9 am Morgen, 3 Uhr am Nachmittag", ["21:00:00", "09:00:00", "15:00:00"]),
    ("10:30 vormittags, 2:30 nachmittags, 12 Uhr mittags", ["10:30:00", "14:30:00", "12:00:00"]),
    (
        "2 Uhr nachts, 11 Uhr nachts, 12 Uhr nachts, 6 nachts, 13 Uhr nachts",
        ["02:00:00", "23:00:00", "00:00:00", "18:00:00", "13:00:00"],
    ),
    ("9 du matin, 9 heures du soir, 2h30 de l'apr\u00e8s-midi", ["09:00:00", "21:00:00", "14:30:00"]),
    ("a las 9 de la ma\u00f1ana, a las 9 de la noche", ["09:00:00", "21:00:00"]),
    ("3 de la madrugada, 2:30 de la tarde, 9 horas", ["03:00:00", "14:30:00", "09:00:00"]),
    ("9 da manh\u00e3, 3 da tarde, 10 da noite", ["09:00:00", "15:00:00", "22:00:00"]),
    (
        "9 di mattina, 9 del mattino, 3 del pomeriggio, 8 di sera, 2 di notte",
        ["09:00:00", "09:00:00", "15:00:00", "20:00:00", "02:00:00"],
    ),
    (
        "9 uur, 9.30 uur, 9 uur 's avonds, 9 uur \u2019s ochtends, 2:15 's middags",
        ["09:00:00", "09:30:00", "21:00:00", "09:00:00", "14:15:00"],
    ),
    ("\u5348\u5f8c2\u664230\u5206", ["14:30:00"]),
    ("\u5348\u524d 9\u6642", ["09:00:00"]),
    ("3\u67084\u65e514\u664205\u5206", ["14:05:00"]),
    ("\u5348\u5f8c2:30\u3001\u5348\u524d0:15", ["14:30:00", "00:15:00"]),
    ("2\u6642\u534a", ["02:30:00"]),
    ("\u6ce8\u6587\u306e\u914d\u9054\u306f\u5348\u5f8c 9\u664230\u5206", ["21:30:00"]),
    ("\u6ce8\u6587\u306e\u914d\u9054\u306f\u5348\u5f8c9:30", ["21:30:00"]),
    ("x9:30\u3001x10\u6642\u300111\u6642", ["11:00:00"]),
    ("2\u66425\u5206", ["02:05:00"]),
    ("2\u664275\u5206", ["02:00:00"]),
    ("9 Uhrwerke, 9 horasc", []),
    ("24:00", ["00:00:00.000001"]),
    ("24:59", ["00:59:00.000001"]),
    ("25:00", []),
    ("9:60", []),
    ("9", []),
    ("nine", []),
    ("3.9:00", []),
    ("x9:00", []),
    ("9:000", []),
]


@pytest.mark.parametrize(("text", "times"), CLOCKS, ids=[text for text, _ in CLOCKS])
def test_the_times_of_day_of_a_text_are_those_that_it_says(text: str, times: list[str]) -> None:
    assert [found.time.isoformat() for found in times_in(text)] == times
    said = set(map(time.fromisoformat, times))
    asked = said | {time(hour, minute) for hour in range(24) for minute in (0, 30)}
    assert {one for one in asked if says_time(one, Folded.same(text))} == said


def test_a_time_of_day_stands_where_its_characters_do() -> None:
    found = list(times_in("from 9:30 am to noon"))
    assert [(one.start, one.end) for one in found] == [(5, 12), (16, 20)]
    assert [(one.start, one.end, one.year) for one in days_in("4 March to 5 March 2027")] == [
        (0, 7, False),
        (11, 23, True),
    ]


def test_a_time_of_day_in_japanese_stands_with_its_half_of_the_day() -> None:
    assert [(one.start, one.end) for one in times_in("x \u5348\u5f8c2\u664230\u5206 y")] == [(2, 9)]


def test_an_hour_in_words_is_said_in_any_case_beside_any_letters() -> None:
    assert says_time(NINE, Folded.same("\u00e0 Nine am"))
