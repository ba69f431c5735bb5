"""What is logged is readable, and holds neither a secret nor a character that a terminal obeys."""

from __future__ import annotations

import io
import json

import pytest

from runner.log import configure, logger, printable
from runner.secrets import Secret


def test_off_a_terminal_each_event_is_a_json_line_with_its_facts() -> None:
    stream = io.StringIO()
    configure(stream=stream)
    logger(run_id="r1").warning("sample failed", fixture_id="det-001", attempts=3, pins={"model": "m"}, kinds=("a",))
    event = json.loads(stream.getvalue())
    assert event.pop("timestamp")
    assert event == {
        "event": "sample failed",
        "level": "warning",
        "run_id": "r1",
        "fixture_id": "det-001",
        "attempts": 3,
        "pins": {"model": "m"},
        "kinds": ["a"],
    }


def test_the_console_form_is_no_json() -> None:
    stream = io.StringIO()
    configure("console", stream=stream)
    logger().info("started", samples=3)
    assert "started" in stream.getvalue()
    assert "samples=3" in stream.getvalue()


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        pytest.param({"TERM": "xterm"}, True, id="a terminal"),
        pytest.param({"TERM": "xterm", "NO_COLOR": "1"}, False, id="that shall have none"),
        pytest.param({"TERM": "dumb"}, False, id="that knows none"),
        pytest.param({"TERM": "xterm", "NO_COLOR": ""}, True, id="an empty variable says nothing"),
    ],
)
def test_a_terminal_is_coloured_unless_it_shall_not_be(environment, coloured, monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = Screen()
    configure(stream=stream)
    logger().info("started", samples=3)
    assert ("\x1b[" in stream.getvalue()) == coloured


@pytest.mark.parametrize("fmt", ["json", "console"])
def test_a_secret_is_in_no_line_wherever_it_stood(fmt) -> None:
    stream = io.StringIO()
    configure(fmt, secrets=["sk-47110815", ""], stream=stream)
    logger(key=Secret("sk-47110815")).error("refused: sk-47110815", headers={"authorization": ["Bearer sk-47110815"]})
    assert "4711" not in stream.getvalue()
    assert stream.getvalue().count("[key]") == 2


def test_a_value_of_a_few_characters_is_not_looked_for_in_every_line() -> None:
    """A tenant's number in a header field is in every date too."""
    stream = io.StringIO()
    configure("json", secrets=["2"], stream=stream)
    logger().info("22 samples")
    assert "22 samples" in stream.getvalue()
    assert "[key]" not in stream.getvalue()


def test_an_exception_is_logged_with_its_trace_and_without_the_secret() -> None:
    stream = io.StringIO()
    configure("json", secrets=["sk-47110815"], stream=stream)
    try:
        int("sk-47110815")
    except ValueError:
        logger().exception("failed")
    assert json.loads(stream.getvalue())["exception"].endswith("base 10: '[key]'")


@pytest.mark.parametrize("fmt", ["json", "console"])
def test_a_models_words_reach_a_terminal_as_escapes(fmt) -> None:
    stream = io.StringIO()
    configure(fmt, stream=stream)
    logger().info("unread", text="\x1b]0;owned\x07 \u202e", models=["m\n2026-01-01 [info] complete"])
    assert not set(stream.getvalue()) & {"\x1b", "\x07", "\u202e"}
    assert stream.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain words, ümlaut", "plain words, ümlaut", id="printable"),
        pytest.param("\x1b[2Jgone", "\\x1b[2Jgone", id="escape sequence"),
        pytest.param("a\u202eb", "a\\u202eb", id="bidi override"),
        pytest.param("two\nlines", "two\\nlines", id="line feed: one event stays one line"),
    ],
)
def test_a_terminal_is_shown_text_and_never_obeys_it(text: str, shown: str) -> None:
    assert printable(text) == shown
