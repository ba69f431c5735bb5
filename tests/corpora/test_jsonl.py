"""The line codec: what goes in comes out, one line for every reader, and every error names its line."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.errors import BadInput, TornLine
from corpora.jsonl import (
    decode,
    decode_value,
    encode,
    encode_text,
    numbered,
    read_records,
    text_or_base64,
    to_json,
)
from corpora.records import Call, Failure, Record

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    scalars | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def record(**fields: object) -> Record:
    given_ = {"corpus": "desk", "corpus_sha256": "c", "fixture_id": "g-1", "fixture_sha256": "f", "stratum": "given"}
    return Record(**{**given_, "sample": 0, "status": "ok", **fields})


@given(values)
def test_any_json_value_comes_back_from_one_line_as_it_was(value) -> None:
    line = encode(value)
    assert decode_value(line) == value
    assert json.loads(line) == value
    assert line.endswith(b"\n")
    assert len(line.decode().splitlines()) == 1
    assert encode_text(value) == line.decode()[:-1]


@pytest.mark.parametrize(
    ("char", "escape"),
    [("\x7f", "\\u007f"), ("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"), ("\r", "\\r")],
    ids=["DEL", "NEL", "LS", "PS", "CR"],
)
def test_what_another_reader_takes_for_a_line_end_is_written_as_an_escape(char: str, escape: str) -> None:
    assert encode({"t": f"a{char}b"}) == f'{{"t":"a{escape}b"}}\n'.encode()


@given(texts, st.lists(texts, max_size=3))
def test_a_record_comes_back_as_it_was(text: str, arguments: list[str]) -> None:
    calls = tuple(
        Call(turn=0, index=n, id=None, name="book", offered=True, arguments=a, wire_type="string", source="tool_calls")
        for n, a in enumerate(arguments)
    )
    one = record(text=text, calls=calls)
    assert list(read_records(io.BytesIO(encode(one)))) == [one]


def test_a_record_holds_its_fields_in_the_order_of_what_matters_first() -> None:
    fields = list(json.loads(encode(record())))
    assert fields[:8] == ["v", "corpus", "corpus_sha256", "fixture_id", "fixture_sha256", "stratum", "sample", "status"]
    assert fields[-5:] == ["run_id", "site", "started_at", "queued_s", "latency_s"]


def test_an_older_line_without_later_fields_and_a_newer_one_with_unknown_fields_are_read() -> None:
    line = to_json(record(error=Failure(kind="timeout", message="m"), status="error"))
    for name in ("run_id", "effects", "flags"):
        del line[name]
    [read] = read_records(io.BytesIO(encode(line | {"later": 1})))
    assert read.error == Failure(kind="timeout", message="m")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param(b'{"v": 1\n', "results.jsonl:2: this line is no JSON: ", id="no JSON"),
        pytest.param(b"\xff\n", "results.jsonl:2: this line is no JSON: ", id="no UTF-8"),
        pytest.param(b'{"later": ' + b"[" * 100_000 + b"\n", "results.jsonl:2: this line is no JSON: ", id="too deep"),
        pytest.param(b'"\\ud83d"\n', "results.jsonl:2: ", id="lone surrogate"),
        pytest.param(b"[]\n", "results.jsonl:2: expected `object`, got `array`", id="no object"),
        pytest.param(b'{"v": "1"}\n', "results.jsonl:2: $.v: expected `int`, got `str`", id="wrong type"),
    ],
)
def test_a_line_that_is_no_record_is_named_by_file_line_and_field(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(encode(record()) + data + encode(record(sample=1)))
    with pytest.raises(BadInput) as caught:
        list(read_records(path))
    assert str(caught.value).startswith(str(tmp_path / sentence))
    told: list[BadInput] = []
    assert [r.sample for r in read_records(path, told.append)] == [0, 1]
    assert [bad.line for bad in told] == [2]


def test_a_cut_last_line_is_told_apart() -> None:
    stream = io.BytesIO(encode(record()) + encode(record(sample=1))[:40])
    with pytest.raises(TornLine, match="standard input:2: the last line is cut"):
        list(read_records(stream))


def test_a_file_that_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.jsonl: cannot be read: No such file or directory"):
        list(read_records(tmp_path / "none.jsonl"))
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        list(read_records(tmp_path))


def test_blank_lines_and_a_byte_order_mark_are_no_lines_but_count() -> None:
    assert list(numbered([b"\xef\xbb\xbf{}\r\n", b"\n", b" \r\n", b"[]\n"])) == [(1, b"{}\r\n"), (4, b"[]\n")]


def test_a_misfit_names_the_place_inside_the_line() -> None:
    class Point(msgspec.Struct):
        x: tuple[int, ...]

    with pytest.raises(BadInput) as caught:
        list(decode([b'{"x": [1, "2"]}\n'], Point, path="p"))
    assert (caught.value.field, caught.value.line, caught.value.path) == ("$.x[1]", 1, "p")


@given(st.binary())
def test_a_body_is_kept_as_text_or_as_base64_and_never_lost(data: bytes) -> None:
    text, encoded = text_or_base64(data)
    assert (text is None) != (encoded is None)
    assert (text.encode() if text is not None else base64.b64decode(encoded or "")) == data


def test_no_json_is_a_bad_input_without_a_place() -> None:
    with pytest.raises(BadInput) as caught:
        decode_value("{")
    assert caught.value.where == ""
