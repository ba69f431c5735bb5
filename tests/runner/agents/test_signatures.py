"""Tools as Python functions: what frameworks read of them."""

from __future__ import annotations

import inspect
import typing
from typing import Any, Literal, Optional

import pytest

from corpora.corpus import Tool, bundled, load
from runner.agents.signatures import annotation, given_by, shape_of


def tool(properties: dict, required: tuple[str, ...] = (), **more: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name="act", description="Acts.", parameters=schema, **more)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, str),
        ({"type": "integer"}, int),
        ({"type": "number"}, float),
        ({"type": "boolean"}, bool),
        ({"type": "array", "items": {"type": "string"}}, list[str]),
        ({"type": "array"}, list[Any]),
        ({"type": "object"}, dict[str, Any]),
        ({"enum": ["a", "b"]}, Literal["a", "b"]),
        ({"const": 3}, Literal[3]),
        ({"enum": [1.5]}, Any),
        ({"type": ["string", "null"]}, Optional[str]),  # noqa: UP045
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, str | int),
        ({"$ref": "#/x"}, Any),
        ({"type": "money"}, Any),
        ({}, Any),
        (True, Any),
    ],
)
def test_a_schema_is_a_type(schema, kind):
    assert annotation(schema, "x") == kind


def test_a_nested_object_keeps_its_fields():
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name"],
    }
    made = annotation(schema, "approval")
    assert made.__name__ == "Approval"
    assert made.__required_keys__ == {"name"}
    assert made.__optional_keys__ == {"age"}


def test_required_arguments_come_first_and_optional_ones_may_be_none():
    shape = shape_of(tool({"a": {"type": "string"}, "b": {"type": "integer", "description": "Which\n one."}}, ("b",)))
    assert str(shape.signature) == "(b: int, a: Optional[str] = None) -> dict[str, typing.Any]"
    assert shape.doc == "Acts.\n\nArgs:\n    b: Which one.\n    a: a\n\nReturns:\n    What the service answered."


def test_names_that_python_does_not_allow_are_spelled_otherwise_and_recorded_as_they_are():
    made = tool({name: {} for name in ("order-id", "class", "2nd", "order_id")})
    shape = shape_of(made)
    assert list(shape.names) == ["order_id", "class_", "_2nd", "order_id_"]
    given = given_by(made, shape)
    assert given(("x",), {"class_": 1, "order_id_": 2, "more": 3}) == {
        "order-id": "x",
        "class": 1,
        "order_id": 2,
        "more": 3,
    }
    with pytest.raises(TypeError, match=r"act\(\) takes 4 arguments and was given 5"):
        given((1, 2, 3, 4, 5), {})


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_tool_has_a_signature_that_can_be_read(name):
    for one in load(name).tools:
        shape = shape_of(one)
        assert set(shape.names.values()) == set(one.parameters["properties"])
        assert inspect.getdoc(type("f", (), {"__doc__": shape.doc})).startswith(one.description or one.name)
        holder = type("holder", (), {"__annotations__": shape.annotations})
        assert typing.get_type_hints(holder, include_extras=True).keys() == shape.annotations.keys()
