"""Records from files, folders and pipes: every packing, every way of writing, nothing lost silently."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from corpora.errors import BadInput
from runner.streams import records

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROWS = [{"tool": "t", "arguments": '{"a":"é\u2028"}'}, {"tool": "t", "arguments": "{}"}]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
PRETTY = "\n".join(json.dumps(row, indent=2) for row in ROWS).encode()


def read(source: Path | str) -> tuple[list[object], list[str]]:
    told: list[BadInput] = []
    found = [json.loads(one) if isinstance(one, bytes) else one for one in records(str(source), told.append)]
    return found, [str(one) for one in told]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("log.jsonl", LINES, id="lines"),
        pytest.param("log.jsonl", b"\xef\xbb\xbf\n" + LINES.replace(b"\n", b"\r\n\n"), id="BOM, CRLF and blank lines"),
        pytest.param("log.jsonl", PRETTY, id="pretty objects under the name of lines"),
        pytest.param("log", LINES, id="lines without a suffix"),
        pytest.param("log.json", json.dumps(ROWS).encode(), id="array"),
        pytest.param("log.json", json.dumps(ROWS, indent=1).encode(), id="pretty array"),
        pytest.param("log.json", PRETTY, id="a sequence of objects"),
        pytest.param("log.json", LINES, id="lines under the name of JSON"),
        pytest.param("log.jsonl.gz", gzip.compress(LINES), id="gzip"),
        pytest.param("log.bin", gzip.compress(LINES[:20]) + gzip.compress(LINES[20:]), id="two gzip members, no name"),
        pytest.param("log.jsonl.zst", zstd.compress(LINES), id="zstd"),
        pytest.param("log.jsonl.zst", zstd.compress(LINES[:20]) + zstd.compress(LINES[20:]), id="zstd frames"),
        pytest.param("log.json.gz", gzip.compress(PRETTY), id="packed sequence"),
    ],
)
def test_a_file_is_read_however_it_was_written_and_packed(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert read(tmp_path / name) == (ROWS, [])


def test_csv_is_read_by_its_own_rules(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(b'\xef\xbb\xbftool;arguments\r\nt;"{""a"":""b;\nc""}"\r\n\r\nt\r\nt;{}\r\n')
    found, told = read(path)
    assert found == [{"tool": "t", "arguments": '{"a":"b;\nc"}'}, {"tool": "t", "arguments": "{}"}]
    assert told == [f"{path}:5: expected 2 cells as in the first row, found 1"]


def test_a_csv_with_an_open_quote_says_where(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text('a,b\n1,"2\n', encoding="utf-8")
    assert read(path) == ([], [f"{path}:2: is no CSV: unexpected end of data"])


def test_parquet_comes_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([*ROWS, {"tool": None, "arguments": None}]), path)
    assert read(path) == ([*ROWS, {"tool": None, "arguments": None}], [])


def test_a_folder_is_all_its_logs_in_order_of_name(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.jsonl").write_bytes(LINES)
    (tmp_path / "1.json.gz").write_bytes(gzip.compress(json.dumps(ROWS[:1]).encode()))
    (tmp_path / "r.manifest.json").write_text("{}", encoding="utf-8")
    (tmp_path / ".hidden.jsonl").write_text("{}", encoding="utf-8")
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    (tmp_path / ".venv" / "lib" / "top_level.txt").write_text("words", encoding="utf-8")
    (tmp_path / "notes.md").write_text("words", encoding="utf-8")
    assert read(tmp_path) == ([*ROWS[:1], *ROWS], [])
    (tmp_path / "none").mkdir()
    with pytest.raises(BadInput, match="none: holds no file that ends in one of "):
        read(tmp_path / "none")


READ_PIPE = """
from tests.runner.test_streams import ROWS, read
assert read("-") == (ROWS, [])
"""


@pytest.mark.parametrize(
    "data",
    [LINES, PRETTY, gzip.compress(LINES), zstd.compress(PRETTY)],
    ids=["lines", "values", "packed lines", "packed values"],
)
def test_standard_input_is_read_like_a_file(data: bytes) -> None:
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", READ_PIPE], input=data, check=True, timeout=15, cwd=root)


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.jsonl: cannot be read: No such file or directory"):
        read(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    "cut", [gzip.compress(LINES * 50)[:-20], zstd.compress(LINES * 50)[:-20]], ids=["gzip", "zstd"]
)
def test_a_packed_file_that_was_cut_is_told(tmp_path: Path, cut: bytes) -> None:
    (tmp_path / "log.jsonl.gz").write_bytes(cut)
    _, [*_, told] = read(tmp_path / "log.jsonl.gz")
    assert ": is packed and damaged: " in told


def test_what_follows_a_broken_value_is_told_with_a_sample(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{\n"a": 1}\n{"b": \x1b nonsense', encoding="utf-8")
    found, [told] = read(tmp_path / "log.json")
    assert found == [{"a": 1}]
    assert "no JSON from here on: '{\"b\": \\x1b nonsense'" in told


def test_values_larger_than_a_block_and_blocks_that_end_anywhere_are_whole(tmp_path: Path) -> None:
    rows = [{"n": n, "text": "x" * size} for n, size in enumerate([3_000_000, 1, 1_048_500, 20, 1_500_000])]
    (tmp_path / "log.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    assert read(tmp_path / "log.json") == (rows, [])


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("form", ["lines", "array"])
def test_memory_is_one_record_whatever_the_size(tmp_path: Path, form: str) -> None:
    path = tmp_path / ("log.jsonl" if form == "lines" else "log.json")
    row = json.dumps({"tool": "t", "arguments": "{}", "text": "x" * 2000})
    with path.open("w", encoding="utf-8") as stream:
        stream.write("" if form == "lines" else "[\n")
        for number in range(100_000):
            stream.write(row + ("\n" if form == "lines" else ",\n" if number < 99_999 else "\n]"))
    script = (
        "import sys, re, pathlib; from runner.streams import records;"
        "n = sum(1 for _ in records(sys.argv[1], print));"
        "print(n, re.search(r'VmHWM:\\s+(\\d+)', pathlib.Path('/proc/self/status').read_text())[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, path], encoding="utf-8", capture_output=True, check=True, timeout=100
    )
    count, peak_kb = map(int, done.stdout.split())
    assert count == 100_000
    assert peak_kb < 100_000, "the file is 200 MB"
