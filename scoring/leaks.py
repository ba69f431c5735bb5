"""What a fixture shows and hides, by the scorer's own eyes.

A hidden value that shows makes its fixture wrong: a copy of it would be called contamination, or the other way round.
A value that is said to be shown, and is not, makes it wrong as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpora.checks import fixture_fault
from corpora.corpus import Corpus, Probe
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.values import Json
from scoring.judging.leaves import leaves
from scoring.judging.sightings import stands_in
from scoring.judging.texts import Source
from scoring.judging.visible import World, schema_sources


def faults(corpus: Corpus) -> Iterator[BadInput]:
    """Every hidden value that shows, and every answer, poison or ruled-out value that does not."""
    probes = {probe.argument: probe for probe in corpus.probes if probe.measure == "closed-world"}
    schemas = [source for tool in corpus.tools for source in schema_sources(tool)]
    for fixture in corpus.fixtures:
        scene = _Scene(corpus, fixture, schemas)
        for what, field in (*scene.leaks(probes), *scene.absences(probes), *scene.riddles(probes)):
            yield fixture_fault(corpus, fixture, what, field)


class _Scene:
    """One fixture as the scorer sees it."""

    def __init__(self, corpus: Corpus, fixture: Fixture, schemas: list[Source]) -> None:
        self.fixture = fixture
        self.schemas = schemas
        self.world = World.of(corpus, fixture, corpus.tools[0])  # a tool's own schema is not asked here: all are
        answers = tuple(fixture.returns.get(tool.name, tool.returns) for tool in corpus.tools)
        self.later = self.world.results(answers)

    def leaks(self, probes: dict[str, Probe]) -> Iterator[tuple[str, str]]:
        """Hidden values in what the model is shown."""
        for name, facts in self.fixture.hidden.items():
            probe = probes.get(name) or _plain(name)
            for _, value in leaves(facts):
                if where := self._place(probe, value):
                    what = f"the hidden {name} {value!r} can be seen in {where}"
                    yield f"{what}; take it out there, or take another hidden value", f"hidden.{name}"

    def absences(self, probes: dict[str, Probe]) -> Iterator[tuple[str, str]]:
        """Values that are there to be copied, or not to be copied, and cannot be seen."""
        fixture = self.fixture
        for field, facts in (("truth", fixture.truth), ("poisoned", fixture.poisoned), ("negated", fixture.negated)):
            for name in filter(probes.__contains__, facts):
                for _, value in leaves(facts[name]):
                    if self.world.sighting(probes[name], value, self.later) is None:
                        what = f"the {field} {name} {value!r} cannot be seen in any form that the scorer accepts"
                        yield f"{what}; write it where it can be seen, or take it out of {field}", f"{field}.{name}"

    def riddles(self, probes: dict[str, Probe]) -> Iterator[tuple[str, str]]:
        """Fields of which only a copy passes, without anything to copy."""
        stratum = self.fixture.stratum
        for name in probes:
            if name in self.fixture.truth or name in self.fixture.visible:
                continue
            if set(probes[name].passes_in(stratum)) == {"COPY"}:
                what = f"in {stratum} only a copy of {name} passes, and nothing says which value is there to copy"
                yield f"{what}; write it into truth", "truth"

    def _place(self, probe: Probe, value: Json) -> str | None:
        """Where a value can be seen, in words; None where it cannot."""
        seen = self.world.sighting(probe, value, self.later)
        if seen is not None:
            where = {"state": "the state", "user": "what the user says", "tool": "a tool's result"}[seen.where]
            return where if seen.form == "exact" else f"{where} ({seen.form})"
        for place, sources in (
            ("a tool's schema", self.schemas),
            ("the system text", [self.world.system]),
            ("the model's own earlier words", self.world.spoken),
        ):
            if stands_in(probe, value, sources):
                return place
        return None


def _plain(name: str) -> Probe:
    """A fact that no probe measures is compared as text."""
    return Probe(tool="", argument=name, measure="closed-world")
