"""Results read and judged: each study of a file or pipe with the corpus and the sets that it was run with.

A study is one corpus, model and settings in one run; two are never counted together.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpora.corpus import Corpus, bundled, load, read_sets
from corpora.errors import BadInput
from corpora.jsonl import encode_text, read_records
from corpora.records import STUB_ERRORS, Manifest, Record
from corpora.snapshots import AuthoritativeSet
from runner.gate import require_canned
from runner.journal.manifest import manifest_path, read_manifest
from scoring.counting.summary import Summary, Tally
from scoring.judging.verdicts import Verdict
from scoring.judging.walk import Judge

Told = Callable[[BadInput], None]
Keep = Callable[[Iterable[Verdict]], None]


class Source(NamedTuple):
    """A results file with its manifest, or standard input."""

    name: str
    path: Path | None
    manifest: Manifest | None

    def records(self, damaged: Told) -> Iterator[Record]:
        """Its records; a line that is none is told to `damaged`."""
        return read_records(sys.stdin.buffer if self.path is None else self.path, damaged)


def source(name: str) -> Source:
    """A source by its name on the command line, `-` being standard input. Raises BadInput."""
    if name == "-":
        return Source("standard input", None, None)
    path = Path(name)
    return Source(name, path, read_manifest(manifest_path(path)))


class Study:
    """One study while it is counted."""

    def __init__(
        self, corpus: Corpus, sets: dict[str, AuthoritativeSet], manifest: Manifest | None, marks: tuple[str, ...]
    ) -> None:
        self.corpus = corpus
        self._judge = Judge(corpus, sets)
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

    def add(self, record: Record) -> list[Verdict]:
        """Judge and count one record."""
        verdicts = list(self._judge.verdicts(record))
        self._tally.add(record, verdicts)
        return verdicts

    def summary(self) -> Summary:
        """What was counted."""
        return self._tally.summary()


class Studies:
    """The studies of some sources, each opened at its first record."""

    def __init__(self, corpus: str | None = None) -> None:
        self._named = load(corpus) if corpus is not None else None
        self._open: dict[tuple[str, ...], Study] = {}
        self._loaded: dict[str, Corpus] = {}

    def read(self, results: Source, damaged: Told, keep: Keep | None = None) -> int:
        """Judge and count every record of a source; how many there were. Raises BadInput, and Finding by the gate."""
        count = 0
        for record in results.records(damaged):
            verdicts = self._study(record, results).add(record)
            count += 1
            if keep is not None:
                keep(verdicts)
        return count

    def summaries(self) -> Iterator[Summary]:
        """One for each study, in the order of first sight."""
        return (study.summary() for study in self._open.values())

    def _study(self, record: Record, results: Source) -> Study:
        key = _identity(record)
        if key not in self._open:
            self._open[key] = self._begin(record, results)
        return self._open[key]

    def _begin(self, record: Record, results: Source) -> Study:
        manifest = results.manifest
        if manifest is not None and manifest.run_id != record.run_id:
            manifest = None
        corpus = self._corpus(record, results, manifest)
        sets = manifest.sets if manifest is not None else read_sets(corpus)
        require_canned(corpus, sets)
        return Study(corpus, sets, manifest, tuple(flag for flag in record.flags if flag == STUB_ERRORS))

    def _corpus(self, record: Record, results: Source, manifest: Manifest | None) -> Corpus:
        corpus = self._named or self._load(_corpus_name(record, results, manifest))
        if corpus.corpus_sha256 != record.corpus_sha256:
            raise BadInput(
                f"was run with another corpus {record.corpus!r} than {corpus.folder} holds now"
                f"{_changed(corpus, manifest)}; name the right folder with --corpus",
                path=results.name,
            )
        return corpus

    def _load(self, name: str) -> Corpus:
        if name not in self._loaded:
            self._loaded[name] = load(name)
        return self._loaded[name]


def _corpus_name(record: Record, results: Source, manifest: Manifest | None) -> str:
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


def _changed(corpus: Corpus, manifest: Manifest | None) -> str:
    """Which fixture is another, as far as the manifest tells."""
    if manifest is None:
        return ""
    now = {fixture.id: fixture.sha256 for fixture in corpus.fixtures}
    others = [name for name, sha256 in manifest.fixtures.items() if now.get(name) != sha256]
    return f" (fixture {others[0]!r} is another)" if others else ""


def _identity(record: Record) -> tuple[str, ...]:
    """What makes records one study."""
    settings = encode_text([record.temperature, record.params])
    return (record.run_id, record.corpus_sha256, record.request_model, record.api, record.base_url, settings)
