"""The schemas: of valid dialect, and what is written and read fits them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from corpora.corpus import bundled, find, load, read_sets
from corpora.errors import BadInput
from corpora.jsonl import read_records, to_json
from runner.cli import main
from scoring import judge
from scoring.counting.compare import Run, compare
from scoring.counting.summary import Tally
from scoring.report.schema import NAMES, schema

RESULTS = Path(__file__).parents[2] / "results/refunds-simulated-careless.jsonl"


def fits(name: str, value: Any) -> None:
    Draft202012Validator(schema(name)).validate(json.loads(json.dumps(value)))


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one(name: str, capsys) -> None:
    meta.validate(schema(name))
    assert main(["schema", name]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(schema(name)))


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_names_its_dialect(name: str) -> None:
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_what_there_is_no_schema_of_is_bad_input() -> None:
    with pytest.raises(BadInput, match="there are record, fixture"):
        schema("nothing")


@pytest.mark.parametrize("name", bundled())
def test_the_lines_of_a_bundled_corpus_fit(name: str) -> None:
    for kind in ("fixture", "canned"):
        file = find(name) / ("fixtures.jsonl" if kind == "fixture" else "canned.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()[:40]:
            fits(kind, json.loads(line))


def test_what_the_loader_fills_in_is_refused_in_a_file() -> None:
    line = {"id": "a", "stratum": "s", "messages": [], "sha256": "x"}
    assert not Draft202012Validator(schema("fixture")).is_valid(line)


def test_records_verdicts_summary_comparison_and_manifest_fit() -> None:
    corpus = load("refunds")
    sets = read_sets(corpus)
    tally = Tally(corpus, sets)
    for record in list(read_records(RESULTS))[:20]:
        fits("record", to_json(record))
        verdicts = list(judge(record, corpus, sets))
        tally.add(record, verdicts)
        for verdict in verdicts:
            fits("verdict", to_json(verdict))
    fits("summary", to_json(tally.summary()))
    fits("comparison", to_json(compare(Run("a", "a", tally, {}), Run("b", "b", tally, {}))))
    fits("manifest", json.loads(RESULTS.with_suffix("").with_suffix(".manifest.json").read_text(encoding="utf-8")))
