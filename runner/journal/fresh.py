"""`--fresh`: the old files keep their lines under another name."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from runner.journal.manifest import manifest_path


def set_aside(results: Path, manifest: Path | None = None) -> Path | None:
    """Rename a results file and its manifest to `NAME.N.*`, N the first that is free; the new name, None without one.

    `manifest` is where it lies, if not beside the results. To be called by the owner of the lock.
    """
    manifest = manifest or manifest_path(results)
    if not results.exists() and not manifest.exists():
        return None
    stem = results.name.removesuffix(".jsonl")
    ending = results.name[len(stem) :]
    for number in count(1):
        aside = results.with_name(f"{stem}.{number}{ending}")
        if not aside.exists() and not manifest_path(aside).exists():
            break
    if manifest.exists():
        manifest.rename(manifest_path(aside))
    if results.exists():
        results.rename(aside)
    return aside
