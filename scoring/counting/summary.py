"""Tallies to the contract's summary, every sum of it proved; a rate over strata cannot be built from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scoring.counting.figures import (
    PLANNED,
    Check,
    ClosedWorldProbe,
    MembershipProbe,
    Pins,
    Samples,
    Summary,
    check,
)
from scoring.counting.intervals import METHOD
from scoring.counting.labels import closed_world_checks, closed_world_probe
from scoring.counting.ledger import Ledger
from scoring.counting.membership import membership_checks, membership_probe

__all__ = ["Summary", "Tally"]


class Tally(Ledger):
    """Counts the samples of one study and says what they come to; see Ledger for what it is given."""

    def summary(self) -> Summary:
        """Everything that was counted, with the checks that prove it; `Summary.failed` is empty where all hold."""
        probes = tuple(
            membership_probe(self, probe, place)
            if probe.measure == "membership"
            else closed_world_probe(self, probe, place)
            for place, probe in enumerate(self.corpus.probes)
        )
        samples = _samples(self)
        return Summary(
            corpus=self.corpus.name,
            corpus_sha256=self.corpus.corpus_sha256,
            simulated=self.simulated,
            marks=self.marks,
            interval=METHOD,
            checks=tuple(_checks(self, samples, probes)),
            samples=samples,
            pins=_pins(self),
            probes=probes,
        )


def _samples(ledger: Ledger) -> Samples:
    states: Counter[str] = Counter()
    for fixture in ledger.fixtures:
        for outcome, count in ledger.tallies[fixture.id].outcomes.items():
            states[outcome.state] += count
    return Samples(
        planned=ledger.planned,
        recorded=states.total(),
        missing=ledger.missing(),
        ok=states.total() - states["errors"],
        errors=states["errors"],
        malformed=states["malformed"],
        reached=states["reached"],
        not_reached=states["not_reached"],
        independent_draws=sum(ledger.tallies[fixture.id].independent_draws() for fixture in ledger.fixtures),
    )


def _pins(ledger: Ledger) -> Pins:
    return Pins(
        request_model=tuple(ledger.request_models),
        response_models=tuple(ledger.response_models),
        system_fingerprints=tuple(ledger.fingerprints),
        moved=ledger.drifted,
    )


def _checks(
    ledger: Ledger, samples: Samples, probes: tuple[MembershipProbe | ClosedWorldProbe, ...]
) -> Iterator[Check]:
    corpus = ledger.corpus
    yield check("the strata add up to the corpus", sum(corpus.strata.values()), len(corpus.fixtures))
    each = ledger.samples_per_fixture
    drawn = None if each is None or ledger.planned is None else each * len(ledger.fixtures)
    yield check("samples = fixtures x samples per fixture", ledger.planned, drawn)
    planned = ledger.planned
    known = None if planned is None or each is None else samples.recorded + sum(1 for _ in ledger.all_missing())
    yield check(PLANNED, planned, known)
    parts = samples.reached + samples.malformed + samples.not_reached + samples.errors
    yield check("recorded = reached + malformed + not reached + errors", samples.recorded, parts)
    for figures in probes:
        if isinstance(figures, MembershipProbe):
            yield from membership_checks(figures)
        else:
            yield from closed_world_checks(figures)
        counted = sum(stratum.samples for stratum in figures.strata.values())
        yield check(
            f"{figures.tool}.{figures.argument}: recorded = the samples of the strata", samples.recorded, counted
        )
