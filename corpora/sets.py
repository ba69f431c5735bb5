"""Reading an authoritative set from where it lives: an enum in source text, a file, SQLite, or a caller's fetcher.

Source files are parsed as text and never imported. An empty set is an error: nothing could be a member of it, and a
failed read would look like a model that is always wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from corpora.canonical import canonical, sha256
from corpora.constants import constant_values
from corpora.errors import BadInput
from corpora.files import text_of
from corpora.paths import inside
from corpora.set_files import values_of
from corpora.snapshots import AuthoritativeSet
from corpora.sqlite import reading
from corpora.values import Compare, Json

Fetch = Callable[["SetSpec"], Iterable[Json]]
"""Reads what needs a connection; given by the caller, since the ground floor opens none."""


class SetSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a set lives: exactly one of enum, query (with database), url, file, values."""

    enum: str | None = None
    query: str | None = None
    database: str | None = None
    url: str | None = None
    pointer: str | None = None
    """Into the document of a url, or of a JSON or YAML file: RFC 6901, and `*` for every item.

    A schema stands for its enum.
    """
    auth_env: str | None = None
    """The variable that holds the bearer token for a url."""
    file: str | None = None
    column: str | None = None
    values: tuple[Json, ...] | None = None
    catch_all: tuple[Json, ...] = ()
    former: tuple[str, ...] = ()
    compare: Compare = "exact"
    refresh_s: float | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which sources it names; a usable one names exactly one."""
        return tuple(kind for kind in _KINDS if getattr(self, kind) is not None)


_MOST_STEPS = 20_000_000
"""Of a set's SQLite query, which may have no end: some million rows, about a second."""
_KINDS = ("enum", "query", "url", "file", "values")


def read_set(name: str, spec: SetSpec, folder: Path, fetch: Fetch | None = None) -> AuthoritativeSet:
    """One set as it is now. Raises BadInput where it cannot be read, is empty, or needs a connection not allowed."""
    found, flags = _clean(_read(name, spec, folder, fetch), f"sets.{name}")
    if not found:
        raise BadInput(f"the set is empty: {describe(spec)} gave no value", field=f"sets.{name}")
    members = {canonical(value) for value in found}
    strangers = [value for value in spec.catch_all if canonical(value) not in members]
    if strangers:
        raise BadInput(f"catch_all names {strangers[0]!r}, which is no member", field=f"sets.{name}.catch_all")
    return AuthoritativeSet(
        name=name,
        values=tuple(found),
        source=describe(spec),
        read_at=datetime.now(UTC).isoformat(timespec="seconds"),
        sha256=sha256(sorted(found, key=canonical)),
        compare=spec.compare,
        catch_all=spec.catch_all,
        former=_former(spec, folder, found, f"sets.{name}.former"),
        flags=flags,
    )


def describe(spec: SetSpec) -> str:
    """Where the set is read, in a few words without secrets."""
    match spec.kinds:
        case ("enum",):
            return f"enum {spec.enum}"
        case ("query",):
            return f"query on {plain_url(spec.database or '')}"
        case ("url",):
            return f"url {plain_url(spec.url or '')}"
        case ("file",):
            return " ".join(
                [f"file {spec.file}"]
                + [f"{word} {value}" for word, value in (("column", spec.column), ("at", spec.pointer)) if value]
            )
        case _:
            return "values"


def plain_url(url: str) -> str:
    """A URL as it may be written down, without user, password, query and fragment; anything else as it is."""
    if "://" not in url:
        return url
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def needs_connection(spec: SetSpec) -> bool:
    """True for a url, and for a query whose database is no SQLite file in the folder."""
    return spec.url is not None or (spec.query is not None and not _is_file(spec.database))


def _is_file(database: str | None) -> bool:
    return database is not None and not database.startswith("env:") and "://" not in database


def _read(name: str, spec: SetSpec, folder: Path, fetch: Fetch | None) -> Iterable[Json]:
    field = f"sets.{name}"
    if spec.query is not None and spec.database is None:
        raise BadInput("a query names its database: a SQLite file, or env:NAME", field=field)
    if len(spec.kinds) != 1:
        found = ", ".join(spec.kinds) or "none"
        raise BadInput(f"a set names exactly one of {', '.join(_KINDS)}; this one names {found}", field=field)
    if needs_connection(spec):
        if fetch is None:
            raise BadInput(f"{describe(spec)} needs a connection: allow it with --live-sets", field=field)
        return fetch(spec)
    if spec.enum is not None:
        return _from_source(spec.enum, folder, field)
    if spec.file is not None:
        return values_of(inside(folder, spec.file, field), spec.column, spec.pointer, field)
    if spec.query is not None:
        return _from_sqlite(inside(folder, spec.database or "", field), spec.query, field)
    return spec.values or ()


def _clean(values: Iterable[Json], field: str) -> tuple[list[Json], tuple[str, ...]]:
    """Each value once, in order, blank ones left out; both are said in flags.

    Raises BadInput where a value is no text, finite number or boolean.
    """
    found: dict[bytes, Json] = {}
    flags = set()
    for value in values:
        if value is None or value == "":
            flags.add("blank-entry-in-set")
        elif not isinstance(value, str | int | float) or (isinstance(value, float) and not math.isfinite(value)):
            raise BadInput(f"a member is text, a number or a boolean; found {value!r}", field=field)
        elif canonical(value) in found:
            flags.add("duplicate-entry-in-set")
        else:
            found[canonical(value)] = value
    return list(found.values()), tuple(sorted(flags))


def _former(spec: SetSpec, folder: Path, present: Sequence[Json], field: str) -> tuple[Json, ...]:
    files = [inside(folder, name, field) for name in spec.former]
    old = [value for file in files for value in values_of(file, None, None, field)]
    members = {canonical(value) for value in present}
    return tuple(value for value in _clean(old, field)[0] if canonical(value) not in members)


def _from_source(reference: str, folder: Path, field: str) -> list[Json]:
    file, _, name = reference.partition(":")
    if not name:
        raise BadInput(f"expected FILE.py:NAME, found {reference!r}", field=f"{field}.enum")
    path = inside(folder, file, f"{field}.enum")
    return constant_values(text_of(path), name, str(path))


def _from_sqlite(path: Path, query: str, field: str) -> list[Json]:
    with reading(path, field=field, most_steps=_MOST_STEPS) as connection:
        return [row[0] for row in connection.execute(query)]
