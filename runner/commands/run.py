"""`assumeprobe run`: sample a corpus through an endpoint, into a results file or a pipe."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import anyio
import click

from corpora.corpus import Corpus, load
from corpora.errors import BadInput
from corpora.jsonl import changed, convert
from corpora.values import Json
from runner.agents.opening import choose
from runner.asking import DEFAULTS, asking
from runner.config import resolve
from runner.engines import KINDS, Kind, Place, check
from runner.errors import Fatal, Interrupted
from runner.flags import Order, RunFlags
from runner.gate import require_canned
from runner.jobs import GRACE_S, Ended, Job, output_of
from runner.journal.append import Sync
from runner.journal.done import Redraw
from runner.live import sets_of
from runner.log import Format, configure, logger
from runner.parameters import DEFAULT_PROFILE, FAIL_ON, LIVE_SETS, PROFILES, Finite, RunCommand
from runner.pipes import standard_output
from runner.running import sample
from scoring.gate import Bound, Worse, require


@click.command(
    cls=RunCommand,
    epilog="Example: assumeprobe run refunds --base-url http://127.0.0.1:8080/v1 --model NAME -j 16. "
    "As a pipe: assumeprobe run refunds --simulate -o - | assumeprobe score - --corpus refunds. "
    "The same command again goes on where a run stopped.",
)
@click.argument("corpus", metavar="CORPUS")
@click.option(
    "-o", "--output", metavar="FILE", help="Results; - is standard output. Default: results/CORPUS-MODEL.jsonl."
)
@click.option("--manifest", metavar="FILE", help="Default: beside the results; with -o - none is written.")
@asking
@click.option("--serial", is_flag=True, help="One sample in flight, in plan order.")
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    default=DEFAULTS.order,
    show_default=True,
    help="strata: interleaved, sample after sample. file: fixture after fixture.",
)
@click.option("--stratum", "strata", multiple=True, metavar="NAME", help="Only this one. Repeatable.")
@click.option("--fixture", "fixtures", multiple=True, metavar="ID", help="Only this one. Repeatable.")
@click.option("--limit", type=click.IntRange(1), help="At most so many fixtures, from the strata in turn.")
@click.option(
    "--grace",
    "grace_s",
    type=Finite(0),
    default=GRACE_S,
    show_default=True,
    metavar="S",
    help="What is in flight at the first Ctrl-C has so long to finish; the second cuts it.",
)
@click.option(
    "--sync",
    type=click.Choice([policy.value for policy in Sync]),
    default=Sync.INTERVAL.value,
    show_default=True,
    help="When lines are forced to the disk itself: always, about once a second, or at the end.",
)
@click.option("--repair", is_flag=True, help="Move damaged lines of old results to NAME.damaged; draw them again.")
@click.option("--fresh", is_flag=True, help="Set old results aside as NAME.N.* and begin anew.")
@click.option("--retry-errors", is_flag=True, help="Draw every recorded error again.")
@click.option("--keep-errors", is_flag=True, help="Draw no recorded error again.")
@click.option(
    "--simulate",
    type=click.Choice(PROFILES),
    metavar="[PROFILE]",
    help=f"The embedded simulated model: {', '.join(PROFILES)}. Default: {DEFAULT_PROFILE}.",
)
@click.option("--engine", type=click.Choice(KINDS), default="local", show_default=True, help="Where samples are drawn.")
@click.option("--ray-address", metavar="HOST:PORT", help="Or auto: the one on this machine. Default: RAY_ADDRESS.")
@click.option(
    "--abandon-after",
    "abandon_after_s",
    type=Finite(0, min_open=True),
    metavar="S",
    help="Give a site up that was silent for so long; its calls may be paid twice. Default: wait until it is dead.",
)
@LIVE_SETS
@click.option("--score", is_flag=True, help="Then score the results and show the table.")
@click.option("--fail-on", "bounds", multiple=True, metavar="BOUND", help=f"With --score. {FAIL_ON}")
@click.option("--agent", metavar="MODULE:NAME", help="Your agent plays the fixtures: a function, or a class.")
@click.option("--agent-config", metavar="FILE", help="TOML: the keyword arguments of the agent's class.")
@click.option("--record-wire", is_flag=True, help="Record what your agent's model says, by a proxy on loopback.")
@click.option("--stubs", metavar="MODULE:CLASS", help="Your stand-in for the services behind the tools.")
@click.option("--stub-errors", type=Finite(0, 1), metavar="P", help="Refuse this share of the calls: another study.")
@click.option("--quiet", is_flag=True, help="No progress; only warnings and errors.")
@click.option("--log-format", type=click.Choice(["console", "json"]), help="Default: json off a terminal.")
def command(
    corpus: str,
    output: str | None,
    manifest: str | None,
    grace_s: float,
    sync: str,
    repair: bool,
    fresh: bool,
    retry_errors: bool,
    keep_errors: bool,
    live_sets: bool,
    engine: Kind,
    ray_address: str | None,
    abandon_after_s: float | None,
    score: bool,
    bounds: tuple[str, ...],
    quiet: bool,
    log_format: Format | None,
    **given: Json,
) -> int:
    """Sample CORPUS, a folder or a bundled name, and keep every reply verbatim."""
    limits = _limits(bounds)
    wanted = score or bool(limits)
    if wanted:
        standard_output("the table goes there")
    if output == "-":
        _check_pipe(score=wanted, fresh=fresh, retry_errors=retry_errors, keep_errors=keep_errors, repair=repair)
    if manifest == "-":
        raise BadInput("is written anew as the run goes on, which a pipe cannot be; name a file", field="--manifest")
    flags = convert({name: value for name, value in given.items() if value is not None}, RunFlags)
    place = Place(engine, ray_address, abandon_after_s)
    check(flags, place)
    chosen = choose(flags)
    flags = changed(flags, agent=chosen.name)
    loaded = load(corpus)
    require(limits, loaded)
    sets = sets_of(loaded, os.environ, live=live_sets)
    require_canned(loaded, sets)
    job = Job(
        corpus=loaded,
        sets=sets,
        flags=flags,
        environ=os.environ,
        output=output_of(output, loaded, _settle(loaded, flags, log_format, quiet=quiet)),
        manifest_at=Path(manifest) if manifest else None,
        redraw=_redraw(retry=retry_errors, keep=keep_errors),
        fresh=fresh,
        repair=repair,
        sync=Sync(sync),
        grace_s=grace_s,
        quiet=quiet,
        chosen=chosen,
        place=place,
    )
    ended = anyio.run(sample, job)
    found = _scored(job, limits) if wanted and ended.counts.recorded else 0
    return _end(job, ended) or found


def _limits(bounds: tuple[str, ...]) -> tuple[Bound | Worse, ...]:
    """The bounds of --fail-on. Raises BadInput as `parsed` does."""
    if not bounds:
        return ()
    from runner.commands.score import parsed  # a sixth of the start of a run that scores nothing

    return parsed(bounds)


def _scored(job: Job, limits: tuple[Bound | Worse, ...]) -> int:
    """Show what the results come to; the exit status that the bounds give it."""
    from runner.commands.score import score

    return score([str(job.output)], corpus=job.corpus.folder, bounds=limits)


def _check_pipe(*, score: bool, **of_a_file: bool) -> None:
    """What cannot be together with `-o -`."""
    if score:
        raise BadInput("writes its table where the results go; pipe them into assumeprobe score -", field="--score")
    idle = next((name for name, given in of_a_file.items() if given), None)
    if idle is not None:
        flag = f"--{idle.replace('_', '-')}"
        raise BadInput("is about a results file, and -o - writes none; leave one of the two out", field=flag)


def _redraw(*, retry: bool, keep: bool) -> Redraw:
    """Which recorded errors are drawn again."""
    if retry and keep:
        raise BadInput("--retry-errors and --keep-errors contradict each other; give one of them")
    return Redraw.ALL if retry else Redraw.NONE if keep else Redraw.PASSING


def _settle(corpus: Corpus, flags: RunFlags, log_format: Format | None, *, quiet: bool) -> str:
    """Set up the log, and say which model will be asked; raises BadInput where none, or no endpoint, is named."""
    secrets: list[str] = []
    if flags.simulate is None:
        config = resolve(corpus, flags, os.environ)
        model = config.study.model
        secrets += [secret.reveal() for secret in config.endpoint.secrets]
    elif flags.base_url or flags.model or flags.api_key_env:
        raise BadInput("--simulate brings its own endpoint and model; leave --base-url, --model and --api-key-env out")
    else:
        model = f"simulated/{flags.simulate}"
    configure(log_format, secrets, quiet=quiet)
    return model


def _end(job: Job, ended: Ended) -> int:
    """The last word. Raises Fatal or Interrupted where samples are missing or in error."""
    counts = ended.counts
    if ended.status == 0:
        place = {} if job.output is None else {"file": str(job.output)}
        logger().info("complete", recorded=counts.recorded, malformed=counts.malformed, **place)
        return 0
    raise (Interrupted if ended.status == 130 else Fatal)(ended.sentence(kept=job.output is not None))
