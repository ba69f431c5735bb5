"""What is written down of each decision, where, and how much at most."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from corpora.jsonl import changed
from scoring.guard import Decision, Guard
from scoring.guarding.log import DecisionLog, Entry, line
from scoring.judging.verdicts import Verdict
from tests.scoring.build import CODES, a_probe
from tests.waiting import until

GUARD = Guard([a_probe("code", "t", "membership", set="codes")], {"codes": CODES})
PASSED, REFUSED = (GUARD.check("t", {"code": code}) for code in ("OTHER", "x"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_bytes().decode().split("\n")[:-1]]


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the program's log was told of files."""
    found = [record for record in caplog.records if record.getMessage().startswith("decisions")]
    assert {record.name for record in found} <= {"assumeprobe.guard"}
    return [record.getMessage() for record in found]


def numbered(number: int) -> Decision:
    return changed(PASSED, emitted=number)


def test_a_decision_is_a_line_of_the_verdict_then_what_was_decided_when_and_in_which_mode() -> None:
    written = line(Entry(1_893_456_000.5, "observe", REFUSED))
    assert list(written) == [*Verdict.__struct_fields__, "allow", "reason", "mode", "at"]
    assert {name: value for name, value in written.items() if value != getattr(REFUSED, name, ...)} == {
        "mode": "observe",
        "at": "2030-01-01T00:00:00.500Z",
    }
    assert line(Entry(0.0, "refuse", PASSED))["at"] == "1970-01-01T00:00:00.000Z"


LONG = "é" * 1_001


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("é" * 1_000, "é" * 1_000),
        (LONG, "é" * 1_000 + "…"),
        ([1, "a"], [1, "a"]),
        (["a" * 996], ["a" * 996]),
        (["a" * 997], '["' + "a" * 997 + '"…'),
        ({"a": LONG}, '{"a":"' + "é" * 994 + "…"),
        ({}, {}),
        (10**30, 10**30),
        (True, True),
        (None, None),
    ],
    ids=[
        "as long as may be",
        "too long",
        "a list",
        "a list as long as may be",
        "a long list",
        "a long object",
        "an empty object",
        "a number",
        "a boolean",
        "nothing",
    ],
)
@pytest.mark.parametrize("field", ["emitted", "stored", "nearest"])
def test_a_value_that_is_long_is_cut(field: str, value: Any, written: Any) -> None:
    found = line(Entry(0.0, "refuse", changed(REFUSED, **{field: value})))
    expected = {**REFUSED.line(), field: written, "mode": "refuse", "at": "1970-01-01T00:00:00.000Z"}
    assert found == expected


def test_decisions_are_appended_in_their_order_one_a_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"before": 1}\n', encoding="utf-8")
    before = datetime.now(UTC)
    for log in (DecisionLog(path), DecisionLog(str(path))):
        for number in range(1_200):
            log.put(numbered(number), "observe" if number % 2 else "refuse")
        assert log.flush(10) is True
    first, *written = lines(path)
    assert first == {"before": 1}
    assert [one["emitted"] for one in written] == [*range(1_200), *range(1_200)]
    assert [one["mode"] for one in written[:2]] == ["refuse", "observe"]
    for one in (written[0], written[-1]):
        assert abs((datetime.fromisoformat(one["at"]) - before).total_seconds()) < 60
    assert (log.dropped, told(caplog)) == (0, [])


def test_an_idle_log_writes_at_once_what_comes_later(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    path = tmp_path / "d.jsonl"
    for _ in range(3):
        log.put(PASSED, "refuse")
        until(lambda: path.exists() and path.stat().st_size)
        assert len(lines(path)) == 1
        assert log.flush(10)
        os.truncate(path, 0)
    assert [thread.name for thread in threading.enumerate()].count("guard-log") >= 1
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "guard-log")


def test_nothing_to_write_is_nothing_to_until(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    assert log.flush(0) is True
    assert (log.dropped, list(tmp_path.iterdir())) == (0, [])


class Stuck:
    """A pipe that nobody reads: whoever opens it waits."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "pipe"
        os.mkfifo(self.path)
        self.opened = False

    def lines(self, most: int) -> list[dict[str, Any]]:
        with self.path.open("rb") as stream:
            return [json.loads(text) for text in (stream.readline() for _ in range(most)) if text]


def test_a_full_queue_drops_the_rest_and_the_next_line_says_how_many(tmp_path: Path) -> None:
    stuck = Stuck(tmp_path)
    log = DecisionLog(stuck.path, most_waiting=3)
    for number in range(3):
        log.put(numbered(number), "refuse")
    for number in range(3, 10):
        log.put(numbered(number), "refuse")
    assert log.dropped == 7
    assert log.flush(0.02) is False
    with stuck.path.open("rb") as stream:
        assert log.flush(10) is True
        assert log.dropped == 0
        log.put(numbered(10), "refuse")
        assert log.flush(10) is True
        found = [json.loads(stream.readline()) for _ in range(5)]
    told = [one.get("dropped", one.get("emitted")) for one in found]
    assert sorted(told) == [0, 1, 2, 7, 10]
    (dropped,) = (one for one in found if "dropped" in one)
    assert list(dropped) == ["at", "dropped"]
    assert abs(datetime.fromisoformat(dropped["at"]).timestamp() - time.time()) < 60


@pytest.mark.parametrize("most", [("most_waiting", 10_000), ("most_bytes", 10_000_000)], ids=str)
def test_the_bounds_that_nobody_names_are_those_that_are_documented(most: tuple[str, int], tmp_path: Path) -> None:
    name, bound = most
    if name == "most_waiting":
        stuck = Stuck(tmp_path)
        log = DecisionLog(stuck.path)
        for _ in range(bound + 1):
            log.put(PASSED, "refuse")
        assert log.dropped == 1
        assert len(stuck.lines(1)) == 1
        return
    path = tmp_path / "d.jsonl"
    for size, names in ((bound - 1, ["d.jsonl"]), (bound, ["d.jsonl", "d.jsonl.1"])):
        path.write_bytes(b"")
        os.truncate(path, size)
        log = DecisionLog(path)
        log.put(PASSED, "refuse")
        assert log.flush(10)
        assert sorted(file.name for file in tmp_path.iterdir()) == names


def test_a_full_file_is_kept_beside_and_the_one_before_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    log = DecisionLog(path, most_bytes=1)
    for number in range(4):
        log.put(numbered(number), "refuse")
        assert log.flush(10)
        kept = {file.name: [one["emitted"] for one in lines(file)] for file in tmp_path.iterdir()}
        assert kept == {"d.jsonl": [number], **({"d.jsonl.1": [number - 1]} if number else {})}


def test_without_a_file_a_refusal_is_a_warning_and_a_pass_is_said_to_who_debugs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = DecisionLog(None)
    for level, expected in (("WARNING", ["WARNING"]), ("DEBUG", ["DEBUG", "WARNING"])):
        caplog.clear()
        caplog.set_level(level, "assumeprobe.guard")
        log.put(PASSED, "refuse")
        log.put(changed(REFUSED, emitted="100 %s %d\x1b"), "observe")
        assert log.flush(10)
        records = [record for record in caplog.records if '"tool":"t"' in record.getMessage()]
        assert [record.levelname for record in records] == expected
        assert {record.name for record in records} == {"assumeprobe.guard"}
        found = json.loads(records[-1].getMessage())
        assert (found["emitted"], found["mode"], next(iter(found))) == ("100 %s %d\x1b", "observe", "v")


def test_what_waits_at_the_end_of_the_program_is_still_written(tmp_path: Path) -> None:
    code = (
        "import sys; from scoring.guard import Guard; from scoring.guarded import guarded\n"
        "from corpora.probes import Probe\n"
        "guard = Guard([Probe(tool='t', argument='code', measure='membership', set='s')], {'s': lambda: ['A']})\n"
        "call = guarded(guard, tool='t', log=sys.argv[1])(lambda code: code)\n"
        "[call('A') for _ in range(50)]\n"
    )
    path = tmp_path / "d.jsonl"
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, check=True, timeout=20, capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("", "")
    assert len(lines(path)) == 50


def test_what_cannot_be_written_is_counted_and_why_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "d.jsonl"
    path.mkdir()
    log = DecisionLog(path)
    for number in range(5):
        log.put(numbered(number), "refuse")
        assert log.flush(10)
    until(lambda: log.dropped == 5)
    path.rmdir()
    log.put(numbered(5), "refuse")
    assert log.flush(10)
    until(lambda: log.dropped == 0)
    assert [one.get("dropped", one.get("emitted")) for one in lines(path)] == [5, 5]
    until(lambda: len(told(caplog)) == 2)
    assert told(caplog) == [
        f"decisions cannot be written to {path}: Is a directory",
        f"decisions are written to {path} again",
    ]


LIMITED = """
import json, resource, sys
from corpora.jsonl import changed
from scoring.guard import Guard
from scoring.guarding.log import DecisionLog
from corpora.probes import Probe
passed = Guard([Probe(tool="t", argument="c", measure="membership", set="s")], {"s": ["A"]}).check("t", {"c": "A"})
log = DecisionLog(sys.argv[1])
log.put(changed(passed, emitted=0), "refuse")
log.flush(10)
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (1_100, most))
for number in range(1, 6):
    log.put(changed(passed, emitted=number), "refuse")
    log.flush(10)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
log.put(changed(passed, emitted=6), "refuse")
log.flush(10)
print(log.dropped)
"""


def test_a_disk_that_fills_up_tears_one_line_and_none_that_comes_after(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    command = [sys.executable, "-c", LIMITED, str(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=20, check=True)
    first, *middle, torn, last, told = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(text)["emitted"] for text in (first, *middle)] == [0, *range(1, 1 + len(middle))]
    assert (json.loads(last)["emitted"], json.loads(told)["dropped"]) == (6, 5 - len(middle))
    with pytest.raises(ValueError, match=r"Unterminated|Expecting|delimiter"):
        json.loads(torn)
    assert path.read_bytes().endswith(b"}\n")
    assert "File too large" in done.stderr
    assert done.stdout == "0\n"


class Failing(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        raise ValueError(record)


def test_a_programs_log_that_fails_does_not_end_the_writing(caplog: pytest.LogCaptureFixture) -> None:
    logger, handler = logging.getLogger("assumeprobe.guard"), Failing()
    log = DecisionLog(None)
    logger.addHandler(handler)
    try:
        for _ in range(3):
            log.put(REFUSED, "refuse")
            assert log.flush(10)
    finally:
        logger.removeHandler(handler)
    log.put(REFUSED, "observe")
    assert log.flush(10)
    until(
        lambda: any(
            '"tool":"t"' in one.getMessage() and '"mode":"observe"' in one.getMessage() for one in caplog.records
        )
    )


def test_a_thread_that_cannot_be_started_stops_no_call_and_is_started_at_the_next(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "d.jsonl")
    threading.stack_size(2**62)  # no machine has so much room
    try:
        log.put(numbered(1), "refuse")
        assert log.flush(0) is False
    finally:
        threading.stack_size(0)
    log.put(numbered(2), "refuse")
    assert log.flush(10) is True
    assert [one["emitted"] for one in lines(tmp_path / "d.jsonl")] == [1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_what_waits_at_a_fork_is_written_once(tmp_path: Path) -> None:
    stuck = Stuck(tmp_path)
    log = DecisionLog(stuck.path, most_waiting=3)
    for number in range(4):
        log.put(numbered(number), "refuse")
    child = os.fork()
    if not child:  # pragma: no cover - another process
        log.path = tmp_path / "child.jsonl"
        log.put(numbered(9), "refuse")
        os._exit(0 if log.flush(10) and log.dropped == 0 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert [one["emitted"] for one in lines(tmp_path / "child.jsonl")] == [9]
    with stuck.path.open("rb") as stream:
        assert log.flush(10)
        found = [json.loads(stream.readline()) for _ in range(4)]
    assert sorted(one.get("dropped", one.get("emitted")) for one in found) == [0, 1, 1, 2]


def test_many_writers_of_one_file_lose_and_tear_nothing(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    logs = [DecisionLog(path, most_bytes=400_000) for _ in range(4)]

    def write(log: DecisionLog, first: int) -> None:
        for number in range(first, first + 300):
            log.put(numbered(number), "refuse")

    threads = [threading.Thread(target=write, args=(log, n * 300)) for n, log in enumerate(logs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert all(log.flush(10) for log in logs)
    files = sorted(file.name for file in tmp_path.iterdir())
    assert files in (["d.jsonl"], ["d.jsonl", "d.jsonl.1"])
    assert sorted(one["emitted"] for name in files for one in lines(tmp_path / name)) == list(range(1_200))


def test_a_call_that_comes_when_the_program_is_nearly_gone_is_decided_too() -> None:
    """No thread can be started any more; who waits for one waits for ever."""
    code = (
        "from scoring.guard import Guard; from scoring.guarded import Refused, guarded\n"
        "from corpora.probes import Probe\n"
        "guard = Guard([Probe(tool='t', argument='code', measure='membership', set='s')], {'s': ['A']})\n"
        "call = guarded(guard, tool='t')(lambda code: code)\n"
        "class Last:\n"
        "    def __del__(self, call=call, Refused=Refused):\n"
        "        print(call('A'))\n"
        "        try:\n            print(call('B'))\n        except Refused:\n            print('refused')\n"
        "last = Last()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=15, check=True)
    assert done.stdout == "A\nrefused\n"


def test_a_decision_that_no_line_can_hold_is_counted_and_the_next_is_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "d.jsonl"
    log = DecisionLog(path)
    for _ in range(2):
        log.put(changed(PASSED, emitted=object()), "refuse")
        assert log.flush(10)
    until(lambda: log.dropped == 2)
    log.put(PASSED, "refuse")
    assert log.flush(10)
    until(lambda: len(told(caplog)) == 2)
    assert [one.get("dropped", one.get("emitted")) for one in lines(path)] == ["OTHER", 2]
    assert told(caplog) == [
        f"decisions cannot be written to {path}: TypeError",
        f"decisions are written to {path} again",
    ]


def test_a_log_that_cannot_even_say_why_it_cannot_write_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.mkdir()
    log, logger, handler = DecisionLog(path), logging.getLogger("assumeprobe.guard"), Failing()
    logger.addHandler(handler)
    try:
        log.put(numbered(0), "refuse")
        assert log.flush(10)
        until(lambda: log.dropped == 1)
        path.rmdir()
        log.put(numbered(1), "refuse")
        assert log.flush(10)
        until(lambda: log.dropped == 0)
    finally:
        logger.removeHandler(handler)
    assert [one.get("dropped", one.get("emitted")) for one in lines(path)] == [1, 1]


def test_what_many_threads_drop_at_once_is_counted_one_by_one(tmp_path: Path) -> None:
    stuck = Stuck(tmp_path)
    log = DecisionLog(stuck.path, most_waiting=1)
    log.put(PASSED, "refuse")
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=lambda: [log.put(PASSED, "refuse") for _ in range(2_000)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
    finally:
        sys.setswitchinterval(before)
    assert log.dropped == 16_000
    assert [one.get("dropped", one.get("emitted")) for one in stuck.lines(1)] == ["OTHER"]
