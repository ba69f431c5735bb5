"""The flags that say whom to ask, what with, and what an answer may take: all of a run's, some of other commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import ParamSpec, TypeVar, get_args

import click

from runner.flags import Api, RunFlags
from runner.parameters import Concurrency, Finite

P = ParamSpec("P")
T = TypeVar("T")

DEFAULTS = RunFlags()

BASE_URL = click.option(
    "--base-url",
    metavar="URL",
    help="Default: BASE_URL of the environment, else OPENAI_BASE_URL or ANTHROPIC_BASE_URL, by the API.",
)
MODEL = click.option("--model", metavar="NAME", help="Default: MODEL of the environment.")
API = click.option("--api", type=click.Choice(get_args(Api)), default=DEFAULTS.api, show_default=True)
API_KEY_ENV = click.option(
    "--api-key-env", metavar="NAME", help="The variable that holds the key. A key is never a flag's value."
)
TOOL_CHOICE = click.option(
    "--tool-choice", metavar="CHOICE", help="auto, required, or a tool's name. Default: the corpus's."
)
HEADER = click.option(
    "--header", "headers", multiple=True, metavar="NAME=env:VAR", help="With every request. Repeatable."
)

_OPTIONS = (
    BASE_URL,
    MODEL,
    API,
    API_KEY_ENV,
    click.option("--temperature", type=Finite(0), help="Default: the corpus's."),
    click.option("--samples", type=click.IntRange(1), help="Of each fixture. Default: the corpus's."),
    click.option("--seed", type=int, help="Base: sample n is sent seed + n. Default: none is sent."),
    click.option(
        "--max-tokens", type=click.IntRange(1), help="Of one reply. Default: the corpus's, else the server's."
    ),
    TOOL_CHOICE,
    click.option("--max-turns", type=click.IntRange(1), help="Model turns in one sample. Default: the corpus's."),
    click.option(
        "--same-seed", is_flag=True, help="Send --seed as it is with every sample: they will hardly be several."
    ),
    click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="Into every request. Repeatable."),
    click.option(
        "--drop-param", "drop_params", multiple=True, metavar="NAME", help="Out of every request. Repeatable."
    ),
    HEADER,
    click.option("--stream", is_flag=True, help="Ask for a stream, and keep when its first byte and call came."),
    click.option(
        "-j",
        "--concurrency",
        type=Concurrency(),
        default=DEFAULTS.concurrency,
        show_default=True,
        metavar="N|auto",
        help="Samples in flight; auto finds out how many the endpoint bears.",
    ),
    click.option("--rpm", type=Finite(0, min_open=True), metavar="N", help="Requests a minute, at most."),
    click.option("--tpm", type=Finite(0, min_open=True), metavar="N", help="Tokens a minute, at most."),
    click.option(
        "--preflight/--no-preflight", default=True, help="Two requests first: tools seen? tool_choice heeded?"
    ),
    click.option(
        "--timeout",
        "timeout_s",
        type=Finite(0, min_open=True),
        default=DEFAULTS.timeout_s,
        show_default=True,
        metavar="S",
        help="Of one attempt, in seconds.",
    ),
    click.option("--max-attempts", type=click.IntRange(1), default=DEFAULTS.max_attempts, show_default=True),
    click.option(
        "--max-wait",
        "max_wait_s",
        type=Finite(0),
        default=DEFAULTS.max_wait_s,
        show_default=True,
        metavar="S",
        help="The longest that the endpoint may ask to wait, in seconds; asked for more, the run stops and says so.",
    ),
    click.option(
        "--max-response-bytes",
        type=click.IntRange(1),
        default=DEFAULTS.max_response_bytes,
        show_default=True,
        metavar="N",
        help="Of one answer, as it is sent and as it decompresses; a larger one is an error of its sample.",
    ),
)


def asking(command: Callable[P, T]) -> Callable[P, T]:
    """Give a command these flags, in this order."""
    return reduce(lambda given, option: option(given), reversed(_OPTIONS), command)
