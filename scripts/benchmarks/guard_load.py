"""What scripts/guard-load runs: guarded and plain calls in turn, while the set changes under them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import aiohttp

from tests.scoring.examples.environment import python

EXAMPLES = Path("tests/scoring/examples")
EVERY = 4
"""Before each fourth guarded call there is a plain one, to compare with."""
SIZE = 900
CHANGES = 100


def codes(state: int) -> str:
    """A whole set: 900 values that stand in every state, and one that says which state it is."""
    return "\n".join([*(f"CODE_{number}" for number in range(SIZE)), f"STATE_{state}"]) + "\n"


def put(file: Path, text: str) -> None:
    """The table of the service changes in one step, as a transaction would."""
    file.with_suffix(".new").write_text(text, encoding="utf-8")
    file.with_suffix(".new").replace(file)


class Load:
    """The calls and what became of them."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self.session = session
        self.url = url
        self.took: dict[str, list[float]] = {"plain": [], "refunds": []}
        self.seen: Counter[str] = Counter()

    async def call(self, path: str, code: str) -> tuple[int, dict[str, str]]:
        begun = time.perf_counter()
        async with self.session.post(f"{self.url}/{path}", json={"order_id": "1", "reason_code": code}) as response:
            found = await response.json()
        self.took[path].append(time.perf_counter() - begun)
        return response.status, found

    async def work(self, counts: list[int]) -> None:
        """Guarded and plain in turn; a member must always pass, a stranger never."""
        while counts[0] > 0:
            counts[0] -= 1
            number = counts[0]
            if number % EVERY == 0:
                await self.call("plain", f"CODE_{number % SIZE}")
            stranger = number % 10 == 0
            status, found = await self.call("refunds", "NO_CODE" if stranger else f"CODE_{number % SIZE}")
            right = (422 if stranger else 200) == status
            self.seen["right" if right else f"WRONG {status} {found}"] += 1


async def change(file: Path, counts: list[int], total: int) -> int:
    """Change the set a hundred times, spread over the calls; how often it did."""
    done = 0
    while counts[0] > 0 and done < CHANGES:
        if total - counts[0] >= (done + 1) * total / (CHANGES + 1):
            done += 1
            put(file, codes(done))
        await asyncio.sleep(0.002)
    return done


async def until(load: Load, status: int) -> dict[str, str]:
    """Wait for an answer of both workers; the last one."""
    end = time.monotonic() + 60
    in_a_row = 0
    while in_a_row < 40 and time.monotonic() < end:
        got, found = await load.call("refunds", "CODE_1")
        in_a_row = in_a_row + 1 if got == status else 0
    if in_a_row < 40:
        sys.exit(f"status {status} never came")
    return found


def percentile(values: list[float], share: float) -> float:
    """In microseconds."""
    return sorted(values)[int(len(values) * share)] * 1e6


async def play(url: str, file: Path, total: int, width: int) -> None:
    """The load, then the source away and back."""
    connector = aiohttp.TCPConnector(limit=width)
    async with aiohttp.ClientSession(connector=connector) as session:
        warm = Load(session, url)
        await asyncio.gather(*(warm.work(count) for count in [[100]] * width))
        load, counts = Load(session, url), [total]
        changed, *_ = await asyncio.gather(change(file, counts, total), *(load.work(counts) for _ in range(width)))
        plain = len(load.took["plain"])
        print(f"{total} guarded calls, {width} in flight, {plain} plain ones among them")
        print(f"  the set of {SIZE + 1} values changed {changed} times")
        for what, count in load.seen.most_common(5):
            print(f"  {count} answers {what}")
        for share in (0.5, 0.99):
            alone, ours = (percentile(load.took[path], share) for path in ("plain", "refunds"))
            print(f"  p{share * 100:g}: plain {alone:.0f} us, guarded {ours:.0f} us, added {ours - alone:+.0f} us")
        file.rename(file.with_suffix(".away"))
        refused = await until(load, 422)
        print(f"  source away: refused, {refused['reason']!r}")
        file.with_suffix(".away").rename(file)
        await until(load, 200)
        print("  source back: calls pass again")


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    width = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w+", encoding="utf-8") as log:
        file = Path(folder, "codes.txt")
        put(file, codes(0))
        environment = {**os.environ, "CODES_FILE": str(file), "REFRESH_S": "0.1"}
        command = [str(python()), "-m", "uvicorn", "fastapi_service:app", "--port", "0", "--workers", "2"]
        command += ["--log-level", "info", "--no-access-log"]
        with subprocess.Popen(command, cwd=EXAMPLES, env=environment, stdout=log, stderr=log) as process:
            try:
                asyncio.run(play(_url(Path(log.name), process), file, total, width))
            finally:
                process.terminate()


def _url(log: Path, process: subprocess.Popen[bytes]) -> str:
    while process.poll() is None:
        found = re.search(r"running on (http://\S+)", log.read_text(encoding="utf-8"))
        if found and log.read_text(encoding="utf-8").count("startup complete") == 2:
            return found[1]
        time.sleep(0.1)
    sys.exit(json.dumps(log.read_text(encoding="utf-8")[-500:]))


if __name__ == "__main__":
    main()
