"""What a scan found, as text: a table for a person, JSON, CSV. Counts, and the words that say what they are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.values import Json
from scoring.counting.history import History, ValueRow
from scoring.report.escaping import safe_json, shown
from scoring.report.grid import ASIDE, HEADING, Cell, Grid
from scoring.report.rows import as_rows
from scoring.report.wording import standing

if TYPE_CHECKING:
    from rich.console import Console

_COLUMNS = ("tool", "argument", "value", "count", "in_set", "near", "nearest", "first_seen", "last_seen")
_ROWS = 40
_WIDEST = 44
_FIGURES = range(3, 6)
"""Count and dates: these columns are never folded."""


def as_json(found: History) -> str:
    """The whole of it, indented."""
    return safe_json(found)


def as_csv(found: History) -> str:
    """One row a value, a column for each month; cells that a spreadsheet would run are disarmed."""
    months = sorted({month for row in found.values for month in row.months})
    rows: list[list[Json]] = [[*_COLUMNS, *months]]
    for row in found.values:
        facts = [found.tool, found.argument, row.value, row.count, row.in_set, row.near, row.nearest]
        counts = [row.months.get(month, 0) for month in months]
        rows.append([*facts, row.first_seen, row.last_seen, *counts])
    return as_rows(rows)


def render(found: History, console: Console) -> None:
    """Print every value, what is out of the set first, then what was skipped, and what the count cannot say."""
    grid = Grid(console)
    members = found.set
    grid.line(f"{found.tool}.{found.argument} in {found.source}: {found.shape}", HEADING)
    grid.line(f"set {members.name}: {members.size} values from {members.source}, sha256 {members.sha256[:12]}", ASIDE)
    grid.line(
        f"{found.records} records, {found.calls} values judged, {found.out_of_set} of them out of the set; "
        f"{found.other_tool_calls} calls of other tools"
    )
    ordered = sorted(found.values, key=lambda row: (row.in_set, -row.count))
    grid.table(_heads(found), [_row(row) for row in ordered[:_ROWS]], right=_FIGURES)
    if len(ordered) > _ROWS:
        grid.line(f"and {len(ordered) - _ROWS} more values in {sum(row.count for row in ordered[_ROWS:])} calls")
    if found.skipped:
        grid.table(("not judged", "count"), list(found.skipped.items()))
    for caveat in found.caveats:
        grid.line(caveat, ASIDE)


def _heads(found: History) -> tuple[str, ...]:
    joined = any(row.provoked is not None for row in found.values)
    return ("value", "", "near", "count", "first seen", "last seen", *(("corpus",) if joined else ()))


def _row(row: ValueRow) -> tuple[Cell, ...]:
    near = "" if row.near in (None, "none") else f"{row.near} of {shown(row.nearest, _WIDEST)}"
    seen = tuple((moment or "\u2013")[:10] for moment in (row.first_seen, row.last_seen))
    joined = () if row.provoked is None else ("provokes it too" if row.provoked else "never: worth a fixture",)
    return (shown(row.value, _WIDEST), standing(row), near, row.count, *seen, *joined)
