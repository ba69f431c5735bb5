"""`assumeprobe sites`: what lives in a cluster, and its end."""

from __future__ import annotations

import anyio
import click

from corpora.errors import BadInput
from corpora.jsonl import encode_text
from corpora.values import JsonObject
from runner.engines import Place, address_of, loaded
from runner.log import printable
from runner.schedule.sites.names import Name


@click.command(
    epilog="Example: assumeprobe sites --ray-address auto. Sites of a run that was killed live on for an hour, so that "
    "the same command takes over what they hold; `assumeprobe sites --release RUN` ends them at once."
)
@click.option("--ray-address", metavar="HOST:PORT", help="Or auto: the one on this machine. Default: RAY_ADDRESS.")
@click.option("--release", metavar="RUN|all", help="End the sites of a run, by the start of its id, or of all runs.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(ray_address: str | None, release: str | None, layout: str) -> int:
    """List the living sites of cluster runs, one a line; or end them."""
    ray = loaded()
    ray.connect(address_of(Place("ray", ray_address)))
    try:
        found = anyio.run(ray.living)
        if release is not None:
            found = [site for site in found if release == "all" or site.name.run_id.startswith(release)]
            if not found and release != "all":
                raise BadInput(f"no living site belongs to a run {release!r}", field="--release")
            ray.end(site.name for site in found)
        lines = [_facts(site.name, site.facts) for site in found]
    finally:
        ray.disconnect()
    for line in lines:
        click.echo(encode_text(line) if layout == "json" else _text(line))
    words = "released" if release is not None else "living"
    click.echo(f"{len(lines)} {words}", err=True)
    return 0


def _facts(name: Name, facts: JsonObject | None) -> JsonObject:
    known = facts or {}
    return {
        "run_id": name.run_id,
        "site": name.site,
        "host": known.get("host"),
        "pid": known.get("pid"),
        "version": known.get("version"),
        "in_hand": known.get("in_hand"),
        "silent_s": known.get("silent_s"),
        "answers": facts is not None,
    }


def _text(line: JsonObject) -> str:
    place = f"{line['run_id']}  {line['site']}"
    if not line["answers"]:
        return printable(f"{place}  does not answer")
    alone = "" if line["silent_s"] is None else f", heard of its run {line['silent_s']:.0f} s ago"
    return printable(
        f"{place}  {line['host']} pid {line['pid']}, assumeprobe {line['version']}, {line['in_hand']} in hand{alone}"
    )
