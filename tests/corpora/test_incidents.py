"""The incidents corpus keeps its word: the catalogue is what its script makes, and each condition is what it says."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from corpora.corpus import BUNDLED, Corpus, load, read_sets
from corpora.fixtures import Fixture

FOLDER = BUNDLED / "incidents"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load("incidents")


@pytest.fixture(scope="module")
def names(corpus: Corpus) -> dict[str, set[str]]:
    return {name: set(known.values) for name, known in read_sets(corpus).items()}


def run(script: Path, *flags: str) -> str:
    return subprocess.run([sys.executable, script, *flags], check=True, capture_output=True, encoding="utf-8").stdout


def shown(fixture: Fixture) -> str:
    """What the model sees of a fixture, in lower case: messages, with earlier calls, and state."""
    return msgspec.json.encode([fixture.messages, fixture.visible]).decode().lower()


def standing(text: str, known: set[str]) -> set[str]:
    """The ids or handles that stand in a text; the suffix of a pod does not hide one."""
    return {word for word in known if word in text and re.search(rf"(?<![\w.-]){re.escape(word)}(?!\w)", text)}


def test_the_script_makes_the_rows_that_are_committed_wherever_it_runs(tmp_path: Path) -> None:
    script = Path(shutil.copy(FOLDER / "make_catalogue.py", tmp_path))
    assert run(script) == run(FOLDER / "make_catalogue.py", "--check")
    assert (tmp_path / "retired.txt").read_bytes() == (FOLDER / "retired.txt").read_bytes()


def test_the_readme_names_the_hash_of_the_rows() -> None:
    assert run(FOLDER / "make_catalogue.py", "--check").split()[-1] in (FOLDER / "README.md").read_text("utf-8")


def test_other_rows_than_the_script_makes_are_noticed(tmp_path: Path) -> None:
    for name in ("make_catalogue.py", "catalogue.sqlite", "retired.txt"):
        shutil.copy(FOLDER / name, tmp_path)
    with sqlite3.connect(tmp_path / "catalogue.sqlite") as connection:
        connection.execute("delete from components where component_id = 'pay-ledger-eu-03'")
    connection.close()
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(tmp_path / "make_catalogue.py", "--check")
    assert "other rows" in failed.value.stderr


def test_the_catalogue_has_900_rows_and_one_is_the_catch_all(names: dict[str, set[str]]) -> None:
    assert len(names["components"]) == 900
    assert "unassigned" in names["components"]


def test_a_determined_id_and_handle_stand_in_what_is_shown(corpus: Corpus, names: dict[str, set[str]]) -> None:
    for fixture in corpus.fixtures:
        if fixture.stratum == "determined":
            assert fixture.true_code in standing(shown(fixture), names["components"]), fixture.id
            assert fixture.truth["assignee"] in standing(shown(fixture), names["assignees"]), fixture.id


def test_two_rows_fit_an_ambiguous_conversation_and_both_are_found(corpus: Corpus, names: dict[str, set[str]]) -> None:
    for fixture in corpus.fixtures:
        if fixture.stratum == "ambiguous":
            found = {row["component_id"] for row in fixture.returns["search_catalogue"]["matches"]}
            assert fixture.true_code is None
            assert len(found & names["components"]) == len(found) == 2, fixture.id
            assert all(row in (fixture.note or "") for row in found), fixture.id
            assert not standing(shown(fixture), names["assignees"]), fixture.id
            (person,) = fixture.returns["search_people"]["matches"]
            assert person["handle"] == fixture.truth["assignee"]


@pytest.mark.parametrize("stratum", ["unrecoverable", "absent"])
def test_what_has_no_row_is_answered_by_the_catch_alls(
    corpus: Corpus, names: dict[str, set[str]], stratum: str
) -> None:
    for fixture in corpus.fixtures:
        if fixture.stratum == stratum:
            assert (fixture.true_code, fixture.truth) == ("unassigned", {"assignee": "triage-desk"}), fixture.id
            assert standing(shown(fixture), names["assignees"]) <= {"triage-desk"}, fixture.id
            if stratum == "absent":
                assert not standing(shown(fixture), names["components"]), fixture.id


def test_search_results_agree_with_the_database(corpus: Corpus) -> None:
    with sqlite3.connect(f"{(FOLDER / 'catalogue.sqlite').as_uri()}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        rows = {row["component_id"]: dict(row) for row in connection.execute("select * from components")}
    connection.close()
    for fixture in corpus.fixtures:
        for row in fixture.returns.get("search_catalogue", {}).get("matches", []):
            assert row == rows[row["component_id"]], fixture.id


def test_no_id_or_handle_stands_in_a_tool_or_in_the_system_text(corpus: Corpus, names: dict[str, set[str]]) -> None:
    offered = msgspec.json.encode([[tool.description, tool.parameters] for tool in corpus.tools]).decode()
    assert not standing(f"{offered} {corpus.system}".lower(), names["components"] | names["assignees"])
