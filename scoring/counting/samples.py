"""The samples of one fixture: for each number the outcome, and a trace of the answer that it came from."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

from corpora.errors import BadInput
from scoring.counting.outcomes import Outcome

NO_SAMPLE = -1

_FARTHEST = 10_000_000
"""Sample numbers are counted from 0; one beyond this is no number of ours."""


class FixtureTally:
    """The samples of one fixture: for each number the outcome, and a trace of the answer that it came from."""

    __slots__ = ("_draws", "_numbers", "_outcomes", "counts")

    def __init__(self, outcomes: list[Outcome]) -> None:
        self._outcomes = outcomes
        self._numbers = array("i")
        self._draws = array("Q")
        self.counts: dict[int, int] = {}
        """Outcome, by its number in the ledger -> samples."""

    def add(self, sample: int, number: int, draw: int) -> None:
        """Count a sample; the last line of a key takes the place of an earlier one."""
        counts = self.counts
        numbers = self._numbers
        if sample == len(numbers):
            numbers.append(number)
            self._draws.append(draw)
        else:
            self._place(sample, number, draw)
        counts[number] = counts.get(number, 0) + 1

    def _place(self, sample: int, number: int, draw: int) -> None:
        if not 0 <= sample <= _FARTHEST:
            raise BadInput(f"sample numbers are counted from 0; {sample} is none", field="sample")
        behind = sample + 1 - len(self._numbers)
        if behind > 0:
            self._numbers.extend([NO_SAMPLE] * behind)
            self._draws.extend([0] * behind)
        before = self._numbers[sample]
        if before != NO_SAMPLE:
            self.counts[before] -= 1
        self._numbers[sample] = number
        self._draws[sample] = draw

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How often each outcome was drawn."""
        known = self._outcomes
        return Counter({known[number]: count for number, count in self.counts.items() if count})

    def __contains__(self, sample: int) -> bool:
        """Whether a sample was recorded."""
        return sample < len(self._numbers) and self._numbers[sample] != NO_SAMPLE

    def independent_draws(self) -> int:
        """Different answers of the model among the samples without an error; a repeated response id is one draw."""
        failed = {number for number in self.counts if self._outcomes[number].state == "errors"} | {NO_SAMPLE}
        if failed.isdisjoint(self._numbers):
            draws: Sequence[int] = self._draws
        else:
            pairs = zip(self._numbers, self._draws, strict=True)
            draws = [draw for number, draw in pairs if number not in failed]
        unnamed = draws.count(0)
        return len(set(draws)) - (unnamed > 0) + unnamed

    def parts(self) -> tuple[array[int], array[int]]:
        """What was counted: for each sample number its outcome and draw."""
        return self._numbers, self._draws

    def absorb(self, numbers: array[int], draws: array[int], names: dict[int, int]) -> None:
        """Count what another ledger counted from later lines; `names` turns its outcome numbers into ours."""
        known = len(self._numbers)
        if numbers[:known].count(NO_SAMPLE) == min(known, len(numbers)):  # no key stands in both
            fresh = array("i", map(names.__getitem__, numbers[known:]))
            self._numbers.extend(fresh)
            self._draws.extend(draws[known:])
            for number in set(fresh) - {NO_SAMPLE}:
                self.counts[number] = self.counts.get(number, 0) + fresh.count(number)
            return
        for sample, (number, draw) in enumerate(zip(numbers, draws, strict=True)):
            if number != NO_SAMPLE:
                self.add(sample, names[number], draw)
