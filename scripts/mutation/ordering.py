"""Which mutants are run, and in which order the tests try to kill each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import inf
from random import Random

from scripts.mutation.lines import Mutant, Recorded, Result, Spoilt

SIBLINGS = 8
"""So many tests that killed other mutants of the same function are tried before the quickest ones."""


def chosen(
    mutants: list[Mutant], prefixes: Iterable[str], names: Collection[str] | None, sample: int | None, seed: int
) -> list[Mutant]:
    """The mutants asked for, mixed: what is done at any moment is a fair sample. Raises Spoilt where there is none."""
    known = {mutant.name for mutant in mutants}
    if strange := [name for name in names or () if name not in known]:
        more = f", nor {len(strange) - 1} more of those named" if strange[1:] else ""
        raise Spoilt(f"there is no mutant {strange[0]!r}{more}")
    begins = tuple(prefixes)
    asked = [m for m in mutants if m.name.startswith(begins) and (names is None or m.name in names)]
    if not asked:
        raise Spoilt(f"no mutant's name begins with {' or '.join(begins)}")
    return Random(seed).sample(asked, min(len(asked), len(asked) if sample is None else sample))


def left(mutants: Iterable[Mutant], before: Iterable[Result]) -> tuple[list[Mutant], list[Result]]:
    """The mutants still to run, and the earlier results of the others: same name, same change."""
    done = {(result.mutant, result.change): result for result in before}
    todo = list(mutants)
    kept = [done[at] for mutant in todo if (at := (mutant.name, mutant.change)) in done]
    return [mutant for mutant in todo if (mutant.name, mutant.change) not in done], kept


class Likely:
    """Tests worth trying first: what killed this mutant before, what killed others of its function."""

    def __init__(self, known: Iterable[Recorded] = ()) -> None:
        self._own: dict[object, str] = {}
        self._siblings: dict[str, list[str]] = {}
        for line in known:
            if line.killer is not None and not line.killer.startswith("("):
                self._own[line.mutant] = self._own[line.function, line.change] = line.killer
                self.learn(line.mutant.rpartition("__mutmut_")[0], line.killer)

    def learn(self, key: str, killer: str) -> None:
        """`killer` killed a mutant of this function: it moves to the front."""
        tests = self._siblings.setdefault(key, [])
        if killer in tests:
            tests.remove(killer)
        tests.insert(0, killer)
        del tests[SIBLINGS:]

    def first(self, mutant: Mutant) -> list[str]:
        """The most promising first; some may be gone since."""
        own = self._own.get((mutant.function, mutant.change)) or self._own.get(mutant.name)
        return [*([own] if own else []), *self._siblings.get(mutant.key, ())]


def ordered(
    reaching: Iterable[str], took_s: Mapping[str, float], first: Iterable[str], longest_s: float = inf
) -> list[str]:
    """The tests that reach a function: the likely ones, then the quickest. A test not in `took_s` is gone.

    One that takes more than `longest_s` is only there where it is likely.
    """
    quickest = sorted((test for test in reaching if took_s[test] <= longest_s), key=lambda test: took_s[test])
    return list(dict.fromkeys([*(test for test in first if test in took_s), *quickest]))
