"""A results file as its one owner sees it: what is done, the next line, and order when all is there.

with Journal.open(path, manifest) as journal:
    outcome = await drive(sites, plan(corpus, samples, journal.done, ...), journal, share)
    journal.finish("complete", ended_at)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.records import Counts, Manifest
from corpora.values import Json
from runner.journal.append import Appender, Sync
from runner.journal.canonical import put_in_order
from runner.journal.done import Done, Redraw, state
from runner.journal.fresh import set_aside
from runner.journal.lock import Lock
from runner.journal.manifest import manifest_path, read_manifest, require_manifest, write_manifest
from runner.journal.repair import repair, side_path
from runner.journal.scan import Scan, scan
from runner.journal.study import differs
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
            manifest = _resumed(path, beside, manifest)
            done = Done(manifest.fixtures, manifest.study.samples, redraw)
            found, more = _read(path, done, goals, mend=mend)
            write_manifest(beside, manifest)
            appender = Appender(path, found.size_bytes, sync)
            if found.unended:
                appender.write(b"\n")
        except BaseException:
            lock.release()
            raise
        return cls(path, beside, manifest, done, appender, lock, notes + more)

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
        return tuple(self.manifest.fixtures) if self.manifest.selected is None else self.manifest.selected

    @property
    def left(self) -> int:
        """How many samples are still to be drawn."""
        return self.done.left(self.selected)

    def counts(self) -> Counts:
        """How far the study came."""
        return self.done.counts(planned=len(self.selected) * self.done.samples)

    def note(self, **facts: Json) -> None:
        """Write fields of the manifest while the run goes on; raises Fatal."""
        self.manifest = changed(self.manifest, **facts)
        write_manifest(self.manifest_path, self.manifest)

    def finish(self, ended: str, ended_at: str, **facts: Json) -> None:
        """Sync, put a complete file in order, and write how the run ended, with other fields of the manifest.

        Raises Fatal where the disk fails; the lines stay as they are.
        """
        self._appender.close()
        if self.left == 0:
            put_in_order(self.path, tuple(self.manifest.fixtures), self.done.samples)
        self.manifest = changed(self.manifest, ended=ended, ended_at=ended_at, counts=self.counts(), **facts)
        write_manifest(self.manifest_path, self.manifest)

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


def _resumed(path: Path, beside: Path, manifest: Manifest) -> Manifest:
    """The manifest to go on with: the first start's where there are lines, else the new one."""
    if not path.exists() or path.stat().st_size == 0:
        old = None if beside == manifest_path(path) else read_manifest(beside)
        if old is None or old.counts.recorded == 0:
            return manifest
        raise BadInput(
            f"is the manifest of another run, of {old.counts.recorded} samples; name another file, or set it aside "
            "with --fresh",
            path=str(beside),
            field="--manifest",
        )
    old = read_manifest(beside)
    if old is None:
        raise BadInput(
            f"has lines but no {beside.name} beside it, so nothing says what they measured; "
            "name another file with -o, or set this one aside with --fresh",
            path=str(path),
        )
    found = differs(old, manifest)
    if found:
        raise BadInput(
            f"holds another study: {'; '.join(found)}; name another file with -o, or set this one aside with --fresh",
            path=str(path),
        )
    selected = _together(old.selected, manifest.selected, manifest.fixtures)
    return changed(
        manifest,
        run_id=old.run_id,
        started_at=old.started_at,
        sets=old.sets,
        selected=selected,
        sites=old.sites,
        paid_twice_at_most=old.paid_twice_at_most,
    )


def _together(
    old: tuple[str, ...] | None, new: tuple[str, ...] | None, fixtures: Iterable[str]
) -> tuple[str, ...] | None:
    """What two starts selected: a file that holds more than this start draws still says what it holds."""
    if old is None or new is None:
        return None
    return tuple(fixture for fixture in fixtures if fixture in old or fixture in new)


def _read(path: Path, done: Done, goals: Mapping[str, str], *, mend: bool) -> tuple[Scan, tuple[str, ...]]:
    """What the file holds, and what a person should know of it."""
    if not path.exists():
        return Scan(0, 0, unended=False, damaged=()), ()
    try:
        found = scan(path, done, goals)
        if found.damaged and mend:
            moved = repair(path)
            return scan(path, done, goals), (f"{moved} damaged lines are in {side_path(path).name} now",)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path)) from error
    if found.damaged:
        lines = ", ".join(str(number) for number in found.damaged)
        raise BadInput(
            f"damaged, no record in line {lines}; move such lines out with --repair, their samples are drawn again",
            path=str(path),
            line=found.damaged[0],
        )
    if found.torn_bytes:
        return found, (f"{found.torn_bytes} bytes of a line that was cut while being written are taken off",)
    return found, ()
