"""Two results files held against each other."""

from __future__ import annotations

from corpora.errors import BadInput
from runner.results.basis import Leave
from runner.results.source import source
from runner.results.studies import Studies
from scoring.counting.compare import Run, compare
from scoring.counting.comparison import Adjust, Comparison


def one_run(name: str, corpus: str | None = None, leave: Leave = Leave()) -> Run:  # noqa: B008 - it is frozen
    """The one study of a results file. Raises BadInput where it holds none, or several."""
    studies = Studies(corpus, leave)
    damaged: list[BadInput] = []
    studies.read(source(name), damaged.append)
    if damaged:
        first = damaged[0]
        raise BadInput(
            f"{first.what}; whole results are compared: the run's own command mends them (with --repair where a line "
            "in the middle is damaged)",
            path=first.path,
            line=first.line,
            field=first.field,
        )
    if not studies.open:
        raise BadInput("holds no record; name a results file", path=name)
    if len(studies.open) != 1:
        raise BadInput(f"holds {len(studies.open)} studies; a comparison is of one with one", path=name)
    return studies.open[0].run(name)


def held_against(before: Run, after: Run, adjust: Adjust = "holm", *, allow_moved: bool = False) -> Comparison:
    """Compare two runs. Raises BadInput where the model moved within one of them, unless that is allowed."""
    for run in (before, after):
        if run.ledger.drifted and not allow_moved:
            models = ", ".join((*run.ledger.response_models, *run.ledger.fingerprints))
            raise BadInput(
                f"more than one model or fingerprint answered within this run ({models}); what would be compared is no "
                "one thing; --allow-moved compares it all the same",
                path=run.source,
            )
    if before.ledger.corpus.name != after.ledger.corpus.name:
        raise BadInput(
            f"is of the corpus {after.ledger.corpus.name!r}, and {before.source} of {before.ledger.corpus.name!r}",
            path=after.source,
        )
    return compare(before, after, adjust)


def worse(before: Run, after: Run) -> list[str]:
    """One sentence for each rate that rose."""
    found = held_against(before, after)
    return [
        f"--fail-on worse:{before.source}: {change.tool}.{change.argument}, {change.stratum}: the rate rose from "
        f"{change.before or 0:.3f} to {change.after or 0:.3f} "
        f"(p {change.p_adjusted or 0:.2g}, {change.fixtures} fixtures)"
        for change in found.worse
    ]
