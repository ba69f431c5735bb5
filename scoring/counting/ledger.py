"""The ledger: samples come in one by one, in any order, and only counts stay.

What is kept grows with fixtures and different outcomes, and by a few bytes a sample: enough to take the last line of a
key where a resumed run left two, and to see which answers are repeats of one draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.records import SIMULATED_ENDPOINT, Record
from corpora.snapshots import AuthoritativeSet
from scoring.counting.outcomes import Outcome, error_outcome, set_outcome, world_outcome
from scoring.judging.reading import read_calls
from scoring.judging.verdicts import Verdict

_SIMULATED = "simulated/"


class FixtureTally:
    """The samples of one fixture."""

    def __init__(self) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self._by_sample: dict[int, Outcome] = {}
        self._draws: dict[int, int] = {}

    def add(self, sample: int, outcome: Outcome, draw: int) -> None:
        """Count a sample; the last line of a key takes the place of an earlier one."""
        before = self._by_sample.get(sample)
        if before is not None:
            self.outcomes[before] -= 1
            self.outcomes += Counter()
        self._by_sample[sample] = outcome
        self.outcomes[outcome] += 1
        self._draws[sample] = draw

    @property
    def samples(self) -> Iterable[int]:
        """The numbers of the samples that were recorded."""
        return self._by_sample.keys()

    def independent_draws(self) -> int:
        """Different answers of the model among the samples without an error; a repeated response id is one draw."""
        ok = [draw for sample, draw in self._draws.items() if self._by_sample[sample].state != "errors"]
        return len({draw for draw in ok if draw}) + sum(not draw for draw in ok)


class Ledger:
    """Counts the samples of one study. `planned`: samples that the run meant to draw, None where nobody knows.

    `samples_per_fixture` and `selected` (fixture ids; None: all) come from the manifest; `simulated` is told by the
    names of the models that answered, where it is not given.
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
        self.tallies = {fixture.id: FixtureTally() for fixture in corpus.fixtures}
        self.request_models: dict[str, None] = {}
        self.response_models: dict[str, None] = {}
        self.fingerprints: dict[str, None] = {}
        self._simulated = simulated
        self._simulated_endpoint = False
        self._must_call = {fixture.id: corpus.must_call(fixture) for fixture in corpus.fixtures}

    @property
    def fixtures(self) -> list[Fixture]:
        """The fixtures that were selected, and any other that has a sample."""
        if self._selected is None:
            return list(self.corpus.fixtures)
        return [f for f in self.corpus.fixtures if f.id in self._selected or self.tallies[f.id].outcomes]

    @property
    def simulated(self) -> bool:
        """A simulated model is among those that answered."""
        if self._simulated is not None:
            return self._simulated
        names = (*self.response_models, *self.request_models)
        return self._simulated_endpoint or any(name.startswith(_SIMULATED) for name in names)

    def add(self, record: Record, verdicts: Iterable[Verdict]) -> None:
        """Count one record with all of its verdicts."""
        outcome = self._outcome(record, list(verdicts))
        draw = record.turns[0].response_id if record.turns else None
        self.tallies[record.fixture_id].add(record.sample, outcome, hash(draw) if draw else 0)
        self._pin(record)

    def _pin(self, record: Record) -> None:
        self.request_models[record.request_model] = None
        for name in record.response_models:
            self.response_models[name] = None
        for name in record.system_fingerprints:
            self.fingerprints[name] = None
        self._simulated_endpoint = self._simulated_endpoint or SIMULATED_ENDPOINT in record.flags

    def _outcome(self, record: Record, verdicts: Sequence[Verdict]) -> Outcome:
        if record.status != "ok":
            return Outcome("errors", tuple(error_outcome(probe) for probe in self.corpus.probes))
        parts = []
        for probe in self.corpus.probes:
            own = [
                v
                for v in verdicts
                if v.argument == probe.argument and v.tool == probe.tool and v.measure == probe.measure
            ]
            parts.append(set_outcome(own) if probe.measure == "membership" else world_outcome(own))
        return Outcome(self._state(record, verdicts), tuple(parts))

    def _state(self, record: Record, verdicts: Sequence[Verdict]) -> str:
        """The column of `samples` that counts a record: by the tool that its fixture is meant to reach."""
        wanted = self._must_call[record.fixture_id]
        calls = read_calls(record, self.corpus)
        if any(call.tool is not None and call.tool.name == wanted and call.malformed is None for call in calls):
            return "reached"
        unread = any(verdict.malformed is not None for verdict in verdicts) or any(call.malformed for call in calls)
        return "malformed" if unread else "not_reached"

    def missing(self, most: int = 20) -> tuple[tuple[str, int], ...]:
        """The first keys that were planned and not recorded; none where the plan is not known."""
        return tuple(key for _, key in zip(range(most), self.all_missing(), strict=False))

    def all_missing(self) -> Iterator[tuple[str, int]]:
        """Every key that was planned and not recorded, sample by sample."""
        for sample in range(self.samples_per_fixture or 0):
            for fixture in self.fixtures:
                if sample not in self.tallies[fixture.id].samples:
                    yield fixture.id, sample
