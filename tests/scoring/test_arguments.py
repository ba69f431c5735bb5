"""The one judge of malformation, kind by kind, and the paths to a value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judging.arguments import Emitted, extract, parse

KINDS = [
    ('{"a": "Eur', "truncated"),
    ('{"a": 1, "b":', "truncated"),
    ('{"a": tru', "truncated"),
    ('{"a": {"b": "c\\', "truncated"),
    ("user: u_1", "not-json"),
    ("{]", "not-json"),
    ('{"a": 1,, "b": 2}', "not-json"),
    ("{" * 5000, "not-json"),
    ('["UTC"]', "not-object"),
    ('"UTC"', "not-object"),
    ("null", "not-object"),
    ("7", "not-object"),
    ('{"a": 1} Done.', "trailing-text"),
    ('{"a": 1}{"a": 2}', "trailing-text"),
    ('{"a": 1', "missing-brace"),
    ('{"a": {"b": [1, 2]}', "missing-brace"),
    ('{"a": [1, 2', "missing-brace"),
    ("{'a': None}", "python-literal"),
    ("{'a': True, \"b\": 'it'}", "python-literal"),
    ('{"a": NaN}', "non-standard-constant"),
    ('{"a": [-Infinity]}', "non-standard-constant"),
    ('{"a": 1, "a": 2}', "duplicate-key"),
    ('{"o": {"a": 1, "a": 1}}', "duplicate-key"),
    ('"{\\"a\\": 1}"', "double-encoded"),
    ('```json\n{"a": 1}\n```', "fenced"),
    ('<|channel|>{"a": 1}', "framing"),
    ('[TOOL_CALLS]{"a": 1}', "framing"),
    ("", "empty-arguments"),
    (" \n", "empty-arguments"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS, ids=[f"{kind}-{text[:20]!r}" for text, kind in KINDS])
def test_arguments_that_are_no_object_say_how(text: str, kind: str) -> None:
    assert parse(text, "string", required=True) == (None, kind)


@pytest.mark.parametrize("wire_type", ["null", "absent"])
def test_arguments_that_are_not_there_are_malformed_for_a_tool_that_needs_some(wire_type: str) -> None:
    assert parse(None, wire_type, required=True) == (None, "arguments-absent")
    assert parse(None, wire_type, required=False) == ({}, None)


def test_empty_arguments_are_a_call_of_a_tool_without_required_fields() -> None:
    assert parse("", "string", required=False) == ({}, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('{"a": "\\ud83d"}', {"a": "\\ud83d"}, id="a lone surrogate stays an escape"),
        pytest.param('{"a": ["\\udc00"], "\\ud800": 1}', {"a": ["\\udc00"], "\\ud800": 1}, id="in keys and lists"),
        pytest.param('{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}, id="a pair is a character"),
        pytest.param('{"a": 1e999}', {"a": "1e999"}, id="an infinite number stays text"),
        pytest.param('{"a": -1e999}', {"a": "-1e999"}, id="a negative one too"),
        pytest.param(f'{{"a": {"9" * 400}}}', {"a": "9" * 400}, id="endless digits stay text"),
        pytest.param(' {"a": 1.50} ', {"a": 1.5}, id="blanks round it"),
    ],
)
def test_a_value_that_cannot_be_written_back_is_kept_as_its_text(text: str, value: object) -> None:
    assert parse(text, "string", required=True) == (value, None)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_every_object_that_was_written_as_json_is_read_back(value: dict[str, Any]) -> None:
    assert parse(json.dumps(value), "string", required=True) == (value, None)


@given(st.text())
def test_any_text_is_an_object_or_malformed_and_never_an_error(text: str) -> None:
    value, malformed = parse(text, "string", required=True)
    assert (value is None) != (malformed is None)


@given(st.dictionaries(st.text(min_size=1), json_values, min_size=1, max_size=3), st.data())
def test_an_object_that_was_cut_is_never_read_as_one(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text) - 1))
    assert parse(text[:cut], "string", required=True).value is None


@pytest.mark.parametrize(
    ("arguments", "path", "found"),
    [
        pytest.param({"a": 1}, "a", [(1, True, ())], id="a key"),
        pytest.param({}, "a", [(None, False, ())], id="an absent key"),
        pytest.param({"a": None}, "a", [(None, True, ())], id="a null"),
        pytest.param({"a": {"b": 2}}, "a.b", [(2, True, ())], id="a nested key"),
        pytest.param({"a": 3}, "a.b", [(None, False, ())], id="a path through a number"),
        pytest.param({"a": [1, 2]}, "a.*", [(1, True, (0,)), (2, True, (1,))], id="every item"),
        pytest.param({"a": [{"b": 1}, {}]}, "a[].b", [(1, True, (0,)), (None, False, (1,))], id="items' keys"),
        pytest.param({"a": []}, "a.*", [([], True, ())], id="an empty array"),
        pytest.param({"a": "x"}, "a.*", [("x", True, ())], id="no array where one is due"),
        pytest.param({"a": None}, "a.*", [(None, False, ())], id="null where an array is due"),
    ],
)
def test_a_path_leads_to_every_value(arguments: dict[str, Any], path: str, found: list[Any]) -> None:
    assert list(extract(arguments, path)) == [Emitted(*one) for one in found]


@pytest.mark.parametrize(
    ("emitted", "emptiness"),
    [
        (Emitted(None, False), "absent"),
        (Emitted(None, True), "null"),
        (Emitted("", True), "empty"),
        (Emitted([], True), "empty"),
        (Emitted(0, True), None),
        (Emitted(False, True), None),
        (Emitted(" ", True), None),
        (Emitted({}, True), None),
    ],
)
def test_absent_null_and_empty_are_three_things(emitted: Emitted, emptiness: str | None) -> None:
    assert emitted.emptiness == emptiness
