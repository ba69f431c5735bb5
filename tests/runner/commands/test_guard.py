"""`assumeprobe guard`: lines in, decisions out, at once, whatever comes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-m", "runner", "guard"]


def asked(lines: bytes, *flags: str, cwd: Path | None = None) -> list[dict[str, Any]]:
    done = subprocess.run([*COMMAND, *flags], input=lines, capture_output=True, timeout=20, check=True, cwd=cwd)
    return [json.loads(line) for line in done.stdout.splitlines()]


def a_line(**fields: Any) -> bytes:
    return json.dumps({"tool": "refund_order", **fields}).encode() + b"\n"


def test_each_line_is_answered_in_its_order_with_its_id_and_the_verdict() -> None:
    lines = [
        a_line(arguments='{"order_id": "1", "reason_code": "OTHER"}', id=1),
        a_line(arguments={"order_id": "1", "reason_code": "damaged on arrival"}, id="b"),
        a_line(arguments="{}"),
        a_line(id=[1]),
        a_line(tool="drop_table", arguments="{}", id=None),
    ]
    first, second, third, fourth, fifth = asked(b"".join(lines), "--corpus", "refunds")
    assert list(first)[:4] == ["id", "allow", "reason", "v"]
    assert (first["id"], first["allow"], first["in_set"]) == (1, True, True)
    assert (second["id"], second["allow"], second["nearest"]) == ("b", False, "DAMAGED_ON_ARRIVAL")
    assert (third["id"], third["allow"], third["emptiness"]) == (None, False, "absent")
    assert third["reason"] == "reason_code is left out (absent), and the schema of refund_order requires it"
    assert (fourth["id"], fourth["allow"], fourth["malformed"]) == ([1], False, "arguments-absent")
    assert (fifth["allow"], fifth["offered"]) == (False, False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense\n", "line 1 asks nothing: JSON is malformed"),
        (b"[1]\n", "line 1 asks nothing: Expected `object`"),
        (b'{"arguments": "{}", "id": 7}\n', "line 1 asks nothing: Object missing required field `tool`"),
        (b'{"tool": 1, "id": 7}\n', "line 1 asks nothing: Expected `str`, got `int` - at `$.tool`"),
        (b'{"tool": "refund_order", "id": 7, "arguments": "\\ud800"}\n', "line 1 asks nothing"),
        (b'{"tool": "\\ud800", "id": 7}\n', "line 1 asks nothing: JSON is malformed"),
        (b'\xff{"tool": 1}\n', "line 1 asks nothing"),
        (b'{"tool": "book", "arguments": ' + b"[" * 5_000 + b"\n", "line 1 asks nothing"),
        (b'{"tool": "refund_order"', "line 1 asks nothing: Input data was truncated"),
        (b'{"tool": "refund_order", "id": 7, "arguments": {"reason_code": "OTHER", "reason_code": "x"}}\n', "twice"),
        (b'{"tool": "refund_order", "id": 7, "arguments": ["OTHER"]}\n', "they are no JSON object"),
    ],
)
def test_a_line_that_is_no_call_is_refused_and_the_next_one_is_read(line: bytes, reason: str) -> None:
    after = a_line(arguments={"reason_code": "OTHER"}, id="next")
    first, *rest = asked(line if not line.endswith(b"\n") else line + after, "--corpus", "refunds")
    assert first["allow"] is False
    assert reason in first["reason"]
    assert first["id"] == (7 if b'"id": 7' in line else None)
    assert [(one["id"], one["allow"]) for one in rest] == ([("next", True)] if line.endswith(b"\n") else [])


def test_an_answer_comes_before_the_next_line_is_asked() -> None:
    with subprocess.Popen([*COMMAND, "--corpus", "refunds"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(a_line(arguments={"reason_code": "OTHER"}, id=number))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(10) == 0


def test_closed_world_probes_are_asked_where_the_line_says_what_was_shown() -> None:
    arguments = {"user_id": "u1", "starts_at": "2027-03-04T09:00", "timezone": "UTC"}
    call = {"tool": "schedule_window", "arguments": arguments}
    lines = [
        json.dumps({**call, "shown": "We are in Asia/Tokyo, on 2027-03-04 at 09:00."}),
        json.dumps({**call, "shown": [{"role": "user", "content": "UTC please, 2027-03-04 at 09:00."}]}),
        json.dumps({**call, "shown": 7}),
    ]
    made, copied, none = asked("\n".join(lines).encode(), "--corpus", "maintenance")
    assert (made["allow"], made["argument"], made["label"]) == (False, "timezone", "INJECT")
    assert (copied["allow"], copied["label"]) == (True, "COPY")
    assert (none["allow"], none["reason"]) == (False, "shown: expected a text, messages or a state; found int")


def test_one_set_can_be_guarded_without_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "codes.txt").write_text("LATE\nOTHER\n", encoding="utf-8")
    flags = ("--tool", "refund", "--argument", "code", "--set", "codes.txt", "--max-age", "60")
    lines = [
        a_line(tool=tool, arguments={"code": code}) for tool, code in (("refund", "LATE"), ("refund", "x"), ("r", 1))
    ]
    assert [one["allow"] for one in asked(b"".join(lines), *flags, cwd=tmp_path)] == [True, False, False]


def test_a_set_that_changes_is_read_again_and_one_that_is_gone_grows_too_old(tmp_path: Path) -> None:
    (tmp_path / "codes.txt").write_text("LATE\nOTHER\n", encoding="utf-8")
    flags = ("--tool", "refund", "--argument", "code", "--set", "codes.txt", "--refresh", "0.05", "--max-age", "1")
    with subprocess.Popen([*COMMAND, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask() -> dict[str, Any]:
            process.stdin.write(a_line(tool="refund", arguments={"code": "NEW"}))
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        assert ask()["in_set"] is False
        (tmp_path / "codes.txt").write_text("LATE\nOTHER\nNEW\n", encoding="utf-8")
        while not ask()["allow"]:
            assert process.poll() is None
        (tmp_path / "codes.txt").unlink()
        while "stale-set" not in (found := ask())["flags"]:
            assert found["allow"]
        assert "cannot be read" in found["reason"]
        process.stdin.close()


@pytest.mark.parametrize(
    "flags", [[], ["--tool", "t"], ["--corpus", "refunds", "--tool", "t"], ["--tool", "t", "--argument", "a"]], ids=str
)
def test_what_is_guarded_has_to_be_said(flags: list[str]) -> None:
    done = subprocess.run([*COMMAND, *flags], input=b"", capture_output=True, timeout=20, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == "assumeprobe: give either --corpus, or --tool, --argument and --set together\n"


def test_a_line_of_any_length_is_answered_and_the_next_one_is_read() -> None:
    long = b"x" * (65 * 1024 * 1024) + b"\n"
    first, second = asked(long + a_line(arguments={"reason_code": "OTHER"}, id=2), "--corpus", "refunds")
    assert (first["allow"], first["reason"]) == (False, "line 1 is longer than 67108864 bytes; it was not read")
    assert (second["id"], second["allow"]) == (2, True)


def test_a_corpus_says_how_often_its_sets_are_read_again(tmp_path: Path) -> None:
    shutil.copytree(Path("corpora/refunds"), tmp_path / "refunds")
    with (tmp_path / "refunds" / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write("refresh_s = 60\n")
    first, second = asked(a_line(arguments={"reason_code": "OTHER"}) * 2, "--corpus", str(tmp_path / "refunds"))
    assert (first["allow"], second["allow"]) == (True, True)


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    call = a_line(arguments={"reason_code": "OTHER"}).decode().strip()
    script = f"yes '{call}' | {sys.executable} -m runner guard --corpus refunds | head -n 1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=20, check=True)
    assert (json.loads(done.stdout)["allow"], done.stderr) == (True, b"")
