"""What a study is judged by: the corpus and the sets of its run, or those of now where that is asked for and marked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from corpora.corpus import Corpus, bundled, load
from corpora.errors import BadInput
from corpora.jsonl import encode_text
from corpora.lean import LeanRecord
from corpora.manifests import Manifest
from corpora.records import STUB_ERRORS
from corpora.sets import needs_connection, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject
from runner.gate import require_canned
from runner.live import sets_of
from runner.results.source import Source


class Leave(NamedTuple):
    """What may differ from the run; each is marked on every table."""

    changed: bool = False
    """--allow-changed: the corpus, or a set, is another than at the run."""
    live: bool = False
    """--live-sets: the sets as they are now."""


class Basis(NamedTuple):
    """What one study is judged by."""

    corpus: Corpus
    sets: dict[str, AuthoritativeSet]
    manifest: Manifest | None
    """Of the run of the study; None where there is none, or it is of another run."""
    marks: tuple[str, ...]
    """What every table of it says of that."""


class Bases:
    """Finds the basis of each study. A corpus that the command line names is that of all of them."""

    def __init__(self, corpus: str | None, leave: Leave) -> None:
        self._named = load(corpus) if corpus is not None else None
        self._leave = leave
        self._loaded: dict[object, Corpus] = {}

    def of(self, record: LeanRecord, results: Source) -> Basis:
        """The basis of the study that this record is the first of. Raises BadInput, and Finding by the gate."""
        manifest = results.manifest
        if manifest is not None and manifest.run_id != record.run_id:
            manifest = None
        corpus, changed = self._corpus(record, results, manifest)
        sets, other = self._sets(corpus, manifest, results)
        require_canned(self._load(corpus.folder, {}) if corpus.replaced else corpus, sets)
        marks = [flag for flag in record.flags if flag == STUB_ERRORS]
        marks += ["changed-corpus"] if changed or other else []
        marks += ["live-sets"] if self._leave.live else []
        return Basis(corpus, sets, manifest, tuple(marks))

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
