"""What failed is said with its number, its kind and the first words of it."""

from __future__ import annotations

from runner.failures import MOST_CHARS, Failures
from runner.schedule.messages import Key, Line
from tests.runner.journal.lines import line


def said(*lines: Line) -> list[str]:
    failures = Failures()
    for one in lines:
        failures.add(one)
    return failures.sentences()


def test_each_kind_is_said_once_with_its_number() -> None:
    assert said(line("f1", 0), line("f1", 1, "timeout"), line("f1", 2, "http"), line("f2", 0, "timeout")) == [
        "2 samples without an answer, timeout: it failed",
        "1 sample without an answer, http: it failed",
    ]


def test_without_a_failure_nothing_is_said() -> None:
    assert said(line("f1", 0)) == []
    assert said(Line(key=Key("f1", 0), data=b"no record\n", ok=False)) == []


def test_a_long_message_is_cut_and_of_a_traceback_the_last_line_stands() -> None:
    long = line("f1", 0, "agent").data.replace(b"it failed", b"x" * 999)
    trace = line("f1", 0, "internal").data.replace(b"it failed", rb"Traceback (most\n  File x\nValueError: no")
    assert said(
        Line(key=Key("f1", 0), data=long, ok=False),
        Line(key=Key("f1", 1), data=trace, ok=False),
    ) == [
        f"1 sample without an answer, agent: {'x' * MOST_CHARS}…",
        "1 sample without an answer, internal: ValueError: no",
    ]
