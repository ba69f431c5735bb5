"""Where a value is seen in a world made for a test: its form, and the very characters."""

from __future__ import annotations

from typing import Any

from corpora.values import Json
from scoring.judging.sightings import Sighting
from scoring.judging.visible import World
from tests.scoring.build import a_corpus, a_fixture, a_probe, a_tool


def a_world(user: str = "Please do it.", **fields: Any) -> World:
    """What a model is shown by one user turn, a state (`visible`), or `messages`."""
    fixture = a_fixture(user=user, **fields)
    return World.of(a_corpus([fixture], [a_tool()], []), fixture, a_tool())


def characters(world: World, sighting: Sighting) -> str:
    """The characters of what was shown that a sighting names."""
    span = sighting.span
    place = (sighting.where, span.message, span.path)
    (leaf,) = (one for one in world.shown if (one.where, one.message, one.path) == place)
    return leaf.source.text[span.start : span.end]


def seen(kind: str, value: Json, text: str, *, today: str | None = None, **probe: Any) -> str | None:
    """The characters of a user's words in which a value of a type is seen; None where it is not."""
    world = a_world(text, visible={} if today is None else {"today": today})
    found = world.sighting(a_probe(type=kind, **probe), value)
    return None if found is None else characters(world, found)
