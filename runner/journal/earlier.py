"""What an earlier start left in a results file and beside it, and how a new one goes on from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.manifests import Manifest
from runner.journal.done import Done
from runner.journal.manifest import manifest_path, read_manifest
from runner.journal.repair import repair, side_path
from runner.journal.scan import Scan, scan
from runner.journal.study import differs


def selected(manifest: Manifest) -> tuple[str, ...]:
    """The fixtures of a study: all, or those that filters chose."""
    return tuple(manifest.fixtures) if manifest.selected is None else manifest.selected


def resumed(path: Path, beside: Path, manifest: Manifest) -> tuple[Manifest | None, Manifest]:
    """The manifest of an earlier start where there are lines, and the one to go on with."""
    if not path.exists() or path.stat().st_size == 0:
        old = None if beside == manifest_path(path) else read_manifest(beside)
        if old is None or old.counts.recorded == 0:
            return None, manifest
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
    return old, changed(
        manifest,
        run_id=old.run_id,
        started_at=old.started_at,
        sets=old.sets,
        epoch=max(manifest.epoch, old.epoch + 1),
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


def read_lines(path: Path, done: Done, goals: Mapping[str, str], *, mend: bool) -> tuple[Scan, tuple[str, ...]]:
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
