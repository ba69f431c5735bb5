"""`assumeprobe corpora`: what is bundled."""

from __future__ import annotations

import click

from corpora.corpus import bundled, load


@click.command(epilog="Example: assumeprobe corpora")
def command() -> int:
    """List the bundled corpora with their strata and probes."""
    for name in bundled():
        corpus = load(name)
        strata = ", ".join(f"{size} {stratum}" for stratum, size in corpus.strata.items())
        probes = ", ".join(f"{probe.tool}.{probe.argument} ({probe.measure})" for probe in corpus.probes)
        click.echo(f"{name}\n  {len(corpus.fixtures)} fixtures: {strata}\n  probes: {probes}\n  {corpus.folder}")
    return 0
