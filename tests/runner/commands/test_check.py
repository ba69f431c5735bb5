"""`check`: the sums, the sets and the canned traces of a corpus, and what it says where they fail."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpora.corpus import bundled, find, load
from runner.cli import main


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the refunds corpus to be spoiled."""
    folder = tmp_path / "refunds"
    shutil.copytree(find("refunds"), folder)
    return folder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


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
    traces = len(load(copy).canned)
    assert f"canned traces: {traces - 1} of {traces} hold" in shown


def test_every_fault_is_shown_on_standard_error(copy: Path, capsys) -> None:
    replace(copy / "corpus.toml", "absent = 50", "absent = 51")
    replace(copy / "fixtures.jsonl", '"stratum": "determined"', '"stratum": "\\u001b[31m"')
    assert main(["check", str(copy)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 3
    assert "\x1b" not in shown.err


def test_check_starts_without_what_only_a_run_needs() -> None:
    script = "import sys, runner.cli; status = runner.cli.main(['check', 'refunds']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], encoding="utf-8", capture_output=True, check=True, timeout=20)
    assert not {"httpx", "aiohttp", "anyio", "rich", "structlog"} & set(done.stdout.splitlines()[-1].split())


# What is changed in which file of the maintenance corpus; FILE:LINE: FIELD of the finding; how its sentence goes on.
PLANTED: dict[str, tuple[str, str, str, str, str]] = {
    "a-leak-in-the-text": (
        "fixtures.jsonl",
        "Dear all,",
        "Dear all in asia/kolkata,",
        "fixtures.jsonl:17: hidden.timezone",
        "the hidden timezone 'Asia/Kolkata' can be seen in what the user says (case-fold); take it out there",
    ),
    "a-leak-under-another-name": (
        "fixtures.jsonl",
        "Dear all,",
        "Dear all (Asia/Calcutta),",
        "fixtures.jsonl:17: hidden.timezone",
        "the hidden timezone 'Asia/Kolkata' can be seen in what the user says (equivalent-format); take it out there",
    ),
    "a-leak-in-the-schema": (
        "schedule_window.json",
        "such as Europe/Berlin",
        "such as Asia/Kolkata",
        "fixtures.jsonl:17: hidden.timezone",
        "the hidden timezone 'Asia/Kolkata' can be seen in a tool's schema; take it out there",
    ),
    "an-answer-that-does-not-show": (
        "fixtures.jsonl",
        '"timezone": "Europe/Lisbon"',
        '"timezone": "Atlantic/Madeira"',
        "fixtures.jsonl:33: truth.timezone",
        "the truth timezone 'Atlantic/Madeira' cannot be seen in any form that the scorer accepts; write it",
    ),
    "poison-that-does-not-show": (
        "fixtures.jsonl",
        '"poisoned": {"timezone": ["GMT"], "approval',
        '"poisoned": {"timezone": ["Asia/Pyongyang"], "approval',
        "fixtures.jsonl:51: poisoned.timezone",
        "the poisoned timezone 'Asia/Pyongyang' cannot be seen in any form that the scorer accepts; write it",
    ),
    "nothing-to-copy": (
        "fixtures.jsonl",
        '"timezone": "Europe/Paris", "severity"',
        '"severity"',
        "fixtures.jsonl:38: truth",
        "in revealed only a copy of timezone passes, and nothing says which value is there to copy; write it",
    ),
    "no-json-schema": (
        "schedule_window.json",
        '"minimum": 1',
        '"minimum": "one"',
        "corpus.toml:",
        'the parameters of schedule_window are no JSON Schema: properties.duration_minutes.minimum: "one"',
    ),
    "a-near-duplicate": (
        "fixtures.jsonl",
        "mw: 2026-12-12 04:00 / 2h / dns cutover / tnx",
        "Enter a window for this user on 8 September 2026, nine in the morning, three hours.",
        "fixtures.jsonl:14: messages",
        "win-020 is 0.",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_a_reader_would_find_is_found(name: str, tmp_path: Path, capsys) -> None:
    file, old, new, where, what = PLANTED[name]
    folder = tmp_path / "maintenance"
    shutil.copytree(find("maintenance"), folder)
    replace(folder / file, old, new)
    assert main(["check", str(folder)]) == 2
    found = [line.removeprefix(f"{folder}/") for line in capsys.readouterr().err.splitlines()]
    assert any(line.startswith(where) and what in line for line in found), found


def test_an_answer_outside_its_set_is_found(copy: Path, capsys) -> None:
    fixtures = [json.loads(line) for line in (copy / "fixtures.jsonl").read_text(encoding="utf-8").splitlines()]
    fixtures[0]["true_code"] = "BROKEN"
    (copy / "fixtures.jsonl").write_text("".join(json.dumps(fixture) + "\n" for fixture in fixtures), encoding="utf-8")
    assert main(["check", str(copy)]) == 2
    assert f"{copy}/fixtures.jsonl:1: true_code: the answer 'BROKEN' is not in the set" in capsys.readouterr().err


@pytest.mark.parametrize(
    "flag", [["--base-url", "http://127.0.0.1:1/v1"], ["--model", "m"], ["--simulate", "careless"]], ids=lambda f: f[0]
)
def test_an_endpoint_is_named_for_reach_alone(flag: list[str], capsys) -> None:
    assert main(["check", "refunds", *flag]) == 2
    assert capsys.readouterr().err == (f"assumeprobe: {flag[0]}: goes with --reach; without it no endpoint is asked\n")
