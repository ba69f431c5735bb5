"""Files and pipes to lines, whatever they are packed in."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from backports import zstd

from corpora.errors import BadInput
from runner.packed import opened, unpacked

LINES = b"".join(b'{"n": %d}\n' % n for n in range(50_000))
PACKED = {
    "plain": LINES,
    "gzip": gzip.compress(LINES),
    "two gzip members": gzip.compress(LINES[:100]) + gzip.compress(LINES[100:]),
    "zstd": zstd.compress(LINES),
    "two zstd frames": zstd.compress(LINES[:100]) + zstd.compress(LINES[100:]),
}


@pytest.mark.parametrize("data", PACKED.values(), ids=PACKED)
def test_the_bytes_of_a_file_are_unpacked_by_what_they_begin_with(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "any.name"
    file.write_bytes(data)
    with opened(file) as stream:
        assert b"".join(stream) == LINES


def test_an_empty_file_has_no_line(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.touch()
    with opened(file) as stream:
        assert list(stream) == []


def test_a_raw_stream_is_buffered() -> None:
    raw = io.BytesIO(PACKED["gzip"])
    assert unpacked(raw, "a pipe").readline() == b'{"n": 0}\n'


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_packed_file_that_was_cut_is_bad_input(tmp_path: Path, name: str) -> None:
    file = tmp_path / "cut"
    file.write_bytes(PACKED[name][:-20])
    with pytest.raises(BadInput, match="is packed and damaged"), opened(file) as stream:
        b"".join(stream)


def test_a_packed_file_that_was_changed_is_bad_input(tmp_path: Path) -> None:
    """A zstd frame need not have a checksum; a gzip member has one."""
    file = tmp_path / "changed"
    data = bytearray(PACKED["gzip"])
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    file.write_bytes(data)
    with pytest.raises(BadInput, match="is packed and damaged"), opened(file) as stream:
        b"".join(stream)


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"), opened(tmp_path / "none"):
        pass
