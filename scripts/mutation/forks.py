"""Work done in forks of this process, several at a time, each within limits and without a trace."""

from __future__ import annotations

import json
import os
import resource
import selectors
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

What = TypeVar("What")
LIMIT = "(time limit)"


class Job(NamedTuple, Generic[What]):
    """Something to work out in a fork; its answer comes back as JSON."""

    what: What
    work: Callable[[], Any]
    wall_s: float
    """By the clock, after which it is ended: for what waits for ever. What works for ever ends by `allow`."""


class Ended(NamedTuple):
    """How a fork ended."""

    answer: Any
    """None where it was cut."""
    cut: str | None
    """In brackets: the limit or signal."""
    seconds: float


class Fork(NamedTuple, Generic[What]):
    """A running fork."""

    job: Job[What]
    pid: int
    pipe: int
    scratch: Path
    begun: float
    answer: bytearray

    @property
    def whole(self) -> bool:
        return self.answer.endswith(b"\n")

    def stop(self) -> int:
        """End it and all that it started; how it ended."""
        os.close(self.pipe)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        if any(self.scratch.iterdir()):
            shutil.rmtree(self.scratch)
        return status


def allow(cpu_s: float) -> None:
    """Give this fork so much more processor time from now on: the load of the machine does not count."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + cpu_s) + 1, hard))


def each(take: Callable[[], Job[What] | None], workers: int, scratch: Path) -> Generator[tuple[What, Ended]]:
    """The end of each job, as they come. It takes one when there is room, so a job may follow from earlier ends.

    It ends where nothing runs and nothing is to be taken. Close it where it is left early: no fork outlives it.
    """
    free = [scratch / f"{number}" for number in range(workers)]
    with selectors.DefaultSelector() as selector:
        try:
            while True:
                while free and (job := take()) is not None:
                    fork = _forked(job, free.pop())
                    selector.register(fork.pipe, selectors.EVENT_READ, fork)
                if not selector.get_map():
                    return
                for fork, cut in _over(selector):
                    selector.unregister(fork.pipe)
                    ended = _ended(fork, cut)
                    free.append(fork.scratch)
                    yield fork.job.what, ended
        finally:
            for key in selector.get_map().values():
                key.data.stop()


def _over(selector: selectors.BaseSelector) -> list[tuple[Fork[Any], bool]]:
    """Wait for answers; the forks that are done (False) or beyond their time (True)."""
    done = [(key.data, False) for key, _ in selector.select(0.5) if not _more(key.data)]
    late = [key.data for key in selector.get_map().values() if time.monotonic() - key.data.begun > key.data.job.wall_s]
    return done + [(fork, True) for fork in late if (fork, False) not in done]


def _more(fork: Fork[Any]) -> bool:
    """Read what it wrote; whether there is more to come."""
    part = os.read(fork.pipe, 1 << 20)
    fork.answer.extend(part)
    return bool(part) and not fork.whole


def _ended(fork: Fork[Any], cut: bool) -> Ended:
    status = fork.stop()
    seconds = round(time.monotonic() - fork.begun, 3)
    if fork.whole:
        return Ended(json.loads(fork.answer), None, seconds)
    return Ended(None, LIMIT if cut else _words(status), seconds)


def _words(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if -code == signal.SIGXCPU:
        return LIMIT
    return f"(signal {-code})" if code < 0 else f"(exit {code})"


def _forked(job: Job[What], scratch: Path) -> Fork[What]:
    scratch.mkdir(exist_ok=True)
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        _work(job, writing, scratch)
    os.close(writing)
    with suppress(OSError):
        os.setpgid(pid, pid)  # both do it, whoever comes first; an interrupt from the keyboard does not reach a group
    return Fork(job, pid, reading, scratch, time.monotonic(), bytearray())


def _work(job: Job[Any], writing: int, scratch: Path) -> NoReturn:
    """The life of a fork: quiet, limited, and over without any clean-up that was meant for its parent."""
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(null, standard)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.environ["TMPDIR"] = tempfile.tempdir = str(scratch)
        with open(writing, "wb", closefd=False) as pipe:
            pipe.write(json.dumps(job.work()).encode() + b"\n")
        os._exit(0)
    finally:
        os._exit(1)
