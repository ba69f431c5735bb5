"""A run from its job to how it ended: endpoint, sampler, pump, coordinator, journal and manifest, wired together."""

from __future__ import annotations

import sys
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from corpora.corpus import Corpus, bundled, find
from corpora.errors import ProbeError
from corpora.jsonl import changed
from corpora.records import Counts, Manifest
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from runner.agents.opening import Chosen
from runner.agents.stdout import kept_for_results
from runner.config import RunConfig, RunFlags, resolve
from runner.endpoints.pool import open_endpoint
from runner.endpoints.preflight import preflight
from runner.engines import Place, opened_engine
from runner.errors import Fatal
from runner.journal.append import Sync
from runner.journal.done import Redraw
from runner.journal.journal import Journal
from runner.journal.manifest import write_manifest
from runner.journal.stream import StreamJournal
from runner.log import logger
from runner.progress import watching
from runner.schedule.drawing import Task
from runner.schedule.drive import Outcome, drive
from runner.schedule.interrupts import interruptible
from runner.schedule.messages import Share
from runner.schedule.plan import plan
from runner.schedule.roll import Roll
from runner.schedule.stopping import Stop

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


def default_output(corpus: Corpus, model: str) -> Path:
    """`results/CORPUS-MODEL.jsonl`, with `-` for what is no letter, digit, dot, underscore or hyphen."""
    name = "".join(char if char in _NAME else "-" for char in f"{corpus.name}-{model}")
    return Path("results") / f"{name[:_NAME_LENGTH]}.jsonl"


async def sample(job: Job) -> Ended:
    """Draw what is not there yet. Raises BadInput before the first request, Fatal where nothing more can be written."""
    async with _simulated(job) as named:
        config = resolve(job.corpus, named.flags, named.environ)
        for note in config.notes:
            logger().warning(note)
        with _apart(job) as stdout, _journal(job, _manifest(job, config), stdout) as journal:
            stop = Stop()
            async with interruptible(stop, job.grace_s, lambda words: logger().warning(words)):
                return await _sample(job, config, journal, stop)


@asynccontextmanager
async def _simulated(job: Job) -> AsyncIterator[Job]:
    """The job with its endpoint named: where it asks for the simulated model, one that lives for the block."""
    if job.flags.simulate is None:
        yield job
        return
    from runner.simulated.server import serving  # the server library is loaded when it serves

    async with serving(corpora=[job.corpus], profile=job.flags.simulate) as server:
        yield job._replace(flags=changed(job.flags, base_url=server.base_url, model=server.model), environ={})


class _Piped(StreamJournal):
    """Standard output as a journal, with the part of `Journal` that a run needs."""

    notes = ()

    def __init__(self, descriptor: int, manifest: Manifest, manifest_at: Path | None) -> None:
        super().__init__(descriptor, manifest.fixtures, manifest.study.samples)
        self.manifest = manifest
        self._manifest_at = manifest_at
        if manifest_at is not None:
            write_manifest(manifest_at, manifest)

    @property
    def selected(self) -> tuple[str, ...]:
        return tuple(self.manifest.fixtures) if self.manifest.selected is None else self.manifest.selected

    def note(self, **facts: Json) -> None:
        self.manifest = changed(self.manifest, **facts)
        if self._manifest_at is not None:
            write_manifest(self._manifest_at, self.manifest)

    def finish(self, ended: str, ended_at: str, **facts: Json) -> None:
        counts = self.counts(len(self.selected) * self.done.samples)
        self.note(ended=ended, ended_at=ended_at, counts=counts, **facts)


_AnyJournal = Journal | _Piped


def _apart(job: Job) -> AbstractContextManager[int]:
    """The descriptor of standard output. A user's agent may print: not into it."""
    if job.chosen.target is None or sys.stdout is None:
        return nullcontext(sys.stdout.fileno() if job.output is None else 1)
    return kept_for_results()


def _journal(job: Job, manifest: Manifest, stdout: int) -> AbstractContextManager[_AnyJournal]:
    if job.output is None:
        return nullcontext(_Piped(stdout, manifest, job.manifest_at))
    return Journal.open(
        job.output,
        manifest,
        redraw=job.redraw,
        sync=job.sync,
        fresh=job.fresh,
        mend=job.repair,
        manifest_at=job.manifest_at,
    )


async def _sample(job: Job, config: RunConfig, journal: _AnyJournal, stop: Stop) -> Ended:
    for note in journal.notes:
        logger().warning(note)
    facts: JsonObject = {}
    try:
        outcome = await _drive(job, config, journal, stop, facts)
        reason = "interrupted" if stop.requested else outcome.fatal or "complete"
        journal.finish(reason, _now(), **facts)
    except BaseException as error:
        with suppress(ProbeError, OSError):
            journal.finish(f"failed: {error}", _now(), **facts)
        raise
    return Ended(journal.manifest.counts, _left(config, journal), reason, journal.manifest)


def _left(config: RunConfig, journal: _AnyJournal) -> int:
    """Of what this start was to draw."""
    return journal.done.left(config.selected)


async def _drive(job: Job, config: RunConfig, journal: _AnyJournal, stop: Stop, facts: JsonObject) -> Outcome:
    """Draw everything; `facts` gets what the manifest should know of the endpoint, also where this raises."""
    only = None if config.selected is None else frozenset(config.selected)
    keys = plan(job.corpus, config.study.samples, journal.done, order=config.study.order, only=only)
    run_id = journal.manifest.run_id
    if config.preflight and job.chosen.target is None and _left(config, journal):
        facts["preflight"] = await _preflight(job, config)
    task = Task(job.corpus, job.sets, config.study, config.endpoint, job.chosen, run_id)
    async with opened_engine(task, job.flags, job.place) as engine:
        roll = Roll(journal.manifest.sites, {site: engine.facts[site] for site in engine.adopted}, journal.note)
        roll.introduce(engine.facts)
        with watching(_left(config, journal), sys.stderr, quiet=job.quiet) as watch:
            try:
                outcome = await drive(
                    engine.sites,
                    keys,
                    journal,
                    _limit(config),
                    on_line=watch,
                    stop=stop,
                    run_id=run_id,
                    joining=engine.joining,
                    patience=engine.patience,
                    witness=roll,
                )
            finally:
                facts.update(roll.facts())
        account = await engine.account()
        if account["pins"]["moved"]:
            logger().warning("what answers changed during this run", **account["pins"])
        facts.update(account, **roll.end(released=outcome.in_hand == 0))
        if outcome.in_hand == 0:
            await engine.release()
    return outcome


def _limit(config: RunConfig) -> Share:
    """Over all sites."""
    rpm = config.endpoint.rpm
    return Share(
        concurrency=config.concurrency,
        requests_per_s=None if rpm is None else rpm / 60,
        tokens_per_min=config.endpoint.tpm,
    )


async def _preflight(job: Job, config: RunConfig) -> JsonObject:
    """Ask the endpoint about itself, one line for each finding. Raises Fatal where nothing could ever be sampled."""
    first = config.selected[0] if config.selected else job.corpus.fixtures[0].id
    async with open_endpoint(config.endpoint) as endpoint:
        found = await preflight(endpoint, job.corpus, config.study, job.corpus.by_id()[first])
    if found.fatal is not None:
        raise Fatal(f"{found.fatal}; nothing was sampled; the same command goes on from here")
    for line in found.lines:
        logger().info(line)
    for words in found.warnings:
        logger().warning(words)
    return found.as_json()


def _manifest(job: Job, config: RunConfig) -> Manifest:
    corpus = job.corpus
    started_at = _now()
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
        "stratum": list(flags.strata),
        "fixture": list(flags.fixtures),
        "limit": flags.limit,
        "engine": job.place.kind,
        "rpm": flags.rpm,
        "tpm": flags.tpm,
        "header": list(flags.headers),
        "adaptive": config.endpoint.adaptive,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
