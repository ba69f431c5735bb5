"""What needs no server: start-up, memory over a long run, resuming, scoring."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from measure import ASSUMEPROBE, FIXTURES, HERE, measured, runner, serving

IMPORTS = "import aiohttp, anyio, click, httpx, httpx_aiohttp, msgspec, rich, structlog"


def _wall(command: list[str], **how: object) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)  # type: ignore[call-overload]
    return time.perf_counter() - begun


def start(runs: int) -> None:
    """`--help` against a bare interpreter; command start to first request against importing the packages alone."""
    bare = [sys.executable, "-c", ""]
    help_ = [str(ASSUMEPROBE), "--help"]
    pairs = [(_wall(bare), _wall(help_)) for _ in range(max(15, runs))]
    bare_s, help_s = (median(column) for column in zip(*pairs, strict=True))
    print(f"bare {bare_s * 1000:.0f} ms, --help {help_s * 1000:.0f} ms: {help_s / bare_s:.1f} x")
    with serving(0.0) as server:
        rows = []
        for _ in range(max(9, runs)):
            imports_s = _wall([sys.executable, "-c", IMPORTS])
            begun = time.clock_gettime(time.CLOCK_MONOTONIC)
            measured([*runner(server, FIXTURES, 8)], server)
            rows.append((imports_s, server.last_first_s - begun))
    imports_s, first_s = (median(column) for column in zip(*rows, strict=True))
    print(
        f"imports alone {imports_s * 1000:.0f} ms, to the first request {first_s * 1000:.0f} ms: "
        f"{first_s / imports_s:.2f} x (wanted: at most 1.5)   runs: "
        + " ".join(f"{first / alone:.2f}" for alone, first in rows)
    )


def memory(runs: int) -> None:
    """A run against a null endpoint: memory and cost at 10,000 and at 1,000,000 samples."""
    print("wanted: memory within 10 % and under 150 MB, the same cost at the start and at the end", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for count in (10_000, 1_000_000) * runs:
            command = [sys.executable, str(HERE / "endless.py"), "run", str(count), f"{folder}/{count}.jsonl"]
            subprocess.run(command, check=True)
            Path(folder, f"{count}.jsonl").unlink()


def resume(_: int) -> None:
    """Opening a results file of a million lines, against reading it line by line."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/many.jsonl"
        subprocess.run([sys.executable, str(HERE / "endless.py"), "write", "1000000", file], check=True)
        subprocess.run([sys.executable, str(HERE / "endless.py"), "resume", "1000000", file], check=True)


def scoring(runs: int) -> None:
    """`score` over 48,000 real records."""
    with serving(0.0) as server, tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/out.jsonl"
        command = [part.replace("{file}", file) for part in runner(server, 48_000, 64)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        walls = [_wall([str(ASSUMEPROBE), "score", file, "--format", "json"]) for _ in range(runs)]
        size = Path(file).stat().st_size
    print(f"48,000 records ({size / 1e6:.0f} MB) in {median(walls):.2f} s: {48_000 / median(walls):,.0f} a second")
