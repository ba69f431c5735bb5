"""`check --reach`: the corpus run once through a real endpoint, and the fixtures that miss their tool."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from corpora.corpus import load, read_sets
from corpora.errors import BadInput
from runner.cli import main
from runner.errors import Fatal, Interrupted
from runner.flags import RunFlags
from runner.reach import missed
from runner.simulated.faults import Fault, Faults


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
    server = endpoint(corpora=[corpus], faults=Faults(rates=(Fault(kind="500", rate=1.0),)))
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
    _, _, listed = shown.partition("of 240 fixtures reached their tool in one sample each\n")
    assert "  absent-" in listed


def test_a_refused_key_ends_it_and_says_how_many_were_not_tried(endpoint) -> None:
    corpus = load("refunds")
    server = endpoint(corpora=[corpus], faults=Faults(rates=(Fault(kind="401", rate=1.0),)))
    with pytest.raises(Fatal, match=r"; \d+ fixtures were not tried$") as caught:
        missed(corpus, read_sets(corpus), flags(server, api_key_env="MY_KEY"), {"MY_KEY": "sk-secret-of-mine"})
    assert "sk-secret" not in str(caught.value)


def test_an_interruption_is_one(endpoint) -> None:
    """The signal comes as soon as the server has a request, while its answer is still waited for."""
    corpus = load("refunds")
    server = endpoint(corpora=[corpus], latency_s=0.3)
    watch = threading.Thread(target=interrupt_when_asked, args=(server,))
    watch.start()
    with pytest.raises(Interrupted, match=r"^interrupted; \d+ fixtures were not tried$"):
        missed(corpus, read_sets(corpus), flags(server, concurrency=1), {})
    watch.join()


def interrupt_when_asked(server) -> None:
    end = time.monotonic() + 10
    while not server.stats().requests and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def test_a_call_that_cannot_be_read_is_no_reach(endpoint) -> None:
    corpus = load("refunds")
    server = endpoint(corpora=[corpus], profile="careless", seed=3)
    instead = {one.instead for one in missed(corpus, read_sets(corpus), flags(server), {})}
    assert any(words.startswith("a call of refund_order that cannot be read: ") for words in instead)
