"""A run from its job to how it ended: endpoint, sampler, pump, coordinator, journal and manifest, wired together."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext, suppress

from corpora.errors import ProbeError
from corpora.jsonl import changed
from corpora.manifests import Manifest
from corpora.values import JsonObject
from runner.agents.stdout import kept_for_results
from runner.config import RunConfig, resolve
from runner.endpoints.pool import open_endpoint
from runner.endpoints.preflight import preflight
from runner.engines import opened_engine
from runner.errors import Fatal
from runner.failures import Failures
from runner.jobs import Ended, Job, manifest_of, now
from runner.journal.journal import Journal
from runner.journal.piped import Piped
from runner.log import logger
from runner.progress import Watch, watching
from runner.schedule.drawing import Task
from runner.schedule.drive import drive
from runner.schedule.interrupts import interruptible
from runner.schedule.messages import Line, Share
from runner.schedule.outcome import Outcome
from runner.schedule.plan import plan
from runner.schedule.roll import Roll
from runner.schedule.stopping import Stop


async def sample(job: Job) -> Ended:
    """Draw what is not there yet. Raises BadInput before the first request, Fatal where nothing more can be written."""
    async with _simulated(job) as named:
        config = resolve(job.corpus, named.flags, named.environ)
        for note in config.notes:
            logger().warning(note)
        with _apart(job) as stdout, _journal(job, manifest_of(job, config), stdout) as journal:
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


_AnyJournal = Journal | Piped


def _apart(job: Job) -> AbstractContextManager[int]:
    """The descriptor of standard output. A user's agent may print: not into it."""
    if job.chosen.target is None:
        return nullcontext(sys.stdout.fileno() if job.output is None else 1)
    return kept_for_results()


def _journal(job: Job, manifest: Manifest, stdout: int) -> AbstractContextManager[_AnyJournal]:
    if job.output is None:
        return nullcontext(Piped(stdout, manifest, job.manifest_at))
    return Journal.open(
        job.output,
        manifest,
        redraw=job.redraw,
        sync=job.sync,
        fresh=job.fresh,
        mend=job.repair,
        manifest_at=job.manifest_at,
        goals={fixture.id: job.corpus.must_call(fixture) for fixture in job.corpus.fixtures},
    )


async def _sample(job: Job, config: RunConfig, journal: _AnyJournal, stop: Stop) -> Ended:
    for note in journal.notes:
        logger().warning(note)
    facts: JsonObject = {}
    try:
        outcome = await _drive(job, config, journal, stop, facts)
        reason = "interrupted" if stop.requested else outcome.fatal or "complete"
        journal.finish(reason, now(), **facts)
    except BaseException as error:
        with suppress(ProbeError, OSError):
            journal.finish(f"failed: {error}", now(), **facts)
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
        with _watched(_left(config, journal), quiet=job.quiet) as recorded:
            try:
                outcome = await drive(
                    engine.sites,
                    keys,
                    journal,
                    _limit(config),
                    on_line=recorded,
                    stop=stop,
                    run_id=run_id,
                    epoch=journal.manifest.epoch,
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


@contextmanager
def _watched(planned: int, *, quiet: bool) -> Iterator[Watch]:
    """What to tell of every line; progress while the block runs, and after it why samples have no answer."""
    failures = Failures()
    try:
        with watching(planned, sys.stderr, quiet=quiet) as watch:

            def recorded(line: Line) -> None:
                """Show a line, and note what failed."""
                failures.add(line)
                watch(line)

            yield recorded
    finally:
        for words in failures.sentences():
            logger().warning(words)


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
