"""A finished line has a number for ever, and goes when that is acknowledged."""

from __future__ import annotations

import pytest

from runner.schedule.kept import Kept
from runner.schedule.messages import Key, Line

KEYS = [Key("f", sample) for sample in range(4)]


def kept() -> Kept:
    lines = Kept()
    for key, size in zip(KEYS, (10, 20, 30, 40), strict=True):
        lines.add(Line(key=key, data=b"x" * size, ok=True))
    return lines


@pytest.mark.parametrize(
    ("most_bytes", "count"), [(None, 4), (0, 1), (10, 1), (29, 1), (30, 2), (60, 3), (99, 3), (100, 4)]
)
def test_as_many_lines_come_as_have_room_and_one_always(most_bytes: int | None, count: int) -> None:
    assert [line.key for line in kept().first(most_bytes)] == KEYS[:count]


@pytest.mark.parametrize("ack", range(6))
def test_what_is_acknowledged_goes_and_the_rest_keeps_its_numbers(ack: int) -> None:
    lines = kept()
    assert list(lines.forget(ack)) == KEYS[:ack]
    assert [line.key for line in lines.first(None)] == KEYS[ack:]
    assert lines.seq(0) == min(ack, 4)
    assert lines.seq(len(lines)) == 4
    assert list(lines.forget(ack)) == []


def test_without_a_line_there_is_none_to_give_and_none_to_drop() -> None:
    lines = Kept()
    assert not lines
    assert lines.first(None) == lines.first(10) == ()
    assert lines.seq(0) == 0
    assert list(lines.forget(9)) == []
