"""Shares add up to the limit, and shrink together after a rate limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.schedule.messages import Pressure, Share
from runner.schedule.shares import LEAST, RECOVERY_S, Ease, ahead, most_in_hand, part

LIMIT = Share(concurrency=10, requests_per_s=8.0, tokens_per_min=900.0)


@given(limit=st.integers(1, 2000), sites=st.integers(1, 40))
def test_the_parts_add_up_to_the_limit(limit: int, sites: int) -> None:
    parts = [part(Share(concurrency=limit), place, sites).concurrency for place in range(sites)]
    assert sum(parts) == limit
    assert max(parts) - min(parts) <= 1


def test_a_site_gets_as_many_keys_ahead_as_end_between_two_exchanges_and_few_where_few_end() -> None:
    assert [most_in_hand(slots) for slots in (0, 1, 2, 7, 100)] == [0, 2, 3, 11, 150]
    assert ahead(0, 0) == 0
    assert ahead(0, 8) == 16
    needed = [ahead(0, 40)]
    while needed[-1] > 2:
        needed.append(ahead(needed[-1], 1))
    assert needed[:4] == [80, 72, 64, 57]
    assert needed[-1] == 2


def test_rates_are_divided_evenly() -> None:
    assert part(LIMIT, 0, 4) == Share(concurrency=3, requests_per_s=2.0, tokens_per_min=225.0)
    assert part(LIMIT, 0, 1) is LIMIT


def test_a_rate_limit_lowers_every_share_and_the_limit_comes_back_with_time() -> None:
    ease = Ease()
    assert ease.factor(100.0) == 1.0
    ease.press(Pressure(rate_limited=1, retry_after_s=5.0), 100.0)
    assert ease.factor(105.0) == 0.7
    assert ease.factor(105.0 + RECOVERY_S / 10) == pytest.approx(0.8)
    assert ease.factor(105.0 + RECOVERY_S) == 1.0
    for _ in range(50):
        ease.press(Pressure(rate_limited=3), 200.0)
    assert ease.factor(200.0) == LEAST
    assert part(LIMIT, 0, 2, ease.factor(200.0)).concurrency == 1
