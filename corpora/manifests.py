"""The manifest that lies beside a results file: what was measured, with what, and how far it came.

Later fields get a default, and a type never changes: old manifests stay readable.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured: a run with another value of any of these is another study and is never resumed."""

    model: str
    api: str
    base_url: str
    temperature: float | None = None
    samples: int = 1
    seed: int | None = None
    same_seed: bool = False
    max_tokens: int | None = None
    max_turns: int = 1
    tool_choice: str | None = None
    params: JsonObject = {}
    stream: bool = False
    order: str = "strata"
    stub_errors: float = 0.0
    agent: str | None = None
    drop_params: tuple[str, ...] = ()
    """Settings that are left out of every request although they were set."""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run came."""

    planned: int = 0
    recorded: int = 0
    ok: int = 0
    errors: int = 0
    malformed: int = 0


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What lies beside a results file: enough to score it, resume it and say exactly what was measured."""

    v: Literal[1] = 1
    run_id: str
    version: str
    """Of this package."""
    corpus: str
    corpus_path: str
    corpus_sha256: str
    system_sha256: str
    tools_sha256: str
    study: Study
    settings: JsonObject = {}
    """What a resume may change: concurrency, limits, timeouts, filters."""
    sets: dict[str, AuthoritativeSet] = {}
    """As they were when the run started."""
    fixtures: dict[str, str] = {}
    """fixture id -> fixture_sha256, of the whole corpus, in its order."""
    selected: tuple[str, ...] | None = None
    """The fixtures that filters chose; None where all."""
    pins: JsonObject = {}
    preflight: JsonObject = {}
    epoch: int = 0
    """Of the last start: rises with each, so that sites obey the newest."""
    sites: tuple[JsonObject, ...] = ()
    limits: tuple[JsonObject, ...] = ()
    """The limits over time."""
    counts: Counts = Counts()
    paid_twice_at_most: int = 0
    """Calls in the hands of sites that were lost: what became of them is not known, and they were made again."""
    started_at: str = ""
    ended_at: str | None = None
    replaced: JsonObject = {}
    """What took the place of the corpus's own words in this run: `system`, or `tools` by name."""
    ended: str = "running"
    """running, complete, interrupted, or the reason why it stopped."""
