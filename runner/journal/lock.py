"""One owner of a results file: `NAME.lock`, held by flock for as long as the process lives.

The lock is a file of its own because an atomic replace gives the results file another inode. It holds the owner's
process id, and is removed at the end; who waits for nobody opens the path again until the file it locked is still the
one at that path.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

from corpora.errors import BadInput
from runner.errors import Locked


class Lock:
    """The lock of one results file. It goes with the process, however that ends."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor = descriptor
        self._path = path

    @classmethod
    def of(cls, results: Path) -> Self:
        """Take the lock; raises Locked, naming the holder, or BadInput where the folder cannot be written."""
        path = results.with_name(f"{results.name}.lock")
        while True:
            descriptor = _open(path)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(descriptor, path):
                    os.ftruncate(descriptor, 0)
                    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
                    return cls(descriptor, path)
            except BlockingIOError:
                holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
                os.close(descriptor)
                raise Locked(_held(holder), path=str(results)) from None
            except OSError as error:
                os.close(descriptor)
                raise BadInput(f"cannot be locked: {error.strerror}", path=str(path)) from error
            os.close(descriptor)

    def release(self) -> None:
        """Give it up and take the file away."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(
            f"no results can be written here: {error.strerror}; name another file with -o", path=str(path.parent)
        ) from error


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _held(holder: str) -> str:
    who = f"process {holder}" if holder else "another process"
    return f"{who} writes to this file; wait for it to end, or name another file with -o"
