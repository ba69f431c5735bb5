"""Results read and judged: each study of a file or pipe with the corpus and the sets that it was run with.

A study is one corpus, model and settings in one run; two are never counted together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from stat import S_ISDIR
from typing import NamedTuple

from corpora.corpus import Corpus, bundled, load
from corpora.errors import BadInput
from corpora.heads import head
from corpora.jsonl import decode, encode_text
from corpora.lean import LeanRecord
from corpora.records import STUB_ERRORS, Manifest
from corpora.sets import needs_connection, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject
from runner.gate import require_canned
from runner.journal.manifest import manifest_path, read_manifest
from runner.live import sets_of
from runner.packed import opened
from runner.pins import pins
from runner.ranges import WORTH_BYTES, Range, in_processes, lines_of, ranges
from runner.superseded import superseded
from runner.urls import endpoint_of
from scoring.counting.compare import Run
from scoring.counting.ledger import Parts
from scoring.counting.summary import Summary, Tally
from scoring.judging.memo import Memo
from scoring.judging.verdicts import Verdict
from scoring.judging.walk import Judge

Told = Callable[[BadInput], None]
Keep = Callable[[Iterable[Verdict]], None]


class Source(NamedTuple):
    """A results file with its manifest, or standard input."""

    name: str
    path: Path | None
    manifest: Manifest | None

    def records(self, damaged: Told) -> Iterator[LeanRecord]:
        """Its records; a line that is none is told to `damaged`."""
        with opened(self.path) as stream:
            yield from decode(stream, LeanRecord, path=self.name, damaged=damaged)


def source(name: str) -> Source:
    """A source by its name on the command line, `-` being standard input. Raises BadInput."""
    if name == "-":
        return Source("standard input", None, None)
    path = Path(name)
    try:
        folder = S_ISDIR(path.stat().st_mode)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}; name a results file", path=name) from error
    if folder:
        raise BadInput("is a folder; name a results file in it", path=name)
    return Source(name, path, read_manifest(manifest_path(path)))


class Leave(NamedTuple):
    """What may differ from the run; each is marked on every table."""

    changed: bool = False
    """--allow-changed: the corpus, or a set, is another than at the run."""
    live: bool = False
    """--live-sets: the sets as they are now."""


class Study:
    """One study while it is counted."""

    def __init__(
        self,
        corpus: Corpus,
        sets: dict[str, AuthoritativeSet],
        manifest: Manifest | None,
        first: LeanRecord,
        marks: tuple[str, ...] = (),
    ) -> None:
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
        """What was counted."""
        return self._tally.summary()

    def run(self, name: str) -> Run:
        """What was counted, to be held against another run."""
        return Run(name, self._first.run_id, self._tally, pins(self._first, self._manifest, self._tally))


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


def _line_of(results: Source, record: LeanRecord) -> int | None:
    """Where the first record of a key stands; None in a pipe, which cannot be read again."""
    if results.path is None:
        return None
    with opened(results.path) as stream:
        heads = ((number, head(line)) for number, line in enumerate(stream, 1))
        key = (record.fixture_id, record.sample)
        return next((number for number, found in heads if found and (found.fixture_id, found.sample) == key), None)


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
        self._named = load(corpus) if corpus is not None else None
        self._leave = leave
        self._open: dict[tuple[str, ...], Study] = {}
        self._loaded: dict[object, Corpus] = {}
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
            replaced = superseded(results.path, _identity)
        for record in records:
            study = self._study(record, results)
            try:
                findings = study.add(record)
            except BadInput as error:
                line = _line_of(results, record)
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
        pinned = _pinned(record)
        if self._last is not None and pinned == self._last[0]:
            return self._last[1]
        key = _identity(record)
        if key not in self._open:
            self._open[key] = self._begin(record, results)
        study = self._open[key]
        study.pin(record)
        self._last = (pinned, study)
        return study

    def _begin(self, record: LeanRecord, results: Source) -> Study:
        manifest = results.manifest
        if manifest is not None and manifest.run_id != record.run_id:
            manifest = None
        corpus, changed = self._corpus(record, results, manifest)
        sets, other = self._sets(corpus, manifest, results)
        require_canned(self._load(corpus.folder, {}) if corpus.replaced else corpus, sets)
        marks = [flag for flag in record.flags if flag == STUB_ERRORS]
        marks += ["changed-corpus"] if changed or other else []
        marks += ["live-sets"] if self._leave.live else []
        return Study(corpus, sets, manifest, record, tuple(marks))

    def _sets(
        self, corpus: Corpus, manifest: Manifest | None, results: Source
    ) -> tuple[dict[str, AuthoritativeSet], bool]:
        """The sets to judge by, and whether the corpus holds others now than at the run. Raises BadInput."""
        if manifest is None or self._leave.live:
            return sets_of(corpus, os.environ, live=self._leave.live), False
        others = [name for name, then in manifest.sets.items() if _now(corpus, name, then) != then.sha256]
        if others and not self._leave.changed:
            raise BadInput(
                f"the set {others[0]!r} of {corpus.folder} holds other values now than at the run; name another folder "
                "with --corpus where that is not the one, or --allow-changed scores with those of "
                "the run, --live-sets with those of now, and both mark every table",
                path=results.name,
            )
        return manifest.sets, bool(others)

    def _corpus(self, record: LeanRecord, results: Source, manifest: Manifest | None) -> tuple[Corpus, bool]:
        """The corpus to judge by, and whether it is another now than at the run. Raises BadInput."""
        replaced = manifest.replaced if manifest is not None else {}
        named = self._named.folder if self._named is not None else _corpus_name(record, results, manifest)
        if self._named is None and self._leave.live:
            _require_no_choice(named, results, manifest)
        corpus = self._load(named, replaced) if replaced or self._named is None else self._named
        changed = corpus.corpus_sha256 != record.corpus_sha256
        if changed and not self._leave.changed:
            raise BadInput(
                f"was run with another corpus {record.corpus!r} than {corpus.folder} holds now"
                f"{_changed(corpus, manifest)}; name the right folder with --corpus, "
                "or mark every table with --allow-changed",
                path=results.name,
            )
        return corpus, changed

    def _load(self, name: str, replaced: JsonObject) -> Corpus:
        key = (name, encode_text(replaced))
        if key not in self._loaded:
            self._loaded[key] = load(name, replaced)
        return self._loaded[key]


def _now(corpus: Corpus, name: str, then: AuthoritativeSet) -> str | None:
    """The hash of a set as the corpus holds it now; where that needs a connection, what it was then."""
    spec = corpus.set_specs.get(name)
    if spec is None:
        return None
    return then.sha256 if needs_connection(spec) else read_set(name, spec, Path(corpus.folder)).sha256


def _corpus_name(record: LeanRecord, results: Source, manifest: Manifest | None) -> str:
    """The bundled corpus of the record's name, else the folder that the manifest names."""
    if record.corpus in bundled():
        return record.corpus
    if manifest is None:
        raise BadInput(
            f"was run with the corpus {record.corpus!r}, which is not bundled, and no manifest names its folder; "
            "name it with --corpus",
            path=results.name,
        )
    return manifest.corpus_path


def _require_no_choice(named: str, results: Source, manifest: Manifest | None) -> None:
    """Raises BadInput where the run was of a folder with the name of a bundled corpus: either could be meant."""
    if manifest is not None and named in bundled() and manifest.corpus_path != named:
        raise BadInput(
            f"was run with {manifest.corpus_path}, and a bundled corpus has the name {named!r} too; say with --corpus "
            "whose sets shall be read now",
            path=results.name,
        )


def _changed(corpus: Corpus, manifest: Manifest | None) -> str:
    """Which fixture is another, as far as the manifest tells."""
    if manifest is None:
        return ""
    now = {fixture.id: fixture.sha256 for fixture in corpus.fixtures}
    others = [name for name, sha256 in manifest.fixtures.items() if now.get(name) != sha256]
    return f" (fixture {others[0]!r} is another)" if others else ""


_pinned = attrgetter(
    "run_id", "request_model", "temperature", "params", "corpus_sha256", "base_url", "api",
    "response_models", "system_fingerprints", "flags",
)  # fmt: skip
"""What `_identity` is made of, and what a ledger pins: asked of every record, and cheap to compare."""


def _identity(record: LeanRecord) -> tuple[str, ...]:
    """What makes records one study."""
    settings = encode_text([record.temperature, record.params])
    place = " ".join(endpoint_of(record.base_url))
    return (record.run_id, record.corpus_sha256, record.request_model, record.api, place, settings)
