"""The line that a person watches."""

from __future__ import annotations

import io
from itertools import count

import pytest

from runner.progress import Tally, duration, watching
from runner.schedule.messages import Key, Line


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def line(sample: int, *, ok: bool = True, malformed: bool = False) -> Line:
    return Line(key=Key("det-001", sample), data=b"{}\n", ok=ok, malformed=malformed)


def clock(step_s: float):
    ticks = count()
    return lambda: next(ticks) * step_s


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (42, "42 s"), (59.6, "1 min 00 s"), (185, "3 min 05 s"), (7620, "2 h 07 min")],
)
def test_a_duration_reads_as_a_person_says_it(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_the_sentence_holds_count_rate_errors_malformed_and_time_left() -> None:
    now = [0.0]
    tally = Tally(10, clock=lambda: now[0])
    assert tally.sentence() == "0 of 10 samples, 0.0/s"
    now[0] = 2.0
    for sample in range(2):
        tally.add(line(sample))
    tally.add(line(2, ok=False))
    tally.add(line(3, malformed=True))
    assert tally.sentence() == "4 of 10 samples, 2.0/s, 1 errors, 1 malformed, 3 s left"


def test_off_a_terminal_a_line_comes_now_and_then_and_one_at_the_end() -> None:
    stream = io.StringIO()
    with watching(6, stream, quiet=False, clock=clock(2.0)) as watch:
        for sample in range(6):
            watch(line(sample))
    lines = stream.getvalue().splitlines()
    assert 2 <= len(lines) < 6
    assert lines[-1].startswith("6 of 6 samples")


def test_on_a_terminal_the_line_moves() -> None:
    stream = Terminal()
    with watching(2, stream, quiet=False) as watch:
        watch(line(0))
        watch(line(1))
    assert "2 of 2 samples" in stream.getvalue()


def test_quiet_is_silent() -> None:
    stream = Terminal()
    with watching(1, stream, quiet=True) as watch:
        watch(line(0))
    assert stream.getvalue() == ""
