"""A large results file counted by several processes, each a range of its lines; then put together in their order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")

WORTH_BYTES = 64 << 20
"""A file of this size takes longer to count than processes take to start."""
_MOST = 4
_HEAD = 4


class Range(NamedTuple):
    """Bytes of a file that are whole lines."""

    start: int
    end: int


def ranges(path: Path, worth_bytes: int = WORTH_BYTES) -> list[Range]:
    """How to share out a file; one range where it is small, packed, or this machine has one core for us."""
    size = path.stat().st_size
    parts = min(_MOST, _cores(), size // worth_bytes)
    with path.open("rb") as stream:
        if parts < 2 or not stream.read(_HEAD).lstrip(b"\xef\xbb\xbf").startswith(b"{"):
            return [Range(0, size)]
        borders = [0]
        for part in range(1, parts):
            stream.seek(max(size * part // parts, borders[-1]))
            stream.readline()
            borders.append(stream.tell())
    return [Range(start, end) for start, end in pairwise([*borders, size]) if start < end]


def _cores() -> int:
    """Cores that this process may use; all of the machine where the system cannot say (macOS)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lines_of(stream: BinaryIO, part: Range) -> Iterator[bytes]:
    """The lines of one range."""
    stream.seek(part.start)
    left = part.end - part.start
    for line in stream:
        yield line
        left -= len(line)
        if left <= 0:
            return


def in_processes(work: Callable[[_T], _R], jobs: Sequence[_T]) -> list[_R]:
    """The answer to each job, in their order: the first is worked out here, each other in a process of its own.

    Raises what one raised.
    """
    from concurrent.futures import ProcessPoolExecutor  # a fifth of the start of a command that needs none
    from multiprocessing import get_context

    first, *others = jobs
    with ProcessPoolExecutor(len(others), mp_context=get_context(_start_method())) as pool:
        there = pool.map(work, others)
        return [work(first), *there]


def _start_method() -> str:
    """A copy of this process has all modules loaded, and is safe where no other thread can hold a lock just now."""
    try:
        return "fork" if len([*Path("/proc/self/task").iterdir()]) == 1 else "spawn"
    except OSError:
        return "spawn"
