"""Which fixtures reach the tool that they are meant to reach: the corpus run once, and nothing kept of it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import anyio

from corpora.corpus import Corpus
from corpora.jsonl import changed, read_records
from corpora.records import Record
from corpora.snapshots import AuthoritativeSet
from runner.config import resolve
from runner.errors import Fatal, Interrupted
from runner.flags import RunFlags
from runner.jobs import Ended, Job
from runner.log import configure
from runner.running import sample
from scoring.judging.reading import read_calls


class Missed(NamedTuple):
    """A fixture whose sample did not reach its tool, and what happened instead."""

    fixture_id: str
    stratum: str
    instead: str


def missed(
    corpus: Corpus, sets: dict[str, AuthoritativeSet], flags: RunFlags, environ: Mapping[str, str]
) -> list[Missed]:
    """Run every fixture once and list those that never made a well-formed call of their tool.

    Raises BadInput where no endpoint is named, Fatal where samples are missing, Interrupted at a signal.
    """
    secrets = () if flags.simulate else resolve(corpus, flags, environ).endpoint.secrets
    configure(None, [secret.reveal() for secret in secrets], quiet=True)
    with tempfile.TemporaryDirectory(prefix="assumeprobe-") as folder:
        output = Path(folder) / "reach.jsonl"
        once = changed(flags, samples=1, preflight=False)
        job = Job(corpus=corpus, sets=sets, flags=once, environ=environ, output=output)
        _require_whole(anyio.run(sample, job))
        return list(_missed(corpus, read_records(output)))


def _require_whole(ended: Ended) -> None:
    if ended.status == 130:
        raise Interrupted(f"interrupted; {ended.left} fixtures were not tried")
    if ended.left:
        raise Fatal(f"{ended.reason}; {ended.left} fixtures were not tried")


def _missed(corpus: Corpus, records: Iterator[Record]) -> Iterator[Missed]:
    fixtures = corpus.by_id()
    for record in records:
        target = corpus.must_call(fixtures[record.fixture_id])
        instead = _instead(record, corpus, target)
        if instead is not None:
            yield Missed(record.fixture_id, record.stratum, instead)


def _instead(record: Record, corpus: Corpus, target: str) -> str | None:
    """What a sample did instead of calling its tool, in words; None where it called it."""
    if record.error is not None:
        return f"no answer: {record.error.kind}"
    calls = read_calls(record, corpus)
    own = [call for call in calls if call.tool is not None and call.tool.name == target]
    if any(call.malformed is None for call in own):
        return None
    if own:
        return f"a call of {target} that cannot be read: {own[0].malformed}"
    if calls:
        return "called " + ", ".join(dict.fromkeys(str(call.name) for call in record.calls))
    return f"no valid answer: {record.malformed}" if record.malformed else "words, and no call"
