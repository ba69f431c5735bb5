"""A summary for programs and pages: JSON, CSV, Markdown. No format has a rate over strata."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corpora.jsonl import encode_text
from corpora.values import JsonObject
from scoring.counting.comparison import Comparison
from scoring.counting.figures import MembershipProbe, Summary
from scoring.report.escaping import bounds, percent, safe, safe_json, shown
from scoring.report.rows import as_rows
from scoring.report.wording import NO_POOLED_RATE, checked, drawn, title, warnings


def as_json(summary: Summary | Comparison) -> str:
    """The whole summary or comparison, indented, in its fields and order; what steers a terminal is an escape."""
    return safe_json(summary)


_COLUMNS = ("corpus", "model", "simulated", "tool", "argument", "measure", "stratum")
_LAST = ("request_model", "api", "base_url", "temperature", "params", "run_id")


def as_csv(*summaries: Summary) -> str:
    """One row per probe and stratum, every count a column; cells that a spreadsheet would run are disarmed."""
    rows = [row for summary in summaries for row in _rows(summary)]
    counts = (key for row in rows for key in row if key not in _LAST)
    heads = list(dict.fromkeys((*_COLUMNS, *counts, *_LAST)))
    return as_rows([heads, *([row.get(head) for head in heads] for row in rows)])


def _rows(summary: Summary) -> Iterator[dict[str, object]]:
    for probe in summary.probes:
        for name, stratum in probe.strata.items():
            row: dict[str, object] = {
                "corpus": summary.corpus,
                "model": " ".join(summary.pins.response_models or summary.pins.request_model) or None,
                "simulated": summary.simulated,
                "tool": probe.tool,
                "argument": probe.argument,
                "measure": probe.measure,
                "stratum": name,
            }
            for key, value in _fields(stratum).items():
                row.update(_flat(key, value))
            yield row | _asked(summary)


def _asked(summary: Summary) -> dict[str, object]:
    """What tells two studies apart that one model says to have answered."""
    how = summary.drawn
    return {
        "request_model": " ".join(summary.pins.request_model) or None,
        **msgspec.structs.asdict(how),
        "params": encode_text(how.params) if how.params else None,
    }


def _fields(stratum: object) -> JsonObject:
    """The columns of a stratum; shares are for programs that read the JSON."""
    found: JsonObject = msgspec.to_builtins(stratum)
    return {key: value for key, value in found.items() if key != "shares"}


def _flat(key: str, value: object) -> dict[str, object]:
    if isinstance(value, dict):
        return {f"{key}_{name}": count for name, count in value.items()}
    if key == "ci95":
        low, high = value if isinstance(value, list | tuple) else (None, None)
        return {"ci95_low": low, "ci95_high": high}
    return {key: value}


def as_markdown(summary: Summary) -> str:
    """Tables for a page, with the checks at the end."""
    return "\n".join(_markdown(summary)) + "\n"


def _markdown(summary: Summary) -> Iterator[str]:
    yield f"# {_escaped(title(summary))}"
    yield ""
    how = drawn(summary)
    if how is not None:
        yield _escaped(how)
        yield ""
    for warning in warnings(summary):
        yield f"**{_escaped(warning)}**"
        yield ""
    for probe in summary.probes:
        yield f"## {_escaped(probe.tool)}.{_escaped(probe.argument)} ({probe.measure})"
        yield ""
        heads = dict.fromkeys(head for stratum in probe.strata.values() for head in _headings(stratum))
        yield from _markdown_table(["stratum", *heads], ([name, *_cells(s)] for name, s in probe.strata.items()))
        if isinstance(probe, MembershipProbe):
            yield from _markdown_values(probe)
    yield f"Intervals of 95 %: {summary.interval}. {NO_POOLED_RATE}"
    yield ""
    yield from (f"- {_escaped(checked(check))}" for check in summary.checks)


def _headings(stratum: object) -> Iterator[str]:
    for key, value in _fields(stratum).items():
        yield from value if isinstance(value, dict) else [key]


def _cells(stratum: object) -> Iterator[str]:
    for key, value in _fields(stratum).items():
        if isinstance(value, dict):
            yield from (str(count) for count in value.values())
        elif key == "rate":
            yield percent(value)
        elif key == "ci95":
            yield bounds(value)
        else:
            yield "\u2013" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def _markdown_values(probe: MembershipProbe) -> Iterator[str]:
    rows = (
        [shown(row.value, 200), str(row.in_set), row.near or "", shown(row.nearest), str(row.count)]
        for row in probe.values
    )
    yield from _markdown_table(["value", "in set", "near", "nearest", "count"], rows)


def _markdown_table(heads: list[str], rows: Iterator[list[str]]) -> Iterator[str]:
    yield "| " + " | ".join(_escaped(head) for head in heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(_escaped(cell) for cell in row) + " |"
    yield ""


def _escaped(text: str) -> str:
    """Text that Markdown and HTML show as it is."""
    text = safe(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_[]|#" else c for c in text)
