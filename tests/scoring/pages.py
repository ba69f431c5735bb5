"""Whole pages that a reader gets, made of a few records; `data/pages` holds each as it was read and found right.

`python -m tests.scoring.pages` writes them anew: the difference is to be read before it is kept.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from corpora.shapes.chat_lines import PlainCall, PlainFunction
from corpora.shapes.stored import Stored, StoredCall
from scoring.counting.compare import compare
from scoring.counting.comparison import Comparison
from scoring.counting.figures import Summary
from scoring.counting.history import History, Probe
from scoring.counting.stored import Tally as Stocktaking
from scoring.report import compared, formats, stored, table
from tests.scoring import distinct, lines
from tests.scoring.build import a_record, a_set
from tests.scoring.test_compare import a_run
from tests.scoring.test_tally import RECORDS, A, B, refund, summary

FOLDER = Path(__file__).parent / "data" / "pages"
MAY, JUNE = 1_777_600_800.0, 1_780_300_000.0
"""2026-05-01T02:00:00Z, 2026-06-01T07:46:40Z."""


def printed(print_to: Callable[[Console], None], width: int, colors: str | None = None) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colors is not None, color_system=colors, legacy_windows=False, _environ={}
    )  # type: ignore[arg-type]
    print_to(console)
    return out.getvalue().replace("\x1b", "ESC")


def summarised(summary: Summary, width: int, colors: str | None = None) -> str:
    return printed(lambda console: table.render(summary, console), width, colors)


def compared_by(comparison: Comparison, width: int, colors: str | None = None) -> str:
    return printed(lambda console: compared.render(comparison, console), width, colors)


def stocked(history: History, width: int, colors: str | None = None) -> str:
    return printed(lambda console: stored.render(history, console), width, colors)


def rounded(text: str) -> str:
    """A page without the last digits of its fractions, in which machines differ."""
    return re.sub(r"\d+\.\d{12,}(?:e-\d+)?", lambda match: f"{float(match.group()):.9f}", text)


def a_summary() -> Any:
    """More rows than a table lists, a catch-all, a near miss, warnings, a failed check."""
    many = [a_record(B, calls=[refund(f"ODD_{n:02}")] * (1 + n % 3), sample=3 + n) for n in range(30)]
    more = [a_record(A, calls=[refund(" other", order="1"), refund(7), refund("=1+1|<b>")], sample=3)]
    found = summary([*RECORDS, *more, *many], planned=9, samples_per_fixture=3, marks=("changed-corpus", "live-sets"))
    return msgspec.structs.replace(found, corpus="=made")


def a_comparison(adjust: Any = "holm") -> Any:
    before = a_run([["OTHER"] * 3, ["OTHER", "OLD", "OLD"]] * 8, pins={"model": "a", "seed": 1})
    values = [[f"V{n}"] * 3 if n % 2 == 0 else ["OTHER"] * 3 for n in range(30)]
    after = a_run(values, "b.jsonl", pins={"model": "b", "seed": 1}, response_models=("simulated/careless",))
    return compare(before, after, adjust=adjust)


def a_small_comparison() -> Any:
    return compare(a_run([["OTHER"], ["OTHER"]]), a_run([["NEW"], []], "b.jsonl"), adjust="bh")


def a_history(provoked: set[object] | None = None) -> Any:
    """Stored calls of two months: strings, objects, cached, of other tools, mapped, malformed, without a time."""
    found = Stocktaking(Probe(tool="refund", argument="code", mapped="OTHER"), a_set(catch_all=("DUPLICATE_CHARGE",)))
    code = '{{"code": "{}"}}'.format
    told = [("LATE_DELIVERY", MAY), ("late delivery", JUNE), ("NEW", MAY), ("NEW", JUNE), ("NEW", None), ("=1", JUNE)]
    for value, at in told:
        found.plain("chat", at, False, (PlainCall(PlainFunction("refund", code(value))),))
    found.plain(
        "chat", JUNE, True, (PlainCall(PlainFunction("refund", code("NEW"))), PlainCall(PlainFunction("x", "")))
    )
    rows = [{"code": "OTHER"}, {"code": "DUPLICATE_CHARGE"}, {"code": 7}, {"code": True}, {"code": {"a": 1}}]
    for row in rows:
        found.add(Stored(shape="columns", at=MAY, calls=(StoredCall(tool=None, value=row),), skipped=("damaged",)))
    for shape in ("columns", "log"):
        lossy = (
            StoredCall(tool="refund", value={"code": "1.5E+9"}),
            StoredCall(tool="refund", value={"code": 2.0**60}),
        )
        found.add(Stored(shape=shape, at=MAY, calls=lossy))
    late = StoredCall(tool="functions.refund", value={"code": "NEW"})
    found.add(Stored(shape="log", at=JUNE, calls=(late,), flags=("cache-hit",)))
    found.add(Stored(shape="log", calls=(StoredCall(tool="refund", arguments="{"), StoredCall(tool="other"))))
    found.skip("damaged")
    return found.history("log.jsonl", provoked)


def a_long_history() -> Any:
    found = Stocktaking(Probe(tool="refund", argument="code"), a_set())
    for number in range(43):
        calls = (StoredCall(tool="refund", arguments=f'{{"code": "{"LONG " * 9}{number:02}"}}'),) * (1 + number // 41)
        found.add(Stored(shape="log", calls=calls))
    return found.history("log.jsonl", {"NEW"})


PAGES: dict[str, Callable[[], str]] = {
    "summary-80.txt": lambda: summarised(a_summary(), 80),
    "summary-120.txt": lambda: summarised(a_summary(), 120),
    "summary-colours.txt": lambda: summarised(a_summary(), 100, "standard"),
    "summary.csv": lambda: rounded(formats.as_csv(a_summary(), summary())),
    "summary.md": lambda: formats.as_markdown(a_summary()),
    "summary.json": lambda: rounded(formats.as_json(a_summary())) + "\n",
    "comparison-80.txt": lambda: compared_by(a_comparison(), 80),
    "comparison-colours.txt": lambda: compared_by(a_comparison(), 120, "standard"),
    "comparison-small.txt": lambda: compared_by(a_small_comparison(), 80),
    "comparison.json": lambda: rounded(formats.as_json(a_comparison("bh"))) + "\n",
    "decisions.jsonl": lines.decisions,
    "verdicts.jsonl": lines.verdicts,
    "history-80.txt": lambda: stocked(a_history(), 80),
    "history-120.txt": lambda: stocked(a_history(), 120),
    "history-joined-80.txt": lambda: stocked(a_history({"NEW"}), 80),
    "history-joined-120.txt": lambda: stocked(a_history({"NEW"}), 120),
    "history-long-80.txt": lambda: stocked(a_long_history(), 80),
    "history-long-120.txt": lambda: stocked(a_long_history(), 120),
    "history.csv": lambda: stored.as_csv(a_history()),
    "history.json": lambda: stored.as_json(a_history({"NEW"})) + "\n",
    **{
        f"distinct-{width}.txt": lambda width=width: summarised(distinct.summary(), width)
        for width in (60, 80, 100, 130)
    },
    "distinct-colours.txt": lambda: summarised(distinct.summary(), 99, "standard"),
    "distinct-plain.txt": lambda: summarised(distinct.plain_summary(), 80),
    "distinct.md": lambda: formats.as_markdown(distinct.summary()),
    "distinct.csv": lambda: formats.as_csv(distinct.summary(), distinct.plain_summary()),
    "distinct-comparison-60.txt": lambda: compared_by(distinct.comparison(), 60),
    "distinct-comparison-130.txt": lambda: compared_by(distinct.comparison(), 130),
    "distinct-comparison-colours.txt": lambda: compared_by(distinct.comparison(), 80, "standard"),
    "distinct-comparison-plain.txt": lambda: compared_by(distinct.plain_comparison(), 80),
    "distinct-history-80.txt": lambda: stocked(distinct.history(), 80),
    "distinct-history-120.txt": lambda: stocked(distinct.history(), 120),
    "distinct-history-plain-80.txt": lambda: stocked(distinct.plain_history(), 80),
    "distinct-history-plain-120.txt": lambda: stocked(distinct.plain_history(), 120),
    "distinct-history-colours.txt": lambda: stocked(distinct.history(), 100, "standard"),
    "distinct-history.csv": lambda: stored.as_csv(distinct.history()),
}

if __name__ == "__main__":
    for page, make in PAGES.items():
        (FOLDER / page).write_text(make(), encoding="utf-8")
