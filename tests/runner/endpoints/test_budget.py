"""A quota that is told with each answer is spent, waited for, and then spent evenly from one window to the next."""

from __future__ import annotations

from math import inf

import pytest

from runner.endpoints.budget import Budget, Course, Sent
from runner.endpoints.headers import Quota
from runner.endpoints.window import Span


def said(remaining: float | None, reset_s: float | None = 1.0, limit: float | None = 10, blur_s: float = 0) -> Quota:
    return Quota(limit=limit, remaining=remaining, reset_s=reset_s, blur_s=blur_s)


def told(budget: Budget, quota: Quota, now: float, *, later: float = 0, alongside: float = 0, age_s: float = 0) -> None:
    budget.told(quota, Sent(now - age_s, later, alongside), now)


def waits(budget: Budget, number: int, now: float, amount: float = 1) -> list[float]:
    """What so many askers at one moment have to wait; who need not, sends."""
    found = []
    for _ in range(number):
        wait_s = budget.wait_s(amount, now)
        found.append(pytest.approx(wait_s))
        if not wait_s:
            budget.use(amount)
    return found


def test_nothing_is_held_back_before_anything_was_told() -> None:
    budget = Budget()
    told(budget, said(None), 0.0)
    told(budget, said(0, None), 0.0)
    assert waits(budget, 3, 0.0) == [0, 0, 0]


def test_what_is_left_is_spent_and_then_waited_for() -> None:
    budget = Budget()
    told(budget, said(2, 5.0), 100.0)
    assert waits(budget, 3, 100.0) == [0, 0, 5]
    assert waits(budget, 2, 105.0) == [0, 0.5 / 0.99]


def test_what_was_sent_since_counts_as_spent() -> None:
    budget = Budget()
    told(budget, said(3, 5.0), 100.0, later=2)
    assert waits(budget, 2, 100.0) == [0, 5]


def test_answers_that_overtake_each_other_change_nothing_of_what_is_counted() -> None:
    budget = Budget()
    told(budget, said(9, 5.0), 100.0)
    waits(budget, 4, 100.0)
    told(budget, said(5, 4.9), 100.1, later=0, alongside=3, age_s=0.05)
    told(budget, said(8, 4.9), 100.1, later=3, age_s=0.08)  # an older request: no news
    told(budget, said(7, 4.9), 100.1, later=2, age_s=0.04)
    assert waits(budget, 6, 100.1) == [0, 0, 0, 0, 0, pytest.approx(4.9, abs=0.1)]


def test_what_others_take_of_the_quota_is_heard() -> None:
    budget = Budget()
    told(budget, said(9, 5.0), 100.0)
    told(budget, said(1, 4.0), 101.0)
    assert waits(budget, 2, 101.0) == [0, 4]


def test_news_that_is_older_than_its_window_is_none() -> None:
    budget = Budget()
    told(budget, said(0, 1.0), 100.0, age_s=30.0)
    assert waits(budget, 1, 100.0) == [0]


@pytest.mark.parametrize("blur_s", [0.0, 1.0], ids=["told sharply", "told in whole seconds"])
def test_a_reset_of_nothing_does_not_hang(blur_s: float) -> None:
    budget = Budget()
    told(budget, said(0, 0.0, blur_s=blur_s), 100.0)
    assert waits(budget, 1, 100.0) == [blur_s]
    assert waits(budget, 1, 101.0) == [0]


def test_a_second_that_was_rounded_down_is_waited_for_to_its_end() -> None:
    budget = Budget()
    told(budget, said(0, 2.0, blur_s=1.0), 100.0)
    assert waits(budget, 1, 100.0) == [3]


def test_without_a_limit_the_most_that_was_left_is_taken_for_it() -> None:
    budget = Budget()
    told(budget, said(4, 5.0, None), 100.0)
    told(budget, said(0, 4.0, None), 101.0)
    assert waits(budget, 1, 101.0) == [4]
    assert waits(budget, 1, 105.0) == [0]


@pytest.mark.parametrize("limit", [None, 0], ids=["no limit told", "a limit of nothing"])
def test_where_nothing_was_ever_left_the_end_of_the_wait_frees_all(limit: float | None) -> None:
    budget = Budget()
    told(budget, said(0, 5.0, limit), 100.0)
    assert waits(budget, 1, 100.0) == [5]
    assert waits(budget, 3, 105.0) == [0, 0, 0]


def test_more_than_the_whole_quota_is_let_through_once_it_is_whole() -> None:
    """A request that is larger than the quota would wait for ever: the server shall say so."""
    budget = Budget()
    told(budget, said(10, 5.0), 100.0)
    assert waits(budget, 2, 100.0, amount=50) == [0, 5]


SEEN = Course(limit=100, end=Span(60, 60), length_s=60, start=(0, 100))
HALF_KNOWN = Course(limit=100, end=Span(59, 61), length_s=60, start=(0, 100))
NEVER_SEEN = Course(limit=100, end=Span(9, 11), length_s=10, start=None)


@pytest.mark.parametrize(
    ("course", "left", "due"),
    [
        (SEEN, 100, -inf),
        (SEEN, 50.5, 30),
        (SEEN, 1, 60),
        (HALF_KNOWN, 1 + 10 / 3, 59),
        (HALF_KNOWN, 1 + 5 / 3, 60),
        (HALF_KNOWN, 0, 61),
        (NEVER_SEEN, 7, -inf),
        (NEVER_SEEN, 6, 9),
        (NEVER_SEEN, 3.5, 10),
    ],
)
def test_the_course_of_a_quota(course: Course, left: float, due: float) -> None:
    """Evenly to where its window may end; from there to where it must have ended a small reserve."""
    assert course.due(left) == pytest.approx(due)
