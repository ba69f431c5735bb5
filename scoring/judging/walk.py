"""The walk of a record: each probe against each call of its tool.

What samples of one fixture say alike is judged once: the findings are kept in a bounded memo, and a verdict is a
finding with the name of its sample. Scoring reads; nothing is written back into a record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import msgspec

from corpora.corpus import Corpus, Probe
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.jsonl import encode_text
from corpora.lean import LeanCall, LeanRecord, Sample
from corpora.records import Call
from corpora.shapes.dialects import may_hold_calls
from corpora.snapshots import AuthoritativeSet
from scoring.judging.effects import as_stored, has_stand_in
from scoring.judging.memo import Memo
from scoring.judging.probing import ProbeJudge
from scoring.judging.reading import read_calls
from scoring.judging.set_probe import SetProbe
from scoring.judging.verdicts import Verdict
from scoring.judging.world_probe import WorldProbe


class Judge:
    """A corpus and its sets made ready to judge records."""

    _last: Self | None = None

    def __init__(self, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> None:
        self.corpus = corpus
        self.sets = sets
        self.fixtures = corpus.by_id()
        self._memo: Memo[tuple[Verdict, ...]] = Memo()
        self._words = any(probe.measure == "closed-world" for probe in corpus.probes)
        self._probes = [_probe_judge(probe, corpus, sets) for probe in corpus.probes]

    @classmethod
    def of(cls, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> Self:
        """The judge of this corpus and these sets: the last one made, where it is theirs."""
        if cls._last is None or cls._last.corpus is not corpus or cls._last.sets is not sets:
            cls._last = cls(corpus, sets)
        return cls._last

    def verdicts(self, record: Sample) -> Iterator[Verdict]:
        """The verdicts of one record; none where it holds an error."""
        return self.named(record, self.findings(record))

    def named(self, record: Sample, findings: tuple[Verdict, ...]) -> Iterator[Verdict]:
        """Findings with the name of the sample that they were made for."""
        model = record.response_models[0] if record.response_models else record.request_model
        for finding in findings:
            yield msgspec.structs.replace(finding, run_id=record.run_id, model=model, sample=record.sample)

    def findings(self, record: Sample) -> tuple[Verdict, ...]:
        """Verdicts without the name of the sample, shared by all samples that say the same; none for an error."""
        said = self.said(record)
        return self.fresh(record) if said is None else self._memo.get(said, lambda: self.fresh(record))

    def fresh(self, record: Sample) -> tuple[Verdict, ...]:
        """The findings of one record, made anew. Raises BadInput where the corpus has no such fixture."""
        if record.status != "ok":
            self.fixture(record)  # an error is counted under its fixture too
            return ()
        if has_stand_in(record):
            return tuple(as_stored(verdict, record) for verdict in self._walk(record))
        return tuple(self._walk(record))

    def said(self, record: Sample) -> tuple[object, ...] | None:
        """Everything of a record that its findings depend on; None where no other sample has the same findings."""
        if record.status != "ok" or (record.flags and has_stand_in(record)):
            return None
        turns = record.turns
        # A lean call holds nothing beside, and hashes as it is.
        called = record.calls if type(record) is LeanRecord else _plain(record.calls)
        if not self._words:
            ends = turns[0].finish_reason if len(turns) == 1 else tuple([turn.finish_reason for turn in turns])
            text = None if called or record.text is None or not may_hold_calls(record.text) else record.text
            return record.fixture_id, record.malformed, text, called, ends
        took = tuple([(turn.text, turn.finish_reason) for turn in turns])
        effects = tuple((e.turn, e.tool, encode_text(e.answer)) for e in record.effects) if len(turns) > 1 else ()
        return record.fixture_id, record.malformed, record.text, called, took, effects

    def fixture(self, record: Sample) -> Fixture:
        """The fixture of a record; raises BadInput where the corpus has none of that id."""
        fixture = self.fixtures.get(record.fixture_id)
        if fixture is None:
            raise BadInput(
                f"there is no fixture {record.fixture_id!r} in {self.corpus.name}; "
                "score it with the corpus it was run with"
            )
        return fixture

    def _walk(self, record: Sample) -> Iterator[Verdict]:
        fixture = self.fixture(record)
        calls = read_calls(record, self.corpus)
        for probe in self._probes:
            yield from probe.judge(record, fixture, calls)


def _plain(calls: Sequence[Call | LeanCall]) -> tuple[object, ...]:
    """Calls without what is new in each."""
    return tuple([(call.turn, call.name, call.arguments, call.wire_type, call.source) for call in calls])


def _probe_judge(probe: Probe, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> ProbeJudge:
    return (SetProbe if probe.measure == "membership" else WorldProbe)(corpus, probe, sets)
