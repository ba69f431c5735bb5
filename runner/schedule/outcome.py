"""How a drive ended: what was written, what is left, and why. Pure."""

from __future__ import annotations

from typing import NamedTuple

from runner.schedule.hands import Work
from runner.schedule.stopping import End
from runner.schedule.writing import Writer


class Outcome(NamedTuple):
    """How a drive ended."""

    recorded: int
    """Lines written by this drive."""
    errors: int
    malformed: int
    fatal: str | None
    """Why it stopped before the plan was done; None where it is done, or was asked to stop."""
    left: int
    """Keys of the plan without a line."""
    given_back: int = 0
    """Keys that were in the hand of a site when it died: so many calls may have been paid twice."""
    in_hand: int = 0
    """Of those that are left: what living sites still work on, for whoever asks them again. A site that was silent from
    the start counts as one: nobody knows what it holds."""


def outcome(work: Work, written: Writer, end: End) -> Outcome:
    """Of a drive that nothing broke. It empties the plan."""
    in_hand, left = work.in_hand(), work.left()
    fatal = end.fatal
    if left and fatal is None and not end.stop.requested:
        fatal = "no site is left that could draw"
    kept = in_hand + work.unseen()
    return Outcome(written.recorded, written.errors, written.malformed, fatal, left, work.given_back, kept)
