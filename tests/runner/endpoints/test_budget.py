"""A quota that is told with each answer is spent, waited for, learned and then paced."""

from __future__ import annotations

import pytest

from runner.endpoints.budget import Budget
from runner.endpoints.headers import Quota


def told(remaining: float | None, reset_s: float | None = 1.0, limit: float | None = 10) -> Quota:
    return Quota(limit=limit, remaining=remaining, reset_s=reset_s)


def test_nothing_is_held_back_before_anything_was_told() -> None:
    budget = Budget(None)
    assert budget.wait_s(1, 0.0) == 0.0
    budget.told(told(None), 0, 0.0, 0.0)
    budget.told(told(0, None), 0, 0.0, 0.0)
    assert budget.wait_s(1, 0.0) == 0.0


def test_what_is_left_is_spent_and_then_waited_for() -> None:
    budget = Budget(None)
    budget.told(told(2, 5.0), 0, 100.0, 0.1)
    assert [budget.wait_s(1, 100.0) for _ in range(3)] == [0.0, 0.0, 5.0]
    assert [budget.wait_s(1, 105.0) for _ in range(11)] == [0.0] * 10 + [5.0]


def test_what_was_sent_since_counts_as_spent() -> None:
    budget = Budget(None)
    budget.told(told(3, 5.0), 2, 100.0, 0.1)
    assert [budget.wait_s(1, 100.0) for _ in range(2)] == [0.0, 5.0]


def test_news_that_is_older_than_its_window_is_none() -> None:
    budget = Budget(None)
    budget.told(told(0, 1.0), 0, 100.0, 30.0)
    assert budget.wait_s(1, 100.0) == 0.0


def test_a_window_that_was_seen_to_end_is_paced() -> None:
    budget = Budget(None)
    for start in (0.0, 1.0, 2.0):
        for spent in range(1, 11):
            budget.told(told(10 - spent, 1.0 - spent / 100), 0, start + spent / 100, 0.01)
    turns = [budget.turn_s(1, 3.0) for _ in range(3)]
    assert turns[0] == 0.0
    assert turns[2] - turns[1] == pytest.approx(0.1 / 0.975, rel=0.02)


def test_a_stated_rate_is_not_replaced_by_a_learned_one() -> None:
    budget = Budget(2.0)
    for start in (0.0, 1.0, 2.0):
        budget.told(told(9), 0, start, 0.01)
        budget.told(told(0), 0, start + 0.5, 0.01)
    assert [round(budget.turn_s(1, 3.0), 2) for _ in range(2)] == [0.0, 0.51]


def test_more_than_the_whole_quota_is_let_through_once_it_is_whole() -> None:
    """A request that is larger than the quota would wait for ever: the server shall say so."""
    budget = Budget(None)
    budget.told(told(10, 5.0), 0, 100.0, 0.1)
    assert budget.wait_s(50, 100.0) == 0.0
