"""What flags say of each request, and what an API does not have."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.corpus import load
from corpora.errors import BadInput
from runner.config import AUTO_AT_MOST, resolve
from runner.flags import RunFlags
from runner.requesting import headers, params

REFUNDS = load("refunds")
HERE = {"BASE_URL": "http://127.0.0.1:1/v1", "MODEL": "m", "GATE": "secret-of-a-gateway"}


def flags(**given: Any) -> RunFlags:
    return RunFlags(**given)


def test_a_parameter_is_json_where_it_is_and_text_elsewhere() -> None:
    given = ["top_p=0.9", 'stop=["a"]', "user=probe", "n=null", 'metadata={"a": {"b": 1}}', "q=a=b"]
    assert params(given) == {
        "top_p": 0.9,
        "stop": ["a"],
        "user": "probe",
        "n": None,
        "metadata": {"a": {"b": 1}},
        "q": "a=b",
    }


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["top_p"], "is no NAME=VALUE"),
        (["=1"], "is no NAME=VALUE"),
        (["seed=7"], "has a flag of its own: --seed .*--same-seed"),
        (["temperature=1"], "has a flag of its own: --temperature"),
        (["messages=[]"], "comes from the corpus"),
        (["a=1", "a=2"], "is given twice"),
    ],
)
def test_a_parameter_that_cannot_be_one(given: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        params(given)


def test_a_header_has_its_value_from_the_environment() -> None:
    found = headers(["X-Gateway=env:GATE"], HERE)
    assert found["X-Gateway"].reveal() == "secret-of-a-gateway"
    assert "secret-of" not in repr(found)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("X-Gateway=sk-in-the-open", "'X-Gateway' needs its value from the environment"),
        ("X Gateway=env:GATE", "needs its value"),
        ("Authorization: Bearer sk-in-the-open", "'Authorization' needs its value"),
        ("X-Gateway=env:NOWHERE", "the environment has no NOWHERE"),
    ],
)
def test_a_header_value_is_never_a_flag(given: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        headers([given], HERE)
    assert "sk-in-the-open" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["Content-Length=env:GATE"], "Content-Length says how a body is sent"),
        (["transfer-encoding=env:GATE"], "transfer-encoding says how a body is sent"),
        (["Accept-Encoding=env:GATE"], "Accept-Encoding says how a body is sent"),
        (["X-Gateway=env:GATE", "x-gateway=env:GATE"], "x-gateway is given twice"),
    ],
)
def test_a_header_that_would_break_the_request_or_another_is_refused(given: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        headers(given, HERE)


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"api": "openai-responses", "seed": 1}, "--seed", "openai-responses has no seed"),
        ({"api": "anthropic-messages", "max_tokens": 9, "seed": 1}, "--seed", "anthropic-messages has no seed"),
        ({"api": "anthropic-messages"}, "--max-tokens", "anthropic-messages needs it"),
        ({"same_seed": True}, "--same-seed", "needs --seed"),
        ({"params": ("random_seed=5",)}, "--param", "random_seed is one seed for all samples"),
        ({"params": ('options={"seed": 5}',)}, "--param", "seed is one seed for all samples"),
        ({"drop_params": ("tools",)}, "--drop-param", "is what is measured"),
    ],
)
def test_a_setting_that_the_api_does_not_know_is_refused_before_any_request(
    given: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        resolve(REFUNDS, flags(**given), HERE)
    assert caught.value.field == field


def test_a_seed_under_another_name_is_sent_with_all_samples_where_that_is_asked_for() -> None:
    study = resolve(REFUNDS, flags(params=("random_seed=5",), same_seed=True), HERE).study
    assert (study.params, study.seed) == ({"random_seed": 5}, None)


def test_a_dropped_setting_is_not_sent_and_the_study_says_so() -> None:
    study = resolve(REFUNDS, flags(temperature=0.3, drop_params=("temperature", "stream_options")), HERE).study
    assert study.temperature is None
    assert study.drop_params == ("stream_options", "temperature")


def test_a_key_of_anthropic_goes_to_the_base_url_of_anthropic_only() -> None:
    environ = {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:2",
        "ANTHROPIC_API_KEY": "sk-a",
        "OPENAI_API_KEY": "sk-o",
        **HERE,
    }
    del environ["BASE_URL"]
    asked = flags(api="anthropic-messages", max_tokens=9)
    config = resolve(REFUNDS, asked, environ).endpoint
    assert (config.base_url, config.key and config.key.reveal()) == ("http://127.0.0.1:2", "sk-a")
    elsewhere = resolve(REFUNDS, flags(api="anthropic-messages", max_tokens=9, base_url="http://h/v1"), environ)
    assert elsewhere.endpoint.key is None


def test_auto_starts_low_and_has_a_bound() -> None:
    config = resolve(REFUNDS, flags(concurrency="auto"), HERE)
    assert (config.endpoint.adaptive, config.concurrency, config.endpoint.concurrency) == (
        True,
        AUTO_AT_MOST,
        AUTO_AT_MOST,
    )
    assert not resolve(REFUNDS, flags(concurrency="auto", serial=True), HERE).endpoint.adaptive
