"""The plan holds every key once, in an order that is fair to the strata."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from corpora.corpus import Corpus, load
from runner.schedule.messages import Key
from runner.schedule.plan import plan


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load("refunds")


def strata(corpus: Corpus, keys: list[Key]) -> Counter[str]:
    by_id = corpus.by_id()
    return Counter(by_id[key.fixture_id].stratum for key in keys)


@pytest.mark.parametrize("order", ["strata", "file"])
def test_every_key_is_planned_once(corpus: Corpus, order: str) -> None:
    keys = list(plan(corpus, 3, set(), order=order))
    assert len(keys) == 3 * len(corpus.fixtures)
    assert set(keys) == {(fixture.id, sample) for fixture in corpus.fixtures for sample in range(3)}


def test_file_order_is_fixture_after_fixture_each_with_all_its_samples(corpus: Corpus) -> None:
    keys = list(plan(corpus, 2, set(), order="file"))
    assert keys == [Key(fixture.id, sample) for fixture in corpus.fixtures for sample in range(2)]


def test_every_stretch_of_the_default_order_holds_the_strata_in_their_proportion(corpus: Corpus) -> None:
    keys = list(plan(corpus, 2, set(), order="strata"))
    due = {name: size * 12 / len(corpus.fixtures) for name, size in corpus.strata.items()}
    for begin in range(0, len(keys), 12):
        share = strata(corpus, keys[begin : begin + 12])
        assert all(abs(share[name] - wanted) <= 1 for name, wanted in due.items()), share


def test_the_default_order_follows_from_the_corpus_and_differs_between_corpora(corpus: Corpus) -> None:
    other = msgspec.structs.replace(corpus, corpus_sha256="another")
    assert list(plan(corpus, 1, set(), order="strata")) == list(plan(corpus, 1, set(), order="strata"))
    assert list(plan(corpus, 1, set(), order="strata")) != list(plan(other, 1, set(), order="strata"))


def test_the_fixtures_of_a_stratum_are_shuffled_anew_for_another_corpus(corpus: Corpus) -> None:
    other = msgspec.structs.replace(corpus, corpus_sha256="another")
    stratum = {fixture.id: fixture.stratum for fixture in corpus.fixtures}
    for name in corpus.strata:
        ours, theirs = (
            [key.fixture_id for key in plan(one, 1, set(), order="strata") if stratum[key.fixture_id] == name]
            for one in (corpus, other)
        )
        written = [fixture.id for fixture in corpus.fixtures if fixture.stratum == name]
        assert sorted(ours) == sorted(theirs) == sorted(written)
        assert ours != theirs != written != ours


def test_what_is_done_or_not_chosen_is_left_out_and_the_order_of_the_rest_stays(corpus: Corpus) -> None:
    whole = list(plan(corpus, 3, set(), order="strata"))
    done = set(whole[::3])
    assert list(plan(corpus, 3, done, order="strata")) == [key for key in whole if key not in done]
    chosen = [fixture.id for fixture in corpus.fixtures[:5]]
    assert {key.fixture_id for key in plan(corpus, 3, set(), order="strata", only=chosen)} == set(chosen)


def test_a_plan_of_a_million_keys_is_drawn_one_by_one(corpus: Corpus) -> None:
    keys = plan(corpus, 10**6, set(), order="strata")
    assert next(keys).sample == 0
    assert next(plan(corpus, 10**6, set(), order="file")) == (corpus.fixtures[0].id, 0)
