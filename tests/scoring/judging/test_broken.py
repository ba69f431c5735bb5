"""What kind of text it is that is no strict JSON object, at the borders between the kinds."""

from __future__ import annotations

import pytest

from scoring.judging.arguments import Emitted, Parsed, extract, parse
from scoring.judging.strict import Constant, decode

LONG = 99_991
"""So many characters of a text make a dict, as Python prints it, of 100,000."""

KINDS = [
    pytest.param('<tool_call>{"a": 1}</tool_call>', "framing", id="a tool call's tags"),
    pytest.param('\u00a0<tool_call>{"a": 1}', "framing", id="behind a blank that JSON does not have"),
    pytest.param('see <tool_call>{"a": 1}', "not-json", id="tags inside a sentence"),
    pytest.param('call <|x|> {"a": 1}', "framing", id="a channel's mark anywhere"),
    pytest.param("\u00a0```\n{}\n```", "fenced", id="a fence behind another blank"),
    pytest.param("[1] x", "not-json", id="an array and more"),
    pytest.param('"UTC" it is', "not-json", id="a text and more"),
    pytest.param('{"a": 1} x', "trailing-text", id="an object and more"),
    pytest.param('{"a": 1}\u00a0', "trailing-text", id="an object and a blank that JSON does not have"),
    pytest.param('\u00a0{"a": 1}', "not-json", id="such a blank and an object"),
    pytest.param('{"a": "{", "b": [1', "missing-brace", id="a brace in a text opens nothing"),
    pytest.param('{"a": "}", "b": [1', "missing-brace", id="nor closes anything"),
    pytest.param('{"a": "\\"", "b": 1', "missing-brace", id="an escaped quote ends no text"),
    pytest.param('{"a": "x\\n", "b": 1', "missing-brace", id="an escape is over after one character"),
    pytest.param('{"a": "\\\\", "b": 1', "missing-brace", id="an escaped backslash escapes nothing"),
    pytest.param('{"a": [1, {"b": 2}', "missing-brace", id="innermost first"),
    pytest.param('{"a": 1}}', "trailing-text", id="one brace too many"),
    pytest.param("]]", "not-json", id="brackets that close nothing"),
    pytest.param('{"a": X', "not-json", id="a word that JSON does not have"),
    pytest.param('{"a": "b" "c', "not-json", id="two texts without a comma"),
    pytest.param('{"a": fals', "truncated", id="a word cut"),
    pytest.param('{"a": -', "truncated", id="a number cut"),
    pytest.param('{"a": 1, ', "truncated", id="behind a comma"),
    pytest.param('{"a": "b', "truncated", id="inside a text"),
    pytest.param('["a", "b', "not-json", id="an array cut"),
    pytest.param('{"a": {"b": 1, "b": 2}, "c": "x', "duplicate-key", id="a key twice, and cut"),
    pytest.param('{"a": NaN, "b": "x', "non-standard-constant", id="a constant, and cut"),
    pytest.param('{"a":' * 5_000, "not-json", id="too deep to be read"),
    pytest.param("({'a': None})", "not-json", id="Python in brackets"),
    pytest.param("{'a', 'b'}", "not-json", id="a set as Python prints it"),
    pytest.param("{'a': f(1)}", "not-json", id="a call in Python"),
    pytest.param(f"{{'a': '{'x' * LONG}'}}", "python-literal", id="Python of 100,000 characters"),
    pytest.param(f"{{'a': '{'x' * (LONG + 1)}'}}", "not-json", id="and of one more"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_text_that_is_no_object_is_of_the_first_kind_that_holds(text: str, kind: str) -> None:
    assert parse(text, "string", required=True) == Parsed(None, kind)


@pytest.mark.parametrize("wire_type", ["null", "absent"])
def test_what_was_absent_on_the_wire_is_absent_whatever_stands_in_its_place(wire_type: str) -> None:
    assert parse("{}", wire_type, required=True) == (None, "arguments-absent")
    assert parse('{"a": 1}', wire_type, required=False) == ({}, None)
    assert parse(None, "string", required=True) == (None, "arguments-absent")
    assert parse(None, "string", required=False) == ({}, None)


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_a_constant_that_json_does_not_have_is_named(name: str) -> None:
    with pytest.raises(Constant, match=f"^{name}$"):
        decode(f'{{"a": [{name}]}}')


@pytest.mark.parametrize(
    ("digits", "kept"),
    [(299, int("9" * 299)), (300, "9" * 300), (301, "9" * 301)],
    ids=["299 digits", "300 digits", "301 digits"],
)
def test_a_number_of_three_hundred_digits_is_kept_as_its_text(digits: int, kept: int | str) -> None:
    assert parse(f'{{"a": {"9" * digits}}}', "string", required=True).value == {"a": kept}
    assert parse(f'{{"a": [{"9" * digits}]}}', "string", required=True).value == {"a": [kept]}


def test_a_number_that_no_float_can_hold_is_kept_as_its_text() -> None:
    assert repr(decode("[2.5, -0.0, 1e308, 1e309, -1e309, 1e-400]")) == "[2.5, -0.0, 1e+308, '1e309', '-1e309', 0.0]"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        pytest.param(
            "a.*.b.*", [(1, True, (0, 0)), ([], True, (1,)), ("x", True, (2,)), (None, False, (3,))], id="items"
        ),
        pytest.param(
            "a[].b[]", [(1, True, (0, 0)), ([], True, (1,)), ("x", True, (2,)), (None, False, (3,))], id="brackets"
        ),
        pytest.param(
            "a.*.c", [(None, False, (0,)), (None, False, (1,)), (None, False, (2,)), (None, True, (3,))], id="keys"
        ),
    ],
)
def test_an_empty_or_absent_value_inside_an_array_says_its_place(path: str, found: list[tuple[object, ...]]) -> None:
    arguments = {"a": [{"b": [1]}, {"b": []}, {"b": "x"}, {"b": None, "c": None}]}
    assert list(extract(arguments, path)) == [Emitted(*one) for one in found]  # type: ignore[arg-type]
