"""A paired test by permutation: fixture by fixture, before and after could have been the other way round.

The exact distribution of the summed difference over all sign changes is built by convolution, so no random number is
drawn where the differences share a small denominator; else it is sampled with a fixed seed. p is the mid-p value
(Lancaster 1961, JASA 56:223): the probability of a larger sum plus half that of an equal one, in both directions.

Where few fixtures moved, all by one size, that distribution has few steps, and the mid-p value cries wolf too rarely.
There the normal curve takes its place, which is McNemar's test without a correction (McNemar 1947, Psychometrika
12:153). Both keep to the level (Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91), but for the curve
below ten fixtures.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, lcm, sqrt
from random import Random
from typing import NamedTuple

_WIDEST = 60_000
_DRAWS = 20_000
_SEED = 20_240_229
_ENOUGH = 10
"""Fixtures from which on the normal curve keeps to the level."""


class Test(NamedTuple):
    """The result of one test; `floor` is the smallest p that so many fixtures permit."""

    p: float
    floor: float


def paired(differences: Sequence[Fraction]) -> Test:
    """Two-sided p of a sum of paired differences. Fixtures that do not differ say nothing either way."""
    floor = 0.5 ** len(differences)
    moved = [difference for difference in differences if difference]
    if not moved:
        return Test(1.0, floor)
    scale = lcm(*(difference.denominator for difference in moved))
    sizes = [abs(int(difference * scale)) for difference in moved]
    seen = abs(int(sum(moved) * scale))
    if len(differences) >= _ENOUGH and len(set(sizes)) == 1:
        return Test(_mcnemar(len(sizes), seen // sizes[0]), floor)
    return Test(_exact(sizes, seen) if sum(sizes) <= _WIDEST else _sampled(sizes, seen), floor)


def _mcnemar(moved: int, surplus: int) -> float:
    """By the normal curve, where each of `moved` fixtures moved by one step, `surplus` more of them one way."""
    return erfc(surplus / sqrt(2 * moved))


def _exact(sizes: Sequence[int], seen: int) -> float:
    """By convolution over all 2^n sign changes: `weights[s]` is the probability that the positive part sums to s."""
    total = sum(sizes)
    weights = [1.0]
    for size in sizes:
        longer = [weight / 2 for weight in weights] + [0.0] * size
        for at, weight in enumerate(weights):
            longer[at + size] += weight / 2
        weights = longer
    # A sum of signed sizes is 2 s - total.
    beyond = sum(weight for s, weight in enumerate(weights) if abs(2 * s - total) > seen)
    equal = sum(weight for s, weight in enumerate(weights) if abs(2 * s - total) == seen)
    return beyond + equal / 2


def _sampled(sizes: Sequence[int], seen: int) -> float:
    """By seeded draws of signs; what was seen counts as one of them, so that p is never 0."""
    random = Random(_SEED)  # noqa: S311 - a permutation test, and it must come out the same every time
    beyond = equal = 0
    for _ in range(_DRAWS):
        bits = random.getrandbits(len(sizes))
        drawn = abs(sum(size if bits >> at & 1 else -size for at, size in enumerate(sizes)))
        beyond += drawn > seen
        equal += drawn == seen
    return (beyond + (equal + 1) / 2) / (_DRAWS + 1)


def holm(values: Sequence[float]) -> list[float]:
    """p values held against the family by Holm's step-down method (1979, Scand. J. Statist. 6:65)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, values[place] * (len(values) - rank)))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """p values as false discovery rates (Benjamini and Hochberg 1995, J. R. Statist. Soc. B 57:289)."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    adjusted = [0.0] * len(values)
    lowest = 1.0
    for rank, place in enumerate(order):
        lowest = min(lowest, values[place] * len(values) / (len(values) - rank))
        adjusted[place] = lowest
    return adjusted
