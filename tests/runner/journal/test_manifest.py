"""The manifest is whole on disk or the old one stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.errors import BadInput
from runner.errors import Fatal
from runner.journal.manifest import manifest_path, read_manifest, write_manifest
from tests.runner.journal.lines import manifest


def test_a_manifest_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = manifest_path(tmp_path / "a.jsonl")
    assert path.name == "a.manifest.json"
    assert read_manifest(path) is None
    write_manifest(path, manifest())
    write_manifest(path, manifest(run_id="run-2"))
    assert read_manifest(path) == manifest(run_id="run-2")
    assert [file.name for file in tmp_path.iterdir()] == ["a.manifest.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is no manifest: this is no JSON"),
        (b"{}", "is no manifest: object missing required field"),
        (b'{"run_id": 7}', "is no manifest: expected `str`, got `int`"),
    ],
)
def test_a_file_that_is_no_manifest_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.manifest.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=said):
        read_manifest(path)


def test_a_manifest_that_cannot_be_read_or_written_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "a.manifest.json"
    folder.mkdir()
    with pytest.raises(BadInput, match=r"a\.manifest\.json: is no plain file, as a manifest is"):
        read_manifest(folder)
    with pytest.raises(Fatal, match=r"a\.manifest\.json: cannot be written: Is a directory"):
        write_manifest(folder, manifest())
    assert [file.name for file in tmp_path.iterdir()] == ["a.manifest.json"]
    with pytest.raises(Fatal, match="cannot be written: No such file or directory"):
        write_manifest(tmp_path / "missing" / "a.manifest.json", manifest())
