"""Leaves that are numbers or booleans: which one a value is seen in, and in which form."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.values import Json
from tests.scoring.build import a_probe
from tests.scoring.judging.sights import a_world

LEAVES: list[Any] = [
    # type, value, state, where it is seen, in which form
    ("number", 5, {"a": 4, "b": 5}, "b", "exact"),
    ("number", 5, {"a": True, "b": 5}, "b", "exact"),
    ("number", 5, {"a": 5.0, "b": 5}, "b", "exact"),
    ("number", 5, {"a": 5.0, "b": "6"}, "a", "equivalent-format"),
    ("number", 5, {"a": "5", "b": 5}, "b", "exact"),
    ("number", 5, {"a": "5", "b": 5.0}, "a", "equivalent-format"),
    ("number", 5, {"a": 5.0, "b": "5"}, "a", "equivalent-format"),
    ("number", "5", {"a": 5, "b": "5"}, "b", "exact"),
    ("number", "5", {"a": 5, "b": "x"}, "a", "equivalent-format"),
    ("number", "1,200", {"a": "x", "b": 1200}, "b", "equivalent-format"),
    ("number", 0.1, {"a": 0.10000000000000001}, "a", "exact"),
    ("number", 2**53 + 1, {"a": float(2**53)}, None, None),
    ("number", 2**53 + 1, {"a": 2**53, "b": 2**53 + 1}, "b", "exact"),
    ("number", 10**22, {"a": 1e22}, "a", "equivalent-format"),
    ("number", 5, {"x": "some", "a": "2,5,9", "b": "5"}, "a", "equivalent-format"),
    ("number", 5, {"x": "some", "a": "2,5,9"}, "a", "equivalent-format"),
    ("number", "0.1", {"a": True, "b": 0.1}, "b", "equivalent-format"),
    ("money", "$0.10", {"a": 1, "b": 0.1}, "b", "equivalent-format"),
    ("number", "9007199254740993", {"a": 2**53, "b": 2**53 + 1}, "b", "equivalent-format"),
    ("number", "\uff11\uff10\uff10\uff10", {"x": "some", "a": "1,000", "b": "1000"}, "b", "unicode-form"),
    ("number", 1, {"a": True}, None, None),
    ("number", 0, {"a": False, "b": None}, None, None),
    ("number", "x", {"a": 5}, None, None),
    ("number", [5], {"a": 5}, None, None),
    ("text", 5, {"a": 5.0}, "a", "equivalent-format"),
    ("text", "5", {"a": 5}, "a", "equivalent-format"),
    ("text", "5.0", {"a": 5}, "a", "equivalent-format"),
    ("text", "05", {"a": 5}, None, None),
    ("money", "$4.50", {"a": 4, "b": 4.5}, "b", "equivalent-format"),
    ("money", 4.5, {"a": "x", "b": "$4.50"}, "b", "equivalent-format"),
    ("id", 718, {"a": 718}, "a", "exact"),
    ("id", "718", {"a": 71, "b": 718}, "b", "equivalent-format"),
    ("id", 718, {"a": 718.0}, None, None),
    ("id", "718.0", {"a": 718, "b": 718.0}, "b", "equivalent-format"),
    ("id", "0718", {"a": 718}, None, None),
    ("id", "-7", {"a": -7}, "a", "equivalent-format"),
    ("id", "1e+22", {"a": 1e22}, "a", "equivalent-format"),
    ("id", "1e-07", {"a": 1e-7}, "a", "equivalent-format"),
    ("id", "abc", {"a": 5}, None, None),
    ("id", "u_1", {"a": 1, "b": "u_1"}, "b", "exact"),
    ("timezone", "2", {"a": 2}, None, None),
    ("enum", "HIGH", {"a": 1, "b": "high"}, "b", "case-fold"),
    ("boolean", True, {"a": True, "value": True}, "value", "exact"),
    ("boolean", True, {"value": False, "x": {"VALUE": True}}, "x.VALUE", "exact"),
    ("boolean", False, {"value": True, "values": False}, None, None),
    ("boolean", False, {"value": 0}, None, None),
    ("boolean", 1, {"value": True}, None, None),
    ("text", True, {"value": True}, "value", "exact"),
]


@pytest.mark.parametrize(
    ("kind", "value", "state", "path", "form"), LEAVES, ids=[f"{k} {v!r} {s}" for k, v, s, *_ in LEAVES]
)
def test_a_leaf_that_is_a_number_or_a_boolean_is_seen_by_its_value(
    kind: str, value: Json, state: dict[str, Json], path: str | None, form: str | None
) -> None:
    found = a_world(visible=state).sighting(a_probe(type=kind), value)
    assert (found and found.span.path, found and found.form) == (path, form)


def test_a_number_in_a_leaf_is_seen_from_its_first_character_to_its_last() -> None:
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "tool", "tool_call_id": "1", "content": '{"n": [1, 12.50]}'},
    ]
    found = a_world(messages=messages).sighting(a_probe(type="number"), 12.5)
    assert found is not None
    assert (found.where, found.span.message, found.span.path) == ("tool", 1, "n[1]")
    assert (found.span.start, found.span.end, found.negated) == (0, 4, False)


@pytest.mark.parametrize(
    ("state", "form"), [({"a": 450}, "exact"), ({"a": 4.5}, "equivalent-format"), ({"a": 45}, None)]
)
def test_an_amount_in_minor_units_is_seen_as_it_was_sent_and_as_what_it_means(
    state: dict[str, Json], form: str | None
) -> None:
    found = a_world(visible=state).sighting(a_probe(type="money", minor_units=2), 450)
    assert (found and found.form) == form
