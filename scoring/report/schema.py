"""The JSON Schema of every line and file that this project reads or writes, made from the Structs themselves."""

from __future__ import annotations

import msgspec

from corpora.errors import BadInput
from corpora.fixtures import SET_BY_LOADER, CannedTrace, Fixture
from corpora.manifests import Manifest
from corpora.records import Record
from corpora.values import JsonObject
from scoring.counting.comparison import Comparison
from scoring.counting.figures import Summary
from scoring.judging.verdicts import Verdict

NAMES: dict[str, type[msgspec.Struct]] = {
    "record": Record,
    "fixture": Fixture,
    "canned": CannedTrace,
    "verdict": Verdict,
    "manifest": Manifest,
    "summary": Summary,
    "comparison": Comparison,
}
"""What there is a schema of, and the Struct that it is made from."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str) -> JsonObject:
    """The JSON Schema (2020-12) of a named line or file. Raises BadInput where there is none of that name."""
    kind = NAMES.get(name)
    if kind is None:
        raise BadInput(f"there is no schema of {name!r}; there are {', '.join(NAMES)}")
    made = msgspec.json.schema(kind)
    if kind is Fixture:
        _without(made["$defs"][kind.__name__], SET_BY_LOADER)
    return {"$schema": _DIALECT, **made}


def _without(definition: JsonObject, names: frozenset[str]) -> None:
    """Take out what the loader fills in and a file may not hold."""
    definition["properties"] = {key: item for key, item in definition["properties"].items() if key not in names}
    definition["required"] = [key for key in definition["required"] if key not in names]
    definition["additionalProperties"] = False
