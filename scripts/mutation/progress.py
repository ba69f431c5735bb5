"""Where a long run stands, on standard error."""

from __future__ import annotations

import sys
import time

EVERY_S = {True: 0.5, False: 30.0}
"""Between two lines: on a terminal each is written over the last."""


class Progress:
    """Counts mutants; says rate and time left now and then."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        self.done = self.killed = 0
        self._terminal = sys.stderr.isatty()
        self._begun = self._said = 0.0

    def say(self, words: str, *, now: bool = False) -> None:
        at = time.monotonic()
        if now or at - self._said > EVERY_S[self._terminal]:
            self._said = at
            sys.stderr.write(f"\r{words}\033[K" if self._terminal else f"{words}\n")
            sys.stderr.flush()

    def add(self, *, killed: bool) -> None:
        self._begun = self._begun or time.monotonic()
        self.done += 1
        self.killed += killed
        self.say(words(self.done, self.total, self.killed, time.monotonic() - self._begun), now=self.done == self.total)

    def end(self) -> None:
        if self._terminal:
            sys.stderr.write("\n")


def words(done: int, total: int, killed: int, seconds: float) -> str:
    """Where a run stands, `seconds` after its first mutant: the rate is that of the others."""
    rate = (done - 1) / seconds if seconds else 0.0
    left = f", {rate:.1f}/s, {(total - done) / rate / 60:.0f} min left" if rate else ""
    return f"{done:,} of {total:,} mutants, {killed:,} killed{left}"
