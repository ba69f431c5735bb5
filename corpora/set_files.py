"""The values in a file that holds a set: text, CSV, JSON, JSON lines or YAML."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from corpora.errors import BadInput
from corpora.files import text_of
from corpora.jsonl import decode_value, numbered
from corpora.pointers import point
from corpora.values import Json

SUFFIXES = (".txt", ".csv", ".json", ".jsonl", ".yaml", ".yml")


def values_of(path: Path, column: str | None, pointer: str | None, field: str) -> list[Json]:
    """The values in a file, of `column` where it has rows, or where `pointer` leads in a document. Raises BadInput."""
    text, place = text_of(path), str(path)
    match path.suffix.lower():
        case ".txt":
            return [line.strip() for line in text.split("\n")]
        case ".csv":
            return _from_csv(text, column, place)
        case ".jsonl":
            lines = numbered(text.encode().splitlines(keepends=True))
            return _from_rows([_json(line, place, number) for number, line in lines], column, place)
        case ".json":
            return _from_document(_json(text, place), column, pointer, place)
        case ".yaml" | ".yml":
            return _from_document(_yaml(text, place), column, pointer, place)
    raise BadInput(f"expected a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file, found {path.name}", field=field)


def _from_document(document: Json, column: str | None, pointer: str | None, path: str) -> list[Json]:
    return _from_rows(document if pointer is None else point(document, pointer, path), column, path)


def _json(text: str | bytes, path: str, line: int | None = None) -> Json:
    try:
        return decode_value(text)
    except BadInput as error:
        raise BadInput(error.what, path=path, line=line) from error


def _yaml(text: str, path: str) -> Json:
    """A YAML 1.2 document, as OpenAPI has it: `NO` is a text, and so is what looks like a date."""
    try:
        from ruamel.yaml import YAML  # the extra `yaml`
        from ruamel.yaml.constructor import SafeConstructor
        from ruamel.yaml.error import MarkedYAMLError, YAMLError
    except ImportError as error:
        raise BadInput("YAML needs the extra: pip install 'assumeprobe[yaml]'", path=path) from error
    loader = YAML(typ="safe", pure=True)
    loader.Constructor = type("Plain", (SafeConstructor,), {})
    loader.Constructor.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)
    try:
        document: Json = loader.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else None
        raise BadInput(
            f"is no YAML that can be read: {error.problem or error.context}", path=path, line=line
        ) from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise BadInput(f"is no YAML that can be read: {error}", path=path) from error
    return document


def _from_csv(text: str, column: str | None, path: str) -> list[Json]:
    try:
        separator = max(",;\t|", key=text.partition("\n")[0].count)
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        names = rows.fieldnames or []
        if column is None and len(names) == 1:
            column = names[0]
        if column not in names:
            raise BadInput(f"column {column!r} is not there; the columns are {', '.join(names) or 'none'}", path=path)
        return [row[column] for row in rows]
    except csv.Error as error:
        raise BadInput(f"is no CSV: {error}", path=path) from error


def _from_rows(value: Json, column: str | None, path: str) -> list[Json]:
    rows = value.get("values") if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise BadInput(
            "expected a list of values, or an object with a list `values`; a pointer leads to one elsewhere", path=path
        )
    if column is None:
        return rows
    missing = next((n for n, row in enumerate(rows, 1) if not isinstance(row, dict) or column not in row), None)
    if missing is not None:
        raise BadInput(f"entry {missing} has no field {column!r}", path=path)
    return [row[column] for row in rows]
