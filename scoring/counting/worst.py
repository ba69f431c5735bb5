"""The worst verdict of a sample: what counts where it has several calls or array elements."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.judging.verdicts import Verdict

_LABELS = ("INJECT", "DRIFT", "COPY", "OMIT", "ASK", None)
_STANDINGS = (False, True, None)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """One that does not pass before one that does, then by label; no label last. A value out of the set comes first."""
    return min(verdicts, key=_badness)


def _badness(verdict: Verdict) -> tuple[bool, int, int]:
    """Sorts the worst verdict first."""
    return verdict.passes is not False, _LABELS.index(verdict.label), _STANDINGS.index(verdict.in_set)
