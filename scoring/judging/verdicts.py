"""Verdict: what is said of one probe in one call; and every verdict on a record."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corpora.corpus import Corpus
from corpora.lean import Sample
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, Label, Measure
from scoring.judging.leaves import Where
from scoring.judging.sightings import Span
from scoring.judging.texts import Form


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the scorer says of one probe in one call, or of a sample that made no call of the tool."""

    v: int = 1
    run_id: str
    model: str
    fixture_id: str
    sample: int
    stratum: str
    tool: str
    argument: str
    measure: Measure
    call: int | None = None
    """The place among the calls of the record, from 0; None for a sample without a call of the tool."""
    element: tuple[int, ...] | None = None
    """The place in each array on the way to the value; None where there is no array."""
    emitted: Json = None
    emptiness: str | None = None
    malformed: str | None = None
    offered: bool | None = None
    """None where the sample made no call at all."""
    label: Label | None = None
    passes: bool | None = None
    subtype: str | None = None
    bait: bool | None = None
    asked: bool | None = None
    where: Where | None = None
    span: Span | None = None
    form: Form | None = None
    flags: tuple[str, ...] = ()
    in_set: bool | None = None
    nearest: Json = None
    near: str | None = None
    correct: bool | None = None
    stored: Json = None


def judge(record: Sample, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> Iterator[Verdict]:
    """Every verdict on a record: one per probe and call of its tool and array element, in the order of the probes.

    A record with an error has none: there was no usable answer. Raises BadInput where the fixture is not the corpus's.
    """
    from scoring.judging.walk import Judge  # it needs Verdict from here

    return Judge.of(corpus, sets).verdicts(record)
