"""A results file as its one owner sees it: what is done, the next line, and order when all is there.

with Journal.open(path, manifest) as journal:
    outcome = await drive(sites, plan(corpus, samples, journal.done, ...), journal, share)
    journal.finish("complete", ended_at)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.manifests import Counts, Manifest
from corpora.values import Json
from runner.journal.append import Appender, Sync
from runner.journal.canonical import put_in_order
from runner.journal.done import Done, Redraw, state
from runner.journal.earlier import read_lines, resumed, selected
from runner.journal.fresh import set_aside
from runner.journal.lock import Lock
from runner.journal.manifest import manifest_path, require_manifest, write_manifest
from runner.schedule.messages import Line


class Journal:
    """An open results file and its manifest; nobody else may open them until this is closed."""

    def __init__(
        self,
        path: Path,
        beside: Path,
        manifest: Manifest,
        done: Done,
        appender: Appender,
        lock: Lock,
        notes: tuple[str, ...],
        *,
        whole: bool = False,
    ) -> None:
        self.path = path
        self.manifest_path = beside
        self.manifest = manifest
        """As it stands on disk; its run_id, start and sets are those of the first start."""
        self.done = done
        self.notes = notes
        """What a person should know of how it was opened."""
        self._appender = appender
        self._lock = lock
        self._whole = whole
        """The run was complete before this start, and its manifest stays as it is: nothing is drawn."""

    @classmethod
    def open(
        cls,
        path: Path,
        manifest: Manifest,
        *,
        redraw: Redraw = Redraw.PASSING,
        sync: Sync = Sync.INTERVAL,
        fresh: bool = False,
        mend: bool = False,
        manifest_at: Path | None = None,
        goals: Mapping[str, str] = MappingProxyType({}),
    ) -> Self:
        """Lock a results file, and go on where it stopped or begin it.

        `manifest` says what is to be measured. `fresh` sets old files aside first, `mend` moves damaged lines out;
        `goals` has the tool that each fixture is meant to reach; where one is not named, any that can be read will do.
        Raises Locked where another run owns the file; BadInput where it cannot be written, is damaged, or holds
        another study, naming what differs. Nothing is changed on disk before all of that holds.
        """
        beside = manifest_at or manifest_path(path)
        _check_places(path, beside)
        if manifest_at is not None:
            require_manifest(beside)
        lock = Lock.of(path)
        try:
            notes = _set_aside(path, beside) if fresh else ()
            old, manifest = resumed(path, beside, manifest)
            done = Done(manifest.fixtures, manifest.study.samples, redraw)
            found, more = read_lines(path, done, goals, mend=mend)
            whole = old is not None and old.ended == "complete" and done.left(selected(manifest)) == 0
            if whole and old is not None:
                manifest = old
            else:
                write_manifest(beside, manifest)
            appender = Appender(path, found.size_bytes, sync)
            if found.unended:
                appender.write(b"\n")
        except BaseException:
            lock.release()
            raise
        return cls(path, beside, manifest, done, appender, lock, notes + more, whole=whole)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def settles(self) -> bool:
        """Whether `append` alone makes a line as safe as the sync policy asks."""
        return self._appender.settles

    def append(self, line: Line) -> bool:
        """Write a line; False where its key has one already, and then nothing is written. Raises Fatal."""
        fresh = self.done.add(line.key, state(ok=line.ok, malformed=line.malformed, kind=None))
        if fresh:
            self._appender.write(line.data)
        return fresh

    async def flush(self) -> None:
        """Make what was appended as safe as the sync policy asks; raises Fatal."""
        await self._appender.flush()

    @property
    def selected(self) -> tuple[str, ...]:
        """The fixtures of the study: all, or those that the filters of this or an earlier start chose."""
        return selected(self.manifest)

    @property
    def left(self) -> int:
        """How many samples are still to be drawn."""
        return self.done.left(self.selected)

    def counts(self) -> Counts:
        """How far the study came."""
        return self.done.counts(planned=len(self.selected) * self.done.samples)

    def note(self, **facts: Json) -> None:
        """Write fields of the manifest while the run goes on; raises Fatal."""
        if not self._whole:
            self.manifest = changed(self.manifest, **facts)
            write_manifest(self.manifest_path, self.manifest)

    def finish(self, ended: str, ended_at: str, **facts: Json) -> None:
        """Sync, put a complete file in order, and write how the run ended, with other fields of the manifest.

        Raises Fatal where the disk fails; the lines stay as they are.
        """
        self._appender.close()
        if self.left == 0:
            put_in_order(self.path, tuple(self.manifest.fixtures), self.done.samples)
        self.note(ended=ended, ended_at=ended_at, counts=self.counts(), **facts)

    def close(self) -> None:
        """Close the file and give up the lock; whatever was appended stays."""
        try:
            self._appender.close()
        finally:
            self._lock.release()


def _check_places(path: Path, beside: Path) -> None:
    """Raises BadInput where lines cannot be kept, or the manifest would replace them."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise BadInput("is no plain file; name a file, or - for standard output", path=str(path), field="-o")
    if path.resolve() == beside.resolve():
        raise BadInput("is the results file itself; name another", path=str(beside), field="--manifest")


def _set_aside(path: Path, beside: Path) -> tuple[str, ...]:
    aside = set_aside(path, beside)
    return () if aside is None else (f"the old results are in {aside.name} now",)
