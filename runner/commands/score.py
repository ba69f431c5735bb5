"""`assumeprobe score`: verdicts and tables from results, of files or a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal

import click

from corpora.errors import BadInput, TornLine
from corpora.jsonl import encode
from runner.errors import Fatal
from runner.journal.manifest import manifest_path
from runner.log import printable
from runner.parameters import FAIL_ON
from runner.pipes import lost, standard_output
from runner.results.basis import Leave
from runner.results.comparing import one_run, worse
from runner.results.ranges import WORTH_BYTES
from runner.results.source import source
from runner.results.studies import Keep, Studies
from scoring.counting.summary import Summary
from scoring.gate import Bound, Worse, findings, parse
from scoring.judging.verdicts import Verdict

Form = Literal["table", "json", "csv", "md"]

MOST_TOLD = 20
"""So many damaged lines are named; all are counted."""


@click.command(
    epilog="Example: assumeprobe score results/refunds-simulated-careless.jsonl. "
    "As a pipe: assumeprobe run refunds --simulate -o - | assumeprobe score - --corpus refunds"
)
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True)
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "md"]), default="table", show_default=True)
@click.option(
    "--verdicts",
    metavar="FILE",
    help="One verdict a line, of the last line of a key; - writes them in the table's place.",
)
@click.option("--corpus", metavar="CORPUS", help="Default: the bundled one of that name, else the manifest's folder.")
@click.option("--fail-on", "bounds", multiple=True, metavar="BOUND", help=FAIL_ON)
@click.option("--allow-changed", "changed", is_flag=True, help="Score though corpus or set changed since; marked.")
@click.option("--live-sets", "live", is_flag=True, help="The sets as they are now, not as at the run; marked.")
def command(
    results: tuple[str, ...],
    form: Form,
    verdicts: str | None,
    corpus: str | None,
    bounds: tuple[str, ...],
    changed: bool,
    live: bool,
) -> int:
    """Judge every record of RESULTS, files (plain, gzip or zstd) or - for standard input, and show what it comes to."""
    leave = Leave(changed=changed, live=live)
    return score(results, form=form, verdicts=verdicts, corpus=corpus, bounds=parsed(bounds), leave=leave)


def parsed(bounds: Iterable[str]) -> tuple[Bound | Worse, ...]:
    """The bounds of --fail-on. Raises BadInput where one cannot be read, or names a file that is not there."""
    found = tuple(parse(text) for text in bounds)
    for bound in found:
        if isinstance(bound, Worse) and not Path(bound.file).is_file():
            raise BadInput("is not there to be compared with", path=bound.file, field="--fail-on")
    return found


def score(
    results: Iterable[str],
    *,
    form: Form = "table",
    verdicts: str | None = None,
    corpus: str | None = None,
    bounds: tuple[Bound | Worse, ...] = (),
    leave: Leave = Leave(),  # noqa: B008 - it is frozen
    worth_bytes: int = WORTH_BYTES,
) -> int:
    """Judge results and print their summaries; returns the exit status. Raises BadInput and Finding."""
    results = tuple(results)
    _keep_apart(verdicts, results)
    studies = Studies(corpus, leave, worth_bytes)
    damaged: list[BadInput] = []
    with _keeping(verdicts) as keep:
        for name in results:
            one = source(name)
            earlier = len(damaged)
            if not studies.read(one, damaged.append, keep):
                _tell(damaged[:earlier])
                raise _no_record(one.name, damaged[earlier:])
    summaries = list(studies.summaries())
    if verdicts != "-":
        show(summaries, form)
    _tell(damaged)
    held = [bound for bound in bounds if isinstance(bound, Bound)]
    found = [finding for summary in summaries for finding in findings(held, summary)]
    found += [
        finding
        for bound in bounds
        if isinstance(bound, Worse)
        for study in studies.open
        for finding in worse(one_run(bound.file, corpus, leave), study.run("this run"))
    ]
    found += ["the sums do not agree: see the checks" for summary in summaries if summary.failed]
    for finding in found:
        click.echo(printable(f"assumeprobe: {finding}"), err=True)
    if found:
        return 1
    return 2 if any(not isinstance(fault, TornLine) for fault in damaged) else 0


def _no_record(name: str, damaged: Sequence[BadInput]) -> BadInput:
    """What is wrong with a file that is none of results: its first line stands for all."""
    why = ""
    if damaged:
        first = damaged[0]
        place = [part for part in (f"line {first.line}" if first.line else None, first.field) if part]
        why = f" ({': '.join([*place, first.what])})"
    return BadInput(f"holds no record{why}; name a results file, or pipe one in", path=name)


def _tell(damaged: Sequence[BadInput]) -> None:
    """A sentence on standard error for each of the first lines that were no record, and how many more there are."""
    for fault in damaged[:MOST_TOLD]:
        click.echo(printable(f"assumeprobe: {fault}; passed over"), err=True)
    if len(damaged) > MOST_TOLD:
        click.echo(f"assumeprobe: {len(damaged) - MOST_TOLD} more lines are no records; passed over", err=True)


def _keep_apart(verdicts: str | None, results: Iterable[str]) -> None:
    """Raises BadInput where the verdicts would be written over what is read."""
    if verdicts in (None, "-") or not Path(verdicts).exists():
        return
    read = [path for name in results if name != "-" for path in (Path(name), manifest_path(Path(name)))]
    if any(path.exists() and path.samefile(verdicts) for path in read):
        raise BadInput("is read by this command; name another file", path=verdicts, field="--verdicts")


@contextmanager
def _keeping(verdicts: str | None) -> Iterator[Keep | None]:
    """What writes verdicts to a file, `-` being standard output; None where nobody wants them."""
    if verdicts is None:
        yield None
    elif verdicts == "-":
        yield _printer(standard_output(field="--verdicts"))
    else:
        with _opened(Path(verdicts)) as stream:
            yield _writer(stream)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """A file for verdicts. Raises BadInput where it cannot be opened, Fatal where it takes no more."""
    try:
        stream = path.open("wb")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", path=str(path), field="--verdicts") from error
    try:
        with stream:
            yield stream
    except OSError as error:
        if error.filename is None:
            raise Fatal(f"{path}: cannot be written: {error.strerror}; the verdicts in it are not all") from error
        raise


def _writer(stream: BinaryIO) -> Keep:
    def keep(found: Iterable[Verdict]) -> None:
        """Write verdicts, one a line."""
        stream.writelines(map(encode, found))

    return keep


def _printer(stream: BinaryIO) -> Keep:
    def keep(found: Iterable[Verdict]) -> None:
        """Print verdicts, one a line; what is still buffered is sent on at the end of every command."""
        try:
            stream.writelines(map(encode, found))
        except OSError as error:
            lost(error)

    return keep


def show(summaries: Iterable[Summary], form: Form) -> None:
    """Print summaries on standard output, one after another."""
    if form == "table":
        from rich.console import Console  # loaded for a table only

        from scoring.report.table import render

        console = Console()
        for summary in summaries:
            render(summary, console)
        return
    from scoring.report import formats

    if form == "csv":  # one header for all
        click.echo(formats.as_csv(*summaries), nl=False)
        return
    as_text = {"json": formats.as_json, "md": formats.as_markdown}[form]
    for summary in summaries:
        click.echo(as_text(summary), nl=False)
