"""Authoritative sets by the names that a command line gives them, read from where they live."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from corpora.corpus import BUNDLED, Corpus, load, read_sets
from corpora.errors import BadInput
from corpora.files import json_of
from corpora.jsonl import changed, convert
from corpora.pointers import point
from corpora.set_files import SUFFIXES
from corpora.sets import Fetch, SetSpec, plain_url, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from runner.secrets import Secret

HOW = (
    "CORPUS:NAME, FILE.txt, FILE.csv[:COLUMN], FILE.json[#/POINTER], FILE.yaml[#/POINTER], FILE.jsonl[:FIELD] or "
    "FILE.py:CONSTANT"
)


class Named(NamedTuple):
    """Where a set lives."""

    name: str
    spec: SetSpec
    folder: Path
    corpus: Corpus | None = None


def named(text: str) -> Named:
    """The set that a text of the command line names; see `HOW`. Raises BadInput."""
    place, _, name = text.rpartition(":")
    if place and _is_corpus(place):
        corpus = load(place)
        if name not in corpus.set_specs:
            raise BadInput(f"{place} has no set {name!r}; it has {', '.join(corpus.set_specs) or 'none'}")
        return Named(name, corpus.set_specs[name], Path(corpus.folder), corpus)
    if not place and _is_corpus(text):
        names = ", ".join(f"{text}:{name}" for name in load(text).set_specs)
        raise BadInput(f"{text} is a corpus; name one of its sets: {names or 'it has none'}")
    if not text:
        raise BadInput(f"the name of a set is empty; write {HOW}")
    if Path(text).is_dir():
        raise BadInput(f"is a folder, and no corpus; write {HOW}", path=text)
    file, _, pointer = text.partition("#")
    if pointer or not place:
        path = Path(file)
        return Named(path.stem, SetSpec(file=path.name, pointer=pointer or None), path.parent)
    path = Path(place)
    if path.suffix == ".py":
        return Named(name, SetSpec(enum=f"{path.name}:{name}"), path.parent)
    if path.suffix in SUFFIXES:
        return Named(path.stem, SetSpec(file=path.name, column=name), path.parent)
    raise BadInput(f"cannot tell which set {text!r} is; write {HOW}")


def _is_corpus(place: str) -> bool:
    return (BUNDLED / place / "corpus.toml").is_file() or (Path(place) / "corpus.toml").is_file()


def snapshot(text: str, environ: Mapping[str, str], *, live: bool) -> AuthoritativeSet:
    """A set as it is now, or as it was where the text names a snapshot. Raises BadInput."""
    found = named(text)
    if found.corpus is None:
        kept = _kept(found)
        if kept is not None:
            return kept
    return read_now(found, environ, live=live)


def _kept(found: Named) -> AuthoritativeSet | None:
    """The snapshot in a file, None where it holds something else. Raises BadInput where that is no JSON."""
    path = found.folder / (found.spec.file or "")
    if found.spec.pointer or found.spec.column or path.suffix != ".json" or not path.is_file():
        return None
    value = json_of(path)
    if not isinstance(value, dict) or not {"values", "sha256", "read_at"} <= value.keys():
        return None
    try:
        return convert({key: inner for key, inner in value.items() if key != "count"}, AuthoritativeSet)
    except BadInput as error:
        raise BadInput(f"is no snapshot: {error.what}", path=str(path), field=error.field) from error


def read_now(
    found: Named, environ: Mapping[str, str], *, live: bool, since: AuthoritativeSet | None = None
) -> AuthoritativeSet:
    """A set read from its source. `since`: an older snapshot, which stands where its server says nothing changed."""
    if found.spec.url is None or not live:
        return read_set(found.name, found.spec, found.folder, fetcher(environ) if live else None)
    from runner.endpoints.documents import fetch_document  # loaded when a set is read over HTTP

    etag = since.etag if since is not None else None
    document = fetch_document(found.spec.url, token=_token(found.spec, environ), etag=etag)
    if document.unchanged and since is not None:
        return changed(since, read_at=datetime.now(UTC).isoformat(timespec="seconds"))
    values = point(document.value, found.spec.pointer or "", plain_url(found.spec.url))
    return changed(read_set(found.name, found.spec, found.folder, lambda _: values), etag=document.etag)


def sets_of(corpus: Corpus, environ: Mapping[str, str], *, live: bool) -> dict[str, AuthoritativeSet]:
    """Every set of a corpus as it is now; over a connection only where that is allowed. Raises BadInput."""
    return read_sets(corpus, fetcher(environ) if live else None)


def fetcher(environ: Mapping[str, str]) -> Fetch:
    """What reads a set over a connection, with what it needs from the environment."""

    def fetch(spec: SetSpec) -> list[Json]:
        """The values of a url, or the first column of a query. Raises BadInput."""
        if spec.url is not None:
            from runner.endpoints.documents import fetch_document

            document = fetch_document(spec.url, token=_token(spec, environ))
            return point(document.value, spec.pointer or "", plain_url(spec.url))
        from runner.databases import database_url, rows  # loaded when a set is read from a database

        database = database_url(spec.database or "", environ)
        return [next(iter(row.values())) for row in rows(database, spec.query or "")]

    return fetch


def _token(spec: SetSpec, environ: Mapping[str, str]) -> Secret | None:
    if spec.auth_env is None:
        return None
    value = environ.get(spec.auth_env, "").strip()
    if not value:
        raise BadInput(f"the environment has no {spec.auth_env}; set it to the token", field="auth_env")
    return Secret(value)
