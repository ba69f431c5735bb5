"""run, score and resume against a real language model: what is kept and counted, never what it says."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from corpora.jsonl import read_records
from runner.local_model import LocalModel
from tests.runner.verbatim import stands_in_its_body

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(280), pytest.mark.usefixtures("real_weights")]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "runner", *arguments]


def sampling(local: LocalModel, results, *more: str) -> list[str]:
    place = ["--base-url", local.base_url, "--model", local.model, "-j", "2", "--max-tokens", "96", "--quiet"]
    return command("run", "refunds", *place, *more, "-o", str(results))


def done(arguments: list[str]) -> str:
    finished = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False, timeout=250)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def check(records, samples: int) -> None:
    """Every key once, every argument as it came, every reply pinned."""
    keys = Counter((record.fixture_id, record.sample) for record in records)
    assert (len(keys), set(keys.values())) == (samples, {1})
    for record in records:
        assert record.status == "ok"
        assert set(record.response_models) <= {"smollm2-135m-instruct"}
        assert all(stands_in_its_body(record, call) for call in record.calls)


def test_a_run_that_was_ended_goes_on_and_is_scored_the_same_each_time(tmp_path):
    results = tmp_path / "direct.jsonl"
    with LocalModel(style="direct") as local:
        arguments = sampling(local, results, "--tool-choice", "required", "--limit", "4", "--samples", "2")
        with subprocess.Popen(arguments, stderr=subprocess.PIPE, encoding="utf-8") as first:
            wait_for_lines(results, first, 2)
            first.send_signal(signal.SIGTERM)
            first.communicate(timeout=60)
        assert first.returncode in {0, 130}
        before = results.read_bytes().splitlines()
        done(arguments)
    records = list(read_records(results))
    check(records, 8)
    assert set(before) <= set(results.read_bytes().splitlines()), "what was received before is kept as it was"
    summary = done(command("score", str(results), "--format", "json"))
    assert summary == done(command("score", str(results), "--format", "json"))
    assert json.loads(summary)["samples"]["recorded"] == 8
    assert all(check_["ok"] for check_ in json.loads(summary)["checks"])


def wait_for_lines(results, run, wanted: int) -> None:
    """Until so many samples are on disk, or the run ended by itself."""
    while run.poll() is None:
        if results.exists() and results.read_bytes().count(b"\n") >= wanted:
            return
        time.sleep(0.05)


def test_a_model_that_may_talk_is_recorded_too(tmp_path):
    results = tmp_path / "mixed.jsonl"
    with LocalModel(style="mixed") as local:
        done(sampling(local, results, "--tool-choice", "auto", "--limit", "4", "--samples", "1"))
    check(list(read_records(results)), 4)
