"""Which records of a file a later line of the same key replaces: a resumed run leaves such lines until it is complete.

A first look takes one bit a key; only where keys repeat are the records of those keys told apart by their study.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path

from corpora.heads import head
from corpora.jsonl import decode
from corpora.lean import LeanRecord
from runner.packed import opened

_MOST_BITS = 1_000_000
"""Of one fixture: a line may name any number."""


def superseded(path: Path, identity: Callable[[LeanRecord], Hashable]) -> frozenset[int]:
    """The places of the replaced records, from 0, among all records of the file."""
    repeated = _repeated(path)
    if not repeated:
        return frozenset()
    last: dict[Hashable, int] = {}
    replaced = set()
    with opened(path) as stream:
        records = decode(stream, LeanRecord, path=str(path), damaged=lambda _: None)
        for place, record in enumerate(records):
            key = (record.fixture_id, record.sample)
            if key in repeated:
                whole = (identity(record), key)
                if whole in last:
                    replaced.add(last[whole])
                last[whole] = place
    return frozenset(replaced)


def _repeated(path: Path) -> set[tuple[str, int]]:
    """Keys that stand more than once, whatever their study; and those with a number that no bit is spent on."""
    seen: dict[str, int] = {}
    repeated = set()
    with opened(path) as stream:
        for found in filter(None, map(head, stream)):
            bits = seen.get(found.fixture_id, 0)
            if not 0 <= found.sample < _MOST_BITS or bits >> found.sample & 1:
                repeated.add((found.fixture_id, found.sample))
            else:
                seen[found.fixture_id] = bits | 1 << found.sample
    return repeated
