"""One line in, one line out: what each answer says, whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.guard import Guard
from scoring.guarding.decision import blank
from scoring.guarding.lines import answer, too_long
from tests.scoring.build import a_probe, a_set, a_tool

TOOL = "refund_order"
PROBES = (a_probe("reason_code", TOOL, "membership", set="codes"), a_probe("zone", TOOL, type="timezone"))


def told(line: bytes) -> dict[str, Any]:
    """An answer without the fields that say nothing."""
    assert line.endswith(b"\n")
    fields = json.loads(line)
    assert list(fields) == ["id", *blank("").line()]
    empty = {"id": None, **json.loads(json.dumps(blank("").line()))}
    return {name: value for name, value in fields.items() if value != empty[name] or name == "allow"}


def asked(line: bytes | dict[str, Any], stale: Any = None) -> dict[str, Any]:
    guard = Guard(PROBES, {"codes": a_set()}, tools=[a_tool(TOOL, ["reason_code"], {"reason_code": {}})])
    return told(answer(guard, 3, line if isinstance(line, bytes) else json.dumps(line).encode(), stale))


UNCHECKED = "zone is not checked, since nothing shown was given"
OTHER = {"emitted": "OTHER", "stored": "OTHER", "in_set": True, "form": "exact"}
PASSED = {
    "allow": True,
    "reason": f"reason_code is one of the 6 values of codes; {UNCHECKED}",
    "tool": TOOL,
    "argument": "reason_code",
    "call": 0,
    "offered": True,
    **OTHER,
}
REQUIRED = "the arguments of refund_order cannot be read: "


def a_malformed(malformed: str, reason: str) -> dict[str, Any]:
    fields = {"tool": TOOL, "call": 0, "offered": True, "malformed": malformed}
    return {"allow": False, "reason": f"{REQUIRED}{reason}", **fields}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param('{"reason_code": "OTHER"}', PASSED, id="the emitted text"),
        pytest.param({"reason_code": "OTHER"}, PASSED, id="an object"),
        pytest.param(
            None, a_malformed("arguments-absent", "there are none, and the tool requires some"), id="null is none"
        ),
        pytest.param(
            "", a_malformed("empty-arguments", "there are none, and the tool requires some"), id="a text without any"
        ),
        pytest.param("null", a_malformed("not-object", "they are no JSON object"), id="a text that says null"),
        pytest.param([1], a_malformed("not-object", "they are no JSON object"), id="an array"),
        pytest.param(7, a_malformed("not-object", "they are no JSON object"), id="a number"),
        pytest.param(
            '"{}"',
            a_malformed("double-encoded", "they are a string that holds JSON, and no object"),
            id="a text in a text",
        ),
    ],
)
def test_arguments_come_as_text_or_as_an_object(arguments: Any, expected: dict[str, Any]) -> None:
    assert asked({"tool": TOOL, "arguments": arguments}) == expected
    assert asked({"tool": TOOL, "arguments": arguments, "id": [1, "a"]}) == {"id": [1, "a"], **expected}


def test_a_line_without_arguments_asks_for_a_call_without_any() -> None:
    expected = a_malformed("arguments-absent", "there are none, and the tool requires some")
    assert asked({"tool": TOOL, "id": 0}) == {"id": 0, **expected}


def test_a_key_that_stands_twice_in_an_object_is_seen() -> None:
    line = b'{"tool": "refund_order", "arguments": {"reason_code": "x", "reason_code": "OTHER"}}'
    assert asked(line) == a_malformed("duplicate-key", "a key stands in them twice")


def test_what_was_shown_is_asked_of_the_line() -> None:
    line = {"tool": TOOL, "arguments": {"reason_code": "OTHER", "zone": "UTC"}}
    sentence = "reason_code is one of the 6 values of codes; "
    assert asked({**line, "shown": "It is UTC."})["reason"] == (
        sentence + 'zone: "UTC" stands in what the user said (exact)'
    )
    assert asked({**line, "shown": 7, "id": "a"}) == {
        "id": "a",
        "allow": False,
        "reason": "shown: expected a text, messages or a state; found int",
        "tool": TOOL,
    }


def test_a_set_that_is_too_old_refuses_before_the_call_is_looked_at() -> None:
    def stale(tool: str) -> str | None:
        return "the set codes is too old" if tool == TOOL else None

    expected = {
        "allow": False,
        "reason": "the set codes is too old",
        "tool": TOOL,
        "flags": ["stale-set"],
    }
    assert asked({"tool": TOOL, "arguments": {"reason_code": "OTHER"}, "id": 1}, stale) == {"id": 1, **expected}
    assert asked({"tool": TOOL, "arguments": {"reason_code": "OTHER"}}, lambda tool: None) == PASSED
    assert asked({"tool": "other"}, stale)["reason"] == 'no tool "other" is guarded here; guarded: refund_order'


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        pytest.param(b"nonsense", None, "JSON is malformed: invalid character (byte 4)", id="no JSON"),
        pytest.param(b'{"tool": 1, "id": 7}', 7, "Expected `str`, got `int` - at `$.tool`", id="a number is its id"),
        pytest.param(
            b'{"tool": 1, "id": "x7"}', "x7", "Expected `str`, got `int` - at `$.tool`", id="a text is its id"
        ),
        pytest.param(b'{"tool": 1, "id": [7]}', None, "Expected `str`, got `int` - at `$.tool`", id="an array is none"),
        pytest.param(
            b'{"id": "\\ud83d"}',
            "\\ud83d",
            "Input data was truncated",
            id="half a character",
        ),
        pytest.param(b'[{"id": 7}]', None, "Expected `object`, got `array`", id="an array"),
        pytest.param(b'{"id": 7}', 7, "Object missing required field `tool`", id="no tool"),
        pytest.param(b"", None, "Input data was truncated", id="nothing"),
        pytest.param(
            b'{"tool": "t", "id": ' + b"[" * 5_000,
            None,
            "maximum recursion depth exceeded while deserializing an object",
            id="too deep",
        ),
    ],
)
def test_a_line_that_asks_nothing_is_answered_with_its_number(line: bytes, name: Any, reason: str) -> None:
    expected: dict[str, Any] = {"allow": False, "reason": f"line 3 asks nothing: {reason}"}
    assert asked(line) == (expected if name is None else {"id": name, **expected})


def test_a_line_that_is_too_long_is_answered_unread() -> None:
    assert told(too_long(12, 1_000)) == {
        "allow": False,
        "reason": "line 12 is longer than 1000 bytes; it was not read",
    }
