"""A cluster of two Ray nodes on this machine: what it costs, what it gives, and what it loses when parts are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.request import urlopen

from measure import Server, runner, serving
from speed import in_turn, rounded

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.runner.cluster.conftest import RayCluster  # noqa: E402 - the cluster of the tests is the cluster here

FIXTURES = 142
SAMPLES = 35
KEYS = FIXTURES * SAMPLES
WIDTH = 200
KILL_AT = 1500
LATENCY_S = 0.1
LIMIT_S = 240


class Stub(NamedTuple):
    """The simulated model in a process of its own."""

    base_url: str

    def stats(self) -> dict[str, int]:
        with urlopen(self.base_url.removesuffix("/v1") + "/stats", timeout=10) as response:
            found: dict[str, int] = json.load(response)
        return found


@contextmanager
def stub(latency_s: float) -> Iterator[Stub]:
    command = [sys.executable, "-m", "runner", "serve", "--corpus", "maintenance", "--profile", "perfect"]
    with subprocess.Popen([*command, "--latency", str(latency_s)], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        yield Stub(json.loads(process.stdout.readline())["base_url"])
        process.kill()


@contextmanager
def cluster() -> Iterator[RayCluster]:
    found = RayCluster(Path(tempfile.mkdtemp(prefix="ap", dir="/tmp")))
    try:
        yield found
    finally:
        found.close()


class Run:
    """One study, driven by processes over the cluster, or by one process alone."""

    def __init__(self, server: Stub, over: RayCluster | None, folder: Path, *flags: str) -> None:
        self.server = server
        self.path = folder / "out.jsonl"
        self.log = folder / "log"
        self.environ = {**os.environ, "PYTHONPATH": str(ROOT / "scripts" / "benchmarks")}
        self.command = [sys.executable, "-m", "runner", "run", "maintenance", "--base-url", server.base_url]
        self.command += ["--model", "m", "--seed", "1", "--max-turns", "1", "--no-preflight", "--quiet"]
        self.command += ["-o", str(self.path), *flags]
        if over is not None:
            self.command += ["--engine", "ray", "--ray-address", over.address]
            self.environ |= over.environ

    def start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                self.command, env=self.environ, cwd=self.path.parent, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )

    def lines(self) -> int:
        return self.path.read_bytes().count(b"\n") if self.path.exists() else 0

    def reach(self, lines: int) -> None:
        end = time.monotonic() + 60
        while self.lines() < lines and time.monotonic() < end:
            time.sleep(0.01)

    def sites(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = json.loads(self.path.with_name("out.manifest.json").read_bytes())["sites"]
        return found


class Row(NamedTuple):
    """What a case came to."""

    case: str
    status: int
    keys: int
    twice: int
    requests: int
    peak: int
    seconds: float

    def text(self, bound: int) -> str:
        return (
            f"{self.case:42} exit {self.status}  keys {self.keys}/{KEYS}  recorded twice {self.twice}  calls repeated "
            f"{self.requests - self.keys} (may be {bound})  peak in flight {self.peak}  {self.seconds:.1f} s"
        )


def kills(_: int) -> None:
    """The table of what is lost: one line for each case."""
    with cluster() as over:
        for case, (harm, resumes) in CASES.items():
            while len(over.nodes) < 2:
                over.add()
            with stub(LATENCY_S) as server, tempfile.TemporaryDirectory() as folder:
                print(_case(case, Run(server, over, Path(folder), *_width()), over, harm, resumes=resumes), flush=True)


def _width() -> tuple[str, ...]:
    return ("--samples", str(SAMPLES), "-j", str(WIDTH))


Harm = Callable[[Run, RayCluster, "subprocess.Popen[bytes]"], None]


def _case(case: str, run: Run, over: RayCluster, harm: Harm, *, resumes: bool) -> str:
    begun = time.monotonic()
    process = run.start()
    run.reach(KILL_AT)
    harm(run, over, process)
    status = process.wait(timeout=LIMIT_S)
    if resumes:
        words = f"{case}: exit {status} at {run.lines()} lines; "
        status = run.start().wait(timeout=LIMIT_S)
    else:
        words = ""
    lines = [json.loads(line) for line in run.path.read_bytes().splitlines()]
    keys = {(line["fixture_id"], line["sample"]) for line in lines}
    found = run.server.stats()
    row = Row(
        "resumed" if words else case,
        status,
        len(keys),
        len(lines) - len(keys),
        found["requests"],
        found["peak_in_flight"],
        time.monotonic() - begun,
    )
    bound = json.loads(run.path.with_name("out.manifest.json").read_bytes())["paid_twice_at_most"]
    adopted = sum(int(str(site["adopted"])) for site in run.sites())
    return f"{words}{row.text(bound)}  adopted {adopted}"


def _coordinator(run: Run, over: RayCluster, process: subprocess.Popen[bytes]) -> None:  # noqa: ARG001 - a Harm
    process.kill()
    process.wait()
    with run.path.open("ab") as torn:
        torn.write(b'{"v":1,"corpus":"mainten')


def _actor(run: Run, over: RayCluster, process: subprocess.Popen[bytes]) -> None:  # noqa: ARG001 - a Harm
    os.kill(int(str(run.sites()[0]["pid"])), signal.SIGKILL)


def _node(run: Run, over: RayCluster, process: subprocess.Popen[bytes]) -> None:
    over.kill(str(run.sites()[0]["node"]))
    _actor(run, over, process)


def _all(run: Run, over: RayCluster, process: subprocess.Popen[bytes]) -> None:
    os.kill(int(str(run.sites()[1]["pid"])), signal.SIGKILL)
    _node(run, over, process)


def _frozen(seconds: float, *, daemons: bool) -> Harm:
    def harm(run: Run, over: RayCluster, process: subprocess.Popen[bytes]) -> None:  # noqa: ARG001 - a Harm
        site = run.sites()[0]
        pids = [int(str(site["pid"])), *(over.nodes[str(site["node"])] if daemons else [])]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        print(f"  after {seconds:g} s frozen: {run.lines()} lines, fate {run.sites()[0]['fate']}")
        for pid in pids:
            os.kill(pid, signal.SIGCONT)

    return harm


def _head(run: Run, over: RayCluster, process: subprocess.Popen[bytes]) -> None:  # noqa: ARG001 - a Harm
    for pid in over.head:
        os.kill(pid, signal.SIGKILL)


CASES: dict[str, tuple[Harm, bool]] = {
    "coordinator killed, resumed": (_coordinator, True),
    "one actor killed": (_actor, False),
    "one node killed (daemon and actor)": (_node, False),
    "all sites gone": (_all, True),
    "actor frozen for 60 s": (_frozen(60, daemons=False), False),
    "node daemon and actor frozen for 60 s": (_frozen(60, daemons=True), False),
    "Ray's head killed": (_head, False),  # the last one: no cluster is left
}


def throughput(runs: int) -> None:
    """Samples a second at 100 ms from the first request to the last answer, of one process and of two nodes in turn."""
    count = rounded(8000)
    with cluster() as over, serving(LATENCY_S) as server:
        os.environ.update({name: value for name, value in over.environ.items() if name.startswith("RAY_")})
        far = ("--engine", "ray", "--ray-address", over.address)
        found = in_turn(server, {"local": runner, "two nodes": partial(_with, far)}, count, WIDTH, runs)
    rates = {name: [count / run.window_s for run in all_] for name, all_ in found.items()}
    ratios = [there / here for here, there in zip(rates["local"], rates["two nodes"], strict=True)]
    for name, all_ in rates.items():
        peak = max(run.peak for run in found[name])
        print(f"{name:10} {median(all_):.0f}/s ({', '.join(f'{rate:.0f}' for rate in all_)}), peak in flight {peak}")
    print(f"two nodes / local = {median(ratios):.2f} ({', '.join(f'{ratio:.2f}' for ratio in ratios)})")


def _with(flags: tuple[str, ...], server: Server, count: int, width: int) -> list[str]:
    return runner(server, count, width, *flags)


def heavy(runs: int) -> None:
    """An agent that computes for 20 ms: one process beside two nodes."""
    os.environ["PYTHONPATH"] = str(ROOT / "scripts" / "benchmarks")  # of the nodes as well
    flags = ("--agent", "heavy_agent:agent", "--samples", "2", "-j", "8")
    keys = FIXTURES * 2
    with cluster() as over, stub(0.0) as server:
        for number in range(runs):
            rates = []
            for place in (None, over):
                with tempfile.TemporaryDirectory() as folder:
                    run = Run(server, place, Path(folder), *flags)
                    process = run.start()
                    run.reach(keys // 10)
                    begun, first = time.monotonic(), run.lines()
                    run.reach(keys)
                    rates.append((keys - first) / (time.monotonic() - begun))
                    process.wait(timeout=LIMIT_S)
            print(
                f"round {number + 1}: local {rates[0]:.1f}/s, two nodes {rates[1]:.1f}/s: {rates[1] / rates[0]:.2f} x"
            )
