"""Two runs held against each other, stratum by stratum: paired by fixture, tested by permutation, held to a family.

A difference is the mean over fixtures of (rate after - rate before); its interval is that of a mean of paired
differences with Student's t (Miller 2024, "Adding Error Bars to Evals", section 4). What else moved between the runs
is named; where more than one thing did, nobody can tell from here which of them it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import msgspec

from corpora.corpus import Probe
from corpora.values import Json, JsonObject
from scoring.counting.clusters import failing, read_values, values
from scoring.counting.comparison import LEVEL, Adjust, Change, Comparison, Side, Values
from scoring.counting.intervals import Cluster, rate, t95
from scoring.counting.ledger import Ledger
from scoring.counting.permutation import benjamini_hochberg, holm, paired

METHOD = (
    "paired by fixture, exact permutation of before and after within each fixture (mid-p, two-sided; McNemar's test "
    "where all that moved did by one size), 95 % interval of the mean difference by Student's t"
)


class Run(NamedTuple):
    """One run to be compared: its counts, and what it was measured with, by name."""

    source: str
    run_id: str
    ledger: Ledger
    pins: JsonObject


class _Pair(NamedTuple):
    """One fixture in both runs."""

    before: Cluster
    after: Cluster

    @property
    def difference(self) -> Fraction:
        """By how much the rate rose, exactly."""
        return Fraction(*self.after) - Fraction(*self.before)


def compare(before: Run, after: Run, adjust: Adjust = "holm") -> Comparison:
    """Hold one run against another."""
    common, unpaired = _common(before.ledger, after.ledger)
    plain = list(_changes(before.ledger, after.ledger, common))
    known = [change.p for change in plain if change.p is not None]
    adjusted = iter((holm if adjust == "holm" else benjamini_hochberg)(known))
    changes = [change if change.p is None else _judged(change, next(adjusted), len(known)) for change in plain]
    moved = _moved(before.pins, after.pins)
    return Comparison(
        corpus=after.ledger.corpus.name,
        before=_side(before),
        after=_side(after),
        moved=moved,
        cause=_cause(moved),
        unpaired=tuple(unpaired[:20]),
        paired=len(common),
        method=METHOD,
        adjust=adjust,
        changes=tuple(changes),
        values=tuple(_values(before.ledger, after.ledger, common)),
    )


def _side(run: Run) -> Side:
    ledger = run.ledger
    return Side(
        source=run.source,
        run_id=run.run_id,
        models=tuple(ledger.response_models or ledger.request_models),
        simulated=ledger.simulated,
        drifted=ledger.drifted,
    )


def _common(before: Ledger, after: Ledger) -> tuple[dict[str, str], list[str]]:
    """Fixture after -> the same fixture before, by hash and stratum; and the ids that have no partner."""
    earlier = {(f.sha256, f.stratum): f.id for f in before.fixtures if before.tallies[f.id]}
    common, unpaired = {}, []
    for fixture in after.fixtures:
        if not after.tallies[fixture.id]:
            continue
        partner = earlier.pop((fixture.sha256, fixture.stratum), None)
        if partner is None:
            unpaired.append(fixture.id)
        else:
            common[fixture.id] = partner
    return common, [*unpaired, *earlier.values()]


def _changes(before: Ledger, after: Ledger, common: dict[str, str]) -> Iterator[Change]:
    for place, probe in enumerate(after.corpus.probes):
        was = _same_probe(before, probe)
        for stratum in after.corpus.strata:
            pairs = []
            for fixture in after.fixtures:
                if was is None or fixture.stratum != stratum or fixture.id not in common:
                    continue
                pair = _Pair(failing(before, common[fixture.id], was), failing(after, fixture.id, place))
                if pair.before[1] and pair.after[1]:
                    pairs.append(pair)
            yield _change(probe, stratum, pairs)


def _same_probe(ledger: Ledger, probe: Probe) -> int | None:
    """The place of a probe in the other run's corpus."""
    wanted = (probe.tool, probe.argument, probe.measure)
    named = [(one.tool, one.argument, one.measure) for one in ledger.corpus.probes]
    return named.index(wanted) if wanted in named else None


def _change(probe: Probe, stratum: str, pairs: Sequence[_Pair]) -> Change:
    differences = [pair.difference for pair in pairs]
    mean = float(sum(differences) / len(differences)) if differences else None
    test = paired(differences) if differences else None
    return Change(
        tool=probe.tool,
        argument=probe.argument,
        measure=probe.measure,
        stratum=stratum,
        fixtures=len(pairs),
        before=rate([pair.before for pair in pairs]),
        after=rate([pair.after for pair in pairs]),
        difference=mean,
        ci95=_interval([float(difference) for difference in differences]),
        p=test and test.p,
        p_adjusted=None,
        floor=test and test.floor,
        verdict="nothing to compare",
    )


def _interval(differences: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of a mean of paired differences; None below two fixtures."""
    count = len(differences)
    if count < 2:
        return None
    mean = sum(differences) / count
    spread = sqrt(sum((one - mean) ** 2 for one in differences) / (count - 1) / count)
    reach = t95(count - 1) * spread
    return max(-1.0, mean - reach), min(1.0, mean + reach)


def _judged(change: Change, p_adjusted: float, family: int) -> Change:
    """A change held to the family; where even the smallest p would not do, nothing can be seen."""
    verdict: str = "no change seen"
    if p_adjusted < LEVEL and change.difference:
        verdict = "rose" if change.difference > 0 else "fell"
    elif (change.floor or 0.0) * family >= LEVEL:
        verdict = "too few fixtures to see one"
    return msgspec.structs.replace(change, p_adjusted=p_adjusted, verdict=verdict)


def _values(before: Ledger, after: Ledger, common: dict[str, str]) -> Iterator[Values]:
    for place, probe in enumerate(after.corpus.probes):
        was = _same_probe(before, probe)
        if probe.measure != "membership" or was is None:
            continue
        old, new = values(before, list(common.values()), was), values(after, list(common), place)
        yield Values(
            tool=probe.tool,
            argument=probe.argument,
            appeared=tuple(read_values(sorted(new.keys() - old.keys()))),
            vanished=tuple(read_values(sorted(old.keys() - new.keys()))),
        )


MODEL, ANSWERED, FINGERPRINTS, ENDPOINT = "model", "model that answered", "fingerprint", "endpoint"


def _moved(before: JsonObject, after: JsonObject) -> dict[str, tuple[Json, Json]]:
    """What differs; that another model has another name, fingerprint or endpoint is no second thing."""
    names = dict.fromkeys((*before, *after))
    found = {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}
    if MODEL in found:
        return {name: pair for name, pair in found.items() if name not in (ANSWERED, FINGERPRINTS, ENDPOINT)}
    return {name: pair for name, pair in found.items() if name != FINGERPRINTS} if ANSWERED in found else found


def _cause(moved: dict[str, tuple[Json, Json]]) -> str:
    if not moved:
        return "Nothing that is recorded moved: what differs is chance, or a change that the endpoint does not tell of."
    if len(moved) == 1:
        return f"Only {next(iter(moved))} moved."
    return f"{', '.join(moved)} moved together: from these runs nobody can tell which of them made a difference."
