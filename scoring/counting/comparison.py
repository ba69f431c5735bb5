"""A comparison of two runs as it is written."""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.values import Json, Measure

Adjust = Literal["holm", "bh"]

LEVEL = 0.05


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two runs."""

    source: str
    run_id: str
    models: tuple[str, ...]
    simulated: bool
    drifted: bool
    """More than one model or fingerprint answered within the run."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One probe in one stratum, before and after, over the fixtures that both runs have figures for."""

    tool: str
    argument: str
    measure: Measure
    stratum: str
    fixtures: int
    before: float | None
    after: float | None
    difference: float | None
    ci95: tuple[float, float] | None
    p: float | None
    p_adjusted: float | None
    """Over all probes and strata of the comparison."""
    floor: float | None
    """The smallest p that so many fixtures permit."""
    verdict: Literal["rose", "fell", "no change seen", "too few fixtures to see one", "nothing to compare"]


class Values(msgspec.Struct, frozen=True, kw_only=True):
    """Values of a membership probe that only one of the runs emitted, over the same fixtures."""

    tool: str
    argument: str
    appeared: tuple[Json, ...]
    vanished: tuple[Json, ...]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `compare` says."""

    v: int = 1
    corpus: str
    before: Side
    after: Side
    moved: dict[str, tuple[Json, Json]]
    """What differs between the runs beside the answers: before and after."""
    cause: str
    """What the moved things permit to say."""
    unpaired: tuple[str, ...]
    """Fixtures that only one run has, or that were changed between them: at most 20."""
    paired: int
    method: str
    adjust: Adjust
    changes: tuple[Change, ...]
    values: tuple[Values, ...]

    @property
    def worse(self) -> tuple[Change, ...]:
        """The rates that rose."""
        return tuple(change for change in self.changes if change.verdict == "rose")
