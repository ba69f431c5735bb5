"""What comes back from sites is written: appended, flushed, and only then acknowledged; what is new is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from runner.schedule.hands import Hand
from runner.schedule.messages import Line, Receipt
from runner.schedule.stopping import End
from runner.schedule.witness import Witness


class Sink(Protocol):
    """Where lines go: a journal."""

    @property
    def settles(self) -> bool:
        """Whether a line is as safe as it is meant to be when `append` returns; `flush` is then due now and then."""
        ...

    def append(self, line: Line) -> bool:
        """Take a line; False where its key has one already."""
        ...

    async def flush(self) -> None:
        """Make what was appended safe."""
        ...


class Writer:
    """Takes lines out of the hands of sites into the journal, and counts those that are new to it."""

    def __init__(self, journal: Sink, end: End, witness: Witness, on_line: Callable[[Line], None] | None) -> None:
        self.journal = journal
        self.end = end
        self.witness = witness
        self.on_line = on_line
        self.recorded = self.errors = self.malformed = 0

    async def write(self, hand: Hand, receipt: Receipt) -> None:
        """Append, flush, and only then acknowledge."""
        for line in receipt.lines:
            self._take(hand, line)
        if receipt.lines:
            self.witness.wrote(hand.site.id, len(receipt.lines))
        if receipt.lines or self.journal.settles:
            await self.journal.flush()
        hand.ack = max(hand.ack, receipt.seq)  # a late receipt takes no acknowledgement back

    def settle(self, hand: Hand, line: Line) -> None:
        """Append one line of a journal that needs no flush for it."""
        self._take(hand, line)
        self.witness.wrote(hand.site.id, 1)

    def _take(self, hand: Hand, line: Line) -> None:
        hand.keys.discard(line.key)
        if not self.journal.append(line):
            return
        self.recorded += 1
        self.errors += not line.ok
        self.malformed += line.malformed
        if line.fatal is not None:
            self.end.fails(line.fatal)
        if self.on_line is not None:
            self.on_line(line)
