"""Intervals: known values, what they hold to, and how they follow the fixtures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.counting.intervals import effective_draws, interval, rate, share, t95, wilson


def test_over_nothing_there_is_no_rate_and_no_interval() -> None:
    assert rate([]) is None
    assert interval([(0, 0), (0, 0)]) is None
    assert share([]).rate is None


@pytest.mark.parametrize(
    ("hits", "draws", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
    ids=str,
)
def test_with_one_sample_each_it_is_wilsons_interval(hits: int, draws: int, low: float, high: float) -> None:
    """Newcombe 1998, Statistics in Medicine 17:857, table I (81 of 263); the others by the formula."""
    clusters = [(1, 1)] * hits + [(0, 1)] * (draws - hits)
    assert interval(clusters) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042), (1000, 1.962)]
)
def test_students_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert t95(freedom) == pytest.approx(quantile, abs=2e-3)


@pytest.mark.parametrize(("freedom", "quantile"), [(6, 2.4456407), (8, 2.3055825), (12, 2.1787241), (40, 2.0210747)])
def test_above_the_table_students_quantile_is_the_series_term_by_term(freedom: int, quantile: float) -> None:
    """Abramowitz and Stegun 26.7.5; the tables have 2.447, 2.306, 2.179, 2.021."""
    z, n = 1.959963984540054, freedom
    by_hand = z + (z**3 + z) / 4 / n + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / n / n
    by_hand += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / n / n / n
    assert t95(freedom) == pytest.approx(by_hand, abs=1e-12)
    assert t95(freedom) == pytest.approx(quantile, abs=2e-3)


@pytest.mark.parametrize(
    ("clusters", "draws"),
    [
        pytest.param([(1, 3), (2, 3), (0, 3), (3, 3)], 5.4 * (1.959963984540054 / 3.1824) ** 2, id="by the variance"),
        pytest.param([(1, 2)] * 4, 8 * (1.959963984540054 / 3.1824) ** 2, id="no variance between fixtures"),
        pytest.param([(0, 3), (3, 3)] * 2, 4 * (1.959963984540054 / 3.1824) ** 2, id="no less than the fixtures"),
        pytest.param([(0, 3)] * 8, 8, id="nothing"),
        pytest.param([(3, 3)] * 8, 8, id="everything"),
        pytest.param([(1, 1), (0, 1)], 2, id="one sample each"),
        pytest.param([(2, 7)], 1, id="one fixture"),
    ],
)
def test_the_draws_that_clusters_are_worth_are_those_of_the_formula(
    clusters: list[tuple[int, int]], draws: float
) -> None:
    """(1,3) (2,3) (0,3) (3,3): variance 4/3 x 5/144, and 1/4 over it is 5.4."""
    share_ = sum(x for x, _ in clusters) / sum(n for _, n in clusters)
    assert effective_draws(clusters, share_) == pytest.approx(draws)


def test_an_interval_ends_at_nothing_and_at_everything() -> None:
    assert wilson(1.0, 3)[1] == 1.0
    assert wilson(0.0, 3)[0] == 0.0
    assert wilson(0.9999999999, 1e-9)[1] <= 1.0


def test_no_dust_of_arithmetic_is_left_at_an_end() -> None:
    for draws in range(1, 400):
        assert (wilson(1.0, draws)[1], wilson(0.0, draws)[0]) == (1.0, 0.0)
    for share_, draws_ in [(0.9999999997742356, 5.239352696384278), (0.9999999999999778, 469863.46362320916)]:
        assert wilson(share_, draws_)[1] == 1.0
    for share_, draws_ in [(5.733805285155991e-17, 223660.0476150912), (3.2103693588956707e-15, 21.32870906284594)]:
        assert wilson(share_, draws_)[0] == 0.0


def test_samples_that_agree_within_a_fixture_do_not_narrow_the_interval() -> None:
    once = [(1, 1)] * 10 + [(0, 1)] * 10
    thrice = [(3, 3)] * 10 + [(0, 3)] * 10
    assert effective_draws(thrice, 0.5) <= 20
    low, high = interval(thrice) or (0, 0)
    narrow = interval(once) or (0, 0)
    assert low <= narrow[0]
    assert high >= narrow[1]


def test_samples_that_vary_within_a_fixture_do_narrow_it() -> None:
    assert 20 < effective_draws([(1, 3), (2, 3)] * 10, 0.5) <= 60


def test_one_fixture_is_one_draw_however_often_it_was_sampled() -> None:
    assert interval([(3, 3)]) == wilson(1.0, 1)
    assert interval([(50, 100)]) == wilson(0.5, 1)


def test_all_or_nothing_counts_the_fixtures() -> None:
    assert interval([(3, 3)] * 8) == wilson(1.0, 8)


clusters = st.lists(
    st.integers(1, 10).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=30
)


@given(clusters)
def test_an_interval_holds_its_rate_and_stays_in_bounds(found: list[tuple[int, int]]) -> None:
    low, high = interval(found) or (0.0, 0.0)
    middle = rate(found) or 0.0
    assert 0.0 <= low <= middle + 1e-9
    assert middle - 1e-9 <= high <= 1.0


@given(clusters)
def test_hits_and_misses_mirror_each_other(found: list[tuple[int, int]]) -> None:
    low, high = interval(found) or (0.0, 0.0)
    mirrored = interval([(n - x, n) for x, n in found])
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
