"""`run`: from a corpus to verbatim lines, over real HTTP, and on again where it stopped."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpora.corpus import find, load
from corpora.jsonl import read_records
from runner.cli import main
from runner.parameters import with_profile
from runner.simulated.faults import Fault, Faults

REFUNDS = load("refunds")
KEYS = [(fixture.id, sample) for fixture in REFUNDS.fixtures for sample in range(3)]


def keys(path: Path) -> list[tuple[str, int]]:
    return [(record.fixture_id, record.sample) for record in read_records(path)]


def manifest(path: Path) -> dict:
    return json.loads(path.with_suffix(".manifest.json").read_text(encoding="utf-8"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment that names no endpoint."""
    monkeypatch.chdir(tmp_path)
    for name in ("BASE_URL", "API_KEY", "MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_the_main_job_leaves_every_key_once_in_order_with_its_manifest(here: Path, capsys) -> None:
    assert main(["run", "refunds", "--simulate", "--score"]) == 0
    path = here / "results" / "refunds-simulated-careless.jsonl"
    assert keys(path) == KEYS
    shown = capsys.readouterr()
    assert "SIMULATED MODEL" in shown.out
    assert "720 of 720 samples" in shown.err
    found = manifest(path)
    assert (found["ended"], found["corpus_path"], found["selected"]) == ("complete", "refunds", None)
    assert found["counts"]["recorded"] == found["counts"]["planned"] == 720
    assert found["sets"]["reason_codes"]["values"][0] == "DAMAGED_ON_ARRIVAL"
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "refunds-simulated-careless.jsonl",
        "refunds-simulated-careless.manifest.json",
    ]


def test_a_run_that_has_nothing_left_to_draw_leaves_its_files_as_they_are(here: Path) -> None:
    arguments = ["run", "refunds", "--simulate", "--quiet", "--limit", "4", "-o", "r.jsonl"]
    assert main(arguments) == 0
    before = [path.read_bytes() for path in sorted(here.iterdir())]
    assert main([*arguments, "-j", "2"]) == 0
    assert [path.read_bytes() for path in sorted(here.iterdir())] == before
    assert main([*arguments[:-3], "5", "-o", "r.jsonl"]) == 0
    assert manifest(here / "r.jsonl")["counts"]["recorded"] == 15


def test_what_is_malformed_is_counted_alike_by_a_run_that_went_on_and_by_the_score(here: Path, capsys) -> None:
    counts = []
    for limit in (["--limit", "120"], []):
        assert main(["run", "refunds", "--simulate", "-o", "r.jsonl", "--quiet", *limit]) == 0
        counts.append(manifest(here / "r.jsonl")["counts"]["malformed"])
    capsys.readouterr()
    assert main(["score", "r.jsonl", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["samples"]["malformed"]
    assert 0 < counts[0] < counts[1] == found


def test_an_argument_arrives_with_its_space_and_case_and_the_table_says_how_near_it_is(here: Path, capsys) -> None:
    main(["run", "refunds", "--simulate", "--quiet"])
    path = "results/refunds-simulated-careless.jsonl"
    arguments = [call.arguments or "" for record in read_records(path) for call in record.calls]
    assert any('" damaged on arrival"' in text for text in arguments)
    assert main(["score", path, "--format", "json"]) == 0
    [row] = [
        row
        for row in json.loads(capsys.readouterr().out)["probes"][0]["values"]
        if row["value"] == " damaged on arrival"
    ]
    assert (row["in_set"], row["near"], row["nearest"]) == (False, "case+separator+whitespace", "DAMAGED_ON_ARRIVAL")


def test_a_flipped_canned_trace_lets_nothing_out(here: Path, endpoint, capsys) -> None:
    folder = here / "refunds"
    shutil.copytree(find("refunds"), folder)
    canned = folder / "canned.jsonl"
    canned.write_text(
        canned.read_text(encoding="utf-8").replace('"in_set": true', '"in_set": false', 1), encoding="utf-8"
    )
    server = endpoint()
    assert main(["run", str(folder), "--base-url", server.base_url, "--model", "m"]) == 1
    sentence = capsys.readouterr().err
    for part in ("canned trace 1 (det-001)", 'is {"', 'expected {"', "nothing was sent"):
        assert part in sentence
    assert server.stats().requests == 0
    assert not (here / "results").exists()


def test_score_says_nothing_either_while_a_canned_trace_flips(here: Path, capsys) -> None:
    folder = here / "refunds"
    shutil.copytree(find("refunds"), folder)
    assert main(["run", str(folder), "--simulate", "--limit", "4", "-o", "r.jsonl", "--quiet"]) == 0
    canned = folder / "canned.jsonl"
    canned.write_text(
        canned.read_text(encoding="utf-8").replace('"in_set": true', '"in_set": false', 1), encoding="utf-8"
    )
    capsys.readouterr()
    assert main(["score", "r.jsonl", "--corpus", str(folder)]) == 1
    assert capsys.readouterr().out == ""


def test_serial_is_one_in_flight_in_plan_order(here: Path, endpoint) -> None:
    server = endpoint(keep=2000)
    arguments = ["run", "refunds", "--base-url", server.base_url, "--model", "m", "--quiet"]
    assert main([*arguments, "--serial", "--order", "file", "--samples", "1", "-o", "one.jsonl"]) == 0
    assert server.stats().peak_in_flight == 1
    told = [json.loads(seen.body)["messages"][1]["content"] for seen in server.seen]
    assert list(dict.fromkeys(told)) == [fixture.messages[0].content for fixture in REFUNDS.fixtures]


def test_concurrency_bounds_what_is_in_flight(here: Path, endpoint) -> None:
    server = endpoint(latency_s=0.02)
    arguments = ["run", "refunds", "--base-url", server.base_url, "--model", "m", "--quiet", "-j", "5"]
    assert main([*arguments, "-o", "five.jsonl"]) == 0
    assert server.stats().peak_in_flight == 5


def test_the_settings_go_out_as_they_were_given(here: Path, endpoint) -> None:
    server = endpoint(keep=3)
    arguments = ["run", "refunds", "--base-url", server.base_url, "--model", "m", "--quiet", "--fixture", "det-001"]
    settings = ["--temperature", "0.25", "--seed", "7", "--max-tokens", "99", "--tool-choice", "required"]
    assert main([*arguments, *settings, "--max-turns", "1", "-o", "s.jsonl"]) == 0
    bodies = [json.loads(seen.body) for seen in server.seen]
    assert sorted(body["seed"] for body in bodies) == [7, 8, 9]
    assert {body["temperature"] for body in bodies} == {0.25}
    assert {body["max_tokens"] for body in bodies} == {99}
    assert {body["tool_choice"] for body in bodies} == {"required"}
    assert [record.seed for record in read_records("s.jsonl")] == [7, 8, 9]


@pytest.mark.parametrize(
    ("server", "flags", "said", "setting"),
    [
        (
            {"faults": Faults(rates=(Fault(kind="429", rate=1.0),), retry_after_s=5.0)},
            ["--max-wait", "4.5"],
            "the server asks to wait 5 s, more than the 4.5 s that --max-wait allows",
            {"max_wait_s": 4.5},
        ),
        (
            {},
            ["--max-response-bytes", "50"],
            "the answer is larger than 50 bytes; --max-response-bytes allows more",
            {"max_response_bytes": 50},
        ),
    ],
    ids=["a longer wait is asked for", "a larger answer comes"],
)
def test_what_an_answer_may_take_is_told_by_a_flag_and_kept(
    here: Path, endpoint, capsys, server: dict, flags: list[str], said: str, setting: dict
) -> None:
    arguments = ["run", "refunds", "--base-url", endpoint(**server).base_url, "--model", "m", "--limit", "4"]
    assert main([*arguments, "-o", "r.jsonl", *flags]) == 3
    assert said in capsys.readouterr().err.replace("\n", " ")
    assert manifest(here / "r.jsonl")["settings"] | setting == manifest(here / "r.jsonl")["settings"]


@pytest.mark.parametrize(
    ("environ", "flags", "sent"),
    [
        pytest.param({"BASE_URL": "", "API_KEY": "k-12345678"}, [], "Bearer k-12345678", id="own family"),
        pytest.param({"BASE_URL": "", "OPENAI_API_KEY": "k-12345678"}, [], None, id="another family"),
        pytest.param(
            {"BASE_URL": "", "MINE": "k-12345678"}, ["--api-key-env", "MINE"], "Bearer k-12345678", id="named"
        ),
    ],
)
def test_a_key_goes_where_it_belongs_and_into_no_file(here: Path, endpoint, monkeypatch, environ, flags, sent) -> None:
    server = endpoint(keep=1)
    for name, value in (environ | {"BASE_URL": server.base_url, "MODEL": "m"}).items():
        monkeypatch.setenv(name, value)
    assert main(["run", "refunds", "--limit", "4", "-o", "r.jsonl", *flags]) == 0
    assert server.seen[-1].headers.get("authorization") == sent
    assert not any(b"12345678" in path.read_bytes() for path in here.iterdir())


def test_filters_choose_fixtures_and_a_later_run_adds_the_others(here: Path) -> None:
    arguments = ["run", "refunds", "--simulate", "--quiet", "-o", "r.jsonl"]
    assert main([*arguments, "--stratum", "absent", "--samples", "1"]) == 0
    assert len(keys(here / "r.jsonl")) == 50
    assert main([*arguments, "--limit", "4", "--samples", "1"]) == 0
    assert len(keys(here / "r.jsonl")) == 53
    assert len(manifest(here / "r.jsonl")["selected"]) == 53
    assert main(arguments) == 0
    assert keys(here / "r.jsonl") == KEYS
    assert manifest(here / "r.jsonl")["selected"] is None


def test_fresh_sets_the_old_files_aside(here: Path) -> None:
    arguments = ["run", "refunds", "--simulate", "--quiet", "-o", "r.jsonl", "--limit", "4"]
    assert main(arguments) == 0
    before = (here / "r.jsonl").read_bytes()
    assert main([*arguments, "--fresh", "--temperature", "1"]) == 0
    assert (here / "r.1.jsonl").read_bytes() == before
    assert manifest(here / "r.jsonl")["study"]["temperature"] == 1.0


@pytest.mark.parametrize(
    ("flag", "ok"), [pytest.param([], 4, id="drawn again"), pytest.param(["--keep-errors"], 0, id="kept")]
)
def test_errors_that_can_pass_are_drawn_again_unless_they_are_to_be_kept(here: Path, endpoint, flag, ok) -> None:
    arguments = ["run", "refunds", "--model", "m", "--quiet", "-o", "r.jsonl", "--limit", "4", "--samples", "1"]
    broken = endpoint(faults=[Fault(kind="500", rate=1.0)])
    assert main([*arguments, "--base-url", broken.base_url, "--max-attempts", "1"]) == 3
    assert manifest(here / "r.jsonl")["counts"]["errors"] == 4
    main([*arguments, "--base-url", endpoint().base_url, *flag])
    assert manifest(here / "r.jsonl")["counts"]["ok"] == ok


def test_why_samples_have_no_answer_is_said_once_for_each_kind(here: Path, capsys) -> None:
    (here / "an_agent.py").write_text(
        "def agent(messages, tools, settings):\n    raise ValueError('no\\x1b[31m room')\n", encoding="utf-8"
    )
    arguments = ["run", "refunds", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--limit", "4", "--quiet"]
    assert main([*arguments, "--agent", "an_agent:agent", "-o", "r.jsonl", "--log-format", "json"]) == 3
    first, last = capsys.readouterr().err.splitlines()
    assert json.loads(first)["event"] == "12 samples without an answer, agent: ValueError: no\\x1b[31m room"
    assert last == (
        "assumeprobe: some samples have no answer; 12 samples are recorded, 12 of them errors, 0 are missing; "
        "the same command draws again what can pass, --retry-errors all of them"
    )


def test_no_answer_anywhere_is_status_3_with_the_reason(here: Path, capsys) -> None:
    arguments = ["run", "refunds", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--limit", "4", "--quiet"]
    assert main([*arguments, "--max-attempts", "1", "-o", "r.jsonl"]) == 3
    sentence = capsys.readouterr().err
    assert "127.0.0.1:9" in sentence
    assert "the same command " in sentence


def run(*arguments: str, **options) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "runner", "run", *arguments], stderr=subprocess.PIPE, **options)


def test_run_and_score_stand_in_a_pipe(here: Path) -> None:
    python = f'"{sys.executable}" -m runner'
    line = f"{python} run refunds --simulate -o - --manifest m.json | {python} score - --corpus refunds --format json"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, check=False, timeout=18)
    assert done.returncode == 0, done.stderr.decode()
    summary = json.loads(done.stdout)
    assert summary["samples"]["recorded"] == 720
    assert summary["simulated"] is True
    assert all(check["ok"] is not False for check in summary["checks"])
    assert json.loads((here / "m.json").read_text(encoding="utf-8"))["ended"] == "complete"


def test_a_reader_that_goes_away_ends_a_run_without_a_word(here: Path) -> None:
    line = f'"{sys.executable}" -m runner run refunds --simulate -o - --quiet | head -n 1'
    known = os.environ | {"LC_ALL": "C"}  # bash has a word for a locale that is not there
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], env=known, capture_output=True, check=False, timeout=18
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.timeout(60)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_keeps_what_was_received_and_the_same_command_goes_on(here: Path, endpoint, number) -> None:
    server = endpoint(latency_s=0.2)
    arguments = ["refunds", "--base-url", server.base_url, "--model", "m", "-o", "r.jsonl", "-j", "4"]
    arguments += ["--limit", "20", "--samples", "2"]
    process = run(*arguments)
    path = here / "r.jsonl"
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= 4):
        time.sleep(0.02)
    process.send_signal(number)
    _, words = process.communicate(timeout=50)
    assert process.returncode == 130, words.decode()
    kept = keys(path)
    assert 4 <= len(kept) < 40
    assert manifest(path)["ended"] == "interrupted"
    again = run(*arguments)
    again.communicate(timeout=50)
    assert again.returncode == 0
    assert len(keys(path)) == len(set(keys(path))) == 40
    assert set(kept) <= set(keys(path))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["refunds", "--simulate"], ["refunds", "--simulate=careless"]),
        (["--simulate", "refunds"], ["--simulate=careless", "refunds"]),
        (["refunds", "--simulate", "--score"], ["refunds", "--simulate=careless", "--score"]),
        (["refunds", "--simulate", "perfect"], ["refunds", "--simulate", "perfect"]),
        (["refunds", "--simulate=careful"], ["refunds", "--simulate=careful"]),
        ([], []),
    ],
)
def test_simulate_may_stand_without_a_profile(given, meant) -> None:
    assert with_profile(given) == meant
