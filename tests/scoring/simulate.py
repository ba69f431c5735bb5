"""What the intervals and comparisons do on draws whose truth is known: coverage, false alarms, power. Seeded.

Run by scripts/simulate-statistics; a smaller version is a slow test. A fixture's own rate is drawn round the stratum's:
`agreement` is how alike the samples of one fixture are (the intraclass correlation of a beta distribution).
"""

from __future__ import annotations

import sys
from fractions import Fraction
from random import Random
from typing import NamedTuple

from scoring.counting.intervals import Cluster, interval
from scoring.counting.permutation import paired

SEED = 20_261_130
RATES = [n / 20 for n in range(1, 20)]
"""0.05 to 0.95."""
AGREEMENTS = (0.0, 0.3, 0.6)


class Design(NamedTuple):
    """How much is sampled, and how alike one fixture's samples are."""

    fixtures: int
    samples: int
    agreement: float


def own_rate(random: Random, rate: float, agreement: float) -> float:
    """One fixture's rate."""
    if agreement == 0.0:
        return rate
    size = 1 / agreement - 1
    return random.betavariate(rate * size, (1 - rate) * size)


def draw(random: Random, rate: float, samples: int) -> int:
    """How many of the samples count."""
    return sum(random.random() < rate for _ in range(samples))


def coverage(design: Design, repeats: int, random: Random) -> float:
    """Share of intervals that hold the stratum's rate, averaged over the rates."""
    held = 0
    for rate in RATES:
        for _ in range(repeats):
            clusters: list[Cluster] = [
                (draw(random, own_rate(random, rate, design.agreement), design.samples), design.samples)
                for _ in range(design.fixtures)
            ]
            low, high = interval(clusters) or (1.0, 0.0)
            held += low <= rate <= high
    return held / (len(RATES) * repeats)


def alarms(design: Design, before: float, after: float, repeats: int, random: Random) -> float:
    """Share of comparisons with p below 0.05, where the stratum's rate goes from `before` to `after`."""
    found = 0
    for _ in range(repeats):
        differences = []
        for _ in range(design.fixtures):
            was = own_rate(random, before, design.agreement)
            now = min(1.0, max(0.0, was + after - before))
            one, other = draw(random, was, design.samples), draw(random, now, design.samples)
            differences.append(Fraction(other - one, design.samples))
        found += paired(differences).p < 0.05
    return found / repeats


def report(repeats: int, comparisons: int) -> None:
    """Print all three."""
    random = Random(SEED)
    print(f"Coverage of 95 % intervals, averaged over rates 0.05 to 0.95, {repeats} intervals each")
    for fixtures in (10, 40, 120):
        for samples in (1, 3, 10):
            row = [coverage(Design(fixtures, samples, agreement), repeats, random) for agreement in AGREEMENTS]
            shown = "  ".join(f"agreement {a}: {c:.3f}" for a, c in zip(AGREEMENTS, row, strict=True))
            print(f"  {fixtures:4} fixtures x {samples:2} samples  {shown}")
    print(f"False alarms in {comparisons} comparisons where nothing changed (p < 0.05)")
    for fixtures in (10, 40, 120):
        for samples in (1, 3, 10):
            row = [alarms(Design(fixtures, samples, 0.3), rate, rate, comparisons, random) for rate in (0.1, 0.3, 0.5)]
            shown = "  ".join(f"rate {r}: {c:.3f}" for r, c in zip((0.1, 0.3, 0.5), row, strict=True))
            print(f"  {fixtures:4} fixtures x {samples:2} samples  {shown}")
    print(f"Planted differences found, from a rate of 0.3, in {comparisons // 4} comparisons")
    for fixtures in (10, 40, 120):
        for samples in (1, 3, 10):
            row = [
                alarms(Design(fixtures, samples, 0.3), 0.3, 0.3 + d, comparisons // 4, random) for d in (0.1, 0.2, 0.4)
            ]
            shown = "  ".join(f"+{round(d * 100)}: {c:.3f}" for d, c in zip((0.1, 0.2, 0.4), row, strict=True))
            print(f"  {fixtures:4} fixtures x {samples:2} samples  {shown}")


if __name__ == "__main__":
    report(*(int(argument) for argument in sys.argv[1:3] or ("200", "2000")))
