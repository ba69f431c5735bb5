"""Where results come from: a file with its manifest, or standard input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_ISDIR
from typing import NamedTuple

from corpora.errors import BadInput
from corpora.heads import head
from corpora.jsonl import decode
from corpora.lean import LeanRecord
from corpora.manifests import Manifest
from runner.journal.manifest import manifest_path, read_manifest
from runner.packed import opened

Told = Callable[[BadInput], None]


class Source(NamedTuple):
    """A results file with its manifest, or standard input."""

    name: str
    path: Path | None
    manifest: Manifest | None

    def records(self, damaged: Told) -> Iterator[LeanRecord]:
        """Its records; a line that is none is told to `damaged`."""
        with opened(self.path) as stream:
            yield from decode(stream, LeanRecord, path=self.name, damaged=damaged)

    def line_of(self, record: LeanRecord) -> int | None:
        """Where the first record of a key stands; None in a pipe, which cannot be read again."""
        if self.path is None:
            return None
        with opened(self.path) as stream:
            heads = ((number, head(line)) for number, line in enumerate(stream, 1))
            key = (record.fixture_id, record.sample)
            return next((number for number, found in heads if found and (found.fixture_id, found.sample) == key), None)


def source(name: str) -> Source:
    """A source by its name on the command line, `-` being standard input. Raises BadInput."""
    if name == "-":
        return Source("standard input", None, None)
    if not name:
        raise BadInput("the name of a results file is empty; name one, or - for standard input")
    path = Path(name)
    try:
        folder = S_ISDIR(path.stat().st_mode)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}; name a results file", path=name) from error
    if folder:
        raise BadInput("is a folder; name a results file in it", path=name)
    return Source(name, path, read_manifest(manifest_path(path)))
