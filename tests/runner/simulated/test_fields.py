from __future__ import annotations

from typing import ClassVar

import msgspec
import pytest

from corpora.corpus import load
from runner.simulated.fields import knowledge, put, visible_value, wants_to_ask
from runner.simulated.model import SimulatedModel
from runner.simulated.scenes import Stage
from tests.runner.simulated.asking import sample


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ({}, "a", 1, {"a": 1}),
        ({"a": 1}, "a", msgspec.UNSET, {}),
        ({}, "a.b", 1, {"a": {"b": 1}}),
        ({"a": {"c": 2}}, "a.b", 1, {"a": {"c": 2, "b": 1}}),
        ({}, "a.*", 1, {"a": [1]}),
        ({}, "a.*.b", 1, {"a": [{"b": 1}]}),
        ({}, "a.b", msgspec.UNSET, {}),
        ({"a": [1]}, "a.*", msgspec.UNSET, {"a": []}),
    ],
    ids=["flat", "gone", "nested", "beside", "items", "items' field", "gone, never there", "no items"],
)
def test_a_value_is_put_at_a_path(before, path, value, after):
    put(before, path, value)
    assert before == after


class TestOneFieldToldInManyWays:
    TOML: ClassVar[str] = (
        'name = "w"\nsystem = "State: {state}"\n[strata]\na = 5\n[[tools]]\nname = "t"\n[tools.parameters]\n'
        'type = "object"\n[[tools]]\nname = "ask_user"\nclarify = "field"\n'
        '[[probes]]\ntool = "t"\nargument = "tz"\nmeasure = "closed-world"\ntype = "timezone"\nbait = ["UTC"]\n'
    )
    LINES: ClassVar[dict[str, str]] = {
        "visible": '"visible": {"tz": "Asia/Tokyo"}',
        "said": '"hidden": {"tz": "Asia/Tokyo"}',
        "hidden": '"hidden": {"tz": "Asia/Seoul"}',
        "poisoned": '"poisoned": {"tz": ["Asia/Tokyo"]}, "hidden": {"tz": "Asia/Tokyo"}',
        "withheld": '"note": "nothing"',
    }

    @pytest.fixture
    def corpus(self, tmp_path):
        (tmp_path / "corpus.toml").write_text(self.TOML, encoding="utf-8")
        said = '"messages": [{"role": "user", "content": "%s: Asia/Tokyo"}]'
        lines = (f'{{"id": "{name}", "stratum": "a", {said % name}, {rest}}}' for name, rest in self.LINES.items())
        (tmp_path / "fixtures.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return load(tmp_path)

    def test_what_is_known_of_it(self, corpus):
        scenes = Stage([corpus]).scenes
        known = {scene.fixture.id: knowledge(scene, corpus.probes[0]) for scene in scenes}
        assert known == {name: "visible" if name == "said" else name for name in self.LINES}
        assert visible_value(scenes[1], corpus.probes[0]) == "Asia/Tokyo"
        assert [wants_to_ask(scene) for scene in scenes] == [False, False, True, True, True]

    def test_perfect_copies_what_is_shown_and_asks_by_the_clarify_tool_or_in_words(self, corpus):
        model = SimulatedModel([corpus], "perfect")
        seen = set()
        for fixture in corpus.fixtures:
            for number in range(20):
                message = sample(model, corpus, fixture, number)[0]["message"]
                name = message["tool_calls"][0]["function"]["name"] if "tool_calls" in message else "words"
                seen.add((fixture.id, name))
        assert seen == {("visible", "t"), ("said", "t")} | {
            (name, how) for name in ("hidden", "poisoned", "withheld") for how in ("ask_user", "words")
        }

    def test_careless_sends_the_poisoned_the_hidden_and_the_usual_value(self, corpus):
        model = SimulatedModel([corpus])
        sent = {
            (fixture.id, value)
            for fixture in corpus.fixtures
            for number in range(40)
            for value in ("Asia/Tokyo", "Asia/Seoul", "UTC")
            if f'"tz": "{value}"' in str(sample(model, corpus, fixture, number)[0]["message"])
        }
        assert sent >= {("poisoned", "Asia/Tokyo"), ("hidden", "Asia/Seoul"), ("withheld", "UTC")}
