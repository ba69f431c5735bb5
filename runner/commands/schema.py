"""`assumeprobe schema`: the JSON Schema of what is read and written."""

from __future__ import annotations

import json

import click

from scoring.report.schema import NAMES, schema


@click.command(epilog="Example: assumeprobe schema record > record.schema.json")
@click.argument("name", metavar="NAME", type=click.Choice(list(NAMES)))
def command(name: str) -> int:
    """Print the JSON Schema of NAME: a record, fixture, canned trace, verdict, manifest, summary or comparison."""
    click.echo(json.dumps(schema(name), indent=2))
    return 0
