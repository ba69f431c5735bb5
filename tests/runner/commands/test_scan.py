"""`scan`: stored payloads against a set, counted and never called a rate."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from runner.cli import main


def line(value: object, month: int = 1, **more: object) -> str:
    call = {"function": {"name": "refund_order", "arguments": json.dumps({"reason_code": value})}}
    body = {"created_at": f"2026-{month:02}-15T00:00:00Z", "choices": [{"message": {"tool_calls": [call]}}]}
    return json.dumps(body | more) + "\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with `log.jsonl`: five months of calls; tables have 120 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    values = ["OTHER", "OTHER", "LATE_DELIVERY", "Other", "CHANGED_MIND", "CHANGED_MIND"]
    text = "".join(line(value, 1 + place % 5) for place, value in enumerate(values))
    (tmp_path / "log.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def scan(capsys, *arguments: str, status: int = 0) -> dict:
    capsys.readouterr()
    assert main(["scan", *arguments, "--format", "json"]) == status
    return json.loads(capsys.readouterr().out)


def test_a_log_against_a_corpus_set_needs_no_more_than_both_names(here: Path, capsys) -> None:
    found = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes")
    assert (found["tool"], found["argument"], found["shape"]) == ("refund_order", "reason_code", "openai-chat")
    assert (found["records"], found["calls"], found["out_of_set"]) == (6, 6, 3)
    rows = {row["value"]: row for row in found["values"]}
    assert {value: row["count"] for value, row in rows.items()} == {
        "OTHER": 2, "LATE_DELIVERY": 1, "Other": 1, "CHANGED_MIND": 2,
    }  # fmt: skip
    assert (rows["Other"]["near"], rows["Other"]["nearest"]) == ("case", "OTHER")
    assert rows["OTHER"]["catch_all"] is True
    assert rows["CHANGED_MIND"]["months"] == {"2026-01": 1, "2026-05": 1}
    assert (rows["CHANGED_MIND"]["first_seen"], rows["CHANGED_MIND"]["last_seen"]) == (
        "2026-01-15T00:00:00Z",
        "2026-05-15T00:00:00Z",
    )
    assert sum(row["count"] for row in rows.values()) == found["calls"]
    assert list(found)[:5] == ["v", "source", "shape", "tool", "argument"]


def test_a_member_of_another_set_of_the_corpus_is_told_so(here: Path, capsys) -> None:
    row = {"tool": "open_incident", "arguments": {"component_id": "abena.hz"}}
    (here / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (value,) = scan(capsys, "rows.jsonl", "--set", "incidents:components")["values"]
    assert (value["value"], value["in_set"], value["near"]) == ("abena.hz", False, "other-set")


def test_the_words_say_what_the_count_is_not(here: Path, capsys) -> None:
    found = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes")
    first, _, retention = found["caveats"]
    assert "product of two unknown factors" in first
    assert retention.startswith("The data reaches over 121 days, from 2026-01-15")
    assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes"]) == 0
    shown = capsys.readouterr().out
    assert "It is no rate of the model" in shown
    assert "%" not in shown


def test_the_table_is_as_wide_as_the_terminal(here: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = []
    for columns in (60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes"]) == 0
        widths.append(max(map(len, capsys.readouterr().out.splitlines())))
    assert widths[0] <= widths[1] <= 80 < widths[2] <= 120


def test_in_csv_a_text_is_told_from_a_number_and_from_nothing(here: Path, capsys) -> None:
    calls = ({"tool": "refund_order", "arguments": {"reason_code": code}} for code in ("5", 5, "True", True))
    (here / "log.jsonl").write_text("".join(f"{json.dumps(call)}\n" for call in calls), "utf-8")
    assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes", "--format", "csv"]) == 0
    values = [line.split(",")[2] for line in capsys.readouterr().out.splitlines()]
    assert sorted(values) == ['"5"', '"True"', "5", "True", "value"]


def test_csv_has_a_row_a_value_and_a_column_a_month(here: Path, capsys) -> None:
    (here / "log.jsonl").write_text(line("=cmd()") + line("OTHER", 2), encoding="utf-8")
    assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["value"], row["count"], row["2026-01"], row["2026-02"]) for row in rows] == [
        ("'=cmd()", "1", "1", "0"),
        ("OTHER", "1", "0", "1"),
    ]


def test_what_a_model_wrote_reaches_a_terminal_as_escapes(here: Path, capsys) -> None:
    (here / "log.jsonl").write_text(line("\x1b[2J\u202e"), encoding="utf-8")
    (value,) = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes")["values"]
    assert value["value"] == "\x1b[2J\u202e"
    assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes", "--format", "json"]) == 0
    assert "\u202e" not in capsys.readouterr().out
    assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes"]) == 0
    assert not {"\x1b", "\u202e"} & set(capsys.readouterr().out)


def test_joined_results_mark_what_the_corpus_provokes_too(here: Path, capsys) -> None:
    assert main(["run", "refunds", "--simulate", "--quiet", "-o", "r.jsonl"]) == 0
    found = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes", "--join", "r.jsonl")
    assert {row["value"]: row["provoked"] for row in found["values"]} == {
        "OTHER": True, "LATE_DELIVERY": True, "CHANGED_MIND": True, "Other": False,
    }  # fmt: skip
    assert main(["scan", "log.jsonl", "--set", "refunds:reason_codes", "--join", "r.jsonl"]) == 0
    assert "never: worth a fixture" in capsys.readouterr().out


def test_results_of_ones_own_count_as_the_scorer_counts_them(here: Path, capsys) -> None:
    assert main(["run", "refunds", "--simulate", "--quiet", "-o", "r.jsonl"]) == 0
    capsys.readouterr()
    assert main(["score", "r.jsonl", "--format", "json"]) == 0
    scored = json.loads(capsys.readouterr().out)["probes"][0]
    found = scan(capsys, "r.jsonl", "--set", "refunds:reason_codes")
    assert {row["value"]: row["count"] for row in found["values"]} == {
        row["value"]: row["count"] for row in scored["values"]
    }


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        pytest.param({"tool": "refund_order", "arguments": "{}"}, "no-argument", id="absent"),
        pytest.param({"tool": "refund_order", "arguments": '{"reason_code": ""}'}, "no-argument", id="empty"),
        pytest.param({"tool": "refund_order", "arguments": "[]"}, "malformed", id="no object"),
        pytest.param({"tool": "refund_order", "arguments": '{"reason_code": "OT'}, "truncated", id="cut"),
        pytest.param({"tool": "refund_order", "arguments": {"reason_code": "[REDACTED]"}}, "redacted", id="masked"),
        pytest.param({"tool": "refund_order", "arguments": {"reason_code": "***"}}, "redacted", id="stars"),
        pytest.param(
            {"tool": "refund_order", "arguments": {"reason_code": 1e300}}, "damaged", id="a float beyond digits"
        ),
        pytest.param({"tool": "refund_order", "reason_code": "OTHER"}, "mapped", id="the service wrote its catch-all"),
        pytest.param({"tool": "refund_order", "reason_code": "#NAME?"}, "damaged", id="an error of a spreadsheet"),
        pytest.param({"something": "else"}, "unknown-shape", id="unknown"),
    ],
)
def test_what_cannot_be_judged_is_a_row_of_its_own(here: Path, capsys, record: dict, reason: str) -> None:
    (here / "log.jsonl").write_text(line("LATE_DELIVERY") + json.dumps(record) + "\n", encoding="utf-8")
    found = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes")
    assert (found["calls"], found["skipped"]) == (1, {reason: 1})


def test_a_damaged_line_is_counted_and_the_others_too(here: Path, capsys) -> None:
    (here / "log.jsonl").write_text(line("OTHER") + '{"broken\n' + line("OTHER"), encoding="utf-8")
    found = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes")
    assert (found["records"], found["calls"], found["skipped"]) == (3, 2, {"damaged": 1})


def test_damaged_places_are_named_on_standard_error(here: Path, capsys) -> None:
    (here / "log.csv").write_text("tool,reason_code\nrefund_order,LATE_DELIVERY\nrefund_order\n", encoding="utf-8")
    assert main(["scan", "log.csv", "--set", "refunds:reason_codes"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "assumeprobe: log.csv:3: expected 2 cells as in the first row, found 1; passed over\n"
    assert "damaged" in shown.out


def test_array_elements_are_values_of_their_own(here: Path, capsys) -> None:
    arguments = {"items": [{"code": "A"}, {"code": "B"}, {"code": "C"}]}
    (here / "log.jsonl").write_text(json.dumps({"tool": "t", "arguments": arguments}) + "\n", encoding="utf-8")
    (here / "codes.txt").write_text("A\nB\n", encoding="utf-8")
    found = scan(capsys, "log.jsonl", "--set", "codes.txt", "--tool", "t", "--argument", "items.*.code")
    assert (found["calls"], found["out_of_set"]) == (3, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["none.jsonl"], "none.jsonl: cannot be read: No such file or directory", id="no source"),
        pytest.param(["empty.jsonl"], "empty.jsonl: holds no record", id="empty"),
        pytest.param(["noise.jsonl"], "noise.jsonl: not one of 2 records could be read", id="noise"),
        pytest.param(
            ["odd.jsonl"], 'no record is of a known shape; the first is {"a":1}; known are ', id="unknown shape"
        ),
        pytest.param(["log.sqlite"], "log.sqlite: a database is scanned by a query: give --query", id="no query"),
        pytest.param(
            ["log.sqlite", "--query", "select no"], "log.sqlite: the query failed: no such column: no", id="bad query"
        ),
        pytest.param(
            ["log.sqlite", "--query", "delete from t"],
            "log.sqlite: the query failed: not authorized; a database is only read here",
            id="a query that writes",
        ),
        pytest.param(
            ["log.jsonl", "--tool", "fly"],
            "which argument of which tool is looked for? name both with --tool and --argument; the set is used by "
            "refund_order.reason_code",
            id="a tool that the set is not of",
        ),
        pytest.param(
            ["env:NOWHERE", "--query", "select 1"],
            "the environment has no NOWHERE; set it to the database's URL",
            id="variable",
        ),
        pytest.param(
            ["nothing://h/d", "--query", "select 1"], "nothing://h/d: cannot be read: Can't load plugin: ", id="dialect"
        ),
    ],
)
def test_a_source_that_cannot_be_scanned_is_one_sentence(here: Path, capsys, arguments, sentence: str) -> None:
    (here / "empty.jsonl").write_text("\n", encoding="utf-8")
    (here / "noise.jsonl").write_bytes(b"\xff\x00\n}{\n")
    (here / "odd.jsonl").write_text('{"a": 1}\n' * 2, encoding="utf-8")
    sqlite3.connect("log.sqlite").execute("create table t (a)").connection.close()
    capsys.readouterr()
    assert main(["scan", *arguments, "--set", "refunds:reason_codes"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"assumeprobe: {sentence}")
    assert shown.err.count("\n") == 1


def test_without_a_corpus_the_argument_must_be_named(here: Path, capsys) -> None:
    (here / "codes.txt").write_text("OTHER\n", encoding="utf-8")
    assert main(["scan", "log.jsonl", "--set", "codes.txt"]) == 2
    assert "name both with --tool and --argument" in capsys.readouterr().err


def test_a_sqlite_file_is_scanned_by_a_query(here: Path, capsys) -> None:
    with sqlite3.connect("log.sqlite") as connection:
        connection.execute("create table calls (payload text, created_at text)")
        rows = [(line("OTHER"), "2026-03-01"), (line("CHANGED_MIND"), "2026-04-01")]
        connection.executemany("insert into calls values (?, ?)", rows)
    connection.close()
    found = scan(capsys, "log.sqlite", "--query", "select * from calls", "--set", "refunds:reason_codes")
    assert (found["shape"], found["calls"], found["out_of_set"]) == ("payload: openai-chat", 2, 1)
    assert (found["first_seen"], found["last_seen"]) == ("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")


def test_scan_stands_in_a_pipe(here: Path) -> None:
    command = [sys.executable, "-m", "runner", "scan", "-", "--set", "refunds:reason_codes", "--format", "json"]
    done = subprocess.run(
        command, input=(here / "log.jsonl").read_bytes(), capture_output=True, check=False, timeout=15
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["source"] == "standard input"


def test_too_many_different_values_are_counted_together(here: Path, capsys) -> None:
    with (here / "log.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(line(f"value {number}") for number in range(20_050))
        stream.write(line("OTHER"))
    found = scan(capsys, "log.jsonl", "--set", "refunds:reason_codes")
    assert (found["calls"], found["out_of_set"], found["values_left_out"]) == (20_051, 20_050, 50)
    assert sum(row["count"] for row in found["values"]) + 50 == found["calls"]
