"""`assumeprobe demo`: the main job, on the embedded endpoint or a real small model, by commands a user would type."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import click

from runner.pipes import standard_output

REAL_FIXTURES = 24
REAL_TOKENS = 96
"""Of one reply: a small model repeats itself until it is cut."""


@click.command(epilog="Example: assumeprobe demo. With a real model: assumeprobe demo --real")
@click.option(
    "--real",
    is_flag=True,
    help=f"Sample {REAL_FIXTURES} fixtures once, the first six of each stratum, on a real 135M model on this machine.",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Results. Default: results/demo.jsonl, or results/demo-real.jsonl."
)
def command(real: bool, output: str | None) -> int:
    """Sample the refunds corpus and print what was made up. Older results are set aside."""
    standard_output("the table goes there")
    if real:
        return _on_the_real_model(output or "results/demo-real.jsonl")
    return _both(["--simulate"], output or "results/demo.jsonl")


def _on_the_real_model(output: str) -> int:
    from runner.local_model import SLOTS, LocalModel  # needs the extra

    with LocalModel(style="direct") as local:
        click.echo(f"{local.model} on {local.place['server']}: a model this small is for trying the tool", err=True)
        where = ["--base-url", local.base_url, "--model", local.model, "--tool-choice", "required"]
        how = ["--limit", str(REAL_FIXTURES), "--samples", "1", "--max-tokens", str(REAL_TOKENS), "-j", str(SLOTS)]
        return _both([*where, *how], output)


def _both(flags: Sequence[str], output: str) -> int:
    """Run, then score; the status of the first that does not pass."""
    sampled = _typed("run", ["refunds", *flags, "--fresh", "-o", output])
    status = sampled or _typed("score", [output])
    click.echo(
        f"\nEvery reply, verbatim: {output}\nWhat was measured: {output.removesuffix('.jsonl')}.manifest.json", err=True
    )
    return status


def _typed(name: str, arguments: list[str]) -> int:
    """One command, as if it had been typed."""
    click.echo(f"$ assumeprobe {name} {' '.join(arguments)}", err=True)
    command_: click.Command = import_module(f"runner.commands.{name}").command
    status: int = command_.main(arguments, prog_name=f"assumeprobe {name}", standalone_mode=False)
    return status
