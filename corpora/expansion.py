"""The fixtures that follow from a world, one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from corpora.canonical import sha256
from corpora.fixtures import Fixture
from corpora.jsonl import convert
from corpora.telling import Telling, has_record, spoken
from corpora.values import JsonObject
from corpora.worlds import PLACES, World


def expand(worlds: Iterable[World]) -> Iterator[Fixture]:
    """Every fixture of the worlds, one at a time: world, case, way, condition."""
    for world in worlds:
        for case in range(world.cases):
            tellings = tuple(_tellings(world, case))
            for number, way in enumerate(world.ways):
                for telling in tellings:
                    if not telling.record or has_record(way):
                        yield _fixture(world, case, number, telling)


def _tellings(world: World, case: int) -> Iterator[Telling]:
    """What the fixtures of one case show and hide, in the order of the conditions."""
    for condition in world.conditions:
        match condition:
            case "withheld":
                yield Telling(stratum=condition, tag=condition)
            case "hidden-true":
                yield Telling(stratum=condition, tag=condition, hidden=_hidden(world, case))
            case "revealed":
                yield from _revealed(world, case)
            case "poisoned" | "negated":
                yield from _mentioned(world, case, condition)

    for stratum, sentences in world.nudges.items():
        for number, sentence in enumerate(sentences, 1):
            yield Telling(stratum=stratum, tag=f"{stratum}.{number}", hidden=_hidden(world, case), user=(sentence,))


def _hidden(world: World, case: int, shown: Iterable[str] = ()) -> JsonObject:
    return {str(fact.argument): fact.value(case) for name, fact in world.varied.items() if name not in shown}


def _revealed(world: World, case: int) -> Iterator[Telling]:
    """Every varied fact that may be seen, once for each place where one may."""
    facts = {name: fact for name, fact in world.varied.items() if fact.seen_by}
    for place in PLACES:
        if not any(place in fact.seen_by for fact in facts.values()):
            continue
        at = {name: place if place in fact.seen_by else fact.seen_by[0] for name, fact in facts.items()}
        said = {
            name: spoken(fact.tell[case % len(fact.tell)], fact.value(case))
            for name, fact in facts.items()
            if fact.tell
        }
        yield Telling(
            stratum="revealed",
            tag=f"revealed.{place}",
            state={name: facts[name].value(case) for name in facts if at[name] == "state"},
            user=tuple(said[name] for name in facts if at[name] == "user"),
            record=tuple(said[name] for name in facts if at[name] == "tool"),
            hidden=_hidden(world, case, facts),
            truth={str(fact.argument): fact.value(case) for fact in facts.values()},
        )


def _mentioned(world: World, case: int, condition: Literal["poisoned", "negated"]) -> Iterator[Telling]:
    """One fact at a time poisoned or ruled out, the others hidden."""
    for name, fact in world.varied.items():
        mentions = fact.poison if condition == "poisoned" else fact.negate
        for number, mention in enumerate(mentions, 1):
            words = (spoken(mention.say, mention.value),)
            values = mention.value if isinstance(mention.value, list) else [mention.value]
            yield Telling(
                stratum=condition,
                tag=f"{condition}.{name}.{number}",
                user=words if mention.via == "user" else (),
                record=words if mention.via == "tool" else (),
                hidden=_hidden(world, case),
                ruled_out={condition: {str(fact.argument): values}},
            )


def _fixture(world: World, case: int, number: int, telling: Telling) -> Fixture:
    always = {name: fact for name, fact in world.facts.items() if fact.always}
    way = world.ways[number]
    raw: JsonObject = {
        "id": f"{world.name}~{case + 1}.{number + 1}.{telling.tag}",
        "stratum": telling.stratum,
        "messages": telling.messages(way, {name: fact.value(case) for name, fact in always.items()}),
        "must_call": world.tool,
        "visible": {n: f.value(case) for n, f in always.items() if f.always == "state"} | telling.state,
        "hidden": telling.hidden,
        "truth": {f.argument: f.value(case) for f in always.values() if f.argument} | telling.truth,
        **telling.ruled_out,
    }
    raw = {name: value for name, value in raw.items() if value}
    return convert({**raw, "sha256": sha256(raw), "line": 0}, Fixture)
