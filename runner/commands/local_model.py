"""`assumeprobe local-model`: a real small model on this machine."""

from __future__ import annotations

import click

from corpora.jsonl import encode_text
from corpora.values import JsonObject


@click.group(epilog="Example: assumeprobe local-model serve --style direct")
def command() -> None:
    """Fetch a real model of 135M parameters, and serve it with llama.cpp on 127.0.0.1."""


@command.command(short_help="Bring the weights, with a checked hash.", epilog="Example: assumeprobe local-model fetch")
def fetch() -> int:
    """Bring the weights into the cache, with a checked hash, and print where they are."""
    from runner.local.weights import fetch as bring

    click.echo(bring())
    return 0


@command.command(
    epilog="Example: assumeprobe local-model serve --port 8091 --style direct. The first line of standard output is "
    "{base_url, model, pid, ...} as JSON."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0, the default, picks a free one.")
@click.option(
    "--weights",
    default="smollm2",
    show_default=True,
    metavar="smollm2|tiny|FILE",
    help="tiny has random weights: for trying the transport. FILE is any GGUF file.",
)
@click.option(
    "--style",
    type=click.Choice(["mixed", "direct"]),
    default="mixed",
    show_default=True,
    help="mixed calls, asks or talks; direct always calls, for --tool-choice required.",
)
@click.option("--with-parent", is_flag=True, hidden=True)
def serve(port: int, weights: str, style: str, with_parent: bool) -> int:
    """Serve it until SIGINT or SIGTERM."""
    from runner.local_model import serve as run

    def say(place: JsonObject) -> None:
        """Print where it is, as one line of JSON."""
        click.echo(encode_text(place))

    run(port=port, weights=weights, style="direct" if style == "direct" else "mixed", say=say, with_parent=with_parent)
    return 0
