"""The worst verdict of a sample: what counts where it has several calls or array elements."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.judging.verdicts import Verdict

_LABELS = ("INJECT", "DRIFT", "COPY", "OMIT", "ASK")


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """One that does not pass before one that does, then by label; no label last. A value out of the set comes first."""
    return min(verdicts, key=_badness)


def _badness(verdict: Verdict) -> tuple[bool, int, int]:
    """Sorts the worst verdict first."""
    labelled = _LABELS.index(verdict.label) if verdict.label is not None else len(_LABELS)
    standing = {False: 0, True: 1, None: 2}[verdict.in_set]
    return verdict.passes is not False, labelled, standing
