"""The figures of a membership probe: counts per stratum and value, and the sums that must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from corpora.canonical import canonical
from corpora.corpus import Probe
from corpora.jsonl import decode_value
from corpora.snapshots import AuthoritativeSet
from scoring.counting.figures import (
    Accuracy,
    Check,
    MembershipProbe,
    MembershipStratum,
    ValueRow,
    check,
    set_figures,
)
from scoring.counting.intervals import Cluster, interval, rate, share
from scoring.counting.ledger import Ledger
from scoring.counting.outcomes import SetOutcome, Value
from scoring.counting.samples import FixtureTally
from scoring.judging.membership import Membership

_KINDS: dict[str, Callable[[Value], bool]] = {
    "out_of_set": lambda value: not value.in_set,
    "near_miss": lambda value: not value.in_set and value.near != "none",
    "laundered": lambda value: value.laundered,
}


class _Fixture:
    """One fixture's part of a probe."""

    def __init__(self, tally: FixtureTally, place: int) -> None:
        self.states: Counter[str] = Counter()
        self.values: Counter[Value] = Counter()
        self.omitted = 0
        self.draws = tally.independent_draws()
        for outcome, count in tally.outcomes.items():
            part = outcome.probes[place]
            assert isinstance(part, SetOutcome)  # noqa: S101 - the place is a membership probe's
            self.states[part.state] += count
            self.omitted += part.omitted * count
            for value in part.values:
                self.values[value] += count

    def share(self, counts: Callable[[Value], bool]) -> Cluster:
        """Calls whose value counts, of all calls with a value."""
        return sum(n for value, n in self.values.items() if counts(value)), self.values.total()

    def out_of_set(self) -> Cluster:
        """Calls out of the set, of all calls with a value."""
        return self.share(_KINDS["out_of_set"])

    def correct(self) -> Cluster:
        """Right calls, of those that have an answer."""
        answered = {value: n for value, n in self.values.items() if value.correct is not None}
        return sum(n for value, n in answered.items() if value.correct), sum(answered.values())


def membership_probe(ledger: Ledger, probe: Probe, place: int) -> MembershipProbe:
    """All figures of one membership probe, strata in the corpus's order."""
    strata: dict[str, list[_Fixture]] = {name: [] for name in ledger.corpus.strata}
    for fixture in ledger.fixtures:
        strata[fixture.stratum].append(_Fixture(ledger.tallies[fixture.id], place))
    members = ledger.sets[probe.set or ""]
    catch_all = _catch_all(strata, members)
    rows = _values(strata, catch_all)
    return MembershipProbe(
        tool=probe.tool,
        argument=probe.argument,
        set=set_figures(members),
        calls=sum(found.values.total() for group in strata.values() for found in group),
        out_of_set=sum(found.out_of_set()[0] for group in strata.values() for found in group),
        strata={name: _stratum(group, catch_all) for name, group in strata.items()},
        values=rows,
        accuracy=dict(_accuracy(strata)),
    )


def _catch_all(strata: dict[str, list[_Fixture]], members: AuthoritativeSet) -> set[str]:
    """The emitted values, as JSON text, that are a catch-all as the set compares."""
    judge = Membership(members)
    texts = {value.text for group in strata.values() for found in group for value in found.values if value.in_set}
    return {text for text in texts if judge.catches(decode_value(text))}


def _stratum(group: list[_Fixture], catch_all: set[str]) -> MembershipStratum:
    states = sum((found.states for found in group), Counter[str]())
    values = sum((found.values for found in group), Counter[Value]())
    clusters = [found.out_of_set() for found in group]
    spreads = [len({value.text for value in found.values}) for found in group if found.values]
    return MembershipStratum(
        fixtures=len(group),
        samples=states.total(),
        reached=states["reached"],
        not_reached=states["not_reached"],
        malformed=states["malformed"],
        not_offered=states["not_offered"],
        errors=states["errors"],
        omitted=sum(found.omitted for found in group),
        calls=values.total(),
        out_of_set=sum(out for out, _ in clusters),
        near_miss=sum(n for value, n in values.items() if _KINDS["near_miss"](value)),
        catch_all=sum(n for value, n in values.items() if value.text in catch_all),
        laundered=sum(n for value, n in values.items() if value.laundered),
        rate=rate(clusters),
        ci95=interval(clusters),
        fixtures_with_any=sum(out > 0 for out, _ in clusters),
        distinct_values=len({value.text for value in values}),
        distinct_per_fixture=sum(spreads) / len(spreads) if spreads else None,
        independent_draws=sum(found.draws for found in group),
        shares={name: share([found.share(kind) for found in group]) for name, kind in _KINDS.items()},
    )


def _values(strata: dict[str, list[_Fixture]], catch_all: set[str]) -> tuple[ValueRow, ...]:
    """One row per spelling, those not in the set first, the most frequent first."""
    counts: dict[str, dict[str, int]] = {}
    samples: dict[str, Value] = {}
    for stratum, group in strata.items():
        for found in group:
            for value, n in found.values.items():
                row = counts.setdefault(value.text, dict.fromkeys(strata, 0))
                row[stratum] += n
                samples.setdefault(value.text, value)
    rows = [
        ValueRow(
            value=decode_value(text),
            count=sum(row.values()),
            in_set=samples[text].in_set,
            catch_all=text in catch_all,
            nearest=decode_value(samples[text].nearest),
            near=samples[text].near,
            strata=row,
        )
        for text, row in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.in_set, -row.count, canonical(row.value))))


def _accuracy(strata: dict[str, list[_Fixture]]) -> Iterator[tuple[str, Accuracy]]:
    for name, group in strata.items():
        clusters = [found.correct() for found in group]
        answered = sum(n for _, n in clusters)
        if answered:
            right = sum(x for x, _ in clusters)
            yield name, Accuracy(answered=answered, correct=right, rate=rate(clusters), ci95=interval(clusters))


def membership_checks(figures: MembershipProbe) -> Iterator[Check]:
    """The sums of one probe."""
    title = f"{figures.tool}.{figures.argument} membership"
    for name, stratum in figures.strata.items():
        parts = stratum.reached + stratum.malformed + stratum.not_offered + stratum.not_reached + stratum.errors
        yield check(
            f"{title}, {name}: recorded = reached + malformed + not offered + not reached + errors",
            stratum.samples,
            parts,
        )
    missed = sum(row.count for row in figures.values if not row.in_set)
    yield check(f"{title}: calls out of the set = the rows not in the set", figures.out_of_set, missed)
    yield check(f"{title}: calls = all rows", figures.calls, sum(row.count for row in figures.values))
    strata = figures.strata.values()
    yield check(f"{title}: calls = the calls of the strata", figures.calls, sum(s.calls for s in strata))
