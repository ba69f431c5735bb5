"""A comparison of two runs for a terminal, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.values import Json
from scoring.counting.compare import LEVEL, Change, Comparison, Side
from scoring.report.escaping import percent, safe, shown
from scoring.report.grid import Grid
from scoring.report.wording import SIMULATED

if TYPE_CHECKING:
    from rich.console import Console

_FAMILY = {"holm": "Holm's correction", "bh": "the false discovery rate of Benjamini and Hochberg"}
_VALUES = 12


def render(comparison: Comparison, console: Console) -> None:
    """Print what moved: the runs, what else moved between them, each probe and stratum, and values come and gone."""
    grid = Grid(console)
    grid.line(f"{safe(comparison.corpus)}: {_named(comparison.before)} against {_named(comparison.after)}", "bold")
    for warning in _warnings(comparison):
        grid.line(warning, "bold yellow")
    _moved(comparison, grid)
    grid.table(
        ("stratum", "pairs", "before", "after", "difference", "95 %", "p", "p adjusted", "smallest p"),
        [_row(change) for change in comparison.changes],
    )
    for change in comparison.changes:
        grid.line(f"{safe(change.tool)}.{safe(change.argument)}, {safe(change.stratum)}: {_said(change)}")
    _values(comparison, grid)
    family = f"held to {len(comparison.changes)} probes and strata by {_FAMILY[comparison.adjust]}"
    grid.line(f"Method: {comparison.method}; {family}; level {LEVEL:g}.", "dim")


def _named(side: Side) -> str:
    return safe(f"{', '.join(side.models) or 'no model'} ({side.source})")


def _warnings(comparison: Comparison) -> list[str]:
    found = [SIMULATED] if comparison.before.simulated or comparison.after.simulated else []
    for side in (comparison.before, comparison.after):
        if side.drifted:
            found.append(f"DRIFT: more than one model or fingerprint answered within {safe(side.source)}.")
    if comparison.unpaired:
        names = ", ".join(safe(name) for name in comparison.unpaired[:6])
        found.append(f"UNPAIRED: {comparison.paired} fixtures are in both runs; only in one, or changed: {names}.")
    return found


def _moved(comparison: Comparison, grid: Grid) -> None:
    grid.line(f"What moved: {safe(comparison.cause)}")
    rows = [(safe(name), _short(old), _short(new)) for name, (old, new) in comparison.moved.items()]
    if rows:
        grid.table(("", "before", "after"), rows, right=range(0))


def _short(value: Json) -> str:
    return shown(value, 28)


def _row(change: Change) -> tuple[str, ...]:
    gap = "\u2013" if change.difference is None else f"{change.difference * 100:+.1f}"
    low, high = change.ci95 or (None, None)
    between = "\u2013" if low is None or high is None else f"{low * 100:+.1f} to {high * 100:+.1f}"
    numbers = (change.p, change.p_adjusted, change.floor)
    figures = ("\u2013" if number is None else f"{number:.2g}" for number in numbers)
    label = f"{safe(change.argument)}\n  {safe(change.stratum)}"
    return (label, str(change.fixtures), percent(change.before), percent(change.after), gap, between, *figures)


def _said(change: Change) -> str:
    what = "values out of the set" if change.measure == "membership" else "samples that do not pass"
    if change.verdict in ("rose", "fell"):
        return f"the rate of {what} {change.verdict}."
    return f"{change.verdict}."


def _values(comparison: Comparison, grid: Grid) -> None:
    for found in comparison.values:
        for word, values in (("appeared", found.appeared), ("vanished", found.vanished)):
            if values:
                names = ", ".join(shown(value, 40) for value in values[:_VALUES])
                more = f" and {len(values) - _VALUES} more" if len(values) > _VALUES else ""
                grid.line(f"{safe(found.argument)}: values that {word}: {names}{more}")
