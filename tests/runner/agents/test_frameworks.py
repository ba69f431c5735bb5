"""Two real frameworks, each in an environment of its own; scripts/frameworks drives the rest."""

from __future__ import annotations

import pytest

from tests.runner.agents.frameworks.drive import as_sent, cases, run
from tests.runner.agents.frameworks.scripted import EMITTED

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.parametrize("name", ["openai", "pydantic-ai"])
def test_a_framework_plays_24_fixtures_and_its_arguments_are_recorded_as_they_were_sent(name, tmp_path):
    records = run(name, tmp_path / "out.jsonl", "refunds", "--simulate", "--limit", "24", "--max-turns", "6")
    assert len(records) == 24
    assert [record.error for record in records if record.error] == []
    assert as_sent(records) > 20
    assert {model for record in records for model in record.response_models} == {"simulated/careless"}


def test_a_plain_loop_hands_on_whatever_is_json(tmp_path):
    made = cases("openai", tmp_path)
    rejected = {"text after the object", "cut in the middle", "no arguments"}
    assert {case for case, what in made.items() if what != "as sent"} == rejected


def test_a_framework_that_fills_coerces_and_rejects_is_seen_doing_it(tmp_path):
    made = cases("pydantic-ai", tmp_path)
    assert made["everything given"] == "as sent"
    assert made["a number as text"] == 'tool gets `{"order_id": "A-1", "amount": 100, "kind": null, "note": null}`'
    assert made["a required field left out"] == "rejects, asks again"
    assert set(made) == set(EMITTED)
