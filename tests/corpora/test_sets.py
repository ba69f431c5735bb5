"""Sets from where they live: read whole, never empty, never out of the folder, never over a connection unasked."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

from corpora.errors import BadInput
from corpora.sets import SetSpec, describe, needs_connection, read_set

OPENAPI = """
openapi: 3.1.0
components:
  schemas:
    Code: {type: string, enum: [LATE, NO]}
  parameters:
    one: {name: a, in: query}
    two: {name: b, in: query}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (tmp_path / "outside.txt").write_text("SECRET\n", encoding="utf-8")
    (folder / "codes.txt").write_bytes(b"\xef\xbb\xbfLATE\r\n\r\nOTHER\r\nLATE\r\n")
    (folder / "codes.csv").write_bytes(b'\xef\xbb\xbfcode,label\r\nLATE,"a, b"\r\nOTHER,c\r\n')
    (folder / "one.csv").write_text("code\nLATE\n", encoding="utf-8")
    (folder / "codes.json").write_text('{"values": ["LATE", "OTHER"]}', encoding="utf-8")
    (folder / "rows.json").write_text('[{"id": 7}, {"id": 8}]', encoding="utf-8")
    (folder / "rows.jsonl").write_text('{"id": "a\u2028b"}\n\n{"id": "c"}\n', encoding="utf-8")
    (folder / "short.json").write_text('[{"id": 7}, {}]', encoding="utf-8")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    (folder / "broken.jsonl").write_text("{}\n{\n", encoding="utf-8")
    (folder / "codes.yaml").write_text("values: [NO, 2026-01-31, 0x, 7]\n", encoding="utf-8")
    (folder / "rows.yml").write_text("- id: a\n- {id: b}\n", encoding="utf-8")
    (folder / "api.yaml").write_text(OPENAPI, encoding="utf-8")
    (folder / "two.yaml").write_text("a: 1\na: 2\n", encoding="utf-8")
    (folder / "open.yaml").write_text("a:\n  - [1\nb: 2\n", encoding="utf-8")
    (folder / "tag.yaml").write_text("values: [!!python/object:os.system x]\n", encoding="utf-8")
    (folder / "deep.yaml").write_text("[" * 5000, encoding="utf-8")
    (folder / "self.yaml").write_text("a: &a\n  oneOf: [*a]\n", encoding="utf-8")
    (folder / "latin.txt").write_bytes(b"caf\xe9\n")
    (folder / "quote.csv").write_text('code\n"LATE\n', encoding="utf-8")
    (folder / "lines.txt").write_text("a\u2028b\n", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "codes.xlsx").write_bytes(b"PK")
    with sqlite3.connect(folder / "c.sqlite") as connection:
        connection.execute("create table codes (code, active)")
        connection.executemany("insert into codes values (?, ?)", [("LATE", 1), ("OTHER", 1), ("OLD", 0), (b"\0", 2)])
    connection.close()
    return folder


def values(folder: Path, **spec) -> tuple[object, ...]:
    return read_set("codes", SetSpec(**spec), folder).values


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"file": "codes.txt"}, ("LATE", "OTHER"), id="text with BOM, CRLF, blank and double lines"),
        pytest.param({"file": "lines.txt"}, ("a\u2028b",), id="a line separator is part of its line"),
        pytest.param({"file": "codes.csv", "column": "code"}, ("LATE", "OTHER"), id="csv with BOM"),
        pytest.param({"file": "codes.csv", "column": "label"}, ("a, b", "c"), id="quoted comma"),
        pytest.param({"file": "one.csv"}, ("LATE",), id="csv of one column"),
        pytest.param({"file": "codes.json"}, ("LATE", "OTHER"), id="json"),
        pytest.param({"file": "rows.json", "column": "id"}, (7, 8), id="json rows"),
        pytest.param({"file": "rows.jsonl", "column": "id"}, ("a\u2028b", "c"), id="jsonl rows"),
        pytest.param({"file": "codes.yaml"}, ("NO", "2026-01-31", "0x", 7), id="yaml"),
        pytest.param({"file": "rows.yml", "column": "id"}, ("a", "b"), id="yaml rows"),
        pytest.param({"file": "api.yaml", "pointer": "/components/schemas/Code"}, ("LATE", "NO"), id="openapi"),
        pytest.param({"file": "api.yaml", "pointer": "/components/parameters/*/name"}, ("a", "b"), id="every item"),
        pytest.param({"values": ("A", 1, True)}, ("A", 1, True), id="values, a boolean is no number"),
        pytest.param(
            {"query": "select code from codes where active = 1", "database": "c.sqlite"}, ("LATE", "OTHER"), id="sqlite"
        ),
    ],
)
def test_a_set_is_read_from_where_it_lives(folder: Path, spec, expected) -> None:
    assert values(folder, **spec) == expected


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        pytest.param(
            {},
            "sets.codes: a set names exactly one of enum, query, url, file, values; this one names none",
            id="no source",
        ),
        pytest.param(
            {"file": "a.txt", "values": ("A",)},
            "sets.codes: a set names exactly one of enum, query, url, file, values; this one names file, values",
            id="two sources",
        ),
        pytest.param({"values": ()}, "sets.codes: the set is empty: values gave no value", id="empty"),
        pytest.param({"values": ("", None)}, "sets.codes: the set is empty: values gave no value", id="only blank"),
        pytest.param(
            {"values": ("A", ["B"])},
            "sets.codes: a member is text, a number or a boolean; found ['B']",
            id="a list as member",
        ),
        pytest.param(
            {"values": (float("nan"),)},
            "sets.codes: a member is text, a number or a boolean; found nan",
            id="not a number",
        ),
        pytest.param(
            {"values": (True,), "catch_all": (1,)},
            "sets.codes.catch_all: catch_all names 1, which is no member",
            id="catch_all is no member",
        ),
        pytest.param(
            {"file": "../outside.txt"},
            "sets.codes: the path '../outside.txt' leaves the corpus's folder",
            id="path out",
        ),
        pytest.param({"file": "link.txt"}, "sets.codes: the path 'link.txt' leaves the corpus's folder", id="link out"),
        pytest.param(
            {"file": "/etc/hostname"},
            "sets.codes: the path '/etc/hostname' leaves the corpus's folder",
            id="absolute path",
        ),
        pytest.param(
            {"file": "a\0b.txt"},
            "sets.codes: the path 'a\\x00b.txt' is none: it holds a null character",
            id="null character",
        ),
        pytest.param(
            {"file": "codes.xlsx"},
            "sets.codes: expected a .txt, .csv, .json, .jsonl, .yaml or .yml file, found codes.xlsx",
            id="suffix",
        ),
        pytest.param(
            {"file": "codes.csv", "column": "x"},
            "FOLDER/codes.csv: column 'x' is not there; the columns are code, label",
            id="no column",
        ),
        pytest.param(
            {"file": "codes.csv"},
            "FOLDER/codes.csv: column None is not there; the columns are code, label",
            id="which column",
        ),
        pytest.param({"file": "quote.csv"}, "FOLDER/quote.csv: is no CSV: unexpected end of data", id="open quote"),
        pytest.param(
            {"file": "short.json", "column": "id"}, "FOLDER/short.json: entry 2 has no field 'id'", id="no field"
        ),
        pytest.param(
            {"file": "book.json"}, "FOLDER/book.json: cannot be read: No such file or directory", id="no file"
        ),
        pytest.param(
            {"file": "two.yaml"},
            'FOLDER/two.yaml:2: is no YAML that can be read: found duplicate key "a" with',
            id="two",
        ),
        pytest.param(
            {"file": "open.yaml"},
            "FOLDER/open.yaml:3: is no YAML that can be read: expected ',' or ']', but",
            id="open",
        ),
        pytest.param(
            {"file": "tag.yaml"},
            "FOLDER/tag.yaml:1: is no YAML that can be read: could not determine a constructor for the tag",
            id="a tag that would run code",
        ),
        pytest.param(
            {"file": "deep.yaml"}, "FOLDER/deep.yaml: is no YAML that can be read: maximum recursion", id="too deep"
        ),
        pytest.param(
            {"file": "self.yaml", "pointer": "/a"},
            "FOLDER/self.yaml: '/a' refers to itself",
            id="a schema that holds itself",
        ),
        pytest.param({"file": "latin.txt"}, "FOLDER/latin.txt: is no UTF-8 text", id="no UTF-8"),
        pytest.param(
            {"enum": "service.py"}, "sets.codes.enum: expected FILE.py:NAME, found 'service.py'", id="enum without name"
        ),
        pytest.param(
            {"enum": "../s.py:X"}, "sets.codes.enum: the path '../s.py' leaves the corpus's folder", id="enum out"
        ),
        pytest.param(
            {"query": "select 1"},
            "sets.codes: a query names its database: a SQLite file, or env:NAME",
            id="no database",
        ),
        pytest.param(
            {"query": "select 1", "database": "no.sqlite"},
            "FOLDER/no.sqlite: sets.codes: the database is not there",
            id="database not there",
        ),
        pytest.param(
            {"query": "select 1", "database": "../c.sqlite"},
            "sets.codes: the path '../c.sqlite' leaves the corpus's folder",
            id="database out",
        ),
        pytest.param(
            {"query": "select code from codes where active = 2", "database": "c.sqlite"},
            "sets.codes: a member is text, a number or a boolean; found b'\\x00'",
            id="blob",
        ),
        pytest.param(
            {"query": "select code from codes where 0", "database": "c.sqlite"},
            "sets.codes: the set is empty: query on c.sqlite gave no value",
            id="no row",
        ),
        pytest.param(
            {"url": "https://u:p@host/codes?k=s"}, "sets.codes: url https://host/codes needs a connection", id="url"
        ),
        pytest.param(
            {"query": "select 1", "database": "env:DB"}, "sets.codes: query on env:DB needs a connection", id="server"
        ),
        pytest.param(
            {"query": "select 1", "database": "postgresql://u:p@h/d"},
            "sets.codes: query on postgresql://h/d needs a connection",
            id="server URL",
        ),
    ],
)
def test_what_cannot_be_read_is_one_sentence(folder: Path, spec, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        values(folder, **spec)
    assert str(caught.value).startswith(sentence.replace("FOLDER", str(folder)))


@pytest.mark.parametrize(("file", "place"), [("broken.json", "broken.json: "), ("broken.jsonl", "broken.jsonl:2: ")])
def test_broken_json_is_named_by_its_own_file_and_line(folder: Path, file: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        values(folder, file=file)
    assert str(caught.value).startswith(f"{folder}/{place}this is no JSON: ")


@pytest.mark.parametrize(
    "query",
    ["delete from codes", "attach database '../x.sqlite' as y", "select code from nowhere", "select 1; select 2"],
)
def test_a_database_is_only_read(folder: Path, query: str) -> None:
    before = (folder / "c.sqlite").read_bytes()
    with pytest.raises(BadInput, match="the query failed: "):
        values(folder, query=query, database="c.sqlite")
    assert (folder / "c.sqlite").read_bytes() == before
    assert not (folder.parent / "x.sqlite").exists()


@pytest.mark.parametrize("rest", ["", " where n < 0"], ids=["rows without end", "never a row"])
def test_a_query_without_an_end_is_stopped(folder: Path, rest: str) -> None:
    query = f"with recursive c(n) as (select 1 union all select n + 1 from c) select n from c{rest}"
    with pytest.raises(BadInput, match="the query failed: interrupted"):
        values(folder, query=query, database="c.sqlite")


def test_the_snapshot_says_where_when_and_what(folder: Path) -> None:
    (folder / "old.json").write_text('["OTHER", "ITEM_DAMAGED", ""]', encoding="utf-8")
    one = read_set("codes", SetSpec(file="codes.txt", catch_all=("OTHER",), former=("old.json",)), folder)
    other = read_set("codes", SetSpec(values=("OTHER", "LATE")), folder)
    assert one.source == "file codes.txt"
    assert one.read_at.endswith("+00:00")
    assert one.flags == ("blank-entry-in-set", "duplicate-entry-in-set")
    assert one.former == ("ITEM_DAMAGED",)
    assert one.sha256 == other.sha256, "the order of a source does not matter"


def test_what_needs_a_connection_is_read_by_the_callers_fetcher(folder: Path) -> None:
    spec = SetSpec(url="https://host/codes", pointer="/codes/*/id")
    assert needs_connection(spec)
    assert read_set("codes", spec, folder, lambda asked: [asked.pointer, "B"]).values == ("/codes/*/id", "B")
    with pytest.raises(BadInput, match="the set is empty"):
        read_set("codes", spec, folder, lambda _: [])
    assert not needs_connection(SetSpec(query="select 1", database="c.sqlite"))


def test_a_column_is_part_of_the_source() -> None:
    assert describe(SetSpec(file="codes.csv", column="code")) == "file codes.csv column code"


def test_without_the_extra_a_yaml_file_says_how_to_install_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
    with pytest.raises(BadInput, match=r"codes\.yaml: YAML needs the extra: pip install 'assumeprobe\[yaml\]'"):
        values(folder, file="codes.yaml")
