"""`check`: the sums, the sets and the canned traces of a corpus, and what it says where they fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpora.corpus import bundled, find
from runner.cli import main


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the refunds corpus to be spoiled."""
    folder = tmp_path / "refunds"
    shutil.copytree(find("refunds"), folder)
    return folder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_corpus_holds_and_shows_its_sums(name: str, capsys) -> None:
    assert main(["check", name]) == 0
    shown = capsys.readouterr().out
    assert "the strata add up: " in shown
    held, _, of = shown.splitlines()[-1].removeprefix("canned traces: ").removesuffix(" hold").partition(" of ")
    assert held == of != "0"


def test_a_flipped_trace_is_a_finding_that_is_named(copy: Path, capsys) -> None:
    replace(copy / "canned.jsonl", '"in_set": true', '"in_set": false')
    assert main(["check", str(copy)]) == 1
    shown = capsys.readouterr().out
    assert "canned trace 1 (det-001): reason_code is " in shown
    assert "canned traces: 67 of 68 hold" in shown


def test_every_fault_is_shown_on_standard_error(copy: Path, capsys) -> None:
    replace(copy / "corpus.toml", "absent = 10", "absent = 11")
    replace(copy / "fixtures.jsonl", '"stratum": "determined"', '"stratum": "\\u001b[31m"')
    assert main(["check", str(copy)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 3
    assert "\x1b" not in shown.err


def test_check_starts_without_what_only_a_run_needs() -> None:
    script = "import sys, runner.cli; status = runner.cli.main(['check', 'refunds']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True, check=True, timeout=20)
    assert not {"httpx", "aiohttp", "anyio", "rich", "structlog"} & set(done.stdout.splitlines()[-1].split())
