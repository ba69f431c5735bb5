"""The plan: which samples are to be drawn, in which order. Lazy and pure: no list of keys is made."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from runner.schedule.messages import Key


class Known(Protocol):
    """Keys that are not to be drawn."""

    def __contains__(self, key: Key, /) -> bool:
        """Whether a key is one of them."""
        ...


def plan(
    corpus: Corpus, samples: int, done: Known, *, order: str, only: Collection[str] | None = None
) -> Iterator[Key]:
    """The keys still to be drawn, each once.

    `order` is `file` (fixture after fixture, each with all its samples: the order of a complete results file) or
    `strata` (sample after sample, the strata interleaved evenly, so that a change in the endpoint half-way falls on
    all of them alike). `only` names the fixtures that filters chose.
    """
    fixtures = [fixture for fixture in corpus.fixtures if only is None or fixture.id in only]
    ids = [fixture.id for fixture in fixtures] if order == "file" else interleaved(fixtures, corpus.corpus_sha256)
    keys = _by_fixture(ids, samples) if order == "file" else _by_sample(ids, samples)
    return (key for key in keys if key not in done)


def interleaved(fixtures: Sequence[Fixture], seed: str) -> list[str]:
    """The fixtures' ids, shuffled within their strata, the strata spread evenly over the whole.

    Fixture k of a stratum of n stands at (k + u) / n, with u in [0, 1) drawn for the stratum. All chance comes from
    sha256 over the seed, so that the order is the same on every machine and Python.
    """
    strata: dict[str, list[str]] = {}
    for fixture in sorted(fixtures, key=lambda fixture: _chance(seed, fixture.id)):
        strata.setdefault(fixture.stratum, []).append(fixture.id)
    places = [
        ((place + _chance(seed, "stratum", stratum)) / len(ids), fixture)
        for stratum, ids in strata.items()
        for place, fixture in enumerate(ids)
    ]
    return [fixture for _, fixture in sorted(places)]


def _chance(*parts: str) -> float:
    """A number in [0, 1) that depends on the parts alone."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:6], "big") / (1 << 48)


def _by_fixture(ids: Sequence[str], samples: int) -> Iterator[Key]:
    return (Key(fixture, sample) for fixture in ids for sample in range(samples))


def _by_sample(ids: Sequence[str], samples: int) -> Iterator[Key]:
    return (Key(fixture, sample) for sample in range(samples) for fixture in ids)
