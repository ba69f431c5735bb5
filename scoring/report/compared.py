"""A comparison of two runs for a terminal, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.values import Json
from scoring.counting.comparison import LEVEL, Change, Comparison, Side
from scoring.report.escaping import percent, shown
from scoring.report.grid import ASIDE, HEADING, WARNING, Cell, Grid
from scoring.report.wording import SIMULATED

if TYPE_CHECKING:
    from rich.console import Console

_FAMILY = {"holm": "Holm's correction", "bh": "the false discovery rate of Benjamini and Hochberg"}
_VALUES = 12
_WORDS = {
    "rose": ("ROSE",),
    "fell": ("fell",),
    "no change seen": ("no change", "seen"),
    "too few fixtures to see one": ("too few", "fixtures"),
    "nothing to compare": ("nothing to", "compare"),
}


def render(comparison: Comparison, console: Console) -> None:
    """Print what moved: the runs, what else moved between them, each probe and stratum, and values come and gone."""
    grid = Grid(console)
    grid.line(f"{comparison.corpus}: {_named(comparison.before)} against {_named(comparison.after)}", HEADING)
    for warning in _warnings(comparison):
        grid.line(warning, WARNING)
    _moved(comparison, grid)
    probes = dict.fromkeys((change.tool, change.argument, change.measure) for change in comparison.changes)
    for tool, argument, measure in probes:
        what = "values out of the set" if measure == "membership" else "samples that do not pass"
        grid.line(f"{tool}.{argument}: {what}", HEADING)
        own = [c for c in comparison.changes if (c.tool, c.argument, c.measure) == (tool, argument, measure)]
        grid.table(
            ("stratum", "pairs", "before", "after", "difference", "95 %", "p adjusted", "smallest p", ""),
            [_row(change) for change in own],
            right=range(1, 8),
        )
    _values(comparison, grid)
    family = f"held to {len(comparison.changes)} probes and strata by {_FAMILY[comparison.adjust]}"
    grid.line(f"Method: {comparison.method}; {family}; level {LEVEL:g}.", ASIDE)


def _named(side: Side) -> str:
    return f"{', '.join(side.models) or 'no model'} ({side.source})"


def _warnings(comparison: Comparison) -> list[str]:
    found = [SIMULATED] if comparison.before.simulated or comparison.after.simulated else []
    drifted = [side.source for side in (comparison.before, comparison.after) if side.drifted]
    found += [f"DRIFT: more than one model or fingerprint answered within {name}." for name in drifted]
    if comparison.unpaired:
        names = ", ".join(comparison.unpaired[:6])
        found.append(f"UNPAIRED: {comparison.paired} fixtures are in both runs; only in one, or changed: {names}.")
    return found


def _moved(comparison: Comparison, grid: Grid) -> None:
    grid.line(f"What moved: {comparison.cause}")
    rows = [(name, _short(old), _short(new)) for name, (old, new) in comparison.moved.items()]
    if rows:
        grid.table(("", "before", "after"), rows, right=range(0))


def _short(value: Json) -> str:
    return shown(value, 28)


def _row(change: Change) -> tuple[Cell, ...]:
    gap = "\u2013" if change.difference is None else f"{change.difference * 100:+.1f}"
    between = ("\u2013",) if change.ci95 is None else tuple(f"{end * 100:+.1f}" for end in change.ci95)
    figures = [_p(number) for number in (change.p_adjusted, change.floor)]
    rates = [percent(change.before), percent(change.after)]
    return (change.stratum, change.fixtures, *rates, gap, between, *figures, _WORDS[change.verdict])


def _p(number: float | None) -> str:
    return "\u2013" if number is None else "<0.001" if number < 0.001 else f"{number:.3f}"


def _values(comparison: Comparison, grid: Grid) -> None:
    for found in comparison.values:
        for word, values in (("appeared", found.appeared), ("vanished", found.vanished)):
            if values:
                names = ", ".join(shown(value, 40) for value in values[:_VALUES])
                more = f" and {len(values) - _VALUES} more" if len(values) > _VALUES else ""
                grid.line(f"{found.argument}: values that {word}: {names}{more}")
