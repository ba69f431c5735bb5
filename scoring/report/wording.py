"""The sentences that every form of a report has to say; who shows them makes them safe."""

from __future__ import annotations

from corpora.jsonl import encode_text
from scoring.counting.figures import PLANNED, Check, Summary, ValueRow
from scoring.counting.history import ValueRow as StoredRow

SIMULATED = "SIMULATED MODEL: these answers come from a program that imitates a model; they say nothing of a real one."
NO_POOLED_RATE = (
    "Rates are per stratum: the mixture of strata was chosen, so a rate over all of them would mean nothing."
)
_MARKS = {
    "changed-corpus": "CHANGED CORPUS: scored against a corpus that is not the one of the run (--allow-changed).",
    "stub-errors": "STUB ERRORS: the tools refused a share of the calls on purpose. No normal rate.",
    "live-sets": "LIVE SETS: scored against sets as they are now, not as they were at the run (--live-sets).",
}


def warnings(summary: Summary) -> list[str]:
    """What a reader must know before any figure."""
    found = [SIMULATED] if summary.simulated else []
    found += [_MARKS.get(mark, mark) for mark in summary.marks]
    if summary.pins.moved:
        names = ", ".join((*summary.pins.response_models, *summary.pins.system_fingerprints))
        found.append(f"MOVED: more than one model or fingerprint answered within the run ({names}).")
    samples = summary.samples
    if samples.planned is not None and samples.missing:
        found.append(f"INCOMPLETE: {_missing(summary)} of {samples.planned} planned samples are not recorded.")
    return found


def _missing(summary: Summary) -> int:
    """How many planned samples are not recorded; only the first are named, and what is beyond the plan fills no gap."""
    counted = next((check.right for check in summary.checks if check.name == PLANNED), None)
    return len(summary.samples.missing) if counted is None else counted - summary.samples.recorded


def standing(row: ValueRow | StoredRow) -> str:
    """How a value stands to its set, in a word."""
    return "catch-all" if row.catch_all else "in set" if row.in_set else "OUT"


def title(summary: Summary) -> str:
    """What was measured, in one line."""
    models = ", ".join(summary.pins.response_models or summary.pins.request_model) or "no model"
    return f"{summary.corpus} on {models}"


def drawn(summary: Summary) -> str | None:
    """How it was drawn, in one line; None where nobody knows."""
    how = summary.drawn
    if not how.run_id:
        return None
    models = ", ".join(filter(None, summary.pins.request_model))
    asked = [models and f"asked for {models}", how.api, how.base_url]
    asked += [] if how.temperature is None else [f"temperature {how.temperature:g}"]
    asked += [encode_text(how.params)] if how.params else []
    return ": ".join(filter(None, (f"run {how.run_id[:_SHORT]}", ", ".join(filter(None, asked)))))


_SHORT = 12
"""Characters of a run's id."""


def checked(found: Check) -> str:
    """One check with both of its numbers."""
    left, right = (str(number) if number is not None else "not known" for number in (found.left, found.right))
    sign = {True: "ok  ", False: "FAIL", None: "?   "}[found.ok]
    relation = {True: "=", False: "is not", None: "and"}[found.ok]
    return f"{sign} {found.name}: {left} {relation} {right}"
