"""Rates with 95 % intervals, clustered by fixture: three samples of one conversation are not three conversations.

Wilson's score interval (Wilson 1927, JASA 22:209) on the effective number of draws. That number comes from the variance
between fixtures (Miller 2024, "Adding Error Bars to Evals", section 2.2; Kish's design effect), held between the number
of fixtures and the number of draws, and is made smaller by Student's t, since the variance itself is estimated from
few fixtures (Korn and Graubard 1998, Survey Methodology 24:193). With one sample each it is Wilson's interval itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from scoring.counting.figures import Share

Z95 = 1.959963984540054
METHOD = "Wilson score on the effective number of draws, clustered by fixture"

Cluster = tuple[int, int]
"""One fixture: how many of its draws count, of how many."""
Interval = tuple[float, float]

_SMALL_T95 = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}


def t95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t (Abramowitz and Stegun 26.7.5; a table up to 5 degrees)."""
    if freedom in _SMALL_T95:
        return _SMALL_T95[freedom]
    z, n = Z95, float(freedom)
    terms = (
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
    )
    return z + sum(terms)


def rate(clusters: Sequence[Cluster]) -> float | None:
    """The share over all draws; None over nothing."""
    draws = sum(n for _, n in clusters)
    return sum(x for x, _ in clusters) / draws if draws else None


def interval(clusters: Sequence[Cluster]) -> Interval | None:
    """The 95 % interval of a rate; None over nothing."""
    full = [cluster for cluster in clusters if cluster[1]]
    share = rate(full)
    if share is None:
        return None
    return wilson(share, effective_draws(full, share))


def effective_draws(clusters: Sequence[Cluster], share: float) -> float:
    """How many independent draws the clusters are worth: from the number of fixtures to the number of draws."""
    fixtures, draws = len(clusters), sum(n for _, n in clusters)
    if fixtures == draws or fixtures == 1 or share in (0.0, 1.0):
        return float(fixtures)
    between = sum((x - share * n) ** 2 for x, n in clusters)
    variance = fixtures / (fixtures - 1) * between / draws**2
    worth = share * (1 - share) / variance if variance else float(draws)
    return max(fixtures, min(draws, worth)) * (Z95 / t95(fixtures - 1)) ** 2


def wilson(share: float, draws: float) -> Interval:
    """Wilson's score interval of a share over a number of draws, which need not be whole."""
    square = Z95**2
    middle = share + square / (2 * draws)
    reach = Z95 * sqrt(share * (1 - share) / draws + square / (4 * draws**2))
    scale = 1 + square / draws
    low = 0.0 if share == 0.0 else max(0.0, (middle - reach) / scale)  # no dust where the end is known
    return low, 1.0 if share == 1.0 else min(1.0, (middle + reach) / scale)


def share(clusters: Sequence[Cluster]) -> Share:
    """A rate with its interval."""
    return Share(rate=rate(clusters), ci95=interval(clusters))
