"""`assumeprobe check`: does a corpus add up, and does the scorer still say what its canned traces expect."""

from __future__ import annotations

from collections import Counter

import click

from corpora.checks import faults
from corpora.corpus import Corpus, read, read_sets
from corpora.snapshots import AuthoritativeSet
from runner.log import printable
from scoring.canned import Flip, flips


@click.command(epilog="Example: assumeprobe check refunds")
@click.argument("corpus", metavar="CORPUS")
def command(corpus: str) -> int:
    """Check a corpus, a folder or a bundled name: its sums, its sets and its canned traces."""
    found = read(corpus)
    wrong = list(faults(found))
    for fault in wrong:
        click.echo(printable(str(fault)), err=True)
    if wrong:
        return 2
    sets = read_sets(found)
    flipped = flips(found, sets)
    for line in report(found, sets, flipped):
        click.echo(printable(line))
    return 1 if flipped else 0


def report(corpus: Corpus, sets: dict[str, AuthoritativeSet], flipped: list[Flip]) -> list[str]:
    """What was checked and how it came out, line by line."""
    return [
        f"{corpus.name}  corpus_sha256 {corpus.corpus_sha256}",
        "",
        *_strata(corpus),
        "",
        *(_set(one) for one in sets.values()),
        *(f"probe {probe.tool}.{probe.argument}: {probe.measure}" for probe in corpus.probes),
        *(flip.sentence() for flip in flipped),
        f"canned traces: {len(corpus.canned) - len({flip.line for flip in flipped})} of {len(corpus.canned)} hold",
    ]


def _strata(corpus: Corpus) -> list[str]:
    """One row a stratum, and the sums that must agree."""
    stratum_of = {fixture.id: fixture.stratum for fixture in corpus.fixtures}
    canned = Counter(stratum_of[trace.fixture] for trace in corpus.canned)
    width = max(len("sum"), len("stratum"), *map(len, corpus.strata))
    rows = [f"{'stratum':<{width}}  fixtures  canned"]
    rows += [f"{name:<{width}}  {size:>8}  {canned[name]:>6}" for name, size in corpus.strata.items()]
    total = sum(corpus.strata.values())
    rows.append(f"{'sum':<{width}}  {total:>8}  {canned.total():>6}")
    rows.append(f"the strata add up: {' + '.join(map(str, corpus.strata.values()))} = {len(corpus.fixtures)} fixtures")
    return rows


def _set(one: AuthoritativeSet) -> str:
    facts = (f"{len(one.values)} values from {one.source}", f"compared {one.compare}", f"sha256 {one.sha256}")
    return f"set {one.name}: {', '.join((*facts, *one.flags))}"
