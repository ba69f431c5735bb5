"""A corpus from its folder: tools, probes, strata, sets, fixtures, canned traces, and the hashes that pin them.

Reading a corpus runs no code from it, never leaves its folder and opens no connection.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from corpora.canonical import sha256
from corpora.checks import faults
from corpora.errors import BadInput
from corpora.expansion import expand
from corpora.paths import own
from corpora.places import line_of
from corpora.probes import PASSING, Probe, RunDefaults, Stores, Tool
from corpora.reading import read_canned, read_fixtures, read_probe, read_table, read_tool
from corpora.sets import Fetch, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject
from corpora.whole import Corpus
from corpora.worlds import follows, read_worlds

__all__ = [
    "PASSING",
    "Corpus",
    "Probe",
    "RunDefaults",
    "Stores",
    "Tool",
    "bundled",
    "find",
    "load",
    "read",
    "read_sets",
]

BUNDLED = Path(__file__).parent


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


def load(name: str | Path, replaced: JsonObject | None = None) -> Corpus:
    """A corpus that adds up, by bundled name or folder; `replaced` as in Corpus, and then without canned traces.

    Raises BadInput at the first fault, with file and line.
    """
    corpus = read(name, replaced)
    for fault in faults(corpus):
        raise fault
    return corpus


def read(name: str | Path, replaced: JsonObject | None = None) -> Corpus:
    """A corpus as it stands, whether or not it adds up; raises BadInput where it cannot be read."""
    folder = find(str(name))
    table = read_table(own(folder, "corpus.toml"))
    tools = tuple(read_tool(entry, folder, number) for number, entry in enumerate(table.tools))
    if replaced:
        table = msgspec.structs.replace(table, system=replaced.get("system", table.system))
        tools = _with_other_words(tools, replaced.get("tools", {}))
    worlds = read_worlds(own(folder, "worlds.toml"))
    fixtures = (*read_fixtures(own(folder, "fixtures.jsonl")), *expand(worlds))
    tools_raw = [[tool.name, tool.description, tool.parameters, tool.clarify] for tool in tools]
    built = follows(worlds)
    probes = tuple(read_probe(entry, folder, number, built) for number, entry in enumerate(table.probes))
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
        canned=() if replaced else read_canned(own(folder, "canned.jsonl")),
        system_sha256=sha256(table.system),
        tools_sha256=sha256(tools_raw),
        corpus_sha256=sha256([table.name, table.system, tools_raw, table.probes, hashes]),
        replaced=replaced or {},
    )


def _with_other_words(tools: tuple[Tool, ...], words: JsonObject) -> tuple[Tool, ...]:
    """Tools with another description or schema; what they answer and store stays."""
    known = [tool.name for tool in tools]
    strangers = [name for name in words if name not in known]
    if strangers:
        raise BadInput(f"there is no tool {strangers[0]!r} in the corpus; the tools are {', '.join(known)}")
    return tuple(msgspec.structs.replace(tool, **words.get(tool.name, {})) for tool in tools)


def read_sets(corpus: Corpus, fetch: Fetch | None = None) -> dict[str, AuthoritativeSet]:
    """Every set of a corpus, read now. Raises BadInput as `read_set` does, with the line that names the set."""
    folder = Path(corpus.folder)
    try:
        return {name: read_set(name, spec, folder, fetch) for name, spec in corpus.set_specs.items()}
    except BadInput as error:
        path = Path(error.path or folder / "corpus.toml")
        line = error.line or (line_of(path, error.field) if error.field and path.suffix == ".toml" else None)
        raise BadInput(error.what, path=str(path), line=line, field=error.field) from error
