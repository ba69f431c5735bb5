"""Our command and the loops it is compared with, against one loopback server, in turn."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from statistics import median
from typing import NamedTuple

from measure import FIXTURES, HERE, Run, Server, loop, measured, runner, serving

LOOPS = ("aiohttp", "httpx", "raw")
WIDTHS = (1, 16, 64, 256, 1024)
SERIAL = 48
"""Samples drawn one after another."""
Command = Callable[[Server, int, int], list[str]]


class Row(NamedTuple):
    """One row of the table: a latency, how many in flight, and how many samples."""

    latency_s: float
    width: int
    count: int

    @property
    def name(self) -> str:
        """How it is called for: `200ms-64`."""
        return f"{self.latency_s * 1000:.0f}ms-{self.width}"


def _count(latency_s: float, width: int) -> int:
    """So many samples that a run takes seconds, with the rounds of a full width that make a ratio worth something."""
    if not latency_s:
        return 1920
    return rounded(min(10_240, 15 * width)) if width > 1 else 24


def rounded(count: float) -> int:
    """The next multiple of the corpus's fixtures."""
    return max(1, round(count / FIXTURES)) * FIXTURES


GRID = [(latency_s, width) for latency_s in (0.0, 0.2) for width in WIDTHS]
ROWS = {row.name: row for row in (Row(*at, _count(*at)) for at in (*GRID, (0.5, 1024)))}
WANTED = {"200ms-64": (0.97, None), "200ms-256": (None, 0.95), "500ms-1024": (None, 0.90)}
"""Row -> the least efficiency, and the least part of the plain aiohttp loop's."""


def contenders(width: int) -> dict[str, Command]:
    """Ours first. Stock httpx is left out where it would need minutes: its pool is quadratic."""
    names = [name for name in LOOPS if name != "httpx" or width <= 64]
    return {"assumeprobe": runner, **{name: loop_of(name) for name in names}}


def loop_of(name: str) -> Command:
    """One of the loops of loops.py."""
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


def speed(name: str, runs: int) -> None:
    """One row: how much of the time that latency and concurrency dictate is used; at no latency, requests a second."""
    _speed(ROWS[name], contenders(ROWS[name].width), runs)


def efficiency(name: str, runs: int) -> None:
    """The same row for our runner and the plain aiohttp loop alone."""
    _speed(ROWS[name], {"assumeprobe": runner, "aiohttp": loop_of("aiohttp")}, runs)


def _speed(row: Row, commands: Mapping[str, Command], runs: int) -> None:
    with serving(row.latency_s) as server:
        found = in_turn(server, commands, row.count, row.width, runs)
    ideal_s = row.count / row.width * row.latency_s
    each = {
        name: [ideal_s / run.window_s if ideal_s else row.count / run.window_s for run in all_]
        for name, all_ in found.items()
    }
    values = {name: median(column) for name, column in each.items()}
    unit = "efficiency" if ideal_s else "requests/s"
    print(f"{'contender':12} {unit:>11}  of aiohttp  rss MiB  us CPU   N = {row.count}")
    for name, all_ in found.items():
        shown = [f"{value:.3f}" if ideal_s else f"{value:.0f}" for value in (values[name], *each[name])]
        cpu_us = median(run.cpu_s for run in all_) / row.count * 1e6
        print(
            f"{name:12} {shown[0]:>11} {values[name] / values['aiohttp']:11.3f}"
            f" {median(run.rss_mib for run in all_):8.1f} {cpu_us:7.0f}   runs: {' '.join(shown[1:])}",
            flush=True,
        )
    least, part = WANTED.get(row.name, (None, None))
    if least or part:
        print(f"wanted: at least {f'{least:.2f}' if least else f'{part:.2f} of aiohttp'}")


def whole_command(runs: int) -> None:
    """Of the whole command, from its start to its end: 64 in flight, N = 960, 200 ms."""
    with serving(0.2) as server:
        found = in_turn(server, {"assumeprobe": runner, "aiohttp": loop_of("aiohttp")}, 960, 64, runs)
    for name, all_ in found.items():
        each = [3.0 / run.wall_s for run in all_]
        print(f"{name:12} efficiency of the command {median(each):.3f}   runs: {_listed(each, '.3f')}")
    print("wanted: at least 0.80")


def _listed(values: Iterable[float], form: str) -> str:
    return " ".join(f"{value:{form}}" for value in values)


def rises(
    server: Server, commands: Mapping[str, Command], few: int, many: int, width: int, runs: int
) -> dict[str, tuple[list[float], list[Run]]]:
    """CPU seconds a sample of each run, the start excluded: the rise from a run of `few` to one of `many` beside it."""
    found: dict[str, tuple[list[float], list[Run]]] = {name: ([], []) for name in commands}
    for _ in range(runs):
        small = in_turn(server, commands, few, width, 1)
        large = in_turn(server, commands, many, width, 1)
        for name, (costs, larger) in found.items():
            costs.append((large[name][0].cpu_s - small[name][0].cpu_s) / (many - few))
            larger.append(large[name][0])
    return found


def cpu(runs: int) -> None:
    """CPU per sample, start-up excluded by the difference of two N; what the transport and the pump have of it."""
    found: dict[tuple[str, int], float] = {}
    commands = {"assumeprobe": runner, **{name: loop_of(name) for name in ("aiohttp", "carrier", "raw")}}
    with serving(0.0) as server:
        for width in (16, 1024):
            for name, (costs, _) in rises(server, commands, 960, 6000, width, runs).items():
                each = [cost * 1e6 for cost in costs]
                found[name, width] = median(each)
                print(
                    f"{width:5} in flight  {name:14} {median(each):7.0f} us/sample   runs: {_listed(each, '.0f')}",
                    flush=True,
                )
    for width, wanted in ((16, " (wanted: at most 2.5)"), (1024, "")):
        ours, plain = found["assumeprobe", width], found["aiohttp", width]
        print(f"{width:5} in flight  assumeprobe / aiohttp = {ours / plain:.2f}{wanted}")
    flat = found["assumeprobe", 1024] / found["assumeprobe", 16]
    print(f"assumeprobe: 1024 / 16 in flight = {flat:.2f} (wanted: at most 1.5)")
    ours, transport, pump = found["assumeprobe", 16], found["carrier", 16], _pump_us()
    print(
        f"   16 in flight  of it: transport {transport:.0f} us, pump with coordinator and journal {pump:.0f} us, "
        f"record, its reading, retry and limits {ours - transport - pump:.0f} us"
    )


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
        all_ = [measured(runner(server, SERIAL, 1, "--serial"), server) for _ in range(runs)]
    over = [run.window_s / (SERIAL * 0.2) - 1 for run in all_]
    peak = max(run.peak for run in all_)
    print(
        f"{SERIAL} samples one after another: {median(over):+.2%} of the sum of latencies (wanted: at most 2 %); "
        f"peak {peak}   runs: {_listed(over, '+.2%')}"
    )
