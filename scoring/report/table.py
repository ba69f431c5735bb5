"""A summary for a terminal of 80 to 120 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.counting.figures import ClosedWorldProbe, MembershipProbe, Summary, ValueRow
from scoring.report.escaping import bounds, percent, shown
from scoring.report.grid import ASIDE, FAILED, HEADING, WARNING, Grid
from scoring.report.wording import NO_POOLED_RATE, checked, drawn, standing, title, warnings

if TYPE_CHECKING:
    from rich.console import Console

_ROWS = 25
_ACCOUNT = ("stratum", "fixtures", "samples", "{}", "malformed", "not offered", "not reached", "errors")


def render(summary: Summary, console: Console) -> None:
    """Print a whole summary: warnings, samples, each probe, and every check with both of its numbers."""
    grid = Grid(console)
    grid.line(title(summary), HEADING)
    how = drawn(summary)
    if how is not None:
        grid.line(how, ASIDE)
    for warning in warnings(summary):
        grid.line(warning, WARNING)
    _samples(summary, grid)
    for probe in summary.probes:
        if isinstance(probe, MembershipProbe):
            _membership(probe, grid)
        else:
            _closed_world(probe, grid)
    grid.line(f"Intervals of 95 %: {summary.interval}. {NO_POOLED_RATE}", ASIDE)
    grid.line("Checks", HEADING)
    for check in summary.checks:
        grid.line(checked(check), FAILED if check.ok is False else "")


def _samples(summary: Summary, grid: Grid) -> None:
    counted = summary.samples
    planned = "not known" if counted.planned is None else counted.planned
    heads = ("planned", "recorded", "ok", "errors", "malformed", "reached", "not reached", "independent draws")
    row = (
        planned,
        counted.recorded,
        counted.ok,
        counted.errors,
        counted.malformed,
        counted.reached,
        counted.not_reached,
        counted.independent_draws,
    )
    grid.table(heads, [row], right=range(len(heads)))


def _membership(probe: MembershipProbe, grid: Grid) -> None:
    members = probe.set
    strata = probe.strata.items()
    grid.line(f"{probe.tool}.{probe.argument}: is the value in the set?", HEADING)
    grid.line(
        f"set {members.name}: {members.size} values, {members.source}, compared {members.compare}, "
        f"read {members.read_at}, sha256 {members.sha256[:12]}",
        ASIDE,
    )
    grid.table(
        [head.format("reached") for head in _ACCOUNT],
        [
            (name, s.fixtures, s.samples, s.reached, s.malformed, s.not_offered, s.not_reached, s.errors)
            for name, s in strata
        ],
    )
    grid.table(
        ("stratum", "calls", "out of set", "rate", "95 %", "near miss", "catch all", "laundered", "omitted"),
        [
            (
                n,
                s.calls,
                s.out_of_set,
                percent(s.rate),
                bounds(s.ci95),
                s.near_miss,
                s.catch_all,
                s.laundered,
                s.omitted,
            )
            for n, s in strata
        ],
    )
    _spread(probe, grid)
    _values(probe, grid)
    if probe.accuracy:
        grid.line("Right values, where the fixture has an answer (another question than the rates above)")
        rows = [(name, a.answered, a.correct, percent(a.rate), bounds(a.ci95)) for name, a in probe.accuracy.items()]
        grid.table(("stratum", "answered", "correct", "rate", "95 %"), rows)


def _spread(probe: MembershipProbe, grid: Grid) -> None:
    rows = [
        (
            name,
            s.fixtures_with_any,
            s.distinct_values,
            "\u2013" if s.distinct_per_fixture is None else f"{s.distinct_per_fixture:.2f}",
            s.independent_draws,
        )
        for name, s in probe.strata.items()
    ]
    heads = ("stratum", "fixtures with any", "distinct values", "distinct per fixture", "independent draws")
    grid.table(heads, rows)


def _values(probe: MembershipProbe, grid: Grid) -> None:
    """The values that are in the set, and as many of the others as there is room for."""
    room = 44 if grid.wide else 30
    missed = [row for row in probe.values if not row.in_set]
    members = [row for row in probe.values if row.in_set]
    listed = [*missed[:_ROWS], *members[:_ROWS]]
    rows = [(shown(row.value, room), row.count, *_standing(row, room)) for row in listed]
    if rows:
        grid.table(("value", "count", "", "near", "where"), rows, right=range(1, 2))
    left_out = len(probe.values) - len(listed)
    if left_out:
        calls = sum(row.count for row in probe.values) - sum(row.count for row in listed)
        grid.line(f"and {left_out} more values in {calls} calls: --format json has all of them", ASIDE)


def _standing(row: ValueRow, room: int) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    near = () if row.near in (None, "none") else (row.near, shown(row.nearest, room - 4))
    return standing(row), near, tuple(f"{name} {n}" for name, n in row.strata.items() if n)


def _closed_world(probe: ClosedWorldProbe, grid: Grid) -> None:
    strata = probe.strata.items()
    grid.line(f"{probe.tool}.{probe.argument}: where did the value come from?", HEADING)
    grid.table(
        [head.format("labelled") for head in _ACCOUNT],
        [
            (name, s.fixtures, s.samples, s.labelled, s.malformed, s.not_offered, s.not_reached, s.errors)
            for name, s in strata
        ],
    )
    grid.table(
        ("stratum", "ASK", "OMIT", "COPY", "INJECT", "DRIFT", "not passing", "rate", "95 %"),
        [(name, *s.labels.values(), s.not_passing, percent(s.rate), bounds(s.ci95)) for name, s in strata],
    )
    grid.table(
        ("stratum", "contamination", "schema", "assistant", "invention", "bait", "defaulted", "draws"),
        [(name, *s.subtypes.values(), s.bait, s.defaulted, s.independent_draws) for name, s in strata],
    )
