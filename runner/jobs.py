"""What is to be sampled and how it ended; and the manifest that says so."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from corpora.corpus import Corpus, bundled, find
from corpora.errors import BadInput
from corpora.manifests import Counts, Manifest
from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject
from runner.agents.opening import Chosen
from runner.config import RunConfig
from runner.engines import Place
from runner.flags import RunFlags
from runner.journal.append import Sync
from runner.journal.done import Redraw
from runner.pipes import standard_output

GRACE_S = 10.0
"""What is in flight at the first signal has so long to finish."""

_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_NAME_LENGTH = 200


class Job(NamedTuple):
    """What is to be sampled, and where the lines go."""

    corpus: Corpus
    sets: dict[str, AuthoritativeSet]
    flags: RunFlags
    environ: Mapping[str, str]
    output: Path | None = None
    """None where lines go to standard output."""
    manifest_at: Path | None = None
    """None: beside the output, or nowhere where there is none."""
    redraw: Redraw = Redraw.PASSING
    fresh: bool = False
    repair: bool = False
    sync: Sync = Sync.INTERVAL
    grace_s: float = GRACE_S
    quiet: bool = False
    chosen: Chosen = Chosen()
    """Which agent plays the fixtures."""
    place: Place = Place()
    """In this process, or in a cluster."""


class Ended(NamedTuple):
    """How a run ended."""

    counts: Counts
    left: int
    """Samples of the plan without a line."""
    reason: str
    """`complete`, `interrupted`, or the sentence that says why it stopped."""
    manifest: Manifest

    @property
    def status(self) -> int:
        """The exit status that says so."""
        if self.reason == "interrupted":
            return 130
        return 3 if self.left or self.counts.errors else 0

    def sentence(self, *, kept: bool) -> str:
        """What is missing or in error, why, and what to do about it; `kept` where the results are in a file."""
        counts = self.counts
        facts = f"{counts.recorded} samples are recorded, {counts.errors} of them errors, {self.left} are missing"
        reason = "some samples have no answer" if self.reason == "complete" else self.reason
        if not kept:
            hint = "standard output has what was received"
        elif self.left:
            hint = "the same command goes on from here"
        else:
            hint = "the same command draws again what can pass, --retry-errors all of them"
        return f"{reason}; {facts}; {hint}"


def default_output(corpus: Corpus, model: str) -> Path:
    """`results/CORPUS-MODEL.jsonl`, `-` for what is no letter, digit, dot, underscore or hyphen; never hidden."""
    name = "".join(char if char in _NAME else "-" for char in f"{corpus.name}-{model}")
    return Path("results") / f"{name.lstrip('.-')[:_NAME_LENGTH] or 'run'}.jsonl"


def output_of(given: str | None, corpus: Corpus, model: str) -> Path | None:
    """The file for the results, None for standard output. Raises BadInput where it can be neither."""
    if given == "-":
        standard_output(field="-o")
        return None
    path = Path(given) if given else default_output(corpus, model)
    if path.is_dir():
        raise BadInput("is a folder; name a file in it", path=str(path), field="-o")
    return path


def manifest_of(job: Job, config: RunConfig) -> Manifest:
    """What stands beside the results from the first request on."""
    corpus = job.corpus
    started_at = now()
    return Manifest(
        run_id=uuid.uuid4().hex,
        version=version("assumeprobe"),
        corpus=corpus.name,
        corpus_path=_corpus_path(corpus),
        corpus_sha256=corpus.corpus_sha256,
        system_sha256=corpus.system_sha256,
        tools_sha256=corpus.tools_sha256,
        study=config.study,
        settings=_settings(job, config),
        sets=job.sets,
        fixtures={fixture.id: fixture.sha256 for fixture in corpus.fixtures},
        selected=config.selected,
        limits=({"at": started_at, "concurrency": config.concurrency},),
        replaced=corpus.replaced,
        epoch=time.time_ns() // 1_000_000,
        started_at=started_at,
    )


def _corpus_path(corpus: Corpus) -> str:
    """The folder, or the name of a bundled corpus: its folder is another on every machine."""
    is_bundled = corpus.name in bundled() and Path(corpus.folder).resolve() == find(corpus.name).resolve()
    return corpus.name if is_bundled else str(Path(corpus.folder).resolve())


def _settings(job: Job, config: RunConfig) -> JsonObject:
    """What a resume may change."""
    flags = job.flags
    return {
        "concurrency": config.concurrency,
        "serial": config.serial,
        "timeout_s": config.endpoint.timeout_s,
        "max_attempts": config.endpoint.max_attempts,
        "max_wait_s": config.endpoint.max_wait_s,
        "max_response_bytes": config.endpoint.max_response_bytes,
        "stratum": list(flags.strata),
        "fixture": list(flags.fixtures),
        "limit": flags.limit,
        "engine": job.place.kind,
        "rpm": flags.rpm,
        "tpm": flags.tpm,
        "header": list(flags.headers),
        "adaptive": config.endpoint.adaptive,
    }


def now() -> str:
    """The time as manifests hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
