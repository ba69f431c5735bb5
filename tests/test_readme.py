"""What the README shows can be typed: its commands have the flags it gives them, its files are there, its code runs."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
import msgspec
import pytest

from corpora.fixtures import Fixture
from corpora.probes import Probe, Tool
from corpora.sets import SetSpec
from corpora.values import ValueType
from runner.cli import COMMANDS, group, main

ROOT = Path(__file__).parent.parent
README = ROOT.joinpath("README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def commands() -> Iterator[str]:
    """Every command line of ours: a line of a block, with those that a comment or a text names."""
    for kind, block in BLOCKS:
        if not kind:
            lines = block.replace("\\\n", " ").splitlines()
            yield from (part.strip() for line in lines for part in re.split(r"[#|]| later: ", line))
    yield from re.findall(r"`(assumeprobe [^`]+)`", README)


TYPED = sorted({line for line in commands() if line.startswith("assumeprobe ") and line.split()[1] in COMMANDS})


@pytest.mark.parametrize("line", TYPED)
def test_a_command_of_the_readme_can_be_typed(line: str) -> None:
    command: click.Command = group
    name, *arguments = shlex.split(line)
    while isinstance(command, click.Group):
        context = click.Context(command)
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found is not None
        command = found
    command.make_context(name, arguments)


def test_there_are_commands_to_try() -> None:
    assert len(TYPED) > 10


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\b(?:scripts|tests|results|corpora)/[\w./-]*\w/?", README))))
def test_a_place_that_the_readme_names_is_there(name: str) -> None:
    if not re.fullmatch(r"results/refunds-(A|B|NAME)\.jsonl", name):
        assert (ROOT / name).exists()


ELSEWHERE = {"--help", "--resources"}
"""Of every command, and of `ray start`."""


@pytest.mark.parametrize("flag", sorted(set(re.findall(r"`(--[a-z-]+)", README))))
def test_a_flag_that_the_readme_names_is_one_of_a_command(flag: str) -> None:
    found = {
        option
        for name in COMMANDS
        for command in _leaves(group.get_command(click.Context(group), name))
        for parameter in command.params
        for option in parameter.opts
    }
    assert flag in found | ELSEWHERE


def _leaves(command: click.Command | None) -> Iterator[click.Command]:
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _leaves(inner)
    elif command is not None:
        yield command


def test_the_code_of_the_readme_is_python() -> None:
    blocks = [block for kind, block in BLOCKS if kind == "python"]
    assert len(blocks) == 2
    for block in blocks:
        ast.parse(block)


def test_the_guard_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = (block for kind, block in BLOCKS if kind == "python" and "Guard" in block)
    names: dict[str, object] = {"read_codes": lambda: ["OTHER", "LATE_DELIVERY"], "__name__": "example"}
    exec(compile(code, "README.md", "exec"), names)
    assert callable(names["refund_order"])


def test_the_corpus_of_the_readme_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toml,) = (block for kind, block in BLOCKS if kind == "toml")
    (fixtures,) = (block for kind, block in BLOCKS if kind == "json")
    (canned,) = re.findall(r'`(\{"fixture"[^`]*)`', README)
    (tmp_path / "corpus.toml").write_text(toml, encoding="utf-8")
    (tmp_path / "fixtures.jsonl").write_text(fixtures, encoding="utf-8")
    (tmp_path / "canned.jsonl").write_text(canned.replace("\n", " ") + "\n", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 0
    assert "canned traces: 1 of 1 hold" in capsys.readouterr().out
    results = tmp_path / "r.jsonl"
    assert main(["run", str(tmp_path), "--simulate", "-o", str(results), "--score", "--quiet"]) == 0
    assert "book_room.arrival: where did the value come from?" in capsys.readouterr().out


def test_what_the_readme_says_of_a_corpus_are_its_fields() -> None:
    """Each kind of value by its name, and each name in a row of the table by the Struct that has it."""
    rows = dict(re.findall(r"^\| a (probe|set|fixture|tool) \| (.*) \|$", README, re.MULTILINE))
    assert len(rows) == 4
    assert set(re.findall(r"`(\w+)`", rows["probe"])) >= set(get_args(ValueType))
    known = {"probe": Probe, "set": SetSpec, "fixture": Fixture, "tool": Tool}
    for name, row in rows.items():
        fields = {field.encode_name for field in msgspec.structs.fields(known[name])} | set(get_args(ValueType))
        assert set(re.findall(r"`([a-z_]+)(?: = [^`]*)?`", row)) <= fields, name
