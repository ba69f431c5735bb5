"""`--repair`: lines that are no record go to a side file, the sound ones stay, in one step."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from corpora.heads import head
from runner.errors import Fatal
from runner.journal.manifest import sync_folder


def side_path(results: Path) -> Path:
    """Where damaged lines go: `NAME.damaged`."""
    return results.with_name(f"{results.name.removesuffix('.jsonl')}.damaged")


def repair(results: Path) -> int:
    """Move every line that is no record to the side file, after those of earlier repairs; how many there were.

    The side file is safe on disk before the results file is replaced: killed in between, a line is in both.
    """
    sound = results.with_name(f"{results.name}.sound")
    moved = 0
    try:
        with results.open("rb") as source, sound.open("wb") as target, side_path(results).open("ab") as side:
            for line in source:
                if head(line) is not None:
                    target.write(line)
                elif line.strip():
                    side.write(line if line.endswith(b"\n") else line + b"\n")
                    moved += 1
            for stream in (side, target):
                stream.flush()
                os.fsync(stream.fileno())
        sound.replace(results)
        sync_folder(results.parent)
    except OSError as error:
        raise Fatal(f"{results}: cannot be repaired, and stays as it is: {error.strerror}") from error
    finally:
        with suppress(OSError):
            sound.unlink(missing_ok=True)
    return moved
