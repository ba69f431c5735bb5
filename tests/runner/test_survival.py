"""A run that is killed at any moment and started again ends with every sample once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from corpora.corpus import load
from corpora.jsonl import read_records
from runner.simulated.server import SimulatedServer

KILLS = int(os.environ.get("ASSUMEPROBE_KILLS", "30"))
"""`scripts/bench kills` asks for 300."""
WIDTH = 16
SAMPLES = 15
LATENCY_S = 0.01
KEYS = [(fixture.id, sample) for fixture in load("maintenance").fixtures for sample in range(SAMPLES)]


class Study(NamedTuple):
    """How one study went, from its first start to its end."""

    kills: int
    in_reorder: int
    """Kills while the complete file was put in order."""
    beyond: int
    """Requests beyond the plan."""


@pytest.mark.slow
@pytest.mark.timeout(120 + 5 * KILLS)
def test_killed_at_random_moments_every_line_is_kept_and_each_key_is_there_once(
    tmp_path: Path, endpoint: Callable[..., SimulatedServer], capsys: pytest.CaptureFixture[str]
) -> None:
    """The moments are spread over the start of the process, the run itself, and the reorder at its end."""
    moments = random.Random(20261130)
    studies: list[Study] = []
    while sum(study.kills for study in studies) < KILLS:
        server = endpoint(corpora=["maintenance"], latency_s=LATENCY_S)
        left = KILLS - sum(study.kills for study in studies)
        studies.append(_study(server, tmp_path / f"{len(studies)}.jsonl", moments, left))
    kills, in_reorder, beyond = (sum(column) for column in zip(*studies, strict=True))
    assert in_reorder > 0, "no kill fell into the reorder"
    with capsys.disabled():
        print(  # noqa: T201 - the figures that `scripts/bench kills` shows
            f"\n{kills} kills, {in_reorder} of them while the file was put in order: every line kept, each key once, "
            f"{beyond} requests beyond {len(studies) * len(KEYS)} planned samples, {kills * WIDTH} in flight at most"
        )


def _study(server: SimulatedServer, path: Path, moments: random.Random, most: int) -> Study:
    command = [sys.executable, "-m", "runner", "run", "maintenance", "--base-url", server.base_url, "--model", "m"]
    command += ["--quiet", "-o", str(path), "-j", str(WIDTH), "--samples", str(SAMPLES), "--max-turns", "1"]
    kept: set[bytes] = set()
    kills: list[str] = []
    while len(kills) < most:
        killed = _kill(command, path, _moment(path, moments))
        lines = _whole_lines(path)
        assert kept <= lines, "a line that was on disk is gone"
        kept = lines
        if killed is None:
            break
        kills.append(killed)
    subprocess.run(command, check=True, timeout=60)
    assert kept <= _whole_lines(path), "a line that was on disk is gone"
    assert [(record.fixture_id, record.sample) for record in read_records(path)] == KEYS
    beside = sorted(file.name for file in path.parent.glob(f"{path.stem}.*"))
    assert beside == [path.name, f"{path.stem}.manifest.json"]
    beyond = server.stats().requests - len(KEYS)
    assert 0 <= beyond <= len(kills) * WIDTH
    return Study(len(kills), kills.count("reorder"), beyond)


def _moment(path: Path, moments: random.Random) -> Callable[[], bool]:
    """When to kill: at any time from the start on, in the middle of the sampling, or while the file is put in order."""
    kind = moments.random()
    if kind < 0.25:
        end = time.monotonic() + moments.uniform(0.05, 1.5)
        return lambda: time.monotonic() > end
    if kind < 0.75:
        bound = _size(path) + moments.randrange(1, 400_000)
        return lambda: _size(path) > bound
    return _index(path).exists


def _index(path: Path) -> Path:
    return path.with_name(f"{path.name}.index")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _kill(command: list[str], path: Path, due: Callable[[], bool]) -> str | None:
    """Start, and kill when it is due; None where the run ended before."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        if due():
            process.kill()
            process.wait(timeout=10)
            return "reorder" if _index(path).exists() else "run"
        time.sleep(0.0005)
    assert process.returncode == 0
    return None


def _whole_lines(path: Path) -> set[bytes]:
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return {line for line in lines if line.endswith(b"\n")}
