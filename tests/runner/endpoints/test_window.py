"""The end of a quota's window: what rounded seconds leave open is closed by what is seen."""

from __future__ import annotations

import pytest

from runner.endpoints.window import Span, Window


@pytest.mark.parametrize(
    ("span", "whole"),
    [((0.4, 1.6), 1), ((-0.2, 1.1), 1), ((0.9, 2.1), None), ((2.4, 2.6), None), ((60, 60), 60), ((-1, 0.5), None)],
)
def test_a_length_is_whole_seconds_where_only_one_number_of_them_fits(
    span: tuple[float, float], whole: int | None
) -> None:
    assert Span(*span).whole() == whole


def test_what_two_answers_tell_of_one_end_is_what_lies_in_both() -> None:
    told = Window(Span(0.1, 2.2)).told(Span(0.9, 3.0))
    assert told is not None
    assert told.end == Span(0.9, 2.2)


def test_an_end_that_moved_is_said_to_have_moved() -> None:
    assert Window(Span(10, 12)).told(Span(13, 15)) is None


def test_two_beginnings_that_were_seen_tell_the_length_and_the_next_end() -> None:
    first = Window(Span(0, 2)).renewed(Span(0.9, 1.1), Span(1.1, 3.1), rounded=True)
    assert (first.began, first.length_s, first.end) == (Span(0.9, 1.1), None, Span(1.1, 3.1))
    second = first.renewed(Span(1.8, 2.1), Span(2.1, 4.1), rounded=True)
    assert second.length_s == 1
    assert second.end == (pytest.approx(2.799), pytest.approx(3.101))


def test_each_beginning_that_is_seen_makes_the_next_one_surer() -> None:
    window = Window(Span(3, 5), began=Span(2.0, 2.4), length_s=1.0)
    window = window.renewed(Span(3.2, 3.3), Span(3, 5), rounded=True)
    assert window.end.width_s == pytest.approx(0.1, abs=0.01)


def test_a_beginning_at_another_time_than_expected_is_believed() -> None:
    window = Window(Span(3, 5), began=Span(2.0, 2.1), length_s=1.0).renewed(
        Span(3.9, 4.1), Span(3.9, 6.1), rounded=True
    )
    assert (window.began, window.length_s) == (Span(3.9, 4.1), 2)


def test_sharp_resets_need_no_length() -> None:
    window = Window(Span(1, 1.01), began=Span(0, 0.01)).renewed(Span(0.99, 1.02), Span(1.98, 2.02), rounded=False)
    assert (window.length_s, window.end) == (None, Span(1.98, 2.02))


def test_a_window_that_nobody_saw_begin_is_counted_on_by_its_length() -> None:
    known = Window(Span(1.99, 2.01), began=Span(1.0, 1.0), length_s=1.0).unseen(Span(2.2, 4.2))
    assert known.end == (pytest.approx(2.998), pytest.approx(3.002))
    assert Window(Span(1.0, 2.0), began=Span(0, 0)).unseen(Span(2.2, 4.2)) == Window(Span(2.2, 4.2))
