"""`assumeprobe scan`: the values of one argument in stored payloads, against a set."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import click

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.jsonl import decode
from corpora.records import Record as Result
from corpora.sets import needs_connection, plain_url
from corpora.shapes.detect import SHAPES
from corpora.shapes.stored import StoredCall, stored_call
from corpora.snapshots import AuthoritativeSet
from runner.databases import database_url, is_database, rows
from runner.live import HOW, Named, named, read_now, snapshot
from runner.log import printable
from runner.packed import opened
from runner.parameters import LIVE_SETS
from runner.scanning import Scan, Target, provoked_by
from runner.streams import Record, records
from scoring.counting.history import History, Probe
from scoring.report import stored as report

MOST_TOLD = 5
"""So many damaged places are named; all are counted."""


@click.command(
    epilog="Example: assumeprobe scan calls.jsonl.gz --set refunds:reason_codes --join results/refunds-NAME.jsonl. "
    "A database: assumeprobe scan env:DATABASE_URL --query 'select payload, created_at from calls' "
    "--tool refund_order --argument reason_code --set codes.csv:code"
)
@click.argument("source", metavar="SOURCE")
@click.option("--set", "members", metavar="SET", required=True, help=f"{HOW}, or a snapshot.")
@click.option("--tool", metavar="NAME", help="Default: of the one probe that uses the set of CORPUS:NAME.")
@click.option("--argument", metavar="PATH", help="Dotted; * is every item of an array. Default: as for --tool.")
@click.option("--query", metavar="SQL", help="Of a database: a URL, env:NAME, or a SQLite file. It is only read.")
@click.option(
    "--shape", type=click.Choice(SHAPES), metavar="SHAPE", help=f"Default: told by each record. {', '.join(SHAPES)}."
)
@click.option("--join", metavar="RESULTS", help="Mark the values that these results of a corpus hold too.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@LIVE_SETS
def command(
    source: str,
    members: str,
    tool: str | None,
    argument: str | None,
    query: str | None,
    shape: str | None,
    join: str | None,
    form: Literal["table", "json", "csv"],
    live_sets: bool,
) -> int:
    """Count the values of one argument in SOURCE: a file, a folder, - for standard input, or a database."""
    place = named(members)
    target = Target(_probe(place, tool, argument), _set(place, members, live=live_sets), _others(place, live=live_sets))
    provoked = provoked_by(_calls(join), target.probe) if join is not None else None
    scan = Scan(target, shape)
    told: list[BadInput] = []

    def damaged(fault: BadInput) -> None:
        """Count what cannot be read, and keep the first few to be told."""
        scan.damaged()
        if len(told) < MOST_TOLD:
            told.append(fault)

    scan.read(_records(source, query, damaged))
    for fault in told:
        click.echo(printable(f"assumeprobe: {fault}; passed over"), err=True)
    show(scan.history(_name(source), provoked), form)
    return 0


def _set(place: Named, text: str, *, live: bool) -> AuthoritativeSet:
    return snapshot(text, os.environ, live=live) if place.corpus is None else read_now(place, os.environ, live=live)


def _others(place: Named, *, live: bool) -> tuple[AuthoritativeSet, ...]:
    """The other sets of a corpus, of which a value may be a member; without `live` those that need no connection."""
    specs = place.corpus.set_specs.items() if place.corpus is not None else ()
    others = [place._replace(name=name, spec=spec) for name, spec in specs if name != place.name]
    return tuple(read_now(other, os.environ, live=live) for other in others if live or not needs_connection(other.spec))


def _probe(place: Named, tool: str | None, argument: str | None) -> Probe:
    """What to look for; of a corpus's set the probe that uses it says what the flags leave out."""
    corpus = place.corpus
    probes = [probe for probe in corpus.probes if probe.set == place.name] if corpus is not None else []
    tools = {probe.tool for probe in probes} if tool is None else {tool}
    arguments = {probe.argument for probe in probes if probe.tool in tools} if argument is None else {argument}
    if len(tools) != 1 or len(arguments) != 1:
        known = ", ".join(f"{probe.tool}.{probe.argument}" for probe in probes)
        found = f"; the set is used by {known}" if known else ""
        raise BadInput(f"which argument of which tool is looked for? name both with --tool and --argument{found}")
    return _probe_of(corpus, tools.pop(), arguments.pop())


def _probe_of(corpus: Corpus | None, tool: str, argument: str) -> Probe:
    known = corpus.tool(tool) if corpus is not None else None
    if known is None:
        return Probe(tool=tool, argument=argument)
    return Probe(tool=tool, argument=argument, required=bool(known.required), mapped=known.stores.unknown.get(argument))


def _records(source: str, query: str | None, damaged: Callable[[BadInput], None]) -> Iterator[Record]:
    if query is not None:
        yield from rows(database_url(source, os.environ), query)
    elif is_database(source):
        raise BadInput("a database is scanned by a query: give --query", path=_name(source))
    else:
        yield from records(source, damaged)


def _name(source: str) -> str:
    """The source as it may be written down."""
    return "standard input" if source == "-" else plain_url(source)


def _calls(results: str) -> Iterator[list[StoredCall]]:
    """The calls of each record. Raises BadInput where there is none: every value would pass for one never provoked."""
    found = False
    with opened(Path(results)) as stream:
        for record in decode(stream, Result, path=results):
            found = True
            yield [stored_call(call.name, call.arguments, call.id) for call in record.calls if call.source != "content"]
    if not found:
        raise BadInput("holds no record; name a results file", path=results, field="--join")


def show(found: History, form: Literal["table", "json", "csv"]) -> None:
    """Print what a scan found on standard output."""
    if form == "table":
        from rich.console import Console  # loaded for a table only

        report.render(found, Console())
    else:
        click.echo({"json": report.as_json, "csv": report.as_csv}[form](found), nl=False)
