"""Results read and judged: each study of a file or pipe is opened at its first record, and counted apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from corpora.errors import BadInput
from corpora.jsonl import decode
from corpora.lean import LeanRecord
from runner.packed import opened
from runner.results.basis import Bases, Leave
from runner.results.ranges import WORTH_BYTES, Range, in_processes, lines_of, ranges
from runner.results.source import Source, Told
from runner.results.study import Study, identity, pinned
from runner.results.superseded import superseded
from scoring.counting.ledger import Parts
from scoring.counting.summary import Summary
from scoring.judging.verdicts import Verdict

Keep = Callable[[Iterable[Verdict]], None]


class _Share(NamedTuple):
    """One range of a results file, to be counted in another process."""

    corpus: str | None
    leave: Leave
    results: Source
    part: Range


class _Counted(NamedTuple):
    """What came of it: each study by its first record."""

    records: int
    damaged: bool
    studies: list[tuple[LeanRecord, Parts]]


def _count_share(share: _Share) -> _Counted:
    """Count one range; damaged lines are only told of, since their numbers are not known here."""
    studies, damaged = Studies(share.corpus, share.leave), list[BadInput]()
    with opened(share.results.path) as stream:
        lines = lines_of(stream, share.part)
        records = decode(lines, LeanRecord, path=share.results.name, damaged=damaged.append)
        count = studies._read(records, share.results, None)
    return _Counted(count, bool(damaged), [study.parts() for study in studies.open])


class Studies:
    """The studies of some sources, each opened at its first record."""

    def __init__(
        self,
        corpus: str | None = None,
        leave: Leave = Leave(),  # noqa: B008 - it is frozen
        worth_bytes: int = WORTH_BYTES,
    ) -> None:
        self._worth_bytes = worth_bytes
        self._name = corpus
        self._leave = leave
        self._bases = Bases(corpus, leave)
        self._open: dict[tuple[str, ...], Study] = {}
        self._last: tuple[object, Study] | None = None

    def read(self, results: Source, damaged: Told, keep: Keep | None = None) -> int:
        """Judge and count every record of a source; how many there were. Raises BadInput, and Finding by the gate."""
        if keep is None and results.path is not None and (shares := ranges(results.path, self._worth_bytes))[1:]:
            jobs = [_Share(self._name, self._leave, results, share) for share in shares]
            counted = in_processes(_count_share, jobs)
            if not any(share.damaged for share in counted):
                return sum(self._absorb(share, results) for share in counted)
        return self._read(results.records(damaged), results, keep)

    def _absorb(self, share: _Counted, results: Source) -> int:
        """Add what another process counted."""
        for first, parts in share.studies:
            self._study(first, results).absorb(parts)
        return share.records

    def _read(self, records: Iterable[LeanRecord], results: Source, keep: Keep | None) -> int:
        count = 0
        replaced = frozenset[int]()
        if keep is not None and results.path is not None:
            replaced = superseded(results.path, identity)
        for record in records:
            study = self._study(record, results)
            try:
                findings = study.add(record)
            except BadInput as error:
                line = results.line_of(record)
                raise BadInput(error.what, path=results.name, line=line, field=error.field) from error
            count += 1
            if keep is not None and count - 1 not in replaced:
                keep(study.verdicts(record, findings))
        return count

    @property
    def open(self) -> list[Study]:
        """The studies, in the order of first sight."""
        return list(self._open.values())

    def summaries(self) -> Iterator[Summary]:
        """One for each study, in the order of first sight."""
        return (study.summary() for study in self._open.values())

    def _study(self, record: LeanRecord, results: Source) -> Study:
        pins = pinned(record)
        if self._last is not None and pins == self._last[0]:
            return self._last[1]
        key = identity(record)
        if key not in self._open:
            self._open[key] = Study(record, self._bases.of(record, results))
        study = self._open[key]
        study.pin(record)
        self._last = (pins, study)
        return study
