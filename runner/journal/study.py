"""Whether a run may go on in a results file: what was measured must be the same, and what differs is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpora.jsonl import to_json
from corpora.manifests import Manifest
from runner.urls import endpoint_of

NAMES = {"seed": "seed base"}


def differs(old: Manifest, new: Manifest) -> list[str]:
    """What keeps `new` from going on where `old` stopped, each as a short sentence; empty where nothing does."""
    return [*_corpus(old, new), *_sets(old, new), *_study(old, new)]


def _corpus(old: Manifest, new: Manifest) -> Iterator[str]:
    if old.corpus != new.corpus:
        yield f"the corpus was {old.corpus!r} and is {new.corpus!r}"
    if old.system_sha256 != new.system_sha256:
        yield "the system text is another"
    if old.tools_sha256 != new.tools_sha256:
        yield "the tools are others"
    both = old.fixtures.keys() & new.fixtures.keys()
    yield from _named("was changed", (id_ for id_ in both if old.fixtures[id_] != new.fixtures[id_]))
    yield from _named("was added", new.fixtures.keys() - both)
    yield from _named("was taken out", old.fixtures.keys() - both)


def _named(what: str, ids: Iterable[str]) -> Iterator[str]:
    found = sorted(ids)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield f"fixture {found[0]!r}{more} {what}"


def _sets(old: Manifest, new: Manifest) -> Iterator[str]:
    for name in sorted(old.sets.keys() | new.sets.keys()):
        before, after = old.sets.get(name), new.sets.get(name)
        if before is None or after is None or before.sha256 != after.sha256:
            yield f"the set {name!r} has other values"


def _study(old: Manifest, new: Manifest) -> Iterator[str]:
    before, after = to_json(old.study), to_json(new.study)
    for field in before:
        name = NAMES.get(field, field)
        if field == "samples":
            if after[field] < before[field]:
                yield f"samples were {before[field]} and are fewer now: {after[field]}"
        elif field == "base_url":
            if endpoint_of(before[field]) != endpoint_of(after[field]):
                yield f"{name} was {before[field]} and is {after[field]}"
        elif before[field] != after[field]:
            yield f"{name} was {before[field]!r} and is {after[field]!r}"
