"""A long run without a network: pump, coordinator and journal with a draw that only encodes a record.

python scripts/benchmarks/endless.py run|write|resume SAMPLES FILE
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from statistics import median

import anyio
from server import BODY, CALL

from corpora.jsonl import changed, encode
from corpora.manifests import Manifest, Study
from corpora.records import Call, Record, Turn
from runner.journal.done import Done
from runner.journal.journal import Journal
from runner.journal.scan import scan
from runner.schedule.drive import drive
from runner.schedule.messages import Key, Line, Share
from runner.schedule.pump import Pump
from runner.schedule.sites.local import LocalSite

FIXTURES = [f"fixture-{number:03}" for number in range(50)]
FUNCTION = CALL["function"]
BASE = Record(
    corpus="endless",
    corpus_sha256="0" * 64,
    fixture_id="",
    fixture_sha256="1" * 64,
    stratum="only",
    sample=0,
    status="ok",
    calls=(
        Call(
            turn=0, index=0, id="call_01", name="refund_order", offered=True, wire_type="string", source="tool_calls",
            arguments=FUNCTION["arguments"],  # type: ignore[index]
        ),
    ),
    turns=(Turn(text=None, response=(BODY % 0).decode(), status=200),),
)  # fmt: skip


def rss_mib() -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise OSError("no VmRSS")


def manifest(samples: int) -> Manifest:
    return Manifest(
        run_id="endless", version="0", corpus="endless", corpus_path="", corpus_sha256="", system_sha256="",
        tools_sha256="", study=Study(model="none", api="none", base_url="http://127.0.0.1", samples=samples),
        fixtures=dict.fromkeys(FIXTURES, "1"),
    )  # fmt: skip


async def draw(key: Key) -> Line:
    record = changed(BASE, fixture_id=key.fixture_id, sample=key.sample)
    return Line(key=key, data=encode(record), ok=True)


async def run(total: int, file: Path) -> None:
    samples = total // len(FIXTURES)
    keys = (Key(fixture, sample) for sample in range(samples) for fixture in FIXTURES)
    costs: list[float] = []
    seen, since = 0, time.process_time()

    def watch(_: Line) -> None:
        nonlocal seen, since
        seen += 1
        if seen % (total // 10) == 0:
            now = time.process_time()
            costs.append((now - since) / (total // 10) * 1e6)
            since = now

    with Journal.open(file, manifest(samples)) as journal:
        async with Pump(draw) as pump:
            await drive([LocalSite(pump)], keys, journal, Share(concurrency=256), on_line=watch)
        sampled = rss_mib()
        begun = time.perf_counter()
        journal.finish("complete", "")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{total:9,} samples: {costs[0]:.1f} us each in the first tenth, {costs[-1]:.1f} in the last; "
        f"resident {sampled:.1f} MiB, peak {peak:.1f} MiB; put in order in {time.perf_counter() - begun:.1f} s"
    )


def write(total: int, file: Path) -> None:
    """A results file in the order of a run."""
    samples = total // len(FIXTURES)
    with Journal.open(file, manifest(samples)) as journal:
        for sample in range(samples):
            for fixture in FIXTURES:
                key = Key(fixture, sample)
                journal.append(Line(key=key, data=encode(changed(BASE, fixture_id=fixture, sample=sample)), ok=True))


def resume(total: int, file: Path) -> None:
    def plainly() -> float:
        begun = time.process_time()
        with file.open("rb") as stream:
            for _ in stream:
                pass
        return time.process_time() - begun

    def scanned() -> float:
        begun = time.process_time()
        scan(file, Done(FIXTURES, total // len(FIXTURES)), {})
        return time.process_time() - begun

    plainly()
    pairs = [(plainly(), scanned()) for _ in range(5)]
    read_s, scan_s = (median(column) for column in zip(*pairs, strict=True))
    print(
        f"{total:,} lines: read {read_s:.2f} s, opened {scan_s:.2f} s: {scan_s / read_s:.1f} x (wanted: at most 5; "
        f"runs: {' '.join(f'{scan / read:.1f}' for read, scan in pairs)}); "
        f"resident {rss_mib():.1f} MiB"
    )


if __name__ == "__main__":
    kind, count, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    if kind == "run":
        anyio.run(run, count, path)
    else:
        {"write": write, "resume": resume}[kind](count, path)
