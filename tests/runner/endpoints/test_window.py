"""The end of a quota's window: what rounded seconds leave open is closed by what is seen."""

from __future__ import annotations

import pytest

from runner.endpoints.window import Span, Window


@pytest.mark.parametrize(
    ("length", "between", "times"),
    [
        ((0.9, 1.1), (2.8, 3.2), 3),
        ((0.9, 1.1), (0.95, 1.05), 1),
        ((0.6, 1.4), (2.8, 3.2), None),
        ((0.9, 1.1), (1.3, 1.5), None),
        ((0.9, 1.1), (0.0, 0.2), None),
        ((0.0, 1.1), (0.9, 1.1), None),
        ((-0.1, 1.1), (0.9, 1.1), None),
    ],
    ids=["three", "one", "two to five", "between one and two", "none", "no shortest", "a negative shortest"],
)
def test_how_often_one_length_goes_into_another_is_told_where_it_is_one_number(
    length: tuple[float, float], between: tuple[float, float], times: int | None
) -> None:
    assert Span(*length).times_in(Span(*between)) == times


def test_what_two_answers_tell_of_one_end_is_what_lies_in_both() -> None:
    told = Window(Span(0.1, 2.2)).told(Span(0.9, 3.0))
    assert told is not None
    assert told.end == Span(0.9, 2.2)


def test_an_end_that_moved_is_said_to_have_moved() -> None:
    assert Window(Span(10, 12)).told(Span(13, 15)) is None


def test_two_beginnings_that_were_seen_tell_the_length_and_the_next_end() -> None:
    first = Window(Span(0, 2)).renewed(Span(0.9, 1.1), Span(1.1, 3.1))
    assert (first.began, first.length, first.end) == (Span(0.9, 1.1), None, Span(1.1, 3.1))
    second = first.renewed(Span(1.9, 2.1), Span(2.1, 4.1))
    assert second.length == (pytest.approx(0.8), pytest.approx(1.2))
    assert second.end == (pytest.approx(2.7, abs=0.01), pytest.approx(3.3, abs=0.01))


def test_each_beginning_that_is_seen_makes_the_length_and_the_next_end_surer() -> None:
    """Also where windows last no whole seconds: nothing is taken for granted of them."""
    window = Window(Span(0, 2))
    widths = []
    for number in range(1, 9):
        began = 2.5 * number
        window = window.renewed(Span(began - 0.1, began + 0.1), Span(began + 1.5, began + 3.5))
        widths.append(window.end.width_s)
        assert window.end.earliest <= began + 2.5 <= window.end.latest
    assert widths[-1] < 0.3 < widths[1]
    assert window.length is not None
    assert window.length == (pytest.approx(2.5, abs=0.03), pytest.approx(2.5, abs=0.03))
    assert window.length.earliest <= 2.5 <= window.length.latest


def test_where_it_is_not_known_how_many_windows_lie_between_the_count_begins_anew() -> None:
    seen = Window(Span(0, 9), began=Span(1, 3), first=Span(-9, 3), length=Span(1, 5)).renewed(Span(4, 4.5), Span(5, 9))
    assert (seen.first, seen.length) == (Span(1, 3), Span(1, 3.5))


def test_a_beginning_at_another_time_than_expected_is_believed() -> None:
    known = Window(Span(3, 5), began=Span(2.0, 2.1), first=Span(0.0, 0.1), length=Span(1.0, 1.0))
    window = known.renewed(Span(3.9, 4.1), Span(3.9, 6.1))
    assert window.began == Span(3.9, 4.1)
    assert window.length == (pytest.approx(1.8), pytest.approx(2.1))


def test_a_window_that_nobody_saw_begin_is_counted_on_by_its_length() -> None:
    known = Window(Span(1.99, 2.01), began=Span(1.0, 1.0), length=Span(1.0, 1.0)).unseen(Span(2.2, 4.2))
    assert known.end == (pytest.approx(2.998), pytest.approx(3.002))
    assert Window(Span(1.0, 2.0), began=Span(0, 0)).unseen(Span(2.2, 4.2)) == Window(Span(2.2, 4.2))
