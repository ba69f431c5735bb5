"""Reads a results file that an earlier run left: what is done, where a torn tail begins, which lines are damaged.

Memory is one line and one byte a sample, whatever the size of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from corpora.errors import BadInput
from corpora.heads import Head, head
from runner.journal.done import Done, state
from runner.schedule.unread import is_unread


class Scan(NamedTuple):
    """What a file holds."""

    size_bytes: int
    """Of its whole lines: where the next one goes."""
    torn_bytes: int
    """After them, to be cut: the end of a line that was being written when the run was killed."""
    unended: bool
    """The last line is whole but for its line feed, which is to be added."""
    damaged: tuple[int, ...]
    """Numbers of lines (from 1) that are no record, though lines follow them; at most the first 20."""


def scan(path: Path, done: Done, goals: Mapping[str, str]) -> Scan:
    """Read every line and note its key in `done`; a later line of a key counts.

    `goals` has the tool that each fixture is meant to reach, which decides whether a sample counts as malformed.
    Raises BadInput with the line where a record is of another study.
    """
    good = end = number = 0
    unended = False
    damaged: list[int] = []
    suspects: list[int] = []
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            end += len(line)
            found = head(line)
            if found is not None:
                _note(found, done, goals, path, number)
                damaged += suspects
                suspects.clear()
                good, unended = end, not line.endswith(b"\n")
            elif line.strip():
                suspects.append(number)
    damaged += suspects[:-1]  # nothing sound follows: only the last can be a line that was being written
    return Scan(good, end - good, unended, tuple(damaged[:20]))


def _note(found: Head, done: Done, goals: Mapping[str, str], path: Path, number: int) -> None:
    if not done.knows(found.fixture_id, found.sample):
        raise BadInput(
            f"sample {found.sample} of {found.fixture_id!r} is not in this study; name another file with -o, "
            "or set this one aside with --fresh",
            path=str(path),
            line=number,
        )
    kind = found.error.kind if found.error else None
    done.found(
        found.fixture_id,
        found.sample,
        state(ok=found.status == "ok", malformed=is_unread(found, goals.get(found.fixture_id)), kind=kind),
    )
