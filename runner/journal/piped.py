"""Standard output as a journal: what `-o -` writes to, with a manifest where one was asked for."""

from __future__ import annotations

from pathlib import Path

from corpora.jsonl import changed
from corpora.manifests import Manifest
from corpora.values import Json
from runner.journal.earlier import selected
from runner.journal.manifest import require_manifest, write_manifest
from runner.journal.stream import StreamJournal


class Piped(StreamJournal):
    """Standard output as a journal, with the part of `Journal` that a run needs."""

    notes = ()

    def __init__(self, descriptor: int, manifest: Manifest, manifest_at: Path | None) -> None:
        super().__init__(descriptor, manifest.fixtures, manifest.study.samples)
        self.manifest = manifest
        self._manifest_at = manifest_at
        if manifest_at is not None:
            require_manifest(manifest_at)
            write_manifest(manifest_at, manifest)

    @property
    def selected(self) -> tuple[str, ...]:
        """The fixtures that are drawn."""
        return selected(self.manifest)

    def note(self, **facts: Json) -> None:
        """Write facts into the manifest, where there is one."""
        self.manifest = changed(self.manifest, **facts)
        if self._manifest_at is not None:
            write_manifest(self._manifest_at, self.manifest)

    def finish(self, ended: str, ended_at: str, **facts: Json) -> None:
        """Write how it ended."""
        counts = self.counts(len(self.selected) * self.done.samples)
        self.note(ended=ended, ended_at=ended_at, counts=counts, **facts)
