"""Runs killed with SIGKILL at random moments, some while the file is put in order, and started again.

python scripts/benchmarks/kills.py KILLS [SEED]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from measure import FIXTURES, Server, runner, serving

WIDTH = 16


class Verdict(NamedTuple):
    """What stood after all kills."""

    kills: int
    in_reorder: int
    """Kills while the complete file was put in order."""
    requests: int
    planned: int
    flying: int
    """Samples in flight at the kills, as the server saw them."""


def campaign(kills: int, seed: int, samples: int = 60, latency_s: float = 0.01) -> Verdict:
    """Kill and restart until so many kills hit a living run; a study that ends is followed by a fresh one."""
    moments = random.Random(seed)
    done = in_reorder = requests = planned = flying = 0
    with serving(latency_s) as server:
        while done < kills:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "r.jsonl")
                found = _study(server, file, samples, moments, kills - done)
            done += found.kills
            in_reorder += found.in_reorder
            requests += found.requests
            planned += found.planned
            flying += found.flying
    return Verdict(done, in_reorder, requests, planned, flying)


def _study(server: Server, file: Path, samples: int, moments: random.Random, most: int) -> Verdict:
    command = [part.replace("{file}", str(file)) for part in runner(server, samples * FIXTURES, WIDTH)]
    done = in_reorder = flying = requests = 0
    kept: set[bytes] = set()
    server.stats()
    while done < most:
        reorder = moments.random() < 0.2
        killed = _kill(command, file, moments.uniform(0.3, 1.2), reorder=reorder)
        time.sleep(0.05)  # what was sent reaches the server's counts
        seen = server.stats()
        requests += int(seen["requests"])
        lines = _whole_lines(file)
        assert kept <= lines, "a line that was on disk is gone"
        kept = lines
        if not killed:
            break
        done += 1
        in_reorder += killed == "reorder"
        flying += WIDTH
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, timeout=120)
    requests += int(server.stats()["requests"])
    planned = samples * FIXTURES
    final = file.read_bytes().splitlines(keepends=True)
    assert kept <= set(final), "a line that was on disk is gone"
    keys = [(record["fixture_id"], record["sample"]) for record in map(json.loads, final)]
    assert len(keys) == len(set(keys)) == planned, f"{len(keys)} lines, {len(set(keys))} keys, {planned} planned"
    assert keys == sorted(keys, key=lambda key: keys.index((key[0], 0)) + key[1]), "not in order"
    assert requests - planned <= flying, f"{requests} requests for {planned} samples, {flying} in flight at kills"
    assert not [other for other in file.parent.iterdir() if other.suffix not in {".jsonl", ".json"}]
    return Verdict(done, in_reorder, requests, planned, flying)


def _kill(command: list[str], file: Path, after_s: float, *, reorder: bool) -> str | None:
    """Start, and kill after a while, or while the file is put in order; None where it ended before."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    begun = time.perf_counter()
    index = file.with_name(f"{file.name}.index")
    while process.poll() is None:
        if reorder and index.exists():
            process.kill()
            process.wait()
            return "reorder" if index.exists() else "run"
        if not reorder and time.perf_counter() - begun > after_s:
            process.kill()
            process.wait()
            return "run"
        time.sleep(0 if reorder else 0.002)
    assert process.returncode == 0, f"exit {process.returncode}"
    return None


def _whole_lines(file: Path) -> set[bytes]:
    if not file.exists():
        return set()
    return {line for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")}


def table(_: int) -> None:
    """300 kills."""
    show(campaign(300, 20261130))


def show(found: Verdict) -> None:
    print(
        f"{found.kills} kills, {found.in_reorder} of them while the file was put in order: every line kept, "
        f"each key once, {found.requests - found.planned} requests beyond {found.planned} planned "
        f"(at most {found.flying} in flight)"
    )


if __name__ == "__main__":
    show(campaign(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20261130))
