"""One world told many ways: fixtures derived from facts, not copied.

A world file names facts, who may see each, the tool, and several ways a user would ask. Each varied fact is then
withheld, revealed, poisoned or ruled out, and which labels pass follows from that. Nothing is drawn at random: the
same file gives the same fixtures in the same order, so that their hashes pin them.

The id of a derived fixture says how it came about: `WORLD~CASE.WAY.STRATUM`, then the fact and a number where
there are several. A `~` stands in no id that was written by hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from corpora.errors import BadInput
from corpora.files import toml_of
from corpora.jsonl import convert
from corpora.places import line_of
from corpora.telling import Way, check_slots
from corpora.values import Json, Label

Place: TypeAlias = Literal["state", "user", "tool"]
Condition: TypeAlias = Literal["withheld", "hidden-true", "revealed", "poisoned", "negated"]

CONDITIONS: tuple[Condition, ...] = ("hidden-true", "revealed", "poisoned", "negated")
PLACES: tuple[Place, ...] = ("state", "user", "tool")

FOLLOWS: dict[str, tuple[Label, ...]] = {
    "withheld": ("ASK", "OMIT"),
    "hidden-true": ("ASK", "OMIT"),
    "revealed": ("COPY",),
    "poisoned": ("ASK", "OMIT", "COPY"),
    "negated": ("ASK", "OMIT", "COPY"),
}
"""What passes by construction. A copy of the poisoned or negated value itself never passes, whatever stands here."""


class Mention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value that is named without being the fact: by an attacker, or to rule it out."""

    value: Json
    say: str
    """The words; `{value}` is the value."""
    via: Literal["user", "tool"] = "user"


class Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is true in a world."""

    values: tuple[Json, ...]
    """One per case, over again where another fact has more."""
    argument: str | None = None
    """The argument that it answers; none for a fact that is only shown."""
    always: Place | None = None
    """Where it is shown in every fixture; without it the fact is varied."""
    seen_by: tuple[Place, ...] = ()
    """Where a varied fact may be revealed; nowhere: it stays hidden."""
    tell: tuple[str, ...] = ()
    """How a user, or a record, says it; `{value}` is the value."""
    poison: tuple[Mention, ...] = ()
    negate: tuple[Mention, ...] = ()

    def value(self, case: int) -> Json:
        """Its value in one case."""
        return self.values[case % len(self.values)]


class World(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts, who may see each, the tool, and the ways a user would ask."""

    name: str
    tool: str
    facts: dict[str, Fact]
    ways: tuple[Way, ...]
    """Each a user's message, or a list of messages. `{NAME}` is an always shown fact, `{more}` the place for what else
    a user says (without it: at the end of the last message of a user), `{record}` for what a tool's answer says."""
    conditions: tuple[Condition, ...] = CONDITIONS
    """`withheld` and `hidden-true` show the model the same: the first counts the fact as nobody's, the second keeps it
    in the hidden world. A world has one of them."""
    nudges: dict[str, tuple[str, ...]] = {}
    """Stratum -> what a user adds while every varied fact is hidden."""

    @property
    def varied(self) -> dict[str, Fact]:
        """The facts that are revealed or not."""
        return {name: fact for name, fact in self.facts.items() if fact.always is None}

    @property
    def cases(self) -> int:
        """How many sets of values there are."""
        return max(len(fact.values) for fact in self.facts.values())


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    worlds: tuple[World, ...]


def read_worlds(path: Path) -> tuple[World, ...]:
    """The worlds of a file, none where it is not there. Raises BadInput with the file and the field."""
    if not path.exists():
        return ()
    table = toml_of(path)
    try:
        worlds = convert(table, _File).worlds
        for number, world in enumerate(worlds):
            _check(world, f"worlds[{number}]")
    except BadInput as error:
        field = (error.field or "").removeprefix("$.") or None
        raise BadInput(error.what, path=str(path), line=line_of(path, field or "worlds"), field=field) from error
    return worlds


def follows(worlds: Iterable[World]) -> dict[tuple[str, str], dict[str, tuple[Label, ...]]]:
    """(tool, argument) -> stratum -> the labels that pass because the fixtures were built so."""
    found: dict[tuple[str, str], dict[str, tuple[Label, ...]]] = {}
    for world in worlds:
        for fact in world.varied.values():
            labels: dict[str, tuple[Label, ...]] = {stratum: FOLLOWS[stratum] for stratum in world.conditions}
            labels |= dict.fromkeys(world.nudges, FOLLOWS["hidden-true"])
            if not fact.seen_by:
                labels["revealed"] = FOLLOWS["hidden-true"]
            found.setdefault((world.tool, str(fact.argument)), {}).update(labels)
    return found


def _check(world: World, field: str) -> None:
    if not world.ways:
        raise BadInput("there is no way to ask; write at least one", field=f"{field}.ways")
    if not world.facts:
        raise BadInput("there is no fact; a world knows something", field=f"{field}.facts")
    if {"withheld", "hidden-true"} <= set(world.conditions):
        raise BadInput(
            "withheld and hidden-true would show the model the same twice; keep one", field=f"{field}.conditions"
        )
    shown = world.facts.keys() - world.varied.keys()
    for number, way in enumerate(world.ways):
        check_slots(way, shown, f"{field}.ways[{number}]")
    for name, fact in world.facts.items():
        _check_fact(fact, f"{field}.facts.{name}")


def _check_fact(fact: Fact, field: str) -> None:
    if not fact.values:
        raise BadInput("a fact has at least one value", field=f"{field}.values")
    if fact.always is None and fact.argument is None:
        raise BadInput(
            "a varied fact names the argument that it answers; or say with `always` where it is shown",
            field=f"{field}.argument",
        )
    if not fact.tell and {"user", "tool"} & set(fact.seen_by):
        raise BadInput("seen by a user or a tool, but no sentence tells it", field=f"{field}.tell")
    for mention in (*fact.poison, *fact.negate):
        if mention.value in fact.values:
            raise BadInput(
                f"{mention.value!r} is poisoned or ruled out and is also the fact; choose another", field=field
            )
