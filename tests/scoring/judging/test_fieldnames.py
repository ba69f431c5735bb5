"""How a sentence may speak of a field: by declared names, its own name, its type, and failing that its description."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scoring.judging.fieldnames import field_names
from tests.scoring.build import a_probe, a_tool


def named(argument: str, sentence: str, properties: dict[str, Any] | None = None, **probe: Any) -> str | None:
    """The words by which a sentence names the argument of a tool that has these properties."""
    tool = a_tool(properties={argument: {}} if properties is None else properties)
    found = field_names(a_probe(argument, **probe), tool).found(sentence)
    return None if found is None else found.group()


DECLARED = {"ask": ["a declared name"]}
"""With it neither description nor single words of the name count."""


@pytest.mark.parametrize(
    ("argument", "sentence", "name"),
    [
        pytest.param("alarm_sound", "Which alarm sound?", "alarm sound", id="its words"),
        pytest.param("alarm_sound", "Set ALARM_SOUND.", "ALARM_SOUND", id="as it is written, whatever the case"),
        pytest.param("alarm_sound", "The alarm-sound?", "alarm-sound", id="with a hyphen"),
        pytest.param("alarm-sound", "The alarm sound?", "alarm sound", id="a name with a hyphen"),
        pytest.param("alarmSound", "The alarm sound?", "alarm sound", id="camel case"),
        pytest.param("newHTTPHost", "Which new http host?", "new http host", id="camel case after capitals"),
        pytest.param("alarm2Sound", "The alarm2 sound?", "alarm2 sound", id="camel case after a digit"),
        pytest.param("alarms[].sound", "Which sound?", "sound", id="within a list"),
        pytest.param("alarms.*.sound", "Which sound?", "sound", id="within each"),
        pytest.param("alarms.*", "Which alarms?", "alarms", id="each of a list"),
        pytest.param("fee[]", "Which fee?", "fee", id="a list"),
        pytest.param("room.alarm", "Which room?", None, id="what it stands in is no name of it"),
        pytest.param("alarm_sound", "All alarm sounds?", "alarm sounds", id="a plural"),
        pytest.param("alarm_sound", "The alarm   sound?", "alarm   sound", id="with more blanks"),
        pytest.param("alarm_sound", "A wonderalarm sound?", None, id="no part of a word before"),
        pytest.param("alarm_fee", "An alarm feed?", None, id="no part of a word after"),
        pytest.param("alarm_sound", "Which sound has the alarm?", "sound", id="its words apart, the first of them"),
        pytest.param("alarm-sound", "Which sound has the alarm?", "sound", id="apart, and joined by a hyphen"),
        pytest.param("alarm_sound", "Which alarm?", None, id="one of two words"),
        pytest.param("date_id", "Which date?", None, id="one of two words that say nothing"),
        pytest.param("alarm_date", "What date is the alarm?", "date", id="a date and its word"),
        pytest.param("alarm_date", "Which alarm?", None, id="its word without the date"),
        pytest.param("alarm_time", "At what time is the alarm?", "time", id="a time and its word"),
        pytest.param("alarm_time", "Which alarm?", None, id="its word without the time"),
        pytest.param("alarm_name", "What is the name of the alarm?", "name", id="a name and its word"),
        pytest.param("alarm_name", "Which alarm?", None, id="its word without the name"),
        pytest.param("alarm_type", "Which type of alarm?", "type", id="a type and its word"),
        pytest.param("alarm_type", "Which alarm?", None, id="its word without the type"),
        pytest.param("alarm_value", "Which alarm?", "alarm", id="a word that says nothing need not stand"),
        pytest.param("id", "What is it?", None, id="nothing but such a word"),
        pytest.param("id", "What id?", "id", id="such a word itself"),
        pytest.param("alarm_sound", "Give a declared name.", "a declared name", id="a declared name"),
        pytest.param("alarm_sound", "All A Declared NAMES", "A Declared NAMES", id="a declared name in the plural"),
    ],
)
def test_a_field_with_declared_names_is_named_by_them_and_by_all_words_of_its_own(
    argument: str, sentence: str, name: str | None
) -> None:
    assert named(argument, sentence, **DECLARED) == name


@pytest.mark.parametrize("ending", ["id", "number", "code", "no", "identifier"])
@pytest.mark.parametrize("word", ["id", "ID", "number", "no.", "identifier", "code", "reference"])
def test_an_identifier_is_named_by_any_word_for_one(ending: str, word: str) -> None:
    assert named(f"my_order_{ending}", f"Which my order {word}?", **DECLARED) == f"my order {word}"
    assert named(f"order_{ending}", f"Which order {word}?", **DECLARED) == f"order {word}"


@pytest.mark.parametrize("argument", ["order_kind", "id", "number"])
def test_what_is_no_identifier_of_something_is_not(argument: str) -> None:
    assert named(argument, "Which order reference?", **DECLARED) is None
    assert named(argument, "Which reference?", **DECLARED) is None


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        pytest.param("The big alarm bell?", "big alarm bell", id="the longest of two that begin alike"),
        pytest.param("The big alarm?", "big alarm", id="the shorter one"),
        pytest.param("Die Alarmen?", "Alarmen", id="a German plural"),
        pytest.param("Die Glocken?", "Glocken", id="a German plural of one letter"),
        pytest.param("The c++ level?", "c++ level", id="characters that mean something in a pattern"),
        pytest.param("What is \u97f3\u91cf\u3067\u3059\u304b", "\u97f3\u91cf", id="within a script without blanks"),
        pytest.param("\u97f3\u91cfs", "\u97f3\u91cf", id="no plural in a script without blanks"),
        pytest.param("Which ring_tone?", "ring_tone", id="written as one name"),
        pytest.param("\u4f55\u756a\u3067\u3059\u304b", "\u756a", id="one letter of such a script"),
        pytest.param("a\u2e80b", "\u2e80", id="the first letter of such scripts"),
        pytest.param("ax\u97f3", None, id="a name that begins in a script with blanks"),
        pytest.param("Nothing of it.", None, id="none of them"),
    ],
)
def test_each_declared_name_is_one(sentence: str, name: str | None) -> None:
    declared = [
        "big alarm",
        "big alarm bell",
        "",
        "Alarm",
        "Glocke",
        "c++ level",
        "\u97f3\u91cf",
        "ring tone",
        "x\u97f3",
        "\u756a",
        "\u2e80",
    ]
    assert named("sound", sentence, ask=declared) == name


@pytest.mark.parametrize(
    ("kind", "sentence", "name"),
    [
        pytest.param("timezone", "Which Zeitzone?", "Zeitzone", id="the word for a zone"),
        pytest.param("timezone", "Which tijdzone?", "tijdzone", id="the second line of its words"),
        pytest.param("timezone", "The fuseau horaire?", "fuseau horaire", id="two words for it"),
        pytest.param("date", "What day is it?", "What day", id="the words for a date"),
        pytest.param("datetime", "Quand?", "Quand", id="the words for a time"),
        pytest.param("money", "Quanto costa?", "Quanto", id="the words for money"),
        pytest.param("text", "Which day, zone and amount?", None, id="a text has none"),
        pytest.param("timezone", "Where did you describe it?", None, id="the description does not count beside them"),
    ],
)
def test_the_words_for_a_type_name_a_field_of_it(kind: str, sentence: str, name: str | None) -> None:
    assert named("xyz", sentence, {"xyz": {"description": "Described"}}, type=kind) == name


PROPERTIES = {
    "startPlace": {"description": "Airport that the TRIP begins at, in its own code xy, which must not be None"},
    "endPlace": {"description": "Harbour"},
    "seat_class": {},
    "count2": {"description": 7},
    "odd": True,
    "ring_value": {},
    "id": {"description": "Membership"},
    "until_date": {},
    "date": {},
    "city": {},
    "venue": {"description": "Some city"},
}


@pytest.mark.parametrize(
    ("argument", "sentence", "name"),
    [
        pytest.param("startPlace", "Which airport?", "airport", id="a word of its description"),
        pytest.param("startPlace", "Which trip?", "trip", id="such a word in another case"),
        pytest.param("startPlace", "Which code?", "code", id="such a word of four letters"),
        pytest.param("startPlace", "Which xy, its own?", None, id="none of three letters"),
        pytest.param("startPlace", "Which must that be?", None, id="no word that stands in any description"),
        pytest.param("startPlace", "Which harbour?", None, id="no word of another description"),
        pytest.param("startPlace", "When do we start?", "When", id="the first of its words"),
        pytest.param("startPlace", "To start?", "start", id="a word of its name"),
        pytest.param("startPlace", "When?", "When", id="another word for a word of its name"),
        pytest.param("startPlace", "Begin?", "Begin", id="one more"),
        pytest.param("startPlace", "A place?", None, id="no word that it shares with another argument"),
        pytest.param("startPlace", "Which location?", None, id="another word for a shared one is none"),
        pytest.param("startPlace", "At the end?", None, id="a word of another name"),
        pytest.param("startPlace", "Which class?", None, id="a word of another name with an underline"),
        pytest.param("seat_class", "Which seat?", "seat", id="of a field without description"),
        pytest.param("seat_class", "Which classes?", "classes", id="its plural"),
        pytest.param("count2", "How many?", None, id="a description that is no text"),
        pytest.param("odd", "An odd one?", "odd", id="a property that is no schema"),
        pytest.param("id", "Which membership?", "membership", id="a name that says nothing, by its description"),
        pytest.param("id", "The id?", "id", id="and by itself"),
        pytest.param("ring_value", "Which value?", None, id="a word of its name that says nothing"),
        pytest.param("until_date", "Until then?", "Until", id="what says something in its name"),
        pytest.param("until_date", "Which day?", None, id="not the words for what it shares with others"),
        pytest.param("date", "Which day?", "day", id="all of whose words are shared"),
        pytest.param("venue", "Which city?", None, id="no word of its description that is another argument"),
        pytest.param("city", "Which town?", "town", id="a town for a city"),
        pytest.param("absent", "What is absent?", "absent", id="a property that the tool does not have"),
    ],
)
def test_a_field_without_declared_names_is_named_by_what_only_it_is_called(
    argument: str, sentence: str, name: str | None
) -> None:
    assert named(argument, sentence, PROPERTIES) == name


NESTED = {
    "city": {},
    "trip": {
        "description": "Journey",
        "properties": {
            "venue": {"description": "Some harbour or city"},
            "berth": {"description": "Harbour"},
            "stops": {
                "description": "Halts",
                "items": {
                    "description": "Junction",
                    "properties": {"platform": {"description": "Track"}, "track": {}},
                },
            },
        },
    },
    "stops": {"description": "Interruptions"},
    "many": {"items": [{"description": "Tuple"}], "description": "Plenty"},
    "odd": {"properties": ["description"], "items": 3},
}


@pytest.mark.parametrize(
    ("argument", "sentence", "name"),
    [
        pytest.param("trip.venue", "Which harbour?", "harbour", id="a word of its description"),
        pytest.param("trip.venue", "Which city?", None, id="no word of the name of an argument further out"),
        pytest.param("trip.venue", "Which berth?", None, id="no word of the name of one beside it"),
        pytest.param("trip.venue", "Which journey?", None, id="no word of what it stands in"),
        pytest.param("trip.berth", "Which harbour?", "harbour", id="a word of another description, too"),
        pytest.param("trip.stops.*.platform", "Which junction?", None, id="no word of the items that it stands in"),
        pytest.param("trip.stops.*.platform", "Which track?", None, id="no word of a name beside it in an item"),
        pytest.param("trip.stops.*", "Which junction?", "junction", id="what describes the items of an array"),
        pytest.param("trip.stops[]", "Which junction?", "junction", id="the same, written another way"),
        pytest.param("trip.stops.*", "Which halts?", "halts", id="what describes the array, too"),
        pytest.param("trip.stops.*", "Which interruptions?", None, id="not what describes a namesake"),
        pytest.param("many.*", "Plenty?", "Plenty", id="an array whose items have no one schema"),
        pytest.param("many.*", "A tuple?", None, id="and none of those"),
        pytest.param("odd.description", "Which one?", None, id="no properties that are no object"),
        pytest.param("odd.*.x", "Which one?", None, id="no items that are no schema"),
        pytest.param("*.x", "Which one?", None, id="items of what is no array"),
        pytest.param("nowhere.at.all", "Which one?", None, id="a path that leads nowhere"),
    ],
)
def test_a_nested_argument_is_described_where_it_stands(argument: str, sentence: str, name: str | None) -> None:
    assert named(argument, sentence, NESTED) == name


def test_a_tool_without_properties_names_its_field_all_the_same() -> None:
    tool = a_tool()
    for parameters in ({}, {"properties": None}):
        names = field_names(a_probe("alarm"), msgspec.structs.replace(tool, parameters=parameters))
        assert names.found("Which alarm?") is not None


@pytest.mark.parametrize(
    ("argument", "word", "alike"),
    [
        ("deliver", "delivery", True),
        ("arrive", "arrival", True),
        ("deliver", "deliveries", True),
        ("departure", "departing", False),
        ("city", "cities", False),
        ("box", "boxes", True),
        ("boxes", "box", True),
        ("hat", "hats", True),
        ("by", "bys", False),
        ("organ", "organizer", True),
        ("organ", "organizers", False),
        ("organ", "organ", True),
        ("crea", "creat", False),
        ("create", "creation", True),
        ("compare", "companion", False),
        ("alarm", "alarum", False),
        ("seat", "seated", False),
    ],
)
def test_a_word_with_another_ending_is_the_same_word(argument: str, word: str, alike: bool) -> None:
    assert named(f"zzz_{argument}", f"Which {word.upper()} then?", {}) == (word.upper() if alike else None)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Which sound should I set for your alarm? The sound of that alarm.", "sound"),
        ("Which alarm? Its sound? That alarm?", "alarm"),
        ("Alarms and sounds, an alarmed sound", "Alarms"),
        ("ALARM and sound, alarm", "ALARM"),
    ],
)
@pytest.mark.parametrize("probe", [DECLARED, {}], ids=["all words", "one word"])
def test_the_first_name_in_a_sentence_is_found(sentence: str, name: str, probe: dict[str, Any]) -> None:
    assert named("sound_alarm", sentence, **probe) == name


@pytest.mark.parametrize("seed", ["0", "1", "6", "7"])
def test_a_reply_is_judged_alike_in_every_process(seed: str) -> None:
    """Sets of words have another order in every process; no verdict may hang on it."""
    program = (
        "from tests.scoring.judging.test_fieldnames import named, DECLARED\n"
        "print(named('alarm_sound', 'Which sound should I set for your alarm?', **DECLARED))\n"
        "print(named('xyz', 'A red, green or blue one?', {'xyz': {'description': 'blue green reds'}}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == ["sound", "red"]


def test_only_a_type_that_other_facts_settle_has_them() -> None:
    names = field_names(a_probe("tz", type="timezone"), a_tool())
    assert names.proxies is not None
    assert names.proxies.search("In which CITY is it?") is not None
    assert field_names(a_probe("tz"), a_tool()).proxies is None
