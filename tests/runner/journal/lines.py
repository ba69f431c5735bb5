"""Lines, manifests and files for the tests of the journal."""

from __future__ import annotations

from pathlib import Path

import anyio

from corpora.jsonl import encode
from corpora.manifests import Manifest, Study
from corpora.records import Failure, FailureKind, Record
from corpora.snapshots import AuthoritativeSet
from runner.journal.journal import Journal
from runner.schedule.messages import Key, Line


def study(samples: int = 3, **changes: object) -> Study:
    facts = {"model": "m", "api": "openai-chat", "base_url": "http://127.0.0.1:1/v1", "temperature": 0.7}
    return Study(**{**facts, "samples": samples, **changes})  # type: ignore[arg-type]


def manifest(run_id: str = "run-1", **changes: object) -> Manifest:
    facts: dict[str, object] = {
        "run_id": run_id,
        "version": "0",
        "corpus": "c",
        "corpus_path": "c",
        "corpus_sha256": "0",
        "system_sha256": "1",
        "tools_sha256": "2",
        "study": study(),
        "fixtures": {fixture: f"sha of {fixture}" for fixture in ("f1", "f2")},
        "started_at": "2026-01-01T00:00:00+00:00",
    }
    return Manifest(**{**facts, **changes})  # type: ignore[arg-type]


def record(fixture: str, sample: int, kind: FailureKind | None = None, text: str = "Which one?") -> Record:
    return Record(
        corpus="c",
        corpus_sha256="0",
        fixture_id=fixture,
        fixture_sha256="1",
        stratum="s",
        sample=sample,
        status="ok" if kind is None else "error",
        text=text,
        error=None if kind is None else Failure(kind=kind, message="it failed"),
    )


def line(fixture: str, sample: int, kind: FailureKind | None = None, text: str = "Which one?") -> Line:
    data = encode(record(fixture, sample, kind, text))
    return Line(key=Key(fixture, sample), data=data, ok=kind is None)


def fill(path: Path, lines: list[Line], sets: dict[str, AuthoritativeSet] | None = None, **how: object) -> None:
    """Open, append, close: what a run leaves that was stopped half-way."""
    with Journal.open(path, manifest(sets=sets or {}), **how) as journal:  # type: ignore[arg-type]
        for one in lines:
            journal.append(one)
        anyio.run(journal.flush)
