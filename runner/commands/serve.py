"""`assumeprobe serve`: the simulated endpoint over HTTP, for as long as nobody ends it."""

from __future__ import annotations

import os
import signal

import anyio
import click

from corpora.corpus import bundled, load
from corpora.jsonl import encode_text
from runner.parameters import DEFAULT_PROFILE, PROFILES, Finite
from runner.simulated.faults import Faults, parse
from runner.simulated.server import serving


@click.command(
    epilog="Example: assumeprobe serve --port 8080 --fault 429:0.1 --latency 0.2. The first line of standard output "
    "is {base_url, model, pid} as JSON; GET /stats tells {requests, peak_in_flight}."
)
@click.option(
    "--corpus", "names", multiple=True, metavar="CORPUS", help="A corpus it knows. Repeatable; default: all bundled."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0, the default, picks a free one.")
@click.option(
    "--profile", type=click.Choice(PROFILES), default=DEFAULT_PROFILE, show_default=True, help="How it behaves."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of its behaviour and its faults.")
@click.option("--latency", "latency_s", type=Finite(0), default=0.0, metavar="S", help="Seconds before each reply.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="KIND:RATE",
    help="A share of the requests that fail: a status from 400 to 599, cut, drop, slow, hang, html, empty, garbage or "
    "truncated-json. Repeatable.",
)
def command(
    names: tuple[str, ...], port: int, profile: str, seed: int, latency_s: float, faults: tuple[str, ...]
) -> int:
    """Serve the simulated model on 127.0.0.1 until SIGINT or SIGTERM."""
    corpora = [load(name) for name in names or bundled()]
    plan = Faults(rates=parse(faults), seed=seed)

    async def serve() -> None:
        """Serve until the first signal."""
        async with serving(
            corpora=corpora, profile=profile, seed=seed, latency_s=latency_s, faults=plan, port=port
        ) as server:
            click.echo(encode_text({"base_url": server.base_url, "model": server.model, "pid": os.getpid()}))
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    break

    anyio.run(serve)
    return 0
