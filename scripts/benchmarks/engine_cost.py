"""What the engine itself costs, without any request: a pump that answers at once, here and over two Ray nodes.

And the coordinator alone, before 64 sites that it only imagines: its memory, its speed, and how soon the keys of a dead
site are drawn again.
"""

from __future__ import annotations

import asyncio
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
from cluster import cluster

from corpora.corpus import load
from runner.config import resolve
from runner.flags import RunFlags
from runner.journal.append import Appender, Sync
from runner.journal.done import Done, State
from runner.schedule.drive import drive
from runner.schedule.messages import Key, Line, Order, Receipt, Share
from runner.schedule.patience import Patience
from runner.schedule.pump import Pump
from runner.schedule.sites.base import SiteLost
from runner.schedule.sites.local import LocalSite

TICK = os.sysconf("SC_CLK_TCK")
TEXT = b"x" * 480
FIXTURES = [f"f{number:05d}" for number in range(200)]


class Sink:
    """A journal without a manifest: the bitmap and the file."""

    settles = False

    def __init__(self, path: Path | None, fixtures: list[str], samples: int) -> None:
        self.done = Done(fixtures, samples)
        self.appender = None if path is None else Appender(path, 0, Sync.END)

    def append(self, line: Line) -> bool:
        fresh = self.done.add(line.key, State.OK)
        if fresh and self.appender is not None:
            self.appender.write(line.data)
        return fresh

    async def flush(self) -> None:
        if self.appender is not None:
            await self.appender.flush()


async def null(key: Key) -> Line:
    """A line of about 500 bytes, at once."""
    return Line(key=key, data=b'{"fixture_id":"%s","text":"%s"}\n' % (key.fixture_id.encode(), TEXT), ok=True)


def keys(samples: int) -> Iterator[Key]:
    return (Key(fixture, sample) for sample in range(samples) for fixture in FIXTURES)


def null_shell() -> type:
    """The shell of a site, with a pump that asks nobody; it travels by value as the real one does."""
    from runner.schedule.sites.shell import shell

    class Null(shell()):  # type: ignore[misc] # a class made in a function
        async def open(self, outfit: bytes) -> str | None:
            import asyncio

            from runner.schedule.drawing import Drawing
            from runner.schedule.messages import Line
            from runner.schedule.pump import Pump
            from runner.schedule.sites.hosted import ELSEWHERE, Hosted

            async def null(key: object) -> Line:
                data = b'{"fixture_id":"%s","text":"%s"}\n' % (key[0].encode(), b"x" * 480)
                return Line(key=key, data=data, ok=True)

            class NullHosted(Hosted):
                async def _run(self, task: object) -> None:  # noqa: ARG002 - as the real one
                    async with Pump(null, **ELSEWHERE._asdict()) as pump:
                        self._drawing = Drawing(pump, None, None)
                        self._ready.set()
                        await asyncio.Event().wait()

            self._hosted = NullHosted(outfit)
            self._timer.cancel()
            return await self._hosted.start()

    return Null


def tree(root: int) -> set[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, todo = set(), [root]
    while todo:
        found.add(pid := todo.pop())
        todo += children.get(pid, [])
    return found


def cpu_s(pids: set[int]) -> float:
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def cost(_: int) -> None:
    """CPU per sample over all processes."""
    for samples, width in ((100, 200), (1500, 1000)):
        anyio.run(_local, samples, width)
    with cluster() as over:
        os.environ.update({name: value for name, value in over.environ.items() if name.startswith("RAY_")})
        for samples, width in ((100, 200), (1500, 1000)):
            anyio.run(_clustered, over.address, over.process.pid, samples, width)


async def _local(samples: int, width: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Pump(null) as pump:
            sink = Sink(Path(folder, "out"), FIXTURES, samples)
            begun, cpu = time.perf_counter(), time.process_time()
            outcome = await drive([LocalSite(pump)], keys(samples), sink, Share(concurrency=width))
        _say("local", outcome.recorded, width, time.perf_counter() - begun, time.process_time() - cpu)


async def _clustered(address: str, pid: int, samples: int, width: int) -> None:
    import runner.schedule.sites.ray as engine
    from runner.schedule.sites.outfit import Outfit
    from runner.schedule.sites.ray import actor

    actor.shell = null_shell
    engine.connect(address)
    corpus = load("maintenance")
    flags = RunFlags(base_url="http://127.0.0.1:1/v1", model="m")
    study = resolve(corpus, flags, {}).study
    outfit = Outfit(run_id=f"cost{samples}", site="", corpus=corpus, sets={}, study=study, flags=flags)
    found = engine.Cluster(outfit)
    try:
        await found.open()
        with tempfile.TemporaryDirectory() as folder:
            sink = Sink(Path(folder, "out"), FIXTURES, samples)
            pids = tree(pid) | {os.getpid()}
            assert pids >= {int(facts["pid"]) for facts in found.facts.values()}, "a site is not counted"
            begun, cpu = time.perf_counter(), cpu_s(pids)
            share = Share(concurrency=width)
            outcome = await drive(found.sites, keys(samples), sink, share, patience=Patience(deadline_s=10))
            _say("two nodes", outcome.recorded, width, time.perf_counter() - begun, cpu_s(pids) - cpu)
    finally:
        await found.release()
        engine.disconnect()


def _say(name: str, count: int, width: int, seconds: float, cpu: float) -> None:
    rate, each = count / seconds, cpu / count * 1e6
    print(f"{name:10} {count} samples, {width} in hand: {rate:.0f}/s, {each:.0f} us of CPU a sample", flush=True)


class Imagined:
    """A site of a simulation: everything in hand is finished by the next exchange. One of them dies half-way."""

    def __init__(self, name: str, dies_after: int | None) -> None:
        self.id = name
        self.dies_after = dies_after
        self.seq = 0
        self.died_at: float | None = None
        self.lost: set[Key] = set()

    def abandon(self) -> None:
        return

    async def exchange(self, order: Order) -> Receipt:
        await asyncio.sleep(0)
        if self.dies_after is not None and self.seq >= self.dies_after:
            if self.died_at is None:
                self.died_at, self.lost = time.perf_counter(), set(order.keys)
            raise SiteLost(self.id)
        self.seq += len(order.keys)
        lines = tuple(Line(key=key, data=b"", ok=True) for key in order.keys)
        return Receipt(turn=order.turn, seq=self.seq, lines=lines, running=())


def simulation(_: int) -> None:
    """64 sites, ten million keys, no request."""
    samples = int(os.environ.get("ASSUMEPROBE_SIMULATED", "10000000")) // len(FIXTURES)
    total = samples * len(FIXTURES)
    sites = [Imagined(f"site-{number}", total // 128 if number == 7 else None) for number in range(64)]
    again: list[float] = []

    def seen(line: Line) -> None:
        if sites[7].lost and line.key in sites[7].lost:
            sites[7].lost.discard(line.key)
            again.append(time.perf_counter())

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    share = Share(concurrency=6400)
    outcome = anyio.run(lambda: drive(sites, keys(samples), Sink(None, FIXTURES, samples), share, on_line=seen))
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert outcome.recorded == total, outcome
    assert sites[7].died_at is not None
    print(
        f"{total} keys over 64 sites, 6400 in hand: {total / seconds:.0f} keys/s, {seconds / total * 1e6:.1f} us each; "
        f"memory {before / 1024:.0f} MiB before, {after / 1024:.0f} MiB at most (the bitmap of what is done is "
        f"{total / 2**20:.0f} MiB); a dead site's {outcome.given_back} keys were all drawn again "
        f"{(again[-1] - sites[7].died_at) * 1000:.0f} ms after its death was known"
    )
