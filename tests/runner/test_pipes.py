"""Standard streams that are closed, full or no longer read, of real processes with the buffers a user has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[2] / "results/refunds-simulated-careless.jsonl"
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
FULL = "assumeprobe: standard output: No space left on device; what was written to it is not all\n"
CLOSED = "assumeprobe: standard output is closed; send it to a file, a pipe or /dev/null\n"
PRINTING = [
    "--help",
    "--version",
    "score --help",
    "corpora",
    "schema record",
    "check refunds",
    f"score '{RESULTS}'",
    f"score '{RESULTS}' --format json",
    f"compare '{RESULTS}' '{RESULTS}'",
    f"compare '{RESULTS}' '{RESULTS}' --format json",
    f"scan '{RESULTS}' --set refunds:reason_codes",
    f"scan '{RESULTS}' --set refunds:reason_codes --format csv",
    "sets show refunds:reason_codes",
    "sets diff refunds:reason_codes refunds:reason_codes",
]


def shell(line: str, folder: Path, **options) -> tuple[int, str]:
    """The exit status of a line in which ASSUMEPROBE is the command, and what it said on standard error."""
    script = line.replace("ASSUMEPROBE", f"'{sys.executable}' -P -m runner")
    environ = BUFFERED | {"PYTHONPATH": str(Path(__file__).parents[2])} | options
    done = subprocess.run(
        ["sh", "-c", script], cwd=folder, env=environ, input=b"", capture_output=True, check=False, timeout=18
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("command", PRINTING)
def test_what_is_printed_where_there_is_no_room_for_it_is_said_to_be_lost(command: str, tmp_path: Path) -> None:
    assert shell(f"ASSUMEPROBE {command} >&-", tmp_path) == (2, CLOSED)
    assert shell(f"ASSUMEPROBE {command} >/dev/full", tmp_path) == (3, FULL)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("score - <&-", "standard input is closed; name a file"),
        ("scan - --set refunds:reason_codes <&-", "standard input is closed; name a file"),
        ("guard --corpus refunds <&-", "standard input is closed; pipe calls into it"),
        ("guard --corpus refunds >&-", "standard output is closed; the answers go there"),
        (f"score '{RESULTS}' --verdicts - >&-", "--verdicts: standard output is closed; name a file"),
        ("run refunds --simulate -o - >&-", "-o: standard output is closed; name a file"),
        ("run refunds --simulate --score >&-", "standard output is closed; the table goes there"),
        ("run refunds --simulate --fail-on 'errors>0' >&-", "standard output is closed; the table goes there"),
        ("demo >&-", "standard output is closed; the table goes there"),
        (f"rerun '{RESULTS}' --simulate >&-", "standard output is closed; the comparison goes there"),
    ],
)
def test_what_needs_a_stream_that_is_closed_says_so_first(command: str, sentence: str, tmp_path: Path) -> None:
    assert shell(f"ASSUMEPROBE {command}", tmp_path) == (2, f"assumeprobe: {sentence}\n")
    assert list(tmp_path.iterdir()) == []


CALL = """echo '{"tool": "refund_order", "arguments": "{}"}'"""


@pytest.mark.parametrize(
    ("command", "status", "sentence"),
    [
        (f"{CALL} | ASSUMEPROBE guard --corpus refunds >/dev/full", 3, FULL),
        (f"ASSUMEPROBE score '{RESULTS}' --verdicts - >/dev/full", 3, FULL),
        (f"ASSUMEPROBE score '{RESULTS}' --verdicts - --fail-on 'malformed>=0' >/dev/full", 3, FULL),
        ("ASSUMEPROBE corpora 1</dev/null", 3, FULL.replace("No space left on device", "Bad file descriptor")),
    ],
    ids=["guard", "verdicts", "verdicts with a finding", "open to be read only"],
)
def test_lines_that_find_no_room_are_said_to_be_lost(command: str, status: int, sentence: str, tmp_path: Path) -> None:
    found, said = shell(command, tmp_path)
    assert (found, said.splitlines(keepends=True)[-1]) == (status, sentence)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("corpora", 0),
        ("score --help", 0),
        (f"score '{RESULTS}'", 0),
        (f"score '{RESULTS}' --format json", 0),
        (f"score '{RESULTS}' --verdicts -", 0),
        (f"score '{RESULTS}' --fail-on 'unrecoverable:out_of_set>=0.1'", 1),
        (f"score '{RESULTS}' --format json --fail-on 'unrecoverable:out_of_set>=0.1'", 1),
        ("sets diff refunds:reason_codes codes.json", 1),
        ("run refunds --simulate --limit 4 --samples 1 --score --quiet --fail-on 'unrecoverable:out_of_set>=0'", 1),
        ("run refunds --simulate -o - --quiet", 0),
        ("guard --corpus refunds < calls.jsonl", 0),
    ],
)
@pytest.mark.parametrize("reader", ["true", "head -c 1"])
def test_a_reader_that_goes_away_is_no_error_and_hides_no_finding(
    command: str, status: int, reader: str, tmp_path: Path
) -> None:
    (tmp_path / "codes.json").write_text('["A"]', "utf-8")
    (tmp_path / "calls.jsonl").write_text('{"tool": "refund_order", "arguments": "{}"}\n' * 1_000, "utf-8")
    line = f"{{ sleep 0.05; ASSUMEPROBE {command}; echo $? >status; }} | {reader} >/dev/null"
    _, said = shell(line, tmp_path)
    assert "Traceback" not in said
    assert "Errno" not in said
    assert int((tmp_path / "status").read_text("utf-8")) == status


SAMPLED = "run refunds --simulate --limit 4 --samples 1 -o r.jsonl"


@pytest.mark.parametrize("how", ["2>&-", "2>/dev/full", "<&- >&- 2>&-", ">/dev/full"])
def test_words_that_nobody_can_read_end_no_run_and_stand_in_no_file(how: str, tmp_path: Path) -> None:
    assert shell(f"ASSUMEPROBE {SAMPLED} {how}", tmp_path)[0] == 0
    lines = (tmp_path / "r.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["ok"] * 4
    assert json.loads((tmp_path / "r.manifest.json").read_bytes())["counts"]["recorded"] == 4


@pytest.mark.parametrize("how", ["2>&-", "2>/dev/full", ">&- 2>&-"])
def test_a_sentence_that_nobody_can_read_still_has_its_status(how: str, tmp_path: Path) -> None:
    assert shell(f"ASSUMEPROBE check nope {how}", tmp_path)[0] == 2


def test_a_full_disk_is_told_also_where_nothing_is_buffered(tmp_path: Path) -> None:
    assert shell("ASSUMEPROBE corpora >/dev/full", tmp_path, PYTHONUNBUFFERED="1") == (3, FULL)
