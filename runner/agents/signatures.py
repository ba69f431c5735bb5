"""A tool's JSON Schema as a Python signature: annotations and a docstring that frameworks read.

Required arguments come first and have no default. Optional ones may be None and default to None; one that was not given
is not recorded. Names that Python does not allow get a spelling that it does, and are recorded as they are. A `$ref` is
never followed. Docstrings have Google's sections, which most frameworks read.
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, NotRequired, Optional, Union

from typing_extensions import TypedDict

from corpora.corpus import Tool
from corpora.values import Json, JsonObject

_BASIC: dict[str, Json] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


class Shape(NamedTuple):
    """What a function looks like from outside."""

    signature: inspect.Signature
    annotations: dict[str, Json]
    doc: str
    names: dict[str, str]
    """Python's name of an argument -> the schema's."""


def shape_of(tool: Tool) -> Shape:
    """The shape of the function that stands for a tool."""
    properties: dict[str, JsonObject] = tool.parameters.get("properties", {})
    ordered = [
        *(name for name in tool.required if name in properties),
        *(n for n in properties if n not in tool.required),
    ]
    names = _python_names(ordered)
    parameters = [
        _parameter(python, properties[name], required=name in tool.required, within=tool.name)
        for python, name in names.items()
    ]
    annotations = {parameter.name: parameter.annotation for parameter in parameters}
    returned = dict[str, Any]
    return Shape(
        signature=inspect.Signature(parameters, return_annotation=returned),
        annotations={**annotations, "return": returned},
        doc=_doc(tool, {python: properties[name] for python, name in names.items()}),
        names=names,
    )


def _python_names(names: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        python = re.sub(r"\W", "_", name)
        python = f"_{python}" if not python or python[0].isdigit() else python
        while keyword.iskeyword(python) or python in found:
            python += "_"
        found[python] = name
    return found


def _parameter(python: str, schema: JsonObject, *, required: bool, within: str) -> inspect.Parameter:
    kind = annotation(schema, f"{within}_{python}")
    return inspect.Parameter(
        python,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        annotation=kind if required else Optional[kind],  # noqa: UP045 - a Literal made at run time
        default=inspect.Parameter.empty if required else None,
    )


def annotation(schema: Json, name: str) -> Json:
    """The type that a schema describes; Any where it says nothing that Python can say. `name` is for nested objects."""
    if not isinstance(schema, dict) or "$ref" in schema:
        return Any
    if values := _literals(schema):
        return Literal[values]
    kinds = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(kinds, list) and kinds:
        return _union(annotation(kind, f"{name}_{place}") for place, kind in enumerate(kinds))
    kind = schema.get("type")
    if isinstance(kind, list) and kind:
        return _union(annotation({**schema, "type": one}, name) for one in kind)
    return _typed(schema, kind, name)


def _typed(schema: JsonObject, kind: Json, name: str) -> Json:
    if kind == "array":
        return list[annotation(schema.get("items"), f"{name}_item")]  # type: ignore[misc]  # made at run time
    if kind == "object":
        return _record(schema, name)
    return _BASIC.get(kind, Any) if isinstance(kind, str) else Any


def _literals(schema: JsonObject) -> tuple[Json, ...]:
    """The values of an enum or const that a Literal can hold."""
    values = [schema["const"]] if "const" in schema else schema.get("enum", ())
    return tuple(values) if all(isinstance(value, str | int | bool | None) for value in values) else ()


def _union(kinds: Any) -> Json:  # noqa: ANN401 - types made at run time
    return Union[tuple(kinds)]  # noqa: UP007


def _record(schema: JsonObject, name: str) -> Json:
    """A nested object, by name, so that a framework can tell the model of its fields."""
    properties: Mapping[str, Json] = schema.get("properties", {})
    if not properties:
        return dict[str, Any]
    required = schema.get("required", ())
    fields = {key: annotation(value, f"{name}_{key}") for key, value in properties.items()}
    return TypedDict(  # type: ignore[operator]  # made at run time
        re.sub(r"\W", "_", name).title().replace("_", ""),
        {key: kind if key in required else NotRequired[kind] for key, kind in fields.items()},
    )


def _doc(tool: Tool, properties: Mapping[str, JsonObject]) -> str:
    lines = [tool.description.strip() or f"{tool.name}."]
    if properties:
        lines += ["", "Args:"]
        lines += [f"    {name}: {_one_line(schema) or name.replace('_', ' ')}" for name, schema in properties.items()]
    return "\n".join([*lines, "", "Returns:", "    What the service answered."])


def _one_line(schema: Json) -> str:
    return " ".join(str(schema.get("description", "")).split()) if isinstance(schema, dict) else ""


Given = Callable[[tuple[Json, ...], dict[str, Json]], JsonObject]


def given_by(tool: Tool, shape: Shape) -> Given:
    """What turns the arguments of a Python call into those of the tool, in the order in which they were given."""
    order = list(shape.names)

    def given(positional: tuple[Json, ...], named: dict[str, Json]) -> JsonObject:
        """The tool's arguments by their own names. Raises TypeError where there are too many, as Python does."""
        if len(positional) > len(order):
            raise TypeError(f"{tool.name}() takes {len(order)} arguments and was given {len(positional)}")
        pairs = {**dict(zip(order, positional, strict=False)), **named}
        return {shape.names.get(name, name): value for name, value in pairs.items()}

    return given
