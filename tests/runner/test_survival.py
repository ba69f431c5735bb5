"""A run that is killed at any moment and started again ends with every sample once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpora.corpus import load
from corpora.jsonl import read_records

KILLS = 20
CONCURRENCY = 8


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_killed_at_twenty_random_moments_each_key_is_there_exactly_once(tmp_path: Path, endpoint) -> None:
    """The moments are spread over the start of the process and the run itself; each start goes on from the last."""
    server = endpoint(latency_s=0.05)
    path = tmp_path / "r.jsonl"
    command = [sys.executable, "-m", "runner", "run", "refunds", "--base-url", server.base_url, "--model", "m"]
    command += ["-o", str(path), "-j", str(CONCURRENCY), "--samples", "12", "--quiet"]
    moments = random.Random(20261130)
    killed = 0
    for _ in range(KILLS):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        before = time.monotonic()
        wait_s = moments.uniform(0.05, 0.9)
        while time.monotonic() - before < wait_s and process.poll() is None:
            time.sleep(0.002)
        killed += process.poll() is None
        process.kill()
        process.wait(timeout=10)
    assert killed >= KILLS // 2, "most starts must be killed while they run"
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    expected = [(fixture.id, sample) for fixture in load("refunds").fixtures for sample in range(12)]
    assert [(record.fixture_id, record.sample) for record in read_records(path)] == expected
    assert server.stats().requests >= len(expected)
