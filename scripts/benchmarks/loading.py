"""What it costs to load the corpora, beside reading and decoding their bytes with msgspec alone; and a large world.

Loading hashes every fixture, expands the worlds and checks that all adds up. Bound: 5 x msgspec. A world of 10,000
fixtures is streamed; the most that it held at any time is shown. Both are taken in turn, so that what else the machine
does meets both.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable

import msgspec

from corpora.corpus import BUNDLED, load
from corpora.expansion import expand
from corpora.worlds import Fact, World

NAMES = ("refunds", "maintenance")
BOUND = 5.0


def decode_alone() -> None:
    """Every data file of the folders, read whole and decoded by msgspec."""
    for name in NAMES:
        for path in sorted((BUNDLED / name).iterdir()):
            data = path.read_bytes()
            if path.suffix == ".jsonl":
                msgspec.json.Decoder().decode_lines(data)
            elif path.suffix == ".json":
                msgspec.json.decode(data)
            elif path.suffix == ".toml":
                msgspec.toml.decode(data)


def load_all() -> None:
    """The same folders as corpora."""
    for name in NAMES:
        load(name)


def taken_ms(work: Callable[[], None]) -> float:
    """One run."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def large_world() -> tuple[int, int, float]:
    """Fixtures of a world, the bytes held at most while they stream, and the seconds that it took without counting."""
    values = tuple(f"Zone/{number}" for number in range(2500))
    zone = Fact(values=values, argument="zone", seen_by=("state", "user"), tell=("It is {value}.",))
    world = World(name="w", tool="book", facts={"zone": zone}, ways=("Book it.", "Please."), conditions=("revealed",))
    begun = time.perf_counter()
    count = sum(1 for _ in expand([world]))
    took_s = time.perf_counter() - begun
    tracemalloc.start()
    for _ in expand([world]):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return count, peak, took_s


def table(runs: int) -> None:
    """The figures; loading is taken eight times as often as a run, because it is short."""
    rounds = [(taken_ms(decode_alone), taken_ms(load_all)) for _ in range(8 * runs + 1)][1:]
    alone, ours, ratio = (
        statistics.median(values)
        for values in ([a for a, _ in rounds], [o for _, o in rounds], [o / a for a, o in rounds])
    )
    print(f"loading {' and '.join(NAMES)}: {ours:.2f} ms, msgspec alone {alone:.2f} ms: {ratio:.2f} x (bound {BOUND})")
    count, peak, took_s = large_world()
    print(f"a world of {count} fixtures: {took_s:.2f} s, at most {peak / 1024:.0f} KiB held")
