"""The open end of a results file: whole lines or none, and a word on what is safe."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from corpora.errors import BadInput
from runner.errors import Fatal
from runner.journal.append import Appender, Sync


@contextmanager
def small_files() -> Iterator[None]:
    """No file may grow beyond 100 bytes, as on a full disk; for a moment only, since the test log may be a file too."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_line_that_does_not_fit_is_taken_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    appender = Appender(path, 0)
    appender.write(b"a" * 59 + b"\n")
    full = r"EFBIG.*the 1 lines that this run wrote are whole and stay"
    with small_files(), pytest.raises(Fatal, match=full):
        appender.write(b"b" * 59 + b"\n")
    assert path.read_bytes() == b"a" * 59 + b"\n"
    appender.write(b"c" * 39 + b"\n")
    appender.close()
    assert path.read_bytes().count(b"\n") == 2


def test_a_file_where_nothing_fits_any_more_says_so(tmp_path: Path) -> None:
    appender = Appender(tmp_path / "r.jsonl", 0)
    appender.write(b"a" * 99 + b"\n")
    with small_files(), pytest.raises(Fatal, match="EFBIG"):
        appender.write(b"b\n")
    appender.close()


def test_what_stands_behind_the_whole_lines_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"whole\ntor")
    appender = Appender(path, 6)
    appender.write(b"next\n")
    appender.close()
    appender.close()
    assert path.read_bytes() == b"whole\nnext\n"


def test_what_is_no_plain_file_cannot_hold_results() -> None:
    with pytest.raises(BadInput, match="/dev/full: cannot be written: Invalid argument; name another file with -o"):
        Appender(Path("/dev/full"), 0)


@pytest.mark.parametrize("sync", list(Sync))
def test_a_removed_file_is_missed_at_the_latest_at_the_end(tmp_path: Path, sync: Sync) -> None:
    path = tmp_path / "r.jsonl"
    appender = Appender(path, 0, sync)
    appender.write(b"line\n")
    path.unlink()
    with pytest.raises(Fatal, match="was removed while the run wrote to it; its 1 new lines are lost"):
        appender.close()


@pytest.mark.parametrize(("sync", "syncs"), [(Sync.ALWAYS, 3), (Sync.INTERVAL, 1), (Sync.END, 0)])
def test_lines_are_forced_to_the_disk_as_the_policy_says(tmp_path: Path, sync: Sync, syncs: int) -> None:
    now = [0.0]
    appender = Appender(tmp_path / "r.jsonl", 0, sync, clock=lambda: now[0])

    async def steps() -> int:
        done = 0
        for now[0] in (0.2, 0.4, 1.5):
            appender.write(b"line\n")
            await appender.flush()
            done += not appender.unsynced
        return done

    assert anyio.run(steps) == syncs
    appender.close()
    assert not appender.unsynced


def test_a_file_that_is_removed_is_missed_within_the_interval(tmp_path: Path) -> None:
    now = 0.0
    path = tmp_path / "r.jsonl"
    appender = Appender(path, 0, clock=lambda: now)
    appender.write(b"line\n")
    path.unlink()
    now = 2.0
    with pytest.raises(Fatal, match="was removed"):
        anyio.run(appender.flush)
