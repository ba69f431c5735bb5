"""A file that a user gives, read whole: its text, the TOML or the JSON in it. What cannot be read is bad input."""

from __future__ import annotations

import tomllib
from pathlib import Path

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.values import Json, JsonObject


def text_of(path: Path, field: str | None = None) -> str:
    """The text, a byte order mark taken off. Raises BadInput, with `field` where a flag or a field named the file."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path), field=field) from error
    except UnicodeDecodeError as error:
        raise BadInput("is no UTF-8 text", path=str(path), field=field) from error


def toml_of(path: Path, field: str | None = None) -> JsonObject:
    """The table in a TOML file. Raises BadInput as `text_of` does, and where it is none."""
    try:
        return tomllib.loads(text_of(path, field))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"is no TOML: {error}", path=str(path), field=field) from error


def json_of(path: Path) -> Json:
    """The value in a JSON file. Raises BadInput as `text_of` does, and where it is none."""
    try:
        return decode_value(text_of(path))
    except BadInput as error:
        raise BadInput(error.what, path=str(path)) from error
