"""A file of lines that threads and processes append to, each line whole, whatever a full disk does to one of them.

A file that is full is renamed to NAME.1, so that two of them are kept. Descriptors and no streams: a third of the time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # no such thing on Windows, and no two processes that write one file
    fcntl = None  # type: ignore[assignment]

_TO_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT


def append(place: Path, data: bytes, most_bytes: int) -> tuple[int, str | None]:
    """How many bytes are behind the others in a file now, and why not all; a full file is put aside before."""
    sent = 0
    try:
        while True:
            file = os.open(place, _TO_APPEND, 0o666)
            try:
                _lock(file)
                if _is_ready(file, place, most_bytes):
                    while sent < len(data):
                        sent += os.write(file, data[sent:])
                    return sent, None
            finally:
                _leave(file)
    except OSError as error:
        return sent, error.strerror or type(error).__name__


def _lock(file: int) -> None:
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)


def _leave(file: int) -> None:
    """Unlock and close; closing is not enough where a child that was forked meanwhile has it open."""
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)
    os.close(file)


def _is_ready(file: int, place: Path, most_bytes: int) -> bool:
    """Whether a file can be appended to: what is torn is ended, one that is full, or is put aside, is not."""
    facts = os.fstat(file)
    try:
        if not os.path.samestat(facts, place.stat()):
            return False
    except FileNotFoundError:
        return False
    if facts.st_size == 0:  # a pipe, too
        return True
    if facts.st_size >= most_bytes:
        place.replace(place.with_name(f"{place.name}.1"))
        return False
    if _is_torn(place, facts.st_size):
        os.write(file, b"\n")
    return True


def _is_torn(place: Path, size: int) -> bool:
    """Whether a file ends within a line, by a full disk in whichever process; if it may not be read it is not known."""
    with suppress(OSError):
        file = os.open(place, os.O_RDONLY)
        try:
            return os.pread(file, 1, size - 1) != b"\n"
        finally:
            os.close(file)
    return False
