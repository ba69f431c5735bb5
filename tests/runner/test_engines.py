"""Flags of a cluster that do not fit, a cluster that is not there, and a machine without Ray: each one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner.engines import together

WITHOUT_RAY = """
import sys
sys.modules["ray"] = None
from runner.cli import run
run()
"""
RUN = ["run", "maintenance", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--no-preflight"]


def ended(tmp_path: Path, *arguments: str, program: str = WITHOUT_RAY, **environ: str) -> tuple[int, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**kept, **environ},
        timeout=60,
    )
    return done.returncode, done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*RUN, "--ray-address", "auto"], "assumeprobe: --ray-address: goes with --engine ray"),
        ([*RUN, "--abandon-after", "9"], "assumeprobe: --abandon-after: goes with --engine ray"),
        (
            ["run", "maintenance", "--simulate", "--engine", "ray"],
            (
                "assumeprobe: --simulate: serves this process alone; `assumeprobe serve` serves a simulated model that "
                "every node can reach, name it by --base-url and --model"
            ),
        ),
        (
            [*RUN, "--engine", "ray", "--ray-address", "10.9.9.9:6379"],
            "assumeprobe: Ray is not installed here: pip install 'assumeprobe[ray]==0.1.0'",
        ),
        (["sites"], "assumeprobe: Ray is not installed here: pip install 'assumeprobe[ray]==0.1.0'"),
    ],
    ids=["address", "abandon", "simulate", "run without Ray", "sites without Ray"],
)
def test_what_does_not_fit_is_said_in_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    assert ended(tmp_path, *arguments) == (2, sentence)


def test_without_ray_a_run_in_this_process_goes_as_ever(tmp_path: Path) -> None:
    status, _ = ended(
        tmp_path, "run", "maintenance", "--simulate", "--samples", "1", "--limit", "2", "--log-format", "json"
    )
    assert status == 0


def test_pins_of_several_sites_are_those_of_one_run() -> None:
    one = {"response_models": ["a"], "system_fingerprints": ["x"], "moved": False}
    other = {"response_models": ["a"], "system_fingerprints": ["y", "x"], "moved": True}
    assert together([one, one])["moved"] is False
    assert together([one, other]) == {"response_models": ["a"], "system_fingerprints": ["x", "y"], "moved": True}
