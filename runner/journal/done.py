"""What is done, in one byte a sample: a plan of millions of keys fits into a few megabytes."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from corpora.manifests import Counts
from corpora.records import FINAL_KINDS
from runner.schedule.messages import Key


class State(IntEnum):
    """How the last line of a key ended."""

    MISSING = 0
    OK = 1
    MALFORMED = 2
    PASSING = 3
    """An error that can pass."""
    FINAL = 4
    """An error that will come again."""


class Redraw(StrEnum):
    """Which of the recorded errors a resume draws again."""

    PASSING = "passing"
    ALL = "all"
    NONE = "none"


_DRAWN_AGAIN = {
    Redraw.PASSING: frozenset({State.MISSING, State.PASSING}),
    Redraw.ALL: frozenset({State.MISSING, State.PASSING, State.FINAL}),
    Redraw.NONE: frozenset({State.MISSING}),
}
_THIS_RUN = 0x80
"""Marks a key whose line was written since the file was opened: it is done, however it ended."""


_READ = {False: State.OK, True: State.MALFORMED}
"""A member of an enumeration is looked up slowly, and this is asked of every line."""


def state(*, ok: bool, malformed: bool, kind: str | None) -> State:
    """The state of a line from its head."""
    if ok:
        return _READ[malformed]
    return State.FINAL if kind in FINAL_KINDS else State.PASSING


class Done:
    """The state of every key of a study: fixtures x samples."""

    def __init__(self, fixtures: Iterable[str], samples: int, redraw: Redraw = Redraw.PASSING) -> None:
        self.samples = samples
        self._states = {fixture: bytearray(samples) for fixture in fixtures}
        again = _DRAWN_AGAIN[redraw]
        self._is_done = bytes(byte not in again for byte in range(256))

    def __contains__(self, key: Key) -> bool:
        """Whether a key is not to be drawn (again)."""
        return bool(self._is_done[self._states[key.fixture_id][key.sample]])

    def knows(self, fixture: str, sample: int) -> bool:
        """Whether a key belongs to the study at all."""
        return fixture in self._states and 0 <= sample < self.samples

    def found(self, fixture: str, sample: int, how: State) -> None:
        """Note a line that stood in the file when it was opened; a later line of its key counts."""
        self._states[fixture][sample] = how

    def add(self, key: Key, how: State) -> bool:
        """Note a new line; False where the key was done already and the line is one too many."""
        states = self._states[key.fixture_id]
        if self._is_done[states[key.sample]]:
            return False
        states[key.sample] = how | _THIS_RUN
        return True

    def left(self, fixtures: Iterable[str] | None = None) -> int:
        """How many keys of some fixtures (default: all) are still to be drawn."""
        names = self._states if fixtures is None else fixtures
        return sum(self._states[name].translate(self._is_done).count(0) for name in names)

    def counts(self, planned: int) -> Counts:
        """How far the run came, by the last line of each key."""
        total = {how: sum(s.count(how) + s.count(how | _THIS_RUN) for s in self._states.values()) for how in State}
        errors = total[State.PASSING] + total[State.FINAL]
        ok = total[State.OK] + total[State.MALFORMED]
        return Counts(planned=planned, recorded=ok + errors, ok=ok, errors=errors, malformed=total[State.MALFORMED])
