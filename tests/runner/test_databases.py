"""Databases are read as they stream, and only ever read."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest

from corpora.errors import BadInput
from runner.databases import database_url, is_database, rows
from runner.scanning import plain_row


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "log.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table calls (id integer, payload text)")
        connection.executemany("insert into calls values (?, ?)", [(1, "a"), (2, "b")])
    connection.close()
    return path


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"], ids=["by the standard library", "by SQLAlchemy"])
def test_rows_come_by_the_names_of_their_columns(file: Path, form: str) -> None:
    found = list(rows(form.format(file), "select payload, id as number from calls order by id"))
    assert found == [{"payload": "a", "number": 1}, {"payload": "b", "number": 2}]


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"], ids=["by the standard library", "by SQLAlchemy"])
@pytest.mark.parametrize("query", ["delete from calls", "select nothing from calls", "drop table calls"])
def test_a_query_that_writes_or_fails_is_bad_input(file: Path, form: str, query: str) -> None:
    before = file.read_bytes()
    with pytest.raises(BadInput):
        list(rows(form.format(file), query))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("database", "sentence"),
    [
        ("none.sqlite", "none.sqlite: the database is not there"),
        ("mysql://u:pw@127.0.0.1:9/d", "mysql://127.0.0.1:9/d: its driver is not installed: No module named 'MySQLdb'"),
        ("postgresql://u:pw@127.0.0.1:9/d", "postgresql://127.0.0.1:9/d: cannot be read: connection failed: "),
    ],
)
def test_a_database_that_cannot_be_reached_is_bad_input_without_its_password(database: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(rows(database, "select 1"))
    assert str(caught.value).startswith(sentence)
    assert "pw" not in str(caught.value)


def test_a_database_is_told_by_its_name_or_its_first_bytes(file: Path, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("{}\n", encoding="utf-8")
    assert is_database("env:DATABASE_URL")
    assert is_database("postgresql://host/d")
    assert is_database(str(file))
    assert not is_database(str(tmp_path / "log.jsonl"))
    assert not is_database("none")


def test_a_variable_stands_for_its_value() -> None:
    assert database_url("env:DB", {"DB": " sqlite:///x \n"}) == "sqlite:///x"
    assert database_url("sqlite:///x", {}) == "sqlite:///x"
    with pytest.raises(BadInput, match="the environment has no DB"):
        database_url("env:DB", {"DB": " "})


def test_a_row_becomes_json_values() -> None:
    identity = UUID(int=7)
    row = {
        "a": "x", "b": 1, "c": None, "d": Decimal(2), "e": Decimal("2.5"), "f": b"caf\xc3\xa9", "g": date(2026, 11, 30),
        "h": datetime(2026, 11, 30, tzinfo=UTC), "i": [1], "j": {"k": 1}, "l": memoryview(b"x"), "m": identity,
    }  # fmt: skip
    assert plain_row(row) == {
        "a": "x", "b": 1, "c": None, "d": 2, "e": 2.5, "f": "café", "g": "2026-11-30",
        "h": "2026-11-30T00:00:00+00:00", "i": [1], "j": {"k": 1}, "l": "x", "m": str(identity),
    }  # fmt: skip
