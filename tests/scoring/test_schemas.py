from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from corpora.corpus import bundled, load
from scoring.schemas import faults, schema_fault
from tests.scoring.build import a_corpus, a_fixture, a_tool


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


def test_a_schema_elsewhere_is_not_fetched_even_where_it_could_be(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text('{"type": "string"}', encoding="utf-8")
    reference = (tmp_path / "text.json").as_uri()
    found = schema_fault({"properties": {"a": {"$ref": reference}}})
    assert found == f"Resource '{reference}' is not present in a registry"


def test_nobody_is_asked_for_a_schema() -> None:
    asked: list[str] = []

    class Schemas(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "string"}')

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Schemas) as server:
        serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            reference = f"http://127.0.0.1:{server.server_port}/text"
            found = schema_fault({"properties": {"a": {"$ref": reference}}})
        finally:
            server.shutdown()
            serving.join()
    assert (asked, found) == ([], f"Resource '{reference}' is not present in a registry")


def test_a_tool_whose_parameters_are_no_schema_is_named_with_its_place() -> None:
    bad = a_tool("send", properties={"to": {"minLength": -1}})
    array = a_tool("keep", parameters={"type": "array"})
    corpus = msgspec.structs.replace(a_corpus([a_fixture()], [a_tool(), bad, array], []), folder="made")
    odd = "the parameters of {} are no JSON Schema".format
    advice = "correct them, a model is offered this"
    assert [(fault.what, fault.path, fault.line, fault.field) for fault in faults(corpus)] == [
        (
            f"{odd('send')}: properties.to.minLength: -1 is less than the minimum of 0; {advice}",
            "made/corpus.toml",
            None,
            "tools[1].parameters",
        ),
        (
            f"{odd('keep')}: type: arguments are an object, so expected \"object\", found 'array'; {advice}",
            "made/corpus.toml",
            None,
            "tools[2].parameters",
        ),
    ]


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_tools_are_json_schemas(name: str) -> None:
    assert list(faults(load(name))) == []
