"""`sets show` and `sets diff`: a set as it is now, and what changed in it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from runner.cli import main


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "codes.txt").write_text("LATE\nOTHER\n\nOTHER\n", encoding="utf-8")
    (tmp_path / "torn.json").write_text('{"values": [', encoding="utf-8")
    (tmp_path / "odd.json").write_text('{"values": 3, "sha256": "", "read_at": ""}', encoding="utf-8")
    return tmp_path


def test_a_set_is_shown_with_its_count_hash_source_and_time(here: Path, capsys) -> None:
    assert main(["sets", "show", "codes.txt"]) == 0
    first, second, *values = capsys.readouterr().out.splitlines()
    assert first.startswith("codes: 2 values from file codes.txt, read 20")
    assert second.startswith("sha256 ")
    assert second.endswith(", compared exact, blank-entry-in-set, duplicate-entry-in-set")
    assert values == ['  "LATE"', '  "OTHER"']


def test_a_snapshot_is_kept_and_read_again_as_it_was(here: Path, capsys) -> None:
    assert main(["sets", "show", "refunds:reason_codes", "--format", "json", "-o", "old.json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert json.loads((here / "old.json").read_text(encoding="utf-8")) == kept
    assert (kept["count"], len(kept["values"])) == (6, 6)
    assert main(["sets", "diff", "old.json", "refunds:reason_codes"]) == 0
    assert capsys.readouterr().out.startswith("6 values in both; 6 read ")


def test_what_only_one_of_two_has_is_shown_and_is_status_1(here: Path, capsys) -> None:
    (here / "new.json").write_text('["LATE", "other\\u202e", 7]', encoding="utf-8")
    assert main(["sets", "diff", "codes.txt", "new.json"]) == 1
    assert capsys.readouterr().out.splitlines()[:3] == ['- "OTHER"', '+ "other\\u202e"', "+ 7"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "none.txt"], "none.txt: cannot be read: No such file or directory"),
        (["show", "refunds"], "refunds is a corpus; name one of its sets: refunds:reason_codes"),
        (["show", "codes.txt", "-o", "no/s.json"], "no/s.json: -o: cannot be written: No such file or directory"),
        (["diff", "codes.txt", "refunds:no"], "refunds has no set 'no'; it has reason_codes"),
        (["diff", "codes.txt", "torn.json"], "torn.json: this is no JSON: Input data was truncated"),
        (["diff", "codes.txt", "odd.json"], "odd.json: $.values: is no snapshot: expected `array`, got `int`"),
        (["show"], "Missing argument 'SET'; assumeprobe sets show --help shows what there is"),
        (["nope"], "No such command 'nope'; assumeprobe sets --help shows what there is"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(here: Path, capsys, arguments: list[str], sentence: str) -> None:
    assert main(["sets", *arguments]) == 2
    assert capsys.readouterr().err == f"assumeprobe: {sentence}\n"


def test_both_say_how_they_are_used(capsys) -> None:
    for name in ("show", "diff"):
        assert main(["sets", name, "--help"]) == 0
        assert f"Example: assumeprobe sets {name} " in " ".join(capsys.readouterr().out.split())


def test_a_set_in_a_database_server_is_read_with_leave_alone(here: Path, monkeypatch, capsys) -> None:
    """SQLAlchemy speaks to any database; here to one in a file that no corpus holds."""
    with sqlite3.connect("shop.sqlite") as connection:
        connection.execute("create table codes (code)")
        connection.executemany("insert into codes values (?)", [("LATE",), ("OTHER",)])
    connection.close()
    folder = here / "shop"
    folder.mkdir()
    (folder / "corpus.toml").write_text(
        'name = "shop"\nsystem = "s"\n[strata]\none = 1\n'
        '[[tools]]\nname = "t"\nparameters = { type = "object", properties = { a = { type = "string" } } }\n'
        '[[probes]]\ntool = "t"\nargument = "a"\nmeasure = "membership"\nset = "codes"\n'
        '[sets.codes]\nquery = "select code from codes"\ndatabase = "env:SHOP"\n',
        encoding="utf-8",
    )
    (folder / "fixtures.jsonl").write_text(
        '{"id": "f", "stratum": "one", "messages": [{"role": "user", "content": "x"}]}\n', encoding="utf-8"
    )
    assert main(["sets", "show", "shop:codes"]) == 2
    assert "query on env:SHOP needs a connection: allow it with --live-sets" in capsys.readouterr().err
    assert main(["sets", "show", "shop:codes", "--live-sets"]) == 2
    assert "the environment has no SHOP; set it to the database's URL" in capsys.readouterr().err
    monkeypatch.setenv("SHOP", f"sqlite:///{here}/shop.sqlite")
    assert main(["sets", "show", "shop:codes", "--live-sets"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ['  "LATE"', '  "OTHER"']
    assert main(["check", "shop"]) == 2
    assert main(["check", "shop", "--live-sets"]) == 0
    assert main(["run", "shop", "--simulate", "--live-sets", "--quiet", "-o", "r.jsonl"]) == 0
    assert json.loads((here / "r.manifest.json").read_text(encoding="utf-8"))["sets"]["codes"]["values"] == [
        "LATE",
        "OTHER",
    ]


def test_a_snapshot_to_standard_output_is_the_json_alone(capsys) -> None:
    for flags in (["-o", "-"], ["--format", "json"]):
        assert main(["sets", "show", "refunds:reason_codes", *flags]) == 0
        assert json.loads(capsys.readouterr().out)["count"] == 6
    assert not Path("-").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_snapshot_that_finds_no_room_is_status_3(capsys) -> None:
    assert main(["sets", "show", "refunds:reason_codes", "-o", "/dev/full"]) == 3
    sentence = "/dev/full: cannot be written: No space left on device; the snapshot in it is not whole"
    assert capsys.readouterr().err == f"assumeprobe: {sentence}\n"
