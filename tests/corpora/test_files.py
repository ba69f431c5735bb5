"""A user's file read whole: with or without a byte order mark, and one sentence with its name where it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import BadInput
from corpora.files import json_of, text_of, toml_of

DEEP = b"x = " + b"[" * 5000 + b"]" * 5000


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
@pytest.mark.parametrize(
    ("read", "data", "found"),
    [(text_of, b"gr\xc3\xbc\xc3\x9f dich\n", "grüß dich\n"), (toml_of, b'a = "b"', {"a": "b"}), (json_of, b"[1]", [1])],
    ids=["text", "toml", "json"],
)
def test_a_file_is_read_whole(
    tmp_path: Path, read: Callable[[Path], Any], data: bytes, mark: bytes, found: Any
) -> None:
    (tmp_path / "file").write_bytes(mark + data)
    assert read(tmp_path / "file") == found


@pytest.mark.parametrize(
    ("read", "data", "sentence"),
    [
        pytest.param(text_of, None, "cannot be read: No such file or directory", id="not there"),
        pytest.param(text_of, b"\xff", "is no UTF-8 text", id="no UTF-8"),
        pytest.param(toml_of, b"\xff", "is no UTF-8 text", id="no UTF-8 in TOML"),
        pytest.param(toml_of, b"a = ", "is no TOML: Invalid value", id="no TOML"),
        pytest.param(toml_of, DEEP, "is no TOML: maximum recursion depth exceeded", id="TOML too deep to be read"),
        pytest.param(json_of, b"\xff", "is no UTF-8 text", id="no UTF-8 in JSON"),
        pytest.param(json_of, b"[", "this is no JSON: Input data was truncated", id="no JSON"),
        pytest.param(json_of, b"[" * 5000, "this is no JSON: maximum recursion depth exceeded", id="JSON too deep"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, read: Callable[[Path], Any], data: bytes | None, sentence: str
) -> None:
    if data is not None:
        (tmp_path / "file").write_bytes(data)
    with pytest.raises(BadInput) as caught:
        read(tmp_path / "file")
    assert str(caught.value).startswith(f"{tmp_path}/file: {sentence}")


@pytest.mark.parametrize("read", [text_of, toml_of])
def test_the_flag_that_named_a_file_is_said(tmp_path: Path, read: Callable[[Path, str], Any]) -> None:
    with pytest.raises(BadInput, match=r"file: --system: cannot be read"):
        read(tmp_path / "file", "--system")
