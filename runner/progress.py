"""The line that a person watches while a run goes on: how far, how fast, how many errors, how long still.

On a terminal one line that moves; elsewhere a plain line now and then; nothing where asked to be quiet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from runner.schedule.messages import Line

Watch = Callable[[Line], None]
"""Told of every recorded line."""

EVERY_S = 10.0
"""Between two plain lines."""


class Tally:
    """What was recorded since the start, and how fast."""

    def __init__(self, planned: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.planned = planned
        self.recorded = 0
        self.errors = 0
        self.malformed = 0
        self._clock = clock
        self._start_s = clock()

    def add(self, line: Line) -> None:
        """Count one recorded line."""
        self.recorded += 1
        self.errors += not line.ok
        self.malformed += line.malformed

    @property
    def elapsed_s(self) -> float:
        """Since the start."""
        return self._clock() - self._start_s

    @property
    def rate(self) -> float:
        """Samples per second since the start; 0 before the first."""
        return self.recorded / self.elapsed_s if self.elapsed_s > 0 else 0.0

    def sentence(self) -> str:
        """The state in one line."""
        left = self.planned - self.recorded
        words = [f"{self.recorded} of {self.planned} samples", f"{self.rate:.1f}/s"]
        words += [
            f"{count} {what}" for count, what in ((self.errors, "errors"), (self.malformed, "malformed")) if count
        ]
        if left > 0 and self.rate > 0:
            words.append(f"{duration(left / self.rate)} left")
        return ", ".join(words)


def duration(seconds: float) -> str:
    """A time span as a person says it: `42 s`, `3 min 05 s`, `2 h 07 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


@contextmanager
def watching(
    planned: int, stream: TextIO, *, quiet: bool, clock: Callable[[], float] = time.monotonic
) -> Iterator[Watch]:
    """Show progress on `stream` while the block runs; yields what to tell of every line."""
    tally = Tally(planned, clock)
    if quiet or not planned:
        yield tally.add
    elif stream.isatty():
        with _moving(tally, stream) as watch:
            yield watch
    else:
        with _plain(tally, stream) as watch:
            yield watch


@contextmanager
def _plain(tally: Tally, stream: TextIO) -> Iterator[Watch]:
    said_s = 0.0

    def watch(line: Line) -> None:
        """Count a recorded line, and show how far it is."""
        nonlocal said_s
        tally.add(line)
        if tally.elapsed_s - said_s >= EVERY_S:
            said_s = tally.elapsed_s
            print(tally.sentence(), file=stream, flush=True)

    yield watch
    print(tally.sentence(), file=stream, flush=True)


@contextmanager
def _moving(tally: Tally, stream: TextIO) -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=30), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(file=stream), get_time=time.monotonic) as progress:
        task = progress.add_task(tally.sentence(), total=tally.planned)

        def watch(line: Line) -> None:
            """Count a recorded line, and show how far it is."""
            tally.add(line)
            progress.update(task, completed=tally.recorded, description=tally.sentence())

        yield watch
