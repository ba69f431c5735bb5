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

_NOT_COUNTED: tuple[int, Counter[Outcome]] = (-1, Counter())
_NO_DRAWS = (-1, 0)
"""What was counted when there were so many numbers, which there never are: it is counted when it is asked for."""


class FixtureTally:
    """The samples of one fixture: for each number the outcome, and a trace of the answer that it came from."""

    __slots__ = ("_counted", "_draws", "_independent", "_numbers", "_outcomes")

    def __init__(self, outcomes: list[Outcome]) -> None:
        self._outcomes = outcomes
        self._numbers = array("i")
        self._draws = array("Q")
        self._counted = _NOT_COUNTED
        """How often each outcome was drawn, when there were so many numbers."""
        self._independent = _NO_DRAWS
        """As many independent draws, when there were so many numbers."""

    def add(self, sample: int, number: int, draw: int) -> None:
        """Count a sample; the last line of a key takes the place of an earlier one."""
        numbers = self._numbers
        if sample == len(numbers):
            numbers.append(number)
            self._draws.append(draw)
        else:
            self._place(sample, number, draw)

    def _place(self, sample: int, number: int, draw: int) -> None:
        if not 0 <= sample <= _FARTHEST:
            raise BadInput(f"sample numbers are counted from 0; {sample} is none", field="sample")
        behind = sample + 1 - len(self._numbers)
        self._numbers.extend([NO_SAMPLE] * behind)
        self._draws.extend([0] * behind)
        self._numbers[sample] = number
        self._draws[sample] = draw
        self._counted, self._independent = _NOT_COUNTED, _NO_DRAWS

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How often each outcome was drawn."""
        if self._counted[0] != len(self._numbers):
            found = Counter(self._numbers)
            del found[NO_SAMPLE]
            counted = Counter({self._outcomes[number]: count for number, count in found.items()})
            self._counted = (len(self._numbers), counted)
        return self._counted[1]

    def __bool__(self) -> bool:
        """Whether any sample was recorded."""
        return bool(self._numbers)

    def __contains__(self, sample: int) -> bool:
        """Whether a sample was recorded."""
        return sample < len(self._numbers) and self._numbers[sample] != NO_SAMPLE

    def independent_draws(self) -> int:
        """Different answers of the model among the samples without an error; a repeated response id is one draw."""
        if self._independent[0] != len(self._numbers):
            self._independent = (len(self._numbers), self._different())
        return self._independent[1]

    def _different(self) -> int:
        draws: Sequence[int] = self._draws
        if self.outcomes.total() < len(draws) or any(outcome.state == "errors" for outcome in self.outcomes):
            known = self._outcomes
            pairs = zip(self._numbers, self._draws, strict=True)
            draws = [draw for number, draw in pairs if number != NO_SAMPLE and known[number].state != "errors"]
        return len(set(draws) - {0}) + draws.count(0)

    def parts(self) -> tuple[array[int], array[int]]:
        """What was counted: for each sample number its outcome and draw."""
        return self._numbers, self._draws

    def absorb(self, numbers: array[int], draws: array[int], names: dict[int, int]) -> None:
        """Count what another ledger counted from later lines; `names` turns its outcome numbers into ours."""
        known = len(self._numbers)
        if numbers[:known].count(NO_SAMPLE) == min(known, len(numbers)):  # no key stands in both
            self._numbers.extend(map(names.__getitem__, numbers[known:]))
            self._draws.extend(draws[known:])
            return
        for sample, (number, draw) in enumerate(zip(numbers, draws, strict=True)):
            if number != NO_SAMPLE:
                self.add(sample, names[number], draw)
