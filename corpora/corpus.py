"""A corpus from its folder: tools, probes, strata, sets, fixtures, canned traces, and the hashes that pin them.

Reading a corpus runs no code from it, never leaves its folder and opens no connection.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from corpora.canonical import sha256
from corpora.errors import BadInput
from corpora.expansion import expand
from corpora.fixtures import FIXTURE_FIELDS, CannedTrace, Fixture
from corpora.jsonl import convert, decode_value, numbered, open_lines
from corpora.paths import inside
from corpora.sets import Fetch, SetSpec, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject, Label, Measure, ValueType
from corpora.worlds import World, follows, read_worlds

_T = TypeVar("_T")

BUNDLED = Path(__file__).parent

PASSING: tuple[Label, ...] = ("ASK", "OMIT", "COPY")
"""The labels that pass where a probe says nothing else."""


class RunDefaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the corpus asks to be sampled; a flag overrides each."""

    temperature: Annotated[float, msgspec.Meta(ge=0)] | None = None
    samples: Annotated[int, msgspec.Meta(ge=1)] = 1
    max_turns: Annotated[int, msgspec.Meta(ge=1)] = 4
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    tool_choice: str | None = None


class Stores(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the real service writes where an argument is left out, or has a value that it does not know."""

    omitted: JsonObject = {}
    unknown: JsonObject = {}


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as the model is offered it, and what the recording stub answers."""

    name: str
    description: str = ""
    parameters: JsonObject
    """JSON Schema of the arguments."""
    returns: Json = {}
    stores: Stores = Stores()
    clarify: str | None = None
    """The argument that names the missing field, where this is a clarify tool."""

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments that its schema requires."""
        return tuple(self.parameters.get("required", ()))


class Probe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One argument of one tool that is being measured."""

    tool: str
    argument: str
    """A dotted path; `*` is every item of an array."""
    measure: Measure
    set: str | None = None
    type: ValueType = "text"
    ask: tuple[str, ...] = ()
    """Names of the field in any language, for telling whether a reply asks for it."""
    bait: tuple[Json, ...] = ()
    """Cultural defaults."""
    passing: tuple[Label, ...] = msgspec.field(default=PASSING, name="pass")
    pass_in: dict[str, tuple[Label, ...]] = {}
    minor_units: int | None = None
    locale: str | None = None
    derive: tuple[str, ...] | None = None
    placeholder_is: Label | None = None

    def passes_in(self, stratum: str) -> tuple[Label, ...]:
        """The labels that pass in one stratum."""
        return self.pass_in.get(stratum, self.passing)


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a run or a scorer needs to know of a corpus, the sets' values apart."""

    name: str
    folder: str
    system: str
    run: RunDefaults
    strata: dict[str, int]
    tools: tuple[Tool, ...]
    probes: tuple[Probe, ...]
    set_specs: dict[str, SetSpec]
    fixtures: tuple[Fixture, ...]
    canned: tuple[CannedTrace, ...]
    system_sha256: str
    tools_sha256: str
    corpus_sha256: str

    def tool(self, name: str) -> Tool | None:
        """The tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def must_call(self, fixture: Fixture) -> str:
        """The tool that a fixture is meant to reach."""
        return fixture.must_call or self.probes[0].tool

    def system_text(self, fixture: Fixture) -> str:
        """The system text with `{state}` filled by the fixture's visible state as JSON."""
        state = msgspec.json.format(msgspec.json.encode(fixture.visible), indent=0).decode()
        return self.system.replace("{state}", state)

    def by_id(self) -> dict[str, Fixture]:
        """The fixtures by their ids."""
        return {fixture.id: fixture for fixture in self.fixtures}


def bundled() -> tuple[str, ...]:
    """The names of the corpora that come with the package."""
    return tuple(sorted(folder.parent.name for folder in BUNDLED.glob("*/corpus.toml")))


def find(name: str) -> Path:
    """The folder of a corpus: a bundled name, or a path. Raises BadInput where there is none."""
    if "/" not in name and (BUNDLED / name / "corpus.toml").is_file():
        return BUNDLED / name
    if (Path(name) / "corpus.toml").is_file():
        return Path(name)
    raise BadInput(
        f"no corpus {name!r}: it is no folder with a corpus.toml, and the bundled ones are {', '.join(bundled())}"
    )


def load(name: str | Path) -> Corpus:
    """A corpus that adds up, by bundled name or folder. Raises BadInput at the first fault, with file and line."""
    from corpora.checks import faults  # it needs Corpus from here

    corpus = read(name)
    for fault in faults(corpus):
        raise fault
    return corpus


def read(name: str | Path) -> Corpus:
    """A corpus as it stands, whether or not it adds up; raises BadInput where it cannot be read."""
    folder = find(str(name))
    table = _toml(folder / "corpus.toml")
    tools = tuple(_tool(entry, folder, number) for number, entry in enumerate(table.tools))
    worlds = read_worlds(folder / "worlds.toml")
    fixtures = (*_fixtures(folder / "fixtures.jsonl"), *expand(worlds))
    tools_raw = [[tool.name, tool.description, tool.parameters, tool.clarify] for tool in tools]
    probes = tuple(_probe(entry, folder, number, worlds) for number, entry in enumerate(table.probes))
    hashes = [fixture.sha256 for fixture in fixtures]
    return Corpus(
        name=table.name,
        folder=str(folder),
        system=table.system,
        run=table.run,
        strata=table.strata,
        tools=tools,
        probes=probes,
        set_specs=table.sets,
        fixtures=fixtures,
        canned=_canned(folder / "canned.jsonl"),
        system_sha256=sha256(table.system),
        tools_sha256=sha256(tools_raw),
        corpus_sha256=sha256([table.name, table.system, tools_raw, table.probes, hashes]),
    )


def read_sets(corpus: Corpus, fetch: Fetch | None = None) -> dict[str, AuthoritativeSet]:
    """Every set that a probe measures against, read now. Raises BadInput as `read_set` does."""
    folder = Path(corpus.folder)
    try:
        return {name: read_set(name, spec, folder, fetch) for name, spec in corpus.set_specs.items()}
    except BadInput as error:
        path = error.path or str(folder / "corpus.toml")
        raise BadInput(error.what, path=path, line=error.line, field=error.field) from error


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


def _toml(path: Path) -> _Table:
    try:
        raw = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"is no TOML: {error}", path=str(path)) from error
    return _placed(raw, _Table, path)


def _placed(raw: Json, kind: type[_T], path: Path, prefix: str = "") -> _T:
    """Convert, and say in which file and field it failed."""
    try:
        return convert(raw, kind)
    except BadInput as error:
        field = f"{prefix}{(error.field or '').removeprefix('$')}".strip(".") or None
        raise BadInput(error.what, path=str(path), field=field) from error


def _tool(entry: JsonObject, folder: Path, number: int) -> Tool:
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
        raise BadInput(error.what, path=str(folder / "corpus.toml"), field=error.field) from error
    try:
        schema = decode_value(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path)) from error
    except BadInput as error:
        raise BadInput(error.what, path=str(path)) from error
    if not isinstance(schema, dict):
        raise BadInput("expected a JSON Schema object", path=str(path))
    return schema


def _probe(entry: JsonObject, folder: Path, number: int, worlds: tuple[World, ...]) -> Probe:
    """A probe; where it does not say what passes, the construction of the worlds does."""
    probe = _placed(entry, Probe, folder / "corpus.toml", f"probes[{number}]")
    built = follows(worlds).get((probe.tool, probe.argument))
    if built is None or "pass" in entry or probe.measure != "closed-world":
        return probe
    return msgspec.structs.replace(probe, pass_in={**built, **probe.pass_in})


def _fixtures(path: Path) -> list[Fixture]:
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
    strange = sorted(raw.keys() - FIXTURE_FIELDS)
    if strange:
        raise BadInput(f"unknown field {strange[0]!r}; known are {', '.join(sorted(FIXTURE_FIELDS))}")
    return raw


def _canned(path: Path) -> tuple[CannedTrace, ...]:
    if not path.exists():
        return ()
    with open_lines(path) as stream:
        return tuple(_placed_line(_trace, line, number, path) for number, line in numbered(stream))


def _trace(raw: Json, number: int) -> CannedTrace:
    if isinstance(raw, dict) and "line" in raw:
        raise BadInput("unknown field 'line'")
    return convert({**raw, "line": number} if isinstance(raw, dict) else raw, CannedTrace)
