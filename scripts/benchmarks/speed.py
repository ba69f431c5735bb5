"""Our command and the loops it is compared with, against one loopback server, in turn."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from statistics import median

from measure import FIXTURES, HERE, Run, Server, loop, measured, runner, serving

LOOPS = ("aiohttp", "httpx", "raw")
WIDTHS = (1, 16, 64, 256, 1024)
SERIAL = 48
"""Samples drawn one after another."""
TRANSPORTS = (
    "aiohttp", "httpx_aiohttp", "httpx_aiohttp_client", "pyqwest", "pyqwest_client", "pyreqwest", "pyreqwest_client",
    "httpx_shards", "raw",
)  # fmt: skip
Command = Callable[[Server, int, int], list[str]]


def contenders(width: int) -> dict[str, Command]:
    """Ours first. Stock httpx is left out where it would need minutes: its pool is quadratic."""
    names = [name for name in LOOPS if name != "httpx" or width <= 64]
    return {"assumeprobe": runner, **{name: _loop(name) for name in names}}


def _loop(name: str) -> Command:
    return lambda server, count, width: loop(name, server, count, width)


def in_turn(server: Server, commands: Mapping[str, Command], count: int, width: int, runs: int) -> dict[str, list[Run]]:
    """Every contender once, then every one again, so that what else the machine does falls on all alike."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(measured(command(server, count, width), server))
            if found[name][-1].requests != count:
                sys.exit(f"{name}: {found[name][-1].requests} requests instead of {count}")
    return found


def rounded(count: float) -> int:
    """The next multiple of the corpus's fixtures."""
    return max(1, round(count / FIXTURES)) * FIXTURES


def efficiency(runs: int) -> None:
    """How much of the time that latency and concurrency dictate a run needs; at no latency, requests a second."""
    print("latency_s  width      N  contender      efficiency (0 s: requests/s)   of aiohttp   rss MiB   cpu us/sample")
    for latency_s in (0.0, 0.2):
        with serving(latency_s) as server:
            for width in WIDTHS:
                count = rounded({0.0: 1920, 0.2: min(10_240, 15 * width)}[latency_s])
                _efficiency(server, latency_s, count, width, runs)
    with serving(0.5) as server:
        _efficiency(server, 0.5, rounded(10_240), 1024, runs)


def _efficiency(server: Server, latency_s: float, count: int, width: int, runs: int) -> None:
    found = in_turn(server, contenders(width), count, width, runs)
    ideal = count / width * latency_s
    values = {
        name: median(ideal / run.window_s if ideal else count / run.window_s for run in all_)
        for name, all_ in found.items()
    }
    for name, all_ in found.items():
        shown = f"{values[name]:.3f}" if ideal else f"{values[name]:.0f}"
        cpu_us = median(run.cpu_s for run in all_) / count * 1e6
        print(
            f"{latency_s:9.1f} {width:6} {count:6}  {name:12} {shown:>18} {values[name] / values['aiohttp']:24.3f}"
            f" {median(run.rss_mib for run in all_):9.1f} {cpu_us:12.0f}",
            flush=True,
        )


def whole_command(runs: int) -> None:
    """Of the whole command, from its start to its end: 64 in flight, N = 960, 200 ms."""
    with serving(0.2) as server:
        found = in_turn(server, {"assumeprobe": runner, "aiohttp": _loop("aiohttp")}, 960, 64, runs)
    for name, all_ in found.items():
        print(f"{name:12} efficiency of the command {median(3.0 / run.wall_s for run in all_):.3f}")


def cpu(runs: int) -> None:
    """CPU per sample, start-up excluded by the difference of two N; what the transport and the pump have of it."""
    found: dict[tuple[str, int], float] = {}
    with serving(0.0) as server:
        for width in (16, 1024):
            few, many = rounded(1056), rounded(6000)
            commands = {"assumeprobe": runner, **{name: _loop(name) for name in ("aiohttp", "carrier", "raw")}}
            small = in_turn(server, commands, few, width, runs)
            large = in_turn(server, commands, many, width, runs)
            for name in commands:
                rises = [(b.cpu_s - a.cpu_s) / (many - few) for a, b in zip(small[name], large[name], strict=True)]
                found[name, width] = median(rises) * 1e6
                print(f"{width:5} in flight  {name:14} {found[name, width]:7.0f} us/sample", flush=True)
    for width in (16, 1024):
        ours, plain = found["assumeprobe", width], found["aiohttp", width]
        print(f"{width:5} in flight  assumeprobe / aiohttp = {ours / plain:.2f}")
    ours, transport, pump = found["assumeprobe", 16], found["carrier", 16], _pump_us()
    print(
        f"   16 in flight  of it: transport {transport:.0f} us, pump with coordinator and journal {pump:.0f} us, "
        f"record, its reading, retry and limits {ours - transport - pump:.0f} us"
    )
    print(f"assumeprobe: 1024 / 16 in flight = {found['assumeprobe', 1024] / found['assumeprobe', 16]:.2f}")


def _pump_us() -> float:
    """Of a run against a null endpoint, the reorder at its end included."""
    costs = []
    with tempfile.TemporaryDirectory() as folder:
        for count in (5_000, 55_000):
            command = [sys.executable, str(HERE / "endless.py"), "run", str(count), f"{folder}/{count}.jsonl"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            costs.append(usage.ru_utime + usage.ru_stime)
    return (costs[1] - costs[0]) / 50_000 * 1e6


def serial(runs: int) -> None:
    """One in flight, against the sum of latencies."""
    with serving(0.2) as server:
        command = [*runner(server, FIXTURES, 1), "--serial", "--limit", str(SERIAL)]
        all_ = [measured(command, server) for _ in range(min(runs, 3))]
    over = median(run.window_s for run in all_) / (SERIAL * 0.2) - 1
    peak = max(run.peak for run in all_)
    print(f"{SERIAL} samples one after another: {over:+.2%} of the sum of latencies; peak {peak}")


def transports(runs: int) -> None:
    """What could carry httpx's requests, with and without its client; those that are not installed are left out."""
    needs = {"pyqwest": "pyqwest", "pyreqwest": "pyreqwest"}
    usable = [name for name in TRANSPORTS if find_spec(needs.get(name.removesuffix("_client"), "httpx"))]
    for latency_s, width, few, many in ((0.0, 16, 240, 2400), (0.0, 256, 480, 2400), (0.2, 256, 256, 2560)):
        with serving(latency_s) as server:
            commands = {name: _loop(name) for name in usable}
            small = in_turn(server, commands, few, width, runs)
            large = in_turn(server, commands, many, width, runs)
        for name in usable:
            rises = [(b.cpu_s - a.cpu_s) / (many - few) for a, b in zip(small[name], large[name], strict=True)]
            window_s = median(run.window_s for run in large[name])
            reached = many / width * latency_s / window_s if latency_s else many / window_s
            rss = median(run.rss_mib for run in large[name])
            print(
                f"{latency_s:4} s {width:5} in flight  {name:22} {median(rises) * 1e6:7.0f} us/request"
                f" {reached:10.3f} {'efficiency' if latency_s else 'requests/s'} {rss:6.1f} MiB",
                flush=True,
            )
