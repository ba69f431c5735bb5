"""The command line as a user meets it: real processes, their output and their exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

import runner.commands
from corpora.errors import BadInput
from runner.cli import COMMANDS, _status, main
from runner.errors import Fatal, Finding, Locked

REFERENCE = Path(__file__).parents[2] / "results" / "refunds-simulated-careless.jsonl"
HEAVY = {"httpx", "aiohttp", "anyio", "rich", "structlog", "tenacity"}


def assumeprobe(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runner", *arguments]
    return subprocess.run(command, encoding="utf-8", capture_output=True, check=False, timeout=15, **options)


def test_the_table_and_the_modules_name_the_same_commands() -> None:
    files = {p.stem for folder in runner.commands.__path__ for p in Path(folder).glob("*.py")} - {"__init__"}
    assert {entry.module for entry in COMMANDS.values()} == {f"runner.commands.{name}" for name in files}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    command = import_module(COMMANDS[name].module).command
    assert isinstance(command, click.Command)
    assert command.help
    assert f"assumeprobe {name}" in (command.epilog or "")


def test_help_lists_every_command_and_imports_none_of_them() -> None:
    script = "import sys, runner.cli; status = runner.cli.main(['--help']); print(*sys.modules); sys.exit(status)"
    done = subprocess.run(
        [sys.executable, "-c", script], encoding="utf-8", capture_output=True, check=False, timeout=15
    )
    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & HEAVY
    assert not {entry.module for entry in COMMANDS.values()} & loaded


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        pytest.param(["nope"], 2, "No such command 'nope'; assumeprobe --help shows what there is", id="command"),
        pytest.param(
            ["corpora", "--foo"],
            2,
            "No such option '--foo'; assumeprobe corpora --help shows what there is",
            id="option",
        ),
    ],
)
def test_bad_usage_is_one_sentence_and_status_2(arguments: list[str], status: int, sentence: str) -> None:
    done = assumeprobe(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"assumeprobe: {sentence}\n")


def test_no_command_shows_the_help_on_standard_error() -> None:
    done = assumeprobe()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: assumeprobe")


def test_version_is_the_distributions() -> None:
    done = assumeprobe("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def test_the_main_function_returns_the_status() -> None:
    assert main(["corpora"]) == 0


def test_a_fault_of_our_own_is_no_finding_and_shows_where(capsys) -> None:
    assert _status(ZeroDivisionError("x")) == 3
    assert "fault of assumeprobe itself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        pytest.param(BadInput("no fixture", path="f", line=3), 2, "f:3: no fixture", id="bad input"),
        pytest.param(Finding("it flips"), 1, "it flips", id="finding"),
        pytest.param(Fatal("disk full"), 3, "disk full", id="fatal"),
        pytest.param(Locked("held", path="f"), 2, "f: held", id="locked"),
        pytest.param(KeyboardInterrupt(), 130, "interrupted; everything received so far is kept", id="interrupted"),
        pytest.param(OSError(28, "No space left", "f"), 3, "f: No space left", id="the system"),
        pytest.param(OSError(11, "try again"), 3, "try again", id="the system, no file"),
        pytest.param(OSError(13, "Permission denied", "f"), 2, "f: cannot be opened: Permission denied", id="not ours"),
        pytest.param(OSError(36, "File name too long", "f"), 2, "f: cannot be opened: File name too long", id="a name"),
        pytest.param(ExceptionGroup("g", [ExceptionGroup("h", [Fatal("inner")])]), 3, "inner", id="a group"),
        pytest.param(click.FileError("f", "hint"), 2, "Could not open file 'f': hint", id="the parser"),
        pytest.param(BadInput("a \x1b[31m"), 2, "a \\x1b[31m", id="escaped"),
    ],
)
def test_an_error_is_one_sentence_and_one_status(error, status: int, sentence: str, capsys) -> None:
    assert _status(error) == status
    assert capsys.readouterr().err == f"assumeprobe: {sentence}\n"


def test_output_is_utf_8_in_a_locale_without_it() -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "runner", "score", str(REFERENCE)]
    done = subprocess.run(command, env=os.environ | plain, capture_output=True, check=False, timeout=15)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\u2500" in done.stdout.decode("utf-8")
