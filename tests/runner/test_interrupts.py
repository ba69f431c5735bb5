"""Ctrl-C, SIGTERM, a reader that leaves, a disk that fills: what was received is kept, and the next start goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpora.corpus import load
from corpora.jsonl import read_records
from tests.waiting import until

KEYS = [(fixture.id, sample) for fixture in load("refunds").fixtures for sample in range(3)]


def command(base_url: str, path: Path | str, *flags: str) -> list[str]:
    start = [sys.executable, "-m", "runner", "run", "refunds", "--base-url", base_url, "--model", "m", "--quiet"]
    return [*start, "--no-preflight", "-o", str(path), *flags]


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def go_on(base_url: str, path: Path) -> None:
    """The same command again: it ends well, with every key once."""
    subprocess.run(command(base_url, path, "-j", "32"), check=True, timeout=30)
    assert [(record.fixture_id, record.sample) for record in read_records(path)] == KEYS


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_first_signal_ends_new_work_and_keeps_what_is_in_flight(tmp_path: Path, endpoint, name: str) -> None:
    server = endpoint(latency_s=0.1)
    path = tmp_path / "r.jsonl"
    process = subprocess.Popen(command(server.base_url, path, "-j", "4"), stderr=subprocess.PIPE)
    until(lambda: lines(path) >= 4)
    process.send_signal(signal.Signals[name])
    _, said = process.communicate(timeout=15)
    assert process.returncode == 130, said
    assert b"Traceback" not in said
    kept = lines(path)
    assert 4 <= kept < len(KEYS)
    asked = server.stats().requests
    go_on(server.base_url, path)
    again = server.stats().requests - asked
    assert lines(path) == len(KEYS)
    assert {record.error for record in read_records(path)} == {None}
    assert again >= len(KEYS) - kept


@pytest.mark.parametrize(
    ("flags", "signals"), [((), 2), (("--grace", "0.05"), 1)], ids=["the second signal", "the end of the grace"]
)
def test_what_hangs_is_cut_and_the_file_is_whole(tmp_path: Path, endpoint, flags: tuple, signals: int) -> None:
    server = endpoint(latency_s=0.02, faults=[])
    slow = endpoint(latency_s=600)
    path = tmp_path / "r.jsonl"
    subprocess.run(command(server.base_url, path, "--fixture", "det-001"), check=True, timeout=20)
    process = subprocess.Popen(command(slow.base_url, path, "-j", "4", *flags), stderr=subprocess.PIPE)
    until(lambda: slow.stats().requests >= 4)
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    _, said = process.communicate(timeout=15)
    assert process.returncode == 130, said
    assert b"Traceback" not in said
    assert lines(path) == 3
    go_on(server.base_url, path)


def test_a_reader_that_leaves_ends_the_run_without_a_word(endpoint) -> None:
    server = endpoint(latency_s=0.01)
    piped = command(server.base_url, "-", "--samples", "50")
    with subprocess.Popen(piped, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=15) == 0
    assert server.stats().requests < 50 * 240


def test_a_full_disk_stops_the_run_says_what_is_safe_and_leaves_whole_lines(tmp_path: Path, endpoint) -> None:
    """The kernel refuses to let the file grow beyond a bound, in the middle of a line."""
    server = endpoint(latency_s=0.01)
    path = tmp_path / "r.jsonl"
    bound = 250_000
    limited = subprocess.run(
        command(server.base_url, path, "-j", "16", "--samples", "4"),
        capture_output=True,
        check=False,
        timeout=20,
        # Coverage's own data file would hit the bound as well.
        env={name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bound, bound)),
    )
    said = limited.stderr.decode()
    assert limited.returncode == 3, said
    kept = lines(path)
    assert f"the {kept} lines that this run wrote are whole and stay" in said.replace("\n", " ")
    assert "EFBIG" in said
    assert "Traceback" not in said
    assert kept > 40
    assert path.read_bytes().endswith(b"\n")
    assert server.stats().requests < 400, "it goes on asking though nothing can be kept"
    subprocess.run(command(server.base_url, path, "-j", "32", "--samples", "4"), check=True, timeout=30)
    assert lines(path) == 4 * 240


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_stream_that_takes_nothing_stops_the_run(endpoint) -> None:
    server = endpoint(latency_s=0.01)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(server.base_url, "-"), stdout=full, stderr=subprocess.PIPE, check=False, timeout=20
        )
    assert done.returncode == 3
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_results_that_are_removed_under_the_run_are_missed(tmp_path: Path, endpoint) -> None:
    server = endpoint(latency_s=0.05)
    path = tmp_path / "r.jsonl"
    process = subprocess.Popen(
        command(server.base_url, path, "-j", "2", "--samples", "40"), stderr=subprocess.PIPE, encoding="utf-8"
    )
    until(lambda: lines(path) >= 2)
    path.unlink()
    _, said = process.communicate(timeout=15)
    assert process.returncode == 3
    assert "was removed while the run wrote to it" in said


@pytest.mark.parametrize("sync", ["always", "interval", "end"])
def test_every_sync_policy_leaves_every_line(tmp_path: Path, endpoint, sync: str) -> None:
    server = endpoint()
    path = tmp_path / "r.jsonl"
    subprocess.run(command(server.base_url, path, "--sync", sync), check=True, timeout=20)
    assert [(record.fixture_id, record.sample) for record in read_records(path)] == KEYS
