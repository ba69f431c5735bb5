"""The files of a corpus as they are written: corpus.toml, tool schemas, fixtures.jsonl, canned.jsonl.

Whatever cannot be read is BadInput with its file, its line where there is one, and its field.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from corpora.canonical import sha256
from corpora.errors import BadInput
from corpora.files import json_of, toml_of
from corpora.fixtures import FIXTURE_FIELDS, CannedTrace, Fixture
from corpora.jsonl import convert, decode_value, numbered, open_lines
from corpora.paths import inside
from corpora.places import line_of
from corpora.probes import Probe, RunDefaults, Stores, Tool
from corpora.sets import SetSpec
from corpora.values import Json, JsonObject, Label

_T = TypeVar("_T")
Built = dict[tuple[str, str], dict[str, tuple[Label, ...]]]
"""(tool, argument) -> stratum -> what passes because worlds were built so."""


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """corpus.toml as it is written."""

    name: str
    system: str
    strata: dict[str, int]
    tools: list[JsonObject]
    probes: list[JsonObject]
    run: RunDefaults = RunDefaults()
    sets: dict[str, SetSpec] = {}


class _ToolTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One [[tools]] table."""

    name: str
    description: str = ""
    parameters: str | JsonObject | None = None
    returns: Json = {}
    stores: Stores = Stores()
    clarify: str | None = None


def read_table(path: Path) -> Table:
    """A corpus.toml."""
    raw = toml_of(path)
    sets = raw.get("sets")
    for name, spec in sets.items() if isinstance(sets, dict) else ():  # one by one, so that the error names it
        _placed(spec, SetSpec, path, f"sets.{name}")
    return _placed(raw, Table, path)


def _placed(raw: Json, kind: type[_T], path: Path, prefix: str = "") -> _T:
    """Convert, and say in which file and field it failed."""
    try:
        return convert(raw, kind)
    except BadInput as error:
        field = f"{prefix}{(error.field or '').removeprefix('$')}".strip(".") or None
        line = line_of(path, field) if field else None
        raise BadInput(error.what, path=str(path), line=line, field=field) from error


def read_tool(entry: JsonObject, folder: Path, number: int) -> Tool:
    """One [[tools]] table, its schema read from its file."""
    field = f"tools[{number}]"
    table = _placed(entry, _ToolTable, folder / "corpus.toml", field)
    return Tool(
        name=table.name,
        description=table.description,
        parameters=_parameters(table, folder, field),
        returns=table.returns,
        stores=table.stores,
        clarify=table.clarify,
    )


def _parameters(table: _ToolTable, folder: Path, field: str) -> JsonObject:
    if isinstance(table.parameters, dict):
        return table.parameters
    if table.parameters is None:
        name = table.clarify
        properties = {name: {"type": "string"}} if name else {}
        return {"type": "object", "properties": properties, "required": list(properties)}
    try:
        path = inside(folder, table.parameters, f"{field}.parameters")
    except BadInput as error:
        at = folder / "corpus.toml"
        raise BadInput(error.what, path=str(at), line=line_of(at, error.field or field), field=error.field) from error
    schema = json_of(path)
    if not isinstance(schema, dict):
        raise BadInput("expected a JSON Schema object", path=str(path))
    return schema


def read_probe(entry: JsonObject, folder: Path, number: int, built: Built) -> Probe:
    """One [[probes]] table; where it does not say what passes, the construction of the worlds does."""
    probe = _placed(entry, Probe, folder / "corpus.toml", f"probes[{number}]")
    known = built.get((probe.tool, probe.argument))
    if known is None or "pass" in entry or probe.measure != "closed-world":
        return probe
    return msgspec.structs.replace(probe, pass_in={**known, **probe.pass_in})


def read_fixtures(path: Path) -> list[Fixture]:
    """A fixtures.jsonl."""
    if not path.exists():
        raise BadInput("is not there; a corpus has its fixtures in it, one JSON object a line", path=str(path))
    with open_lines(path) as stream:
        return [_placed_line(_fixture, line, number, path) for number, line in numbered(stream)]


def _placed_line(read: Callable[[Json, int], _T], line: bytes, number: int, path: Path) -> _T:
    """Read one line, and say in which file and line it failed."""
    try:
        return read(decode_value(line), number)
    except BadInput as error:
        raise BadInput(error.what, path=str(path), line=number, field=error.field) from error


def _fixture(raw: Json, number: int) -> Fixture:
    known = _known_fields(raw)
    return convert({**known, "sha256": sha256(known), "line": number}, Fixture)


def _known_fields(raw: Json) -> JsonObject:
    if not isinstance(raw, dict):
        raise BadInput("expected a JSON object with id, stratum and messages")
    if not raw.keys() <= FIXTURE_FIELDS:
        strange = sorted(raw.keys() - FIXTURE_FIELDS)
        raise BadInput(f"unknown field {strange[0]!r}; known are {', '.join(sorted(FIXTURE_FIELDS))}")
    return raw


def read_canned(path: Path) -> tuple[CannedTrace, ...]:
    """A canned.jsonl; none where there is none."""
    if not path.exists():
        return ()
    with open_lines(path) as stream:
        return tuple(_placed_line(_trace, line, number, path) for number, line in numbered(stream))


def _trace(raw: Json, number: int) -> CannedTrace:
    if isinstance(raw, dict) and "line" in raw:
        raise BadInput("unknown field 'line'")
    return convert({**raw, "line": number} if isinstance(raw, dict) else raw, CannedTrace)
