"""The command line: a table of commands, each imported when it is called; and errors to a sentence and an exit status.

Exit status: 0 done and passed, 1 a finding, 2 bad usage or bad input, 3 ended with samples unrecorded or in error,
130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

import click

from corpora.errors import ProbeError
from runner.errors import Fatal
from runner.log import printable
from runner.pipes import forget, settle

PROGRAM = "assumeprobe"

_BAD_NAMES = frozenset(
    {
        errno.EACCES,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
    }
)
"""How the system says that a file cannot be opened by the name that was given."""


class Entry(NamedTuple):
    """A command that is loaded when it is called: its module holds it under the name `command`."""

    module: str
    help: str
    """The one line that `assumeprobe --help` shows."""


COMMANDS: dict[str, Entry] = {
    "demo": Entry("runner.commands.demo", "The main job on the embedded simulated model."),
    "run": Entry("runner.commands.run", "Sample a corpus and keep every reply verbatim."),
    "score": Entry("runner.commands.score", "Judge results and show what they come to."),
    "compare": Entry("runner.commands.compare", "Say what moved between two runs, paired by fixture."),
    "rerun": Entry("runner.commands.rerun", "The same study with another model or text, and the comparison."),
    "check": Entry("runner.commands.check", "Check a corpus: sums, sets and canned traces."),
    "scan": Entry("runner.commands.scan", "Hold stored payloads against a set."),
    "sets": Entry("runner.commands.sets", "Show an authoritative set as it is now, or what changed."),
    "guard": Entry("runner.commands.guard", "Answer calls at call time: may this one pass?"),
    "sites": Entry("runner.commands.sites", "List or release what lives in a Ray cluster."),
    "serve": Entry("runner.commands.serve", "Serve the simulated model over HTTP."),
    "local-model": Entry("runner.commands.local_model", "Fetch and serve a real small model."),
    "corpora": Entry("runner.commands.corpora", "List the bundled corpora."),
    "schema": Entry("runner.commands.schema", "The JSON Schema of what is read and written."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by a table, so that `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's name
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's name
        """The command of that name, imported now; None where there is none."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = import_module(entry.module).command
        _collect_from_here()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's name
        """The table as it stands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


def _collect_from_here() -> None:
    """Collect garbage again where `run` left it off. What was imported stays, and need not be looked at any more."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # looked up only when asked for

        click.echo(version(PROGRAM))
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Start with: {PROGRAM} run refunds --simulate --score",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def group() -> None:
    """Measure how often a tool-calling model makes up argument values that nobody said."""


def run() -> None:
    """Start the command line, and end the process with its exit status."""
    gc.disable()  # until the command is imported, which makes no garbage: a tenth of the time to the first request
    settle()
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command line; returns its exit status, with one sentence on standard error where it failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with group.make_context(PROGRAM, list(arguments)) as context:
            status: int = group.invoke(context)
    except BaseException as error:  # noqa: BLE001 - the one place where errors become a status
        status = _status(error)
    try:
        sys.stdout.flush()
    except Fatal as error:
        status = _status(error)
    return status


def _status(error: BaseException) -> int:
    """The exit status of an error, and its sentence on standard error."""
    match error:
        case click.exceptions.Exit(exit_code=code):
            return code
        case click.ClickException():
            return _usage(error)
        case KeyboardInterrupt() | click.Abort():
            return _say("interrupted; everything received so far is kept", 130)
        case BrokenPipeError():
            forget(sys.stdout)
            return 0
        case ProbeError():
            return _say(str(error), error.status)
        case OSError():
            return _system(error)
        case BaseExceptionGroup():
            return max(_status(inner) for inner in _leaves(error))
    return _fault(error)


def _usage(error: click.ClickException) -> int:
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return 2
        case click.UsageError(ctx=context):
            command = context.command_path if context else PROGRAM
            what = " ".join(error.format_message().split()).rstrip(".")
            return _say(f"{what}; {command} --help shows what there is", 2)
    return _say(error.format_message(), 2)


def _system(error: OSError) -> int:
    """What the system refused: a name that the user gave is bad input, anything else ends what was begun."""
    reason = error.strerror or str(error)
    if error.filename and error.errno in _BAD_NAMES:
        return _say(f"{error.filename}: cannot be opened: {reason}", 2)
    return _say(f"{error.filename}: {reason}" if error.filename else reason, 3)


def _fault(error: BaseException) -> int:
    """Neither the user's doing nor the endpoint's: where it happened is shown, and it is no finding."""
    import traceback  # loaded for a fault only

    traceback.print_exception(error)
    return _say("this is a fault of assumeprobe itself; the lines above say where", 3)


def _leaves(group_: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for inner in group_.exceptions:
        if isinstance(inner, BaseExceptionGroup):
            yield from _leaves(inner)
        else:
            yield inner


def _say(sentence: str, status: int) -> int:
    click.echo(f"{PROGRAM}: {printable(sentence)}", err=True)
    return status
