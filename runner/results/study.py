"""One study while it is counted: one corpus, model and settings in one run. Two are never counted together."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from corpora.jsonl import changed, encode_text
from corpora.lean import LeanRecord
from runner.results.basis import Basis
from runner.results.pins import pins
from runner.urls import endpoint_of
from scoring.counting.compare import Run
from scoring.counting.figures import Drawn
from scoring.counting.ledger import Parts
from scoring.counting.summary import Summary, Tally
from scoring.judging.memo import Memo
from scoring.judging.verdicts import Verdict
from scoring.judging.walk import Judge

pinned = attrgetter(
    "run_id", "request_model", "temperature", "params", "corpus_sha256", "base_url", "api",
    "response_models", "system_fingerprints", "flags",
)  # fmt: skip
"""What `identity` is made of, and what a ledger pins: asked of every record, and cheap to compare."""


def identity(record: LeanRecord) -> tuple[str, ...]:
    """What makes records one study."""
    settings = encode_text([record.temperature, record.params])
    place = " ".join(endpoint_of(record.base_url))
    return (record.run_id, record.corpus_sha256, record.request_model, record.api, place, settings)


class Study:
    """One study while it is counted."""

    def __init__(self, first: LeanRecord, basis: Basis) -> None:
        corpus, sets, manifest, marks = basis
        self.corpus = corpus
        self._first = first
        self._manifest = manifest
        self._judge = Judge(corpus, sets)
        self._known: Memo[tuple[tuple[Verdict, ...], int]] = Memo()
        """What is said -> findings, and the number of their outcome."""
        samples = manifest.study.samples if manifest else None
        selected = manifest.selected if manifest else None
        fixtures = len(corpus.fixtures) if selected is None else len(selected)
        self._tally = Tally(
            corpus,
            sets,
            None if samples is None else samples * fixtures,
            samples_per_fixture=samples,
            selected=selected,
            marks=marks,
        )

    def add(self, record: LeanRecord) -> tuple[Verdict, ...]:
        """Judge and count one record; its findings."""
        said = self._judge.said(record)
        known = self._known.known.get(said)
        if known is None:
            findings = self._judge.fresh(record)
            known = findings, self._tally.count(record, findings)
            if said is not None:
                self._known.keep(said, known)
        else:
            self._tally.again(record, known[1])
        return known[0]

    def pin(self, record: LeanRecord) -> None:
        """Keep what answered a record, and those after it that share its pins."""
        self._tally.pin(record)

    def absorb(self, parts: Parts) -> None:
        """Count what another process counted of this study."""
        self._tally.absorb(parts)

    def parts(self) -> tuple[LeanRecord, Parts]:
        """The first record and what was counted, for another process."""
        return self._first, self._tally.parts()

    def verdicts(self, record: LeanRecord, findings: tuple[Verdict, ...]) -> Iterator[Verdict]:
        """Findings with the name of the record that they were made for."""
        return self._judge.named(record, findings)

    def summary(self) -> Summary:
        """What was counted, and how it was drawn."""
        first = self._first
        how = Drawn(
            run_id=first.run_id,
            api=first.api,
            base_url=first.base_url,
            temperature=first.temperature,
            params=first.params,
        )
        return changed(self._tally.summary(), drawn=how)

    def run(self, name: str) -> Run:
        """What was counted, to be held against another run."""
        return Run(name, self._first.run_id, self._tally, pins(self._first, self._manifest, self._tally))
