"""`assumeprobe compare`: two runs held against each other, stratum by stratum."""

from __future__ import annotations

from typing import get_args

import click

from runner.results.basis import Leave
from runner.results.comparing import held_against, one_run
from scoring.counting.comparison import Adjust, Comparison


@click.command(
    epilog="Example: assumeprobe compare results/refunds-model-a.jsonl results/refunds-model-b.jsonl. "
    "A difference is no cause: what else moved between the runs is named."
)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--adjust", type=click.Choice(get_args(Adjust)), default="holm", show_default=True, help="Over all tests."
)
@click.option("--corpus", metavar="CORPUS", help="Of both. Default: as score finds it.")
@click.option("--allow-changed", "changed", is_flag=True, help="Though corpus or set changed since a run.")
@click.option("--live-sets", "live", is_flag=True, help="Both against the sets as they are now.")
@click.option("--allow-moved", is_flag=True, help="Though more than one model answered within a run.")
def command(
    before: str, after: str, form: str, adjust: Adjust, corpus: str | None, changed: bool, live: bool, allow_moved: bool
) -> int:
    """Say what moved from BEFORE to AFTER, paired by fixture."""
    leave = Leave(changed=changed, live=live)
    old, new = one_run(before, corpus, leave), one_run(after, corpus, leave)
    show(held_against(old, new, adjust, allow_moved=allow_moved), form)
    return 0


def show(comparison: Comparison, form: str) -> None:
    """Print a comparison on standard output."""
    if form == "json":
        from scoring.report.formats import as_json

        click.echo(as_json(comparison), nl=False)
        return
    from rich.console import Console  # loaded for a table only

    from scoring.report.compared import render

    render(comparison, Console())
