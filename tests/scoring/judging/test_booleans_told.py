"""Yes and no in a text: told behind the field's own name, in the very word that says it."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.values import Json
from scoring.judging.sightings import look, look_closely
from tests.scoring.build import a_probe
from tests.scoring.judging.sights import a_world, characters

TOLD = [
    # argument, value, text, the word that tells it
    ("notify", True, "notify: yes", "yes"),
    ("notify", True, "Please set Notify = TRUE.", "TRUE"),
    ("notify", True, "notify on", "on"),
    ("notify", True, "notify is enabled", "enabled"),
    ("notify", False, "notify: no", "no"),
    ("notify", False, "so notify to off", "off"),
    ("notify", False, "notify: yes", None),
    ("notify", True, "notify: no", None),
    ("notify", True, "notify them, and notify: yes", "yes"),
    ("notify", True, "notify: yes, then notify them", "yes"),
    ("notify", True, "renotify: yes", None),
    ("notify", True, "renotify: no, notify: yes", "yes"),
    ("notify", True, "notify: yesterday", None),
    ("notify", True, "yes", None),
    ("notify", True, "", None),
    ("notify", True, "notify m\u00ef? notify: ja", "ja"),
    ("notify", True, "\u00ab notify: oui \u00bb", "oui"),
    ("notify", False, "notify: n\u00e3o", "n\u00e3o"),
    ("notify", True, "notify: \u306f\u3044", "\u306f\u3044"),
    ("notify_me", True, "notify_me: yes", "yes"),
    ("notify_me", True, "Notify me: yes", "yes"),
    ("notify_me", True, "notify-me: yes", "yes"),
    ("notify_me", True, "notifyme yes", "yes"),
    ("notify_me", True, "notify: yes", None),
    ("notify me", False, "notify_me: off", "off"),
    ("opts.notify", True, "notify: yes", "yes"),
    ("opts.notify", True, "opts: yes", None),
    ("a.b.notify", False, "notify: off", "off"),
    ("a+b", True, "a+b: yes", "yes"),
    ("a+b", True, "aab: yes", None),
]


@pytest.mark.parametrize(("argument", "value", "text", "word"), TOLD, ids=[f"{a} {v} {t!a}" for a, v, t, _ in TOLD])
def test_a_text_says_yes_or_no_behind_the_name_of_the_field(
    argument: str, value: bool, text: str, word: str | None
) -> None:
    world, probe = a_world(text), a_probe(argument, type="boolean")
    found = world.sighting(probe, value)
    assert (found and characters(world, found)) == word
    assert found is None or found.form == "equivalent-format"
    assert look_closely(probe, value, world.shown) == look(probe, value, world.view) == found


@pytest.mark.parametrize("kind", ["text", "enum", "number", "id"])
def test_only_a_boolean_is_told_by_yes_and_no(kind: str) -> None:
    assert a_world("value: yes").sighting(a_probe(type=kind), True) is None


@pytest.mark.parametrize(
    ("argument", "value", "state", "path"),
    [
        ("value", True, {"value": True}, "value"),
        ("value", True, {"Value": True}, "Value"),
        ("value", True, {"a": {"value": True}}, "a.value"),
        ("value", True, {"value": {"a": True}}, None),
        ("value", True, {"a": True, "b": 1}, None),
        ("value", True, {"a": [1, 2.5, {"b": False, "VALUE": True}]}, "a[2].VALUE"),
        ("value", False, {"value": True, "a": {"value": False}}, "a.value"),
        ("a.value", True, {"value": True}, "value"),
        ("a.value", True, {"a.value": True}, "a.value"),
        ("value", True, {"note": "value: yes", "value": False}, "note"),
        ("value", True, {"note": "value: yes", "value": True}, "value"),
        ("value", True, {"note": "value: yes\x00", "x": "value: no", "value": False}, "note"),
    ],
)
def test_a_true_or_false_that_was_shown_speaks_for_the_field_of_its_own_name(
    argument: str, value: bool, state: dict[str, Json], path: str | None
) -> None:
    found = a_world(visible=state).sighting(a_probe(argument, type="boolean"), value)
    assert (found and found.span.path) == path


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("not UTC", True),
        ("NOT UTC", True),
        ("never ever use UTC", True),
        ("anything but UTC", True),
        ("anything but the big UTC", True),
        ("anything but the bigger UTC", False),
        ("no, use UTC", False),
        ("not so very much UTC", False),
        ("nothing UTC", False),
        ("cannot UTC", False),
        ('never use ("UTC")', True),
        ("don't use UTC", True),
        ("kein UTC", True),
        ("UTC, not", False),
        ("UTC", False),
        (f"not{' ' * 27}UTC", True),
        (f"not{' ' * 28}UTC", False),
        (f"{'x' * 40} not UTC", True),
        ("\u00e0 NOT UTC", True),
        ("N\u00c3O UTC", True),
        ("\u00e0 nothing UTC", False),
        ("\u306eno UTC", False),
        ("n\u0131e UTC", True),
        ("N\u0130E UTC", True),
        ("in\u017ftead of UTC", True),
        ("\u0131 nothing UTC", False),
    ],
)
def test_the_words_before_a_value_rule_it_out(text: str, negated: bool) -> None:
    found = a_world(text).sighting(a_probe(type="timezone"), "UTC")
    assert found is not None
    assert found.negated is negated


def test_a_name_in_a_state_is_no_value_and_a_value_in_a_list_has_its_place() -> None:
    state: dict[str, Any] = {"names": {"red": "blue"}, "list": [["a"], {"b": ["c", "green"]}]}
    world, probe = a_world(visible=state), a_probe()
    assert world.sighting(probe, "red") is None
    found = world.sighting(probe, "green")
    assert found is not None
    assert (found.where, found.span.path, characters(world, found)) == ("state", "list[1].b[1]", "green")
