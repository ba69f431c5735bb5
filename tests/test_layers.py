"""Draws the imports of the three floors and fails on a wrong one, a cycle, or a library outside its home.

And on text that is read or written in whatever encoding the machine has.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = {"corpora": 0, "scoring": 1, "runner": 2}

# A third-party package -> the files or folders that may import it, everywhere in them.
HOMES: dict[str, tuple[str, ...]] = {
    "msgspec": (
        "corpora/",
        "scoring/",
        "runner/schedule/messages.py",
        "runner/schedule/sites/outfit.py",
        "runner/endpoints/",
        "runner/agents/",
        "runner/simulated/",
        "runner/config.py",
        "runner/flags.py",
    ),
    "httpx": ("runner/endpoints/",),
    "httpx_aiohttp": ("runner/endpoints/carrier.py",),
    "tenacity": ("runner/endpoints/retry.py",),
    "anyio": ("runner/",),
    "ray": ("runner/schedule/sites/ray/",),
    "structlog": ("runner/log.py",),
    "click": ("runner/cli.py", "runner/commands/", "runner/asking.py", "runner/parameters.py"),
    "rich": ("runner/commands/", "runner/progress.py", "scoring/report/"),
    "aiohttp": ("runner/endpoints/", "runner/simulated/server.py", "runner/agents/wire.py"),
    "sqlalchemy": ("runner/databases.py",),
    "pyarrow": ("runner/streams.py",),
    "backports": ("runner/packed.py",),
    "xllamacpp": ("runner/local_model.py",),
    "jsonschema_rs": ("scoring/schemas.py",),
    "rapidfuzz": ("scoring/judging/near.py",),
    "ruamel": ("corpora/set_files.py",),
    "dateutil": ("scoring/judging/dates.py",),
}


def sources() -> list[Path]:
    """Our own modules; a service.py beside a corpus is data."""
    files = [f for floor in FLOORS for f in (ROOT / floor).rglob("*.py")]
    return [f for f in files if not (f.parent / "corpus.toml").exists()]


def imports(file: Path) -> Iterator[str]:
    """Every module that a file names in an import, typing imports and those in functions included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("file", sources(), ids=module)
def test_imports_point_down_only(file: Path) -> None:
    own = FLOORS[file.relative_to(ROOT).parts[0]]
    up = {name for name in imports(file) if FLOORS.get(name.split(".")[0], -1) > own}
    assert not up


@pytest.mark.parametrize("file", sources(), ids=module)
def test_a_library_is_imported_in_its_home_only(file: Path) -> None:
    place = file.relative_to(ROOT).as_posix()
    names = {name.split(".")[0] for name in imports(file)}
    strangers = {name for name in names & HOMES.keys() if not place.startswith(HOMES[name])}
    assert not strangers


@pytest.mark.parametrize("place", sorted({place for places in HOMES.values() for place in places}))
def test_a_home_has_who_names_each_library_that_lives_there(place: str) -> None:
    text = "".join(
        file.read_text(encoding="utf-8") for file in sources() if file.relative_to(ROOT).as_posix().startswith(place)
    )
    assert {library for library, homes in HOMES.items() if place in homes and library not in text} == set()


def test_there_is_no_import_cycle_at_start_up() -> None:
    files = {module(file): file for file in sources()}
    graph = {name: _at_start_up(file, files.keys() - {name}) for name, file in files.items()}
    while graph:
        leaves = {name for name, needs in graph.items() if not needs & graph.keys()}
        assert leaves, f"these import each other: {sorted(graph)}"
        graph = {name: needs for name, needs in graph.items() if name not in leaves}


def _at_start_up(file: Path, known: set[str]) -> set[str]:
    found = set()
    todo: list[ast.stmt] = list(ast.parse(file.read_text(encoding="utf-8")).body)
    while todo:
        match todo.pop():
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=base, names=names):
                found |= {base or ""} | {f"{base}.{alias.name}" for alias in names}
            case ast.If(body=body, orelse=orelse) | ast.Try(body=body, orelse=orelse):
                todo += [*body, *orelse]
            case ast.ClassDef(body=body):
                todo += body
    return found & known


WRITTEN = [file for folder in (*FLOORS, "tests", "scripts") for file in (ROOT / folder).rglob("*.py") if file.is_file()]
PLACE_OF_MODE = {"open": 1, "fdopen": 1, "TextIOWrapper": 1, "read_text": 0, "write_text": 1}
"""Of the functions that take an encoding: where the mode stands in a call, or the encoding itself."""


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_text_is_read_and_written_in_an_encoding_that_is_named(file: Path) -> None:
    calls = (node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.Call))
    assert [f"{file}:{call.lineno}" for call in calls if not _names_its_encoding(call)] == []


def _names_its_encoding(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="open", value=value) if not _is_mode(call.args[:1]) or _is_named(value, "os"):
            return True  # not of a path, or by its bytes
        case ast.Attribute(attr="open"):
            place = 0
        case ast.Attribute(attr=name) | ast.Name(id=name):
            place = PLACE_OF_MODE.get(name, -1)
        case _:
            return True
    given = {keyword.arg for keyword in call.keywords}
    if given & {"text", "universal_newlines"} and _is_named(getattr(call.func, "value", None), "subprocess"):
        return "encoding" in given
    mode = call.args[place : place + 1]
    is_text = place >= 0 and (not mode or _is_mode(mode)) and "b" not in _text(mode)
    return not is_text or "encoding" in given


def _is_named(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _text(node: list[ast.expr]) -> str:
    return node[0].value if node and isinstance(node[0], ast.Constant) and isinstance(node[0].value, str) else ""


def _is_mode(node: list[ast.expr]) -> bool:
    return 0 < len(_text(node)) < 4 and set(_text(node)) <= set("rwaxbt+")
