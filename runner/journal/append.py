"""Appends whole lines to a file: one `os.write` a line, with O_APPEND, in the caller's own thread.

What a write survives: the process being killed at any moment (the line is with the system, or it is a torn tail that
the next run cuts). The machine going down: what was synced; `--sync` says how often. Batching would save 2 of 6
microseconds a line, and a thread for each line would cost 200.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import anyio.to_thread

from corpora.errors import BadInput
from runner.errors import Fatal

INTERVAL_S = 1.0
_to_disk = os.fdatasync if hasattr(os, "fdatasync") else os.fsync
"""macOS has no fdatasync."""


class Sync(StrEnum):
    """When lines are forced to the disk itself."""

    ALWAYS = "always"
    """Before each acknowledgement."""
    INTERVAL = "interval"
    """About once a second, beside the work."""
    END = "end"


class Appender:
    """The open end of a results file. An error of a write is Fatal and says how many lines are safe."""

    def __init__(
        self, path: Path, size_bytes: int, sync: Sync = Sync.INTERVAL, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Open for appending after `size_bytes`, whatever stands behind them is cut. Raises BadInput."""
        self._path = path
        self._size = size_bytes
        self._sync = sync
        self._clock = clock
        self._synced_at = clock()
        self.unsynced = self._closed = False
        self.lines = 0
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            os.ftruncate(self._file, size_bytes)
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}; name another file with -o", path=str(path)) from error

    def write(self, line: bytes) -> None:
        """Append one line, or leave the file as it was and raise Fatal."""
        try:
            written = os.write(self._file, line)
        except OSError as error:
            raise self._broken(error) from error
        if written < len(line):
            self._finish(line[written:])
        self._size += len(line)
        self.unsynced = True
        self.lines += 1

    def _finish(self, rest: bytes) -> None:
        """A part was written: the disk is full, or nearly. What cannot be ended is taken back."""
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, self._size)
            raise self._broken(error) from error

    @property
    def settles(self) -> bool:
        """Whether `write` alone makes a line as safe as the policy asks."""
        return self._sync is not Sync.ALWAYS

    async def flush(self) -> None:
        """Sync as the policy says; raises Fatal where the file is gone or the disk fails."""
        if self._sync is Sync.ALWAYS:
            self._force()
        elif self.unsynced and self._clock() - self._synced_at >= INTERVAL_S:
            self._synced_at = self._clock()
            if os.fstat(self._file).st_nlink == 0:
                raise self._gone()
            if self._sync is Sync.INTERVAL:
                await anyio.to_thread.run_sync(self._force)

    def _force(self) -> None:
        self.unsynced = False
        try:
            _to_disk(self._file)
        except OSError as error:
            raise self._broken(error) from error

    def close(self) -> None:
        """Sync and close; nothing where it is closed."""
        if self._closed:
            return
        self._closed = True
        try:
            self._force()
            if os.fstat(self._file).st_nlink == 0:
                raise self._gone()
        finally:
            os.close(self._file)

    def _broken(self, error: OSError) -> Fatal:
        return Fatal(f"{self._path}: cannot be written: {described(error)}; {self._what_is_safe()}")

    def _gone(self) -> Fatal:
        return Fatal(f"{self._path}: was removed while the run wrote to it; its {self.lines} new lines are lost")

    def _what_is_safe(self) -> str:
        return (
            f"the {self.lines} lines that this run wrote are whole and stay, answers still in flight are lost; "
            "make room and give the same command to go on"
        )


def described(error: OSError) -> str:
    """What the system said, with its short name: `No space left on device (ENOSPC)`."""
    return f"{error.strerror} ({errno.errorcode.get(error.errno or 0, 'unknown')})"
