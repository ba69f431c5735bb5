"""What values of flags may be, beyond what the parser knows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import get_args

import click

from corpora.values import Json
from runner.flags import Profile

DEFAULT_PROFILE = "careless"
PROFILES: tuple[str, ...] = get_args(Profile)
FAIL_ON = (
    "Exit 1 where a figure reaches it. [ARGUMENT:]STRATUM:WHAT>=RATE with a label, out_of_set, near_miss, defaulted or "
    "laundered; malformed>0; errors>0; worse:FILE, an earlier run. ci: in front holds the interval's lower end to it. "
    "Repeatable."
)
LIVE_SETS = click.option(
    "--live-sets",
    is_flag=True,
    help="Allow the connection that a set needs: a url, or a database that is no SQLite file beside the corpus.",
)


class Finite(click.FloatRange):
    """A number in a range; `nan` and `inf` are none."""

    def convert(self, value: Json, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number", param, ctx)
        return number


class Concurrency(click.IntRange):
    """A number of samples in flight, or `auto`."""

    name = "concurrency"

    def __init__(self) -> None:
        super().__init__(min=1)

    def convert(self, value: Json, param: click.Parameter | None, ctx: click.Context | None) -> Json:
        """The number, `auto`, or a usage error."""
        return value if value == "auto" else super().convert(value, param, ctx)


class RunCommand(click.Command):
    """A command whose --simulate may stand without a profile, also before CORPUS."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, with the default profile written out."""
        return super().parse_args(ctx, with_profile(args))


def with_profile(args: Sequence[str]) -> list[str]:
    """The arguments with every `--simulate` that no profile follows as `--simulate=careless`."""
    following = [*args[1:], ""]
    return [
        f"{arg}={DEFAULT_PROFILE}" if arg == "--simulate" and after not in PROFILES else arg
        for arg, after in zip(args, following, strict=False)
    ]
