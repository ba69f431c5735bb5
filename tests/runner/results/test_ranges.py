"""A large file is counted in ranges by several processes, and comes to the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from corpora.errors import BadInput
from runner.results.ranges import Range, in_processes, lines_of, ranges
from runner.results.source import source
from runner.results.studies import Studies

RESULTS = Path(__file__).parents[3] / "results/refunds-simulated-careless.jsonl"


def test_ranges_are_whole_lines_and_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    lines = [b'{"n": %d}\n' % 10**n for n in range(40)]
    file.write_bytes(b"".join(lines))
    found = ranges(file, 1)
    assert len(found) > 1
    with file.open("rb") as stream:
        assert [list(lines_of(stream, part)) for part in found] != [lines]
        assert [line for part in found for line in lines_of(stream, part)] == lines


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b" + bytes(50), b'{"one": "line"}', b"\xef\xbb\xbf\n\n"])
def test_what_cannot_be_shared_out_is_one_range(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(data)
    assert ranges(file, 1) == [Range(0, len(data))] or ranges(file, 1)[0].start == 0
    assert ranges(file)[0].end == len(data)


def summary_of(path: Path, worth_bytes: int, told: list[BadInput]) -> bytes:
    studies = Studies("refunds", worth_bytes=worth_bytes)
    assert studies.read(source(str(path)), told.append)
    found = msgspec.to_builtins(list(studies.summaries()))
    for one in found:
        for probe in one["probes"]:
            probe["set"]["read_at"] = ""
    return msgspec.json.encode(found)


def test_shared_out_it_comes_to_the_same(tmp_path: Path) -> None:
    told: list[BadInput] = []
    file = tmp_path / "twice.jsonl"
    data = RESULTS.read_bytes()
    file.write_bytes(data + data.replace(b'"reason_code\\": \\"OTHER', b'"reason_code\\": \\"NEW'))
    assert summary_of(file, 1 << 16, told) == summary_of(file, 1 << 62, told)
    assert told == []


def test_a_damaged_line_is_told_with_its_own_number(tmp_path: Path) -> None:
    told: list[BadInput] = []
    file = tmp_path / "damaged.jsonl"
    file.write_bytes(RESULTS.read_bytes() + b"{broken}\n")
    summary_of(file, 1 << 16, told)
    assert [fault.line for fault in told] == [1 + RESULTS.read_bytes().count(b"\n")]


def test_what_a_process_raises_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        in_processes(int, ["1", "x"])
    assert in_processes(int, ["1", "2"]) == [1, 2]


def test_where_another_thread_runs_a_process_is_begun_anew() -> None:
    """A copy made of a process with threads may hold a lock that nobody opens."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(in_processes, int, ["1", "2"]).result() == [1, 2]
