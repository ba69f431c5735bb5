"""`assumeprobe guard`: one call a line in, one decision a line out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

import click

from corpora.corpus import Probe, load
from corpora.errors import BadInput
from runner.live import HOW, fetcher, named, snapshot
from runner.parameters import LIVE_SETS, Finite
from runner.pipes import lost, standard_input, standard_output
from scoring.guard import Guard
from scoring.guarding.keeper import keeper_of
from scoring.guarding.lines import Stale, answer, too_long

_MOST_BYTES = 64 * 1024 * 1024
"""A longer line is no call."""


@click.command(
    epilog="""Example: echo '{"tool": "refund_order", "arguments": "{\\"reason_code\\": \\"other\\"}", "id": 1}' """
    "| assumeprobe guard --corpus refunds"
)
@click.option("--corpus", metavar="CORPUS", help="Every probe of a corpus, with its sets.")
@click.option("--tool", metavar="NAME", help="Without --corpus: the one tool,")
@click.option("--argument", metavar="PATH", help="its argument (dotted; * is every item of an array),")
@click.option("--set", "members", metavar="SET", help=f"and its set: {HOW}.")
@click.option("--refresh", "refresh_s", type=Finite(0, min_open=True), help="Read sets again every S seconds.")
@click.option("--max-age", "max_age_s", type=Finite(0, min_open=True), help="Refuse on sets older than this.")
@LIVE_SETS
def command(
    corpus: str | None,
    tool: str | None,
    argument: str | None,
    members: str | None,
    refresh_s: float | None,
    max_age_s: float | None,
    live_sets: bool,
) -> int:
    """Answer calls from standard input, {"tool", "arguments", "id", "shown"} a line, until it ends.

    arguments is the emitted string, or the object; id and shown may be left out. Each answer holds id, allow, reason
    and the fields of a verdict. A line that is no call is answered too, and refused.
    """
    guard = _guard(corpus, tool, argument, members, live=live_sets)
    stale = _kept_fresh(guard, refresh_s, max_age_s)
    calls = standard_input("pipe calls into it")
    out = standard_output("the answers go there")
    for number, line in enumerate(_lines(calls), 1):
        said = too_long(number, _MOST_BYTES) if line is None else answer(guard, number, line, stale)
        try:
            out.write(said)
            out.flush()
        except OSError as error:
            lost(error)
    return 0


def _guard(corpus: str | None, tool: str | None, argument: str | None, members: str | None, *, live: bool) -> Guard:
    one = (tool, argument, members)
    if corpus is not None and one == (None, None, None):
        return Guard.from_corpus(load(corpus), fetcher(os.environ) if live else None)
    if corpus is not None or tool is None or argument is None or members is None:
        raise BadInput("give either --corpus, or --tool, --argument and --set together")
    name, text = named(members).name, members
    probe = Probe(tool=tool, argument=argument, measure="membership", set=name)
    return Guard([probe], {name: lambda: snapshot(text, os.environ, live=live)})


def _kept_fresh(guard: Guard, refresh_s: float | None, max_age_s: float | None) -> Stale | None:
    """Start reading sets again where a flag or the corpus asks for it; what tells that one is too old."""
    if refresh_s is None and max_age_s is None and not guard.refresh_s:
        return None
    keeper = keeper_of(guard)
    keeper.max_shrink = 0.5
    if refresh_s is not None or max_age_s is not None:
        keeper.hasten(refresh_s if refresh_s is not None else (max_age_s or 0) / 4, max_age_s)
    if max_age_s is None:
        return None

    def stale(tool: str) -> str | None:
        """Why the sets of a tool are too old to decide by; None where they are not, or the tool is not guarded."""
        known = tool in {probe.tool for probe in guard.probes}
        return keeper.stale(guard, guard.sets_of(tool), max_age_s) if known else None

    return stale


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Every line that is not blank; None for one that is longer than any call."""
    while line := stream.readline(_MOST_BYTES):
        if not line.endswith(b"\n") and len(line) >= _MOST_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_MOST_BYTES)
            yield None
        elif line.strip():
            yield line
