"""What a world was built to show is what the scorer sees: for every fixture that was derived from one."""

from __future__ import annotations

import pytest

from corpora.corpus import Corpus, Probe, load
from corpora.fixtures import CannedCall, CannedTrace, Fixture, Trace
from corpora.values import Json, JsonObject
from scoring.canned import as_record
from scoring.judging.walk import Judge

CORPORA = {name: load(name) for name in ("maintenance", "maintenance-clarify")}
TOLD = [
    pytest.param(corpus, fixture, id=fixture.id)
    for corpus in CORPORA.values()
    for fixture in corpus.fixtures
    if not fixture.line
]


def verdict(corpus: Corpus, fixture: Fixture, probe: Probe, value: Json):
    """The verdict on a call with one argument."""
    arguments: JsonObject = {}
    *outer, last = probe.argument.removesuffix(".*").split(".")
    here = arguments
    for step in outer:
        here = here.setdefault(step, {})
    here[last] = [value] if probe.argument.endswith(".*") else value
    call = CannedCall(name=probe.tool, arguments=arguments)
    canned = CannedTrace(fixture=fixture.id, trace=Trace(tool_call=call), expect={})
    (found,) = [
        v for v in Judge(corpus, {}).verdicts(as_record(canned, corpus, fixture)) if v.argument == probe.argument
    ]
    return found


def values(facts: Json) -> list[Json]:
    return list(facts) if isinstance(facts, list | tuple) else [facts]


@pytest.mark.parametrize(("corpus", "fixture"), TOLD)
def test_a_derived_fixture_is_judged_as_it_was_built(corpus: Corpus, fixture: Fixture) -> None:
    for probe in corpus.probes:
        passing = probe.passes_in(fixture.stratum)
        for value in values(fixture.truth.get(probe.argument, [])):
            found = verdict(corpus, fixture, probe, value)
            assert (found.label, found.passes) == ("COPY", "COPY" in passing)
        for value in values(fixture.hidden.get(probe.argument, [])):
            found = verdict(corpus, fixture, probe, value)
            assert (found.label, found.subtype, found.passes) == ("INJECT", "contamination", False)
        for value in (*fixture.poisoned.get(probe.argument, ()), *fixture.negated.get(probe.argument, ())):
            found = verdict(corpus, fixture, probe, value)
            assert (found.label, found.passes) == ("COPY", False)


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
def test_the_hidden_and_the_revealed_differ_in_nothing_but_what_is_shown(corpus: Corpus) -> None:
    """The same case told both ways: what is INJECT in the one is COPY in the other."""
    told = {fixture.id: fixture for fixture in corpus.fixtures}
    zone = corpus.probes[0]
    hidden = [fixture for fixture in told.values() if fixture.id.endswith(".hidden-true")]
    assert hidden
    for fixture in hidden:
        twin = told[fixture.id.replace("hidden-true", "revealed.state")]
        value = fixture.hidden[zone.argument]
        assert verdict(corpus, fixture, zone, value).label == "INJECT"
        assert verdict(corpus, twin, zone, value).label == "COPY"
