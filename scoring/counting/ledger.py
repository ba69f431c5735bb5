"""The ledger: samples come in one by one, in any order, and only counts stay.

What is kept grows with fixtures and different outcomes, and by twelve bytes a sample: enough to take the last line of a
key where a resumed run left two, and to see which answers are repeats of one draw.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from zlib import adler32, crc32

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.lean import Sample
from corpora.records import SIMULATED_ENDPOINT
from corpora.snapshots import AuthoritativeSet
from scoring.counting.outcomes import Outcome, error_outcome, set_outcome, world_outcome
from scoring.counting.samples import NO_SAMPLE, FixtureTally
from scoring.judging.reading import read_calls
from scoring.judging.verdicts import Verdict

_SIMULATED = "simulated/"


class Parts(NamedTuple):
    """What a ledger counted, without corpus and sets: what one process sends to another."""

    outcomes: list[Outcome]
    tallies: dict[str, tuple[array[int], array[int]]]
    request_models: dict[str, None]
    response_models: dict[str, None]
    fingerprints: dict[str, None]
    simulated_endpoint: bool


class Ledger:
    """Counts the samples of one study. `planned`: samples that the run meant to draw, None where nobody knows.

    `samples_per_fixture` and `selected` (fixture ids; None: all) come from the manifest; `simulated` is told by the
    names of the models that answered, where it is not given. `marks` stand over every table.
    """

    def __init__(
        self,
        corpus: Corpus,
        sets: dict[str, AuthoritativeSet],
        planned: int | None = None,
        *,
        simulated: bool | None = None,
        samples_per_fixture: int | None = None,
        selected: tuple[str, ...] | None = None,
        marks: tuple[str, ...] = (),
    ) -> None:
        self.corpus, self.sets, self.planned = corpus, sets, planned
        self.samples_per_fixture = samples_per_fixture
        self._selected = None if selected is None else frozenset(selected)
        self.marks = marks
        self.outcomes: list[Outcome] = []
        self._numbers: dict[Outcome, int] = {}
        self.tallies = {fixture.id: FixtureTally(self.outcomes) for fixture in corpus.fixtures}
        self.request_models: dict[str, None] = {}
        self.response_models: dict[str, None] = {}
        self.fingerprints: dict[str, None] = {}
        self._simulated = simulated
        self._simulated_endpoint = False
        self._must_call = {fixture.id: corpus.must_call(fixture) for fixture in corpus.fixtures}
        self._error = self.number(Outcome("errors", tuple(error_outcome(probe) for probe in corpus.probes)))

    @property
    def fixtures(self) -> list[Fixture]:
        """The fixtures that were selected, and any other that has a sample."""
        if self._selected is None:
            return list(self.corpus.fixtures)
        return [f for f in self.corpus.fixtures if f.id in self._selected or self.tallies[f.id]]

    @property
    def simulated(self) -> bool:
        """A simulated model is among those that answered."""
        if self._simulated is not None:
            return self._simulated
        names = (*self.response_models, *self.request_models)
        return self._simulated_endpoint or any(name.startswith(_SIMULATED) for name in names)

    @property
    def drifted(self) -> bool:
        """More than one model or fingerprint answered within the run."""
        return max(len(self.response_models), len(self.fingerprints), len(self.request_models)) > 1

    def add(self, record: Sample, verdicts: Iterable[Verdict]) -> None:
        """Count one record with all of its verdicts."""
        self.pin(record)
        self.count(record, list(verdicts))

    def count(self, record: Sample, verdicts: Sequence[Verdict]) -> int:
        """Count one record whose pins were told to `pin`; the number of its outcome, for `again`."""
        number = self._error if record.status != "ok" else self.number(self._outcome(record, verdicts))
        self.again(record, number)
        return number

    def pin(self, record: Sample) -> None:
        """Keep what answered a record: models, fingerprints, a simulated endpoint."""
        self._simulated_endpoint = self._simulated_endpoint or SIMULATED_ENDPOINT in record.flags
        self.request_models[record.request_model] = None
        self.response_models |= dict.fromkeys(record.response_models)
        self.fingerprints |= dict.fromkeys(record.system_fingerprints)

    def parts(self) -> Parts:
        """What was counted, to be sent elsewhere."""
        tallies = {name: tally.parts() for name, tally in self.tallies.items() if tally}
        models = (self.request_models, self.response_models, self.fingerprints)
        return Parts(self.outcomes, tallies, *models, self._simulated_endpoint)

    def absorb(self, parts: Parts) -> None:
        """Count what another ledger of the same study counted from later lines."""
        names = {NO_SAMPLE: NO_SAMPLE, **{place: self.number(outcome) for place, outcome in enumerate(parts.outcomes)}}
        for name, (numbers, draws) in parts.tallies.items():
            self.tallies[name].absorb(numbers, draws, names)
        self.request_models |= parts.request_models
        self.response_models |= parts.response_models
        self.fingerprints |= parts.fingerprints
        self._simulated_endpoint = self._simulated_endpoint or parts.simulated_endpoint

    def number(self, outcome: Outcome) -> int:
        """The number of an outcome in this ledger."""
        number = self._numbers.setdefault(outcome, len(self.outcomes))
        if number == len(self.outcomes):
            self.outcomes.append(outcome)
        return number

    def again(self, record: Sample, number: int) -> None:
        """Count one record that came out as others did before."""
        turns = record.turns
        draw = turns[0].response_id if turns else None
        trace = 0
        if draw:
            data = draw.encode()
            trace = crc32(data) << 32 | adler32(data)
        self.tallies[record.fixture_id].add(record.sample, number, trace)

    def _outcome(self, record: Sample, verdicts: Sequence[Verdict]) -> Outcome:
        parts = []
        for probe in self.corpus.probes:
            own = [
                v
                for v in verdicts
                if v.argument == probe.argument and v.tool == probe.tool and v.measure == probe.measure
            ]
            parts.append(set_outcome(own) if probe.measure == "membership" else world_outcome(own))
        return Outcome(self._state(record, verdicts), tuple(parts))

    def _state(self, record: Sample, verdicts: Sequence[Verdict]) -> str:
        """The column of `samples` that counts a record: by the tool that its fixture is meant to reach."""
        wanted = self._must_call[record.fixture_id]
        calls = read_calls(record, self.corpus)
        if any(call.tool is not None and call.tool.name == wanted and call.malformed is None for call in calls):
            return "reached"
        unread = any(verdict.malformed is not None for verdict in verdicts) or any(call.malformed for call in calls)
        return "malformed" if unread else "not_reached"

    def missing(self, most: int = 20) -> tuple[tuple[str, int], ...]:
        """The first keys that were planned and not recorded; none where the plan is not known."""
        return tuple(islice(self.all_missing(), most))

    def all_missing(self) -> Iterator[tuple[str, int]]:
        """Every key that was planned and not recorded, sample by sample."""
        for sample in range(self.samples_per_fixture or 0):
            for fixture in self.fixtures:
                if sample not in self.tallies[fixture.id]:
                    yield fixture.id, sample
