"""What a scan found, as text: a table for a person, JSON, CSV. Counts, and the words that say what they are not."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from corpora.jsonl import encode_text
from scoring.counting.history import History, ValueRow
from scoring.report.escaping import safe, safe_json, shown

_COLUMNS = ("tool", "argument", "value", "count", "in_set", "near", "nearest", "first_seen", "last_seen")
_ROWS = 40
_WIDEST = 44


def as_json(found: History) -> str:
    """The whole of it, indented."""
    return safe_json(found)


def as_csv(found: History) -> str:
    """One row a value, a column for each month; cells that a spreadsheet would run are disarmed."""
    months = sorted({month for row in found.values for month in row.months})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_COLUMNS, *months])
    for row in found.values:
        facts = [found.tool, found.argument, row.value, row.count, row.in_set, row.near, row.nearest]
        counts = [row.months.get(month, 0) for month in months]
        writer.writerow([_cell(value) for value in [*facts, row.first_seen, row.last_seen, *counts]])
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool | int | float | None):
        return value
    text = safe(value) if isinstance(value, str) else safe(encode_text(value))
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def as_table(found: History) -> str:
    """A table with every value that is out of the set first, what was skipped, and what the count cannot say."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: History) -> Iterator[str]:
    members = found.set
    yield safe(f"{found.tool}.{found.argument} in {found.source}: {found.shape}")
    yield safe(f"set {members.name}: {members.size} values from {members.source}, sha256 {members.sha256[:12]}")
    yield (
        f"{found.records} records, {found.calls} values judged, {found.out_of_set} of them out of the set; "
        f"{found.other_tool_calls} calls of other tools"
    )
    yield ""
    ordered = sorted(found.values, key=lambda row: (row.in_set, -row.count))
    yield from _grid(_heads(found), [_row(row) for row in ordered[:_ROWS]])
    if len(ordered) > _ROWS:
        yield f"and {len(ordered) - _ROWS} more values in {sum(row.count for row in ordered[_ROWS:])} calls"
    if found.skipped:
        yield ""
        yield from _grid(("not judged", "count"), [(reason, str(count)) for reason, count in found.skipped.items()])
    yield ""
    yield from (safe(caveat) for caveat in found.caveats)


def _heads(found: History) -> tuple[str, ...]:
    joined = any(row.provoked is not None for row in found.values)
    return ("value", "", "near", "count", "first seen", "last seen", *(("corpus",) if joined else ()))


def _row(row: ValueRow) -> tuple[str, ...]:
    standing = "catch-all" if row.catch_all else "in set" if row.in_set else "OUT"
    near = "" if row.near in (None, "none") else f"{row.near} of {shown(row.nearest, _WIDEST)}"
    seen = tuple((moment or "\u2013")[:10] for moment in (row.first_seen, row.last_seen))
    joined = () if row.provoked is None else ("provokes it too" if row.provoked else "never: worth a fixture",)
    return (shown(row.value, _WIDEST), standing, near, str(row.count), *seen, *joined)


def _grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they need; numbers to the right."""
    widths = [max(len(line[place]) for line in [heads, *rows]) for place in range(len(heads))]
    for line in [heads, *rows]:
        cells = (
            cell.rjust(widths[place]) if heads[place] == "count" else cell.ljust(widths[place])
            for place, cell in enumerate(line)
        )
        yield "  ".join(cells).rstrip()
