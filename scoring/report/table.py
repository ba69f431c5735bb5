"""A summary for a terminal of 80 to 120 columns; whatever a model wrote is shown escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scoring.counting.figures import ClosedWorldProbe, MembershipProbe, Summary, ValueRow
from scoring.report.escaping import bounds, percent, safe, shown
from scoring.report.wording import NO_POOLED_RATE, checked, title, warnings

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST, _WIDEST = 80, 120
_ROWS = 25
_CELL, _WORDS = 16, 30


def render(summary: Summary, console: Console) -> None:
    """Print a whole summary: warnings, samples, each probe, and every check with both of its numbers."""
    width = max(_NARROWEST, min(_WIDEST, console.width))
    _line(console, title(summary), "bold", width)
    for warning in warnings(summary):
        _line(console, warning, "bold yellow", width)
    _samples(summary, console, width)
    for probe in summary.probes:
        if isinstance(probe, MembershipProbe):
            _membership(probe, console, width)
        else:
            _closed_world(probe, console, width)
    _line(console, f"Intervals of 95 %: {summary.interval}. {NO_POOLED_RATE}", "dim", width)
    _line(console, "Checks", "bold", width)
    for check in summary.checks:
        _line(console, checked(check), "red" if check.ok is False else "", width)


def _line(console: Console, text: str, style: str, width: int) -> None:
    console.print(text, style=style, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def _grid(
    console: Console, heads: Sequence[str], rows: Iterable[Sequence[object]], width: int, right: range = range(1, 99)
) -> None:
    """One table: the columns in `right` are numbers, the others words; only the first may be folded."""
    from rich import box  # rich is loaded when a table is printed
    from rich.table import Table
    from rich.text import Text

    cells = [[str(cell) for cell in row] for row in rows]
    gap = 1 if width >= 100 else 0  # the box sets one blank between columns
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap, 0, 0))
    for place, head in enumerate(heads):
        widest = max((len(line) for row in cells for line in row[place].split("\n")), default=0)
        least = max(len(word) for word in head.split(" "))
        table.add_column(
            Text(head.replace(" ", "\n") if width < 100 else head),
            justify="right" if place in right else "left",
            overflow="fold",
            no_wrap=place > 0,  # what is too wide is taken from the first column
            min_width=max(least, min(widest, _CELL if place == 0 else _WORDS)),
        )
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table, width=width, markup=False, emoji=False)
    console.print()


def _samples(summary: Summary, console: Console, width: int) -> None:
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
    _grid(console, heads, [row], width, right=range(9))


_ACCOUNT = ("stratum", "fixtures", "samples", "{}", "malformed", "not offered", "not reached", "errors")


def _membership(probe: MembershipProbe, console: Console, width: int) -> None:
    members = probe.set
    _line(console, f"{safe(probe.tool)}.{safe(probe.argument)}: is the value in the set?", "bold", width)
    _line(
        console,
        f"set {safe(members.name)}: {members.size} values, {safe(members.source)}, compared {members.compare}, "
        f"read {members.read_at}, sha256 {members.sha256[:12]}",
        "dim",
        width,
    )
    strata = probe.strata.items()
    _grid(
        console,
        [head.format("reached") for head in _ACCOUNT],
        [
            (name, s.fixtures, s.samples, s.reached, s.malformed, s.not_offered, s.not_reached, s.errors)
            for name, s in strata
        ],
        width,
    )
    heads = ("stratum", "calls", "out of set", "rate", "95 %", "near miss", "catch all", "laundered")
    _grid(
        console,
        (*heads, "omitted"),
        [
            (
                name,
                s.calls,
                s.out_of_set,
                percent(s.rate),
                bounds(s.ci95),
                s.near_miss,
                s.catch_all,
                s.laundered,
                s.omitted,
            )
            for name, s in strata
        ],
        width,
    )
    _spread(probe, console, width)
    _values(probe, console, width)
    if probe.accuracy:
        _line(
            console, "Right values, where the fixture has an answer (another question than the rates above)", "", width
        )
        rows = [(name, a.answered, a.correct, percent(a.rate), bounds(a.ci95)) for name, a in probe.accuracy.items()]
        _grid(console, ("stratum", "answered", "correct", "rate", "95 %"), rows, width)


def _spread(probe: MembershipProbe, console: Console, width: int) -> None:
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
    _grid(console, heads, rows, width)


def _values(probe: MembershipProbe, console: Console, width: int) -> None:
    """The values that are in the set, and as many of the others as there is room for."""
    room = 30 if width < 100 else 44
    missed = [row for row in probe.values if not row.in_set]
    members = [row for row in probe.values if row.in_set]
    listed = [*missed[:_ROWS], *members[:_ROWS]]
    rows = [(shown(row.value, room), row.count, *_standing(row, room)) for row in listed]
    if rows:
        _grid(console, ("value", "count", "", "near", "where"), rows, width, right=range(1, 2))
    left_out = len(probe.values) - len(listed)
    if left_out:
        calls = sum(row.count for row in probe.values) - sum(row.count for row in listed)
        _line(console, f"and {left_out} more values in {calls} calls: --format json has all of them", "dim", width)


def _standing(row: ValueRow, room: int) -> tuple[str, str, str]:
    standing = "catch-all" if row.catch_all else "in set" if row.in_set else "OUT"
    near = "" if row.near in (None, "none") else f"{row.near}\n{shown(row.nearest, room - 4)}"
    return standing, near, "\n".join(f"{name} {n}" for name, n in row.strata.items() if n)


def _closed_world(probe: ClosedWorldProbe, console: Console, width: int) -> None:
    _line(console, f"{safe(probe.tool)}.{safe(probe.argument)}: where did the value come from?", "bold", width)
    strata = probe.strata.items()
    _grid(
        console,
        [head.format("labelled") for head in _ACCOUNT],
        [
            (name, s.fixtures, s.samples, s.labelled, s.malformed, s.not_offered, s.not_reached, s.errors)
            for name, s in strata
        ],
        width,
    )
    _grid(
        console,
        ("stratum", "ASK", "OMIT", "COPY", "INJECT", "DRIFT", "not passing", "rate", "95 %"),
        [(name, *s.labels.values(), s.not_passing, percent(s.rate), bounds(s.ci95)) for name, s in strata],
        width,
    )
    _grid(
        console,
        ("stratum", "contamination", "schema", "assistant", "invention", "bait", "defaulted", "draws"),
        [(name, *s.subtypes.values(), s.bait, s.defaulted, s.independent_draws) for name, s in strata],
        width,
    )
