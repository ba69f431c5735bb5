"""Why samples have no answer, for a person: how many of each kind, and what the first of them said."""

from __future__ import annotations

from corpora.heads import head
from runner.schedule.messages import Line

MOST_CHARS = 300
"""Of what was said; the results have all of it."""


class Failures:
    """The errors among the lines of one start."""

    def __init__(self) -> None:
        self._count: dict[str, int] = {}
        self._first: dict[str, str] = {}

    def add(self, line: Line) -> None:
        """Take note of a line that holds an error."""
        found = None if line.ok else head(line.data)
        if found is None or found.error is None:
            return
        kind = found.error.kind
        self._count[kind] = self._count.get(kind, 0) + 1
        self._first.setdefault(kind, found.error.message)

    def sentences(self) -> list[str]:
        """One for each kind, in order of first sight."""
        return [
            f"{count} {'sample' if count == 1 else 'samples'} without an answer, {kind}: {_short(self._first[kind])}"
            for kind, count in self._count.items()
        ]


def _short(message: str) -> str:
    """In one line; of a traceback the last, which says what was raised."""
    last = message.strip().splitlines()[-1:] if message.startswith("Traceback ") else [message]
    words = " ".join(" ".join(last).split())
    return words if len(words) <= MOST_CHARS else f"{words[:MOST_CHARS]}…"
