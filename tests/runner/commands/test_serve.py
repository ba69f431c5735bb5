from __future__ import annotations

import json
import signal
import subprocess
import sys

import httpx
import pytest

from runner.cli import main


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=lambda ending: ending.name)
def test_serve_says_where_it_is_and_ends_when_told(ending):
    command = [sys.executable, "-m", "runner", "serve", "--corpus", "refunds", "--profile", "careful"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as child:
        place = json.loads(child.stdout.readline())
        assert place["model"] == "simulated/careful"
        assert place["pid"] == child.pid
        assert httpx.get(f"{place['base_url']}/models").status_code == 200
        child.send_signal(ending)
        rest, _ = child.communicate(timeout=10)
    assert (child.returncode, rest) == (0, "")


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--corpus", "nowhere"], "no corpus 'nowhere'"),
        (["--fault", "flood:1"], "--fault: expected KIND:RATE, found 'flood:1'"),
        (["--profile", "sloppy"], "'sloppy' is not one of"),
        (["--latency", "-1"], "-1.0 is not in the range"),
    ],
    ids=["corpus", "fault", "profile", "latency"],
)
def test_bad_flags_are_one_sentence_and_exit_2(flags, sentence, capsys):
    assert main(["serve", *flags]) == 2
    assert sentence in capsys.readouterr().err
