from __future__ import annotations

import pytest

from corpora.corpus import bundled, load
from scoring.schemas import faults, schema_fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "objekt"}, """type: arguments are an object, so expected "object", found 'objekt'"""),
        ({"type": "string"}, """type: arguments are an object, so expected "object", found 'string'"""),
        ({"required": "a"}, 'required: "a" is not of type "array"'),
        ({"properties": {"a": {"minLength": -1}}}, "properties.a.minLength: -1 is less than the minimum of 0"),
        ({"properties": {"a": {"pattern": "("}}}, 'properties.a.pattern: "(" is not a "regex"'),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "Pointer '/$defs/b' does not exist"),
        ({"$ref": "http://127.0.0.1:9/s"}, "Resource 'http://127.0.0.1:9/s' is not present in a registry"),
        ({"$ref": "file:///etc/hostname"}, "Resource 'file:///etc/hostname' is not present in a registry"),
        (
            {"$schema": "http://127.0.0.1:9/draft"},
            "$schema: 'http://127.0.0.1:9/draft' is no draft that is known here; leave it out for 2020-12",
        ),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}, None),
        ({"$defs": {"b": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/b"}}}, None),
        ({}, None),
    ],
)
def test_a_schema_is_checked_by_its_meta_schema_and_nothing_is_fetched(
    schema: dict[str, object], fault: str | None
) -> None:
    assert schema_fault(schema) == fault


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_tools_are_json_schemas(name: str) -> None:
    assert list(faults(load(name))) == []
