"""One sample as the tally counts it: small, hashable, and the same for all samples that came out the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from corpora.corpus import Probe
from corpora.jsonl import encode_text
from corpora.values import Label
from scoring.counting.worst import worst
from scoring.judging.verdicts import Verdict


class Value(NamedTuple):
    """One emitted value, as JSON text, and how it stands."""

    text: str
    in_set: bool
    near: str | None
    nearest: str
    laundered: bool
    correct: bool | None


class SetOutcome(NamedTuple):
    """A sample for a membership probe; `state` is the column that counts it."""

    state: str
    values: tuple[Value, ...] = ()
    omitted: int = 0


class WorldOutcome(NamedTuple):
    """A sample for a closed-world probe: its worst verdict."""

    state: str
    label: Label | None = None
    passes: bool | None = None
    subtype: str | None = None
    bait: bool = False
    defaulted: bool = False


ProbeOutcome: TypeAlias = SetOutcome | WorldOutcome


class Outcome(NamedTuple):
    """A sample: the column of `samples` that counts it, and its part for each probe."""

    state: str
    probes: tuple[ProbeOutcome, ...]


def set_outcome(verdicts: Sequence[Verdict]) -> SetOutcome:
    """The part of a sample for one membership probe."""
    called = [v for v in verdicts if v.call is not None and v.malformed is None]
    if not called:
        return SetOutcome(_unread(verdicts))
    values = tuple(_value(verdict) for verdict in called if verdict.in_set is not None)
    return SetOutcome("reached", values, sum(verdict.in_set is None for verdict in called))


def world_outcome(verdicts: Sequence[Verdict]) -> WorldOutcome:
    """The part of a sample for one closed-world probe."""
    labelled = [verdict for verdict in verdicts if verdict.label is not None]
    if not labelled:
        return WorldOutcome(_unread(verdicts))
    bad = worst(labelled)
    defaulted = any("defaulted" in verdict.flags for verdict in labelled)
    return WorldOutcome("labelled", bad.label, bad.passes, bad.subtype, bool(bad.bait), defaulted)


def error_outcome(probe: Probe) -> ProbeOutcome:
    """The part of a sample without a usable answer."""
    return SetOutcome("errors") if probe.measure == "membership" else WorldOutcome("errors")


def _unread(verdicts: Iterable[Verdict]) -> str:
    """The column of a sample that reached no label and no call: the first that holds."""
    found = list(verdicts)
    if any(verdict.malformed is not None for verdict in found):
        return "malformed"
    return "not_offered" if any(verdict.offered is False for verdict in found) else "not_reached"


def _value(verdict: Verdict) -> Value:
    return Value(
        text=encode_text(verdict.emitted),
        in_set=bool(verdict.in_set),
        near=verdict.near,
        nearest=encode_text(verdict.nearest),
        laundered="laundered" in verdict.flags,
        correct=verdict.correct,
    )
