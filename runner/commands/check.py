"""`assumeprobe check`: does a corpus add up, does it hide what it hides, and does the scorer still say what it must."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import click

from corpora.checks import faults, truths
from corpora.corpus import Corpus, read
from corpora.duplicates import BOUND, GRAM, by_hand, nearest_pair, too_alike, words_of
from corpora.errors import BadInput
from corpora.jsonl import convert
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from runner.asking import API, API_KEY_ENV, BASE_URL, DEFAULTS, MODEL, TOOL_CHOICE
from runner.flags import RunFlags
from runner.live import sets_of
from runner.log import printable
from runner.parameters import LIVE_SETS, PROFILES
from scoring import leaks, schemas
from scoring.canned import Flip, flips

_OF_REACH = ("base_url", "model", "api_key_env", "tool_choice", "simulate")
"""Flags that mean nothing where no endpoint is asked."""


@click.command(
    epilog="Example: assumeprobe check refunds. With an endpoint: "
    "assumeprobe check refunds --reach --base-url http://127.0.0.1:8080/v1 --model NAME"
)
@click.argument("corpus", metavar="CORPUS")
@LIVE_SETS
@click.option("--reach", is_flag=True, help="Run it once and list the fixtures that never reach their tool.")
@BASE_URL
@MODEL
@API
@API_KEY_ENV
@TOOL_CHOICE
@click.option("-j", "--concurrency", type=click.IntRange(1), default=DEFAULTS.concurrency, show_default=True)
@click.option("--simulate", type=click.Choice(PROFILES), help="The embedded simulated model.")
def command(corpus: str, live_sets: bool, reach: bool, **given: Json) -> int:
    """Check a corpus, a folder or a bundled name.

    Its sums, ids, strata, tools and sets; that what is shown shows and what is hidden does not; that no two fixtures
    come from one template; and its canned traces.
    """
    idle = next((name for name in _OF_REACH if given[name] is not None), None)
    if idle is not None and not reach:
        raise BadInput("goes with --reach; without it no endpoint is asked", field=f"--{idle.replace('_', '-')}")
    found = read(corpus)
    if _say(faults(found)):
        return 2
    sets = sets_of(found, os.environ, live=live_sets)
    wrong = _say(findings(found, sets))
    flipped = flips(found, sets)
    for line in report(found, sets, flipped):
        click.echo(printable(line))
    if wrong or flipped:
        return 2 if wrong else 1
    if reach:
        _reach(found, sets, convert({name: value for name, value in given.items() if value is not None}, RunFlags))
    return 0


def _reach(corpus: Corpus, sets: dict[str, AuthoritativeSet], flags: RunFlags) -> None:
    """Say which fixtures miss their tool. To ask first can be right: it is a list to read, and no finding."""
    from runner.reach import missed  # it loads what a run needs

    without = missed(corpus, sets, flags, os.environ)
    total = len(corpus.fixtures)
    click.echo(f"reach: {total - len(without)} of {total} fixtures reached their tool in one sample each")
    for one in without:
        click.echo(printable(f"  {one.fixture_id} ({one.stratum}): {one.instead}"))


def findings(corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> Iterator[BadInput]:
    """What a careful reader would find in a corpus that adds up, each with its file, its line and what to do."""
    yield from truths(corpus, sets)
    yield from schemas.faults(corpus)
    yield from leaks.faults(corpus)
    yield from too_alike(corpus)


def _say(wrong: Iterator[BadInput]) -> int:
    """Every fault on a line of its own; returns how many."""
    lines = [printable(str(fault)) for fault in wrong]
    for line in lines:
        click.echo(line, err=True)
    return len(lines)


def report(corpus: Corpus, sets: dict[str, AuthoritativeSet], flipped: list[Flip]) -> list[str]:
    """What was checked and how it came out, line by line."""
    return [
        f"{corpus.name}  corpus_sha256 {corpus.corpus_sha256}",
        "",
        *_strata(corpus),
        "",
        *_sizes(corpus),
        *(_set(one) for one in sets.values()),
        *(f"probe {probe.tool}.{probe.argument}: {probe.measure}" for probe in corpus.probes),
        *(flip.sentence() for flip in flipped),
        f"canned traces: {len(corpus.canned) - len({flip.line for flip in flipped})} of {len(corpus.canned)} hold",
    ]


def _strata(corpus: Corpus) -> list[str]:
    """One row a stratum, and the sums that must agree."""
    stratum_of = {fixture.id: fixture.stratum for fixture in corpus.fixtures}
    canned = Counter(stratum_of[trace.fixture] for trace in corpus.canned)
    hand = Counter(fixture.stratum for fixture in by_hand(corpus))
    width = max(len("sum"), len("stratum"), *map(len, corpus.strata))
    rows = [f"{'stratum':<{width}}  fixtures  by hand  canned"]
    rows += [f"{name:<{width}}  {size:>8}  {hand[name]:>7}  {canned[name]:>6}" for name, size in corpus.strata.items()]
    total = sum(corpus.strata.values())
    rows.append(f"{'sum':<{width}}  {total:>8}  {hand.total():>7}  {canned.total():>6}")
    rows.append(f"the strata add up: {' + '.join(map(str, corpus.strata.values()))} = {len(corpus.fixtures)} fixtures")
    return rows


def _sizes(corpus: Corpus) -> Iterator[str]:
    """How alike, how long and how many-voiced the conversations are."""
    hand = by_hand(corpus)
    pair = nearest_pair(hand)
    alike = f"{pair.likeness:.3f} ({pair.one.id}, {pair.other.id})" if pair else f"no {GRAM} words in a row are shared"
    yield f"most alike of {len(hand)} by hand: {alike}; bound {BOUND}"
    words = sorted(len(words_of(fixture)) for fixture in corpus.fixtures)
    yield f"words of a conversation: {words[0]} to {words[-1]}, median {words[len(words) // 2]}"
    lengths = Counter(len(fixture.messages) for fixture in corpus.fixtures)
    yield "messages: " + ", ".join(f"{size} in {count}" for size, count in sorted(lengths.items()))


def _set(one: AuthoritativeSet) -> str:
    facts = (f"{len(one.values)} values from {one.source}", f"compared {one.compare}", f"sha256 {one.sha256}")
    return f"set {one.name}: {', '.join((*facts, *one.flags))}"
