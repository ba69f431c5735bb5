"""AuthoritativeSet: the values that a service will branch on, as they were when they were read."""

from __future__ import annotations

import msgspec

from corpora.values import Compare, Json


class AuthoritativeSet(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot of a set, with where and when it was read. Never empty."""

    name: str
    values: tuple[Json, ...]
    """In the source's order, each once."""
    source: str
    """Where they were read, in words: `enum service.py:ReasonCode`."""
    read_at: str
    """UTC, ISO 8601."""
    sha256: str
    """Of the values as canonical JSON, sorted, so that the order of a source does not matter."""
    compare: Compare = "exact"
    catch_all: tuple[Json, ...] = ()
    former: tuple[Json, ...] = ()
    """Values that older snapshots held and this one does not."""
    etag: str | None = None
    """What the server that gave it calls this state of it."""
    flags: tuple[str, ...] = ()
    """Facts about the reading: `blank-entry-in-set`, `duplicate-entry-in-set`."""
