"""compare and rerun, on the simulated model over real HTTP."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from corpora.manifests import Study
from runner.cli import main
from runner.commands.rerun import flags_of

FEW = ["--fixture", "det-001", "--fixture", "det-002", "--fixture", "unrec-001", "--fixture", "unrec-002"]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve samples of the careless model."""
    folder = tmp_path_factory.mktemp("runs")
    file = folder / "a.jsonl"
    assert main(["run", "refunds", "--simulate", "careless", "-o", str(file), "--quiet", *FEW]) == 0
    return folder


@pytest.fixture
def here(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(results, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_run_is_the_same_as_itself(here: Path, capsys) -> None:
    assert main(["compare", "a.jsonl", "a.jsonl", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["moved"] == {}
    assert (found["paired"], {change["p"] for change in found["changes"]}) == (4, {1.0, None})


def test_rerun_changes_only_what_its_flags_name_and_compares(here: Path, capsys) -> None:
    assert main(["rerun", "a.jsonl", "--simulate", "perfect", "-o", "b.jsonl", "--quiet"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "What moved: Only model moved." in text
    assert "SIMULATED MODEL" in text
    old, new = (json.loads((here / f"{name}.manifest.json").read_text(encoding="utf-8")) for name in "ab")
    assert [old[key] == new[key] for key in ("selected", "corpus_sha256", "fixtures")] == [True] * 3
    assert {**old["study"], "model": "", "base_url": ""} == {**new["study"], "model": "", "base_url": ""}


def test_rerun_with_another_system_text_and_tools_can_be_scored_again(here: Path, capsys) -> None:
    (here / "system.txt").write_text("You are the refunds agent. Ask when in doubt. State: {state}", "utf-8-sig")
    tools = [{"type": "function", "function": {"name": "refund_order", "description": "Refund an order."}}]
    (here / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    command = ["rerun", "a.jsonl", "--simulate", "careless", "--system", "system.txt", "--tools", "tools.json"]
    assert main([*command, "-o", "b.jsonl", "--quiet", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["moved"]) == ["system text", "tools"]
    assert "nobody can tell which of them" in found["cause"]
    assert main(["score", "b.jsonl", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["samples"]["recorded"] == 12
    assert json.loads((here / "b.manifest.json").read_text(encoding="utf-8"))["replaced"]["system"].startswith(
        "You are the refunds"
    )
    assert main(["rerun", "b.jsonl", "--simulate", "careless", "-o", "c.jsonl", "--quiet", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["moved"] == {}


def test_rerun_needs_an_endpoint_of_its_own(here: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BASE_URL", "OPENAI_BASE_URL", "MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["rerun", "a.jsonl", "--model", "m"]) == 2
    assert "no endpoint is named" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rerun", "none.jsonl"], "none.jsonl: cannot be read: No such file or directory; name a results file"),
        (["rerun", "two.jsonl"], "two.jsonl: has no two.manifest.json beside it"),
        (["rerun", "a.jsonl", "--simulate", "careless", "--tools", "raw.json"], "raw.json: --tools: this is no JSON: "),
        (["rerun", "a.jsonl", "--simulate", "careless", "-o", "a.jsonl"], "is the run to compare with"),
        (["rerun", "a.jsonl", "--simulate", "careless", "--system", "none.txt"], "none.txt: --system: cannot be read"),
        (["rerun", "a.jsonl", "--simulate", "careless", "--tools", "bad.json"], "expected a JSON list of tools"),
        (["rerun", "a.jsonl", "--simulate", "careless", "--tools", "odd.json"], "expected a tool with a name"),
        (["rerun", "a.jsonl", "--simulate", "careless", "--tools", "new.json"], "there is no tool 'fly'"),
        (["rerun", "a.jsonl", "--simulate", "careless", "--system", "raw.txt"], "is no UTF-8 text"),
        (["compare", "a.jsonl", "two.jsonl"], "holds 2 studies"),
        (["compare", "a.jsonl", "broken.jsonl"], "broken.jsonl:13"),
        (["compare", "a.jsonl", "broken.jsonl"], "; whole results are compared: the run's own command mends them"),
        (["score", "a.jsonl", "--fail-on", "worse:none.jsonl"], "none.jsonl: --fail-on: is not there"),
        (["compare", "moved.jsonl", "a.jsonl"], "more than one model or fingerprint answered within this run"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(here: Path, capsys, arguments: list[str], sentence: str) -> None:
    lines = (here / "a.jsonl").read_text(encoding="utf-8")
    (here / "two.jsonl").write_text(lines + lines.replace('"temperature":0.7', '"temperature":0.1'), encoding="utf-8")
    (here / "broken.jsonl").write_text(lines + "{}\n", encoding="utf-8")
    (here / "moved.jsonl").write_text(lines.replace('["fp_simulated"]', '["fp_other"]', 1), encoding="utf-8")
    shutil.copy(here / "a.manifest.json", here / "moved.manifest.json")
    (here / "bad.json").write_text("{}", encoding="utf-8")
    (here / "raw.json").write_text("tools:", encoding="utf-8")
    (here / "odd.json").write_text("[7]", encoding="utf-8")
    (here / "new.json").write_text('[{"name": "fly"}]', encoding="utf-8")
    (here / "raw.txt").write_bytes(b"\xff")
    capsys.readouterr()
    assert main([*arguments, *(["--corpus", "refunds"] if arguments[0] == "compare" else [])]) == 2
    assert sentence in capsys.readouterr().err


def test_a_run_in_which_the_model_moved_is_compared_by_flag_only(here: Path, capsys) -> None:
    lines = (here / "a.jsonl").read_text(encoding="utf-8")
    (here / "moved.jsonl").write_text(lines.replace('["fp_simulated"]', '["fp_other"]', 1), encoding="utf-8")
    assert main(["compare", "moved.jsonl", "a.jsonl", "--corpus", "refunds", "--allow-moved"]) == 0
    assert "DRIFT" in capsys.readouterr().out


def test_runs_of_two_corpora_are_not_compared(here: Path, capsys) -> None:
    assert main(["run", "maintenance", "--simulate", "-o", "m.jsonl", "--quiet", "--limit", "2"]) == 0
    assert main(["compare", "a.jsonl", "m.jsonl"]) == 2
    assert "is of the corpus 'maintenance'" in capsys.readouterr().err


def test_a_rate_that_rose_against_an_earlier_run_is_a_finding(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for name, profile in (("a", "perfect"), ("b", "careless")):
        command = [
            "run",
            "refunds",
            "--simulate",
            profile,
            "-o",
            f"{name}.jsonl",
            "--quiet",
            "--stratum",
            "unrecoverable",
            "--limit",
            "12",
            "--samples",
            "2",
        ]
        assert main(command) == 0
    assert main(["score", "b.jsonl", "--fail-on", "worse:a.jsonl"]) == 1
    assert "unrecoverable: the rate rose from" in capsys.readouterr().err
    assert main(["score", "a.jsonl", "--fail-on", "worse:b.jsonl"]) == 0


def test_an_agent_is_never_taken_from_a_manifest(here: Path, capsys) -> None:
    manifest = here / "a.manifest.json"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace('"agent":null', '"agent":"os:system"'), encoding="utf-8"
    )
    assert main(["rerun", "a.jsonl", "--simulate", "careless"]) == 2
    assert "an agent is never taken from a manifest" in capsys.readouterr().err


def test_settings_are_those_of_the_study() -> None:
    study = Study(model="m", api="openai-chat", base_url="http://x/v1", temperature=0.2, params={"top_p": 0.5}, seed=4)
    flags = flags_of(study, model="n", simulate=None)
    assert (flags.model, flags.base_url, flags.temperature, flags.params, flags.seed) == (
        "n",
        None,
        0.2,
        ("top_p=0.5",),
        4,
    )
