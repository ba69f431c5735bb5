"""A file that many append to: what a full disk tore is ended, once, wherever the next line goes."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scoring.guarding.lasting import _is_ready, append

MOST = 10_000_000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"new\n"),
        (b"", b"new\n"),
        (b"whole\n", b"whole\nnew\n"),
        (b"whole\nto", b"whole\nto\nnew\n"),
        (b"t", b"t\nnew\n"),
        (b"\n", b"\nnew\n"),
    ],
    ids=["no file", "an empty file", "whole lines", "a torn line", "one character", "an empty line"],
)
def test_a_line_that_was_torn_by_whoever_wrote_it_is_ended_first(
    before: bytes | None, after: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "d.jsonl"
    if before is not None:
        path.write_bytes(before)
    assert append(path, b"new\n", MOST) == (4, None)
    assert path.read_bytes() == after


def test_a_full_file_that_ends_in_a_torn_line_is_put_aside_as_it_is(tmp_path: Path) -> None:
    """The new file begins with a line, and not with the end of another one's."""
    path = tmp_path / "d.jsonl"
    path.write_bytes(b"whole\nto")
    assert append(path, b"new\n", 8) == (4, None)
    assert (path.read_bytes(), (tmp_path / "d.jsonl.1").read_bytes()) == (b"new\n", b"whole\nto")
    assert append(path, b"x\n", 5) == (2, None)
    assert path.read_bytes() == b"new\nx\n"


def test_a_new_file_is_no_program(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        append(tmp_path / "d.jsonl", b"new\n", MOST)
    finally:
        os.umask(before)
    assert (tmp_path / "d.jsonl").stat().st_mode & 0o777 == 0o666


@pytest.mark.parametrize("takes_its_place", [True, False], ids=["another stands there", "none does"])
def test_a_file_that_was_put_aside_while_it_was_opened_is_opened_anew(takes_its_place: bool, tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    with path.open("ab") as stream:
        path.rename(tmp_path / "d.jsonl.1")
        if takes_its_place:
            path.touch()
        assert _is_ready(stream.fileno(), path, MOST) is False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_file_that_may_not_be_read_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    for line in (b"whole\n", b"whole\n"):
        append(path, line, MOST)
    path.chmod(0o222)
    tmp_path.chmod(0o777)
    child = os.fork()
    if not child:  # pragma: no cover - another process
        os.chdir(tmp_path)
        if os.geteuid() == 0:  # who may read everything
            os.setuid(65_534)
        os._exit(0 if append(Path("d.jsonl"), b"new\n", MOST) == (4, None) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    path.chmod(0o600)
    assert path.read_bytes() == b"whole\nwhole\nnew\n"


def test_a_pipe_is_neither_searched_nor_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    assert append(path, b"a\n", 1) == (2, None)
    reader.join(10)
    assert (found, [file.name for file in tmp_path.iterdir()]) == ([b"a\n"], ["pipe"])


class Slow:
    """A pipe that is read when a test says so, and what is appended to it by a thread meanwhile."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.data = bytes(range(256)) * 1_000
        self.found: list[tuple[int, str | None]] = []
        self.thread = threading.Thread(target=self.append, args=(self.data,), daemon=True)
        self.thread.start()
        until(lambda: self.waiting() == fcntl.fcntl(self.reader, fcntl.F_GETPIPE_SZ))

    def append(self, data: bytes) -> None:
        self.found.append(append(self.path, data, MOST))

    def waiting(self) -> int:
        (found,) = struct.unpack("i", fcntl.ioctl(self.reader, termios.FIONREAD, bytes(4)))
        return int(found)

    def read(self) -> bytes:
        """All that is there, and comes, until as much was read as was to be appended."""
        os.set_blocking(self.reader, True)
        read = b""
        while len(read) < len(self.data):
            read += os.read(self.reader, len(self.data) - len(read))
        return read


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not what():
        assert time.monotonic() < end, "this never came"
        time.sleep(0.002)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Slow]:
    made = Slow(tmp_path / "pipe")
    yield made
    os.close(made.reader)  # who still writes is told so
    made.thread.join(10)


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks how much a pipe holds")


@only_linux
def test_a_write_that_a_signal_breaks_off_goes_on_where_it_stopped(slow: Slow) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _frame: heard.append(number))
    try:
        signal.pthread_kill(slow.thread.ident or 0, signal.SIGUSR1)
        until(lambda: heard)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert slow.read() == slow.data
    slow.thread.join(2)
    assert (slow.found, slow.waiting()) == ([(len(slow.data), None)], 0)


@only_linux
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_that_was_forked_in_the_middle_of_a_line_holds_nobody_up(slow: Slow) -> None:
    ended, end = os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - another process
        os.close(end)
        os.read(ended, 1)
        os._exit(0)
    try:
        assert slow.read() == slow.data
        slow.thread.join(10)
        after = threading.Thread(target=slow.append, args=(b"after\n",), daemon=True)
        after.start()
        after.join(5)
        assert slow.found == [(len(slow.data), None), (6, None)]
    finally:
        os.close(end)
        os.waitpid(child, 0)
        os.close(ended)


def test_a_disk_that_is_full_says_so() -> None:
    assert append(Path("/dev/full"), b"a\n", MOST) == (0, "No space left on device")


WRITER = """
import sys
from pathlib import Path
from scoring.guarding.lasting import append
path, name = Path(sys.argv[1]), sys.argv[2]
for number in range(300):
    line = f"{name} {number} {'x' * (number * 37 % 9_000)}\\n".encode()
    assert append(path, line, int(sys.argv[3])) == (len(line), None)
"""


def test_processes_that_append_at_once_end_no_line_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(b"to")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n), "2000000"], stderr=subprocess.PIPE)
        for n in range(3)
    ]
    for writer in writers:
        assert writer.communicate(timeout=15)[1] == b""
    found = [line for file in sorted(tmp_path.iterdir(), reverse=True) for line in file.read_bytes().split(b"\n")[:-1]]
    assert found[0] == b"to"
    assert b"" not in found
    assert sorted(tuple(map(int, line.split()[:2])) for line in found[1:]) == [
        (n, number) for n in range(3) for number in range(300)
    ]
