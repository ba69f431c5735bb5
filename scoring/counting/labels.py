"""The figures of a closed-world probe: labels per stratum, and the sums that must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import get_args

from corpora.corpus import Probe
from corpora.values import Label
from scoring.counting.figures import Check, ClosedWorldProbe, ClosedWorldStratum, Share, check
from scoring.counting.intervals import Cluster, interval, rate, share
from scoring.counting.ledger import Ledger
from scoring.counting.outcomes import WorldOutcome
from scoring.counting.samples import FixtureTally

SUBTYPES = ("contamination", "schema", "assistant", "invention")


class _Fixture:
    """One fixture's part of a probe."""

    def __init__(self, tally: FixtureTally, place: int) -> None:
        self.parts: Counter[WorldOutcome] = Counter()
        self.draws = tally.independent_draws()
        for outcome, count in tally.outcomes.items():
            part = outcome.probes[place]
            assert isinstance(part, WorldOutcome)  # noqa: S101 - the place is a closed-world probe's
            self.parts[part] += count

    def share(self, counts: Callable[[WorldOutcome], bool]) -> Cluster:
        """Samples that count, of those with a label."""
        labelled = {part: n for part, n in self.parts.items() if part.label is not None}
        return sum(n for part, n in labelled.items() if counts(part)), sum(labelled.values())

    def not_passing(self) -> Cluster:
        """Samples that do not pass, of those with a label."""
        return self.share(lambda part: not part.passes)


def closed_world_probe(ledger: Ledger, probe: Probe, place: int) -> ClosedWorldProbe:
    """All figures of one closed-world probe, strata in the corpus's order."""
    strata: dict[str, list[_Fixture]] = {name: [] for name in ledger.corpus.strata}
    for fixture in ledger.fixtures:
        strata[fixture.stratum].append(_Fixture(ledger.tallies[fixture.id], place))
    return ClosedWorldProbe(
        tool=probe.tool,
        argument=probe.argument,
        strata={name: _stratum(group) for name, group in strata.items()},
    )


def _stratum(group: list[_Fixture]) -> ClosedWorldStratum:
    parts = sum((found.parts for found in group), Counter[WorldOutcome]())
    clusters = [found.not_passing() for found in group]
    states, labels, subtypes = Counter[str](), Counter[str | None](), Counter[str | None]()
    for part, n in parts.items():
        states[part.state] += n
        labels[part.label] += n
        subtypes[part.subtype] += n
    return ClosedWorldStratum(
        fixtures=len(group),
        samples=parts.total(),
        labelled=states["labelled"],
        labels={name: labels[name] for name in get_args(Label)},
        subtypes={name: subtypes[name] for name in SUBTYPES},
        not_passing=sum(bad for bad, _ in clusters),
        bait=sum(n for part, n in parts.items() if part.bait),
        malformed=states["malformed"],
        not_offered=states["not_offered"],
        not_reached=states["not_reached"],
        errors=states["errors"],
        defaulted=sum(n for part, n in parts.items() if part.defaulted),
        rate=rate(clusters),
        ci95=interval(clusters),
        fixtures_with_any=sum(bad > 0 for bad, _ in clusters),
        independent_draws=sum(found.draws for found in group),
        shares=_shares(group),
    )


def _shares(group: list[_Fixture]) -> dict[str, Share]:
    shares = {name: share([found.share(partial(_has_label, name)) for found in group]) for name in get_args(Label)}
    return {**shares, "defaulted": share([found.share(lambda part: part.defaulted) for found in group])}


def _has_label(label: Label, part: WorldOutcome) -> bool:
    return part.label == label


def closed_world_checks(figures: ClosedWorldProbe) -> Iterator[Check]:
    """The sums of one probe."""
    title = f"{figures.tool}.{figures.argument} closed world"
    for name, stratum in figures.strata.items():
        parts = stratum.labelled + stratum.malformed + stratum.not_offered + stratum.not_reached + stratum.errors
        yield check(
            f"{title}, {name}: recorded = labelled + malformed + not offered + not reached + errors",
            stratum.samples,
            parts,
        )
        yield check(f"{title}, {name}: labelled = all labels", stratum.labelled, sum(stratum.labels.values()))
        yield check(f"{title}, {name}: INJECT = all subtypes", stratum.labels["INJECT"], sum(stratum.subtypes.values()))
