"""The journal of `-o -`: lines go to an open stream. It has no lock and no resume; a pipe is as safe as its reader."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable

import anyio.to_thread

from corpora.manifests import Counts
from runner.errors import Fatal
from runner.journal.append import described
from runner.journal.done import Done, state
from runner.schedule.messages import Line


class StreamJournal:
    """Writes each line to a file descriptor, whole, and waits for a slow reader beside the work."""

    def __init__(self, descriptor: int, fixtures: Iterable[str], samples: int) -> None:
        self._descriptor = descriptor
        self._unwritten: list[bytes] = []
        self.done = Done(fixtures, samples)

    settles = False
    """What is appended is written by `flush`, which waits for the reader."""

    def append(self, line: Line) -> bool:
        """Take a line; False where its key has one already."""
        fresh = self.done.add(line.key, state(ok=line.ok, malformed=line.malformed, kind=None))
        if fresh:
            self._unwritten.append(line.data)
        return fresh

    async def flush(self) -> None:
        """Write what was taken; raises BrokenPipeError where nobody reads any more, Fatal where it cannot."""
        lines, self._unwritten = self._unwritten, []
        try:
            for line in lines:
                if _would_take(self._descriptor):
                    _write_all(self._descriptor, line)
                else:
                    await anyio.to_thread.run_sync(_write_all, self._descriptor, line)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Fatal(f"the output cannot be written: {described(error)}; what it took before is whole") from error

    def counts(self, planned: int) -> Counts:
        """How far the run came."""
        return self.done.counts(planned)


def _would_take(descriptor: int) -> bool:
    """Whether a write would not wait for the reader."""
    return bool(select.select((), (descriptor,), (), 0)[1])


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
