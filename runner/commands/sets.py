"""`assumeprobe sets`: an authoritative set as it is now, and what changed between two."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import click

from corpora.canonical import canonical
from corpora.errors import BadInput
from corpora.jsonl import encode_text, to_json
from corpora.snapshots import AuthoritativeSet
from runner.errors import Fatal
from runner.live import named, read_now, snapshot
from runner.log import printable
from runner.parameters import LIVE_SETS
from scoring.report.escaping import shown


@click.group(
    epilog="Example: assumeprobe sets show refunds:reason_codes -o before.json, and later "
    "assumeprobe sets diff before.json refunds:reason_codes"
)
def command() -> None:
    """Show an authoritative set as it is now, or what changed between two."""


@command.command(epilog="Example: assumeprobe sets show refunds:reason_codes")
@click.argument("source", metavar="SET")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write the snapshot as JSON here; - prints it.")
@click.option("--since", metavar="FILE", help="An older snapshot: its server is asked only for what changed.")
@LIVE_SETS
def show(source: str, form: Literal["text", "json"], output: str | None, since: str | None, live_sets: bool) -> int:
    """Read SET now: its values, how many, its hash, where and when it was read."""
    before = snapshot(since, os.environ, live=False) if since is not None else None
    found = read_now(named(source), os.environ, live=live_sets, since=before)
    as_json = encode_text({**to_json(found), "count": len(found.values)})
    if output not in (None, "-"):
        _write(Path(output), as_json)
    if form == "json" or output == "-":
        click.echo(as_json)
        return 0
    click.echo(printable(f"{found.name}: {len(found.values)} values from {found.source}, read {found.read_at}"))
    click.echo(f"sha256 {found.sha256}, compared {found.compare}{''.join(f', {flag}' for flag in found.flags)}")
    for value in found.values:
        click.echo(f"  {shown(value, 200)}")
    return 0


def _write(path: Path, text: str) -> None:
    try:
        stream = path.open("w", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", path=str(path), field="-o") from error
    try:
        with stream:
            stream.write(text + "\n")
    except OSError as error:
        raise Fatal(f"{path}: cannot be written: {error.strerror}; the snapshot in it is not whole") from error


@command.command(
    epilog="Example: assumeprobe sets diff before.json refunds:reason_codes. Exit status 1 where they differ."
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@LIVE_SETS
def diff(before: str, after: str, live_sets: bool) -> int:
    """Show which values only A has (-) and only B has (+); each is a snapshot or a set as it is now."""
    old, new = (snapshot(text, os.environ, live=live_sets) for text in (before, after))
    lines = list(changes(old, new))
    for line in lines:
        click.echo(line)
    unchanged = len(old.values) - sum(line.startswith("-") for line in lines)
    click.echo(
        f"{unchanged} values in both; {len(old.values)} read {old.read_at}, {len(new.values)} read {new.read_at}"
    )
    return 1 if lines else 0


def changes(old: AuthoritativeSet, new: AuthoritativeSet) -> list[str]:
    """A line for each value that only one of two sets has, those that went first."""
    before, after = ({canonical(value): value for value in one.values} for one in (old, new))
    gone = [f"- {shown(value, 200)}" for key, value in before.items() if key not in after]
    return gone + [f"+ {shown(value, 200)}" for key, value in after.items() if key not in before]
