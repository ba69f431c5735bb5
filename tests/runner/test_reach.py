"""`check --reach`: the corpus run once through a real endpoint, and the fixtures that miss their tool."""

from __future__ import annotations

import pytest

from corpora.corpus import load, read_sets
from corpora.errors import BadInput
from runner.cli import main
from runner.config import RunFlags
from runner.reach import missed


def flags(server, **more) -> RunFlags:
    return RunFlags(base_url=server.base_url, model="m", **more)


def test_each_fixture_is_run_once_and_the_list_says_what_happened_instead(endpoint) -> None:
    corpus = load("refunds")
    server = endpoint(corpora=[corpus], profile="careless")
    found = missed(corpus, read_sets(corpus), flags(server), {})
    assert 0 < len(found) < len(corpus.fixtures)
    strata = corpus.by_id()
    for one in found:
        assert one.stratum == strata[one.fixture_id].stratum
        assert one.instead.startswith(
            ("words, and no call", "called ", "a call of refund_order that", "no valid answer")
        )


def test_a_model_that_always_calls_misses_nothing(endpoint) -> None:
    corpus = load("refunds")
    server = endpoint(corpora=[corpus], profile="perfect")
    assert missed(corpus, read_sets(corpus), flags(server, tool_choice="refund_order"), {}) == []


def test_an_endpoint_that_fails_is_told_for_each_fixture(endpoint) -> None:
    corpus = load("refunds")
    server = endpoint(corpora=[corpus], faults={"500": 1.0})
    found = missed(corpus, read_sets(corpus), flags(server, max_attempts=1), {})
    assert len(found) == len(corpus.fixtures)
    assert {one.instead for one in found} == {"no answer: http"}


def test_without_an_endpoint_nothing_is_sent() -> None:
    corpus = load("refunds")
    with pytest.raises(BadInput, match="no endpoint is named"):
        missed(corpus, read_sets(corpus), RunFlags(), {})


def test_the_command_lists_them_after_its_report(capsys) -> None:
    assert main(["check", "refunds", "--reach", "--simulate", "careless"]) == 0
    shown = capsys.readouterr().out
    _, _, listed = shown.partition("of 48 fixtures reached their tool in one sample each\n")
    assert "  absent-" in listed
