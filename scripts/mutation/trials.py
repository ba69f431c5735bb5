"""A mutant's way through its tests: what is run next, once it is known how the last ones ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from scripts.mutation.forks import Ended
from scripts.mutation.lines import Mutant


class Trial(NamedTuple):
    """Tests that run one after the other in a fork of their own, until one fails."""

    mutant: Mutant
    tests: list[str]
    asleep: bool = False
    """The control: the same without the mutant, which must not be killed."""
    otherwise: list[str] = []  # noqa: RUF012 - a NamedTuple's default, never written to
    """What is run where these pass, though one of them failed behind others."""
    before_s: float = 0.0
    """What earlier trials of the same mutant took."""


def settled(trial: Trial, end: Ended) -> tuple[str | None, float] | Trial:
    """What killed the mutant, if anything, and how long that took; or the trial that has yet to show it.

    A test that fails behind others may do so for what they left, or for threads that are late: it has to fail alone.
    """
    seconds = round(trial.before_s + end.seconds, 3)
    if end.cut:
        return end.cut, seconds
    if end.answer is None and trial.otherwise:
        return trial._replace(tests=trial.otherwise, otherwise=[], before_s=seconds)
    if end.answer is None or end.answer == trial.tests[0]:
        return end.answer, seconds
    rest = [test for test in trial.tests if test != end.answer]
    return trial._replace(tests=[end.answer], otherwise=rest, before_s=seconds)


class Queue:
    """The trials to come: those that follow from earlier ones first."""

    def __init__(self, fresh: Iterator[Trial]) -> None:
        self._fresh = fresh
        self._following: deque[Trial] = deque()

    def put(self, trial: Trial) -> None:
        self._following.append(trial)

    def take(self) -> Trial | None:
        """None where there is none at the moment."""
        return self._following.popleft() if self._following else next(self._fresh, None)
