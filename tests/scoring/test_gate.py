"""--fail-on: what can be written, what a bound holds to, and what it says when it is reached."""

from __future__ import annotations

import pytest

from corpora.corpus import load
from corpora.errors import BadInput
from scoring.gate import Bound, Worse, findings, parse, require
from tests.scoring.build import a_call, a_record, an_error
from tests.scoring.test_tally import RECORDS, B, C, summary


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("known:INJECT>=0.1", {"stratum": "known", "what": "INJECT", "limit": 0.1, "inclusive": True}),
        ("code:known:out_of_set>0", {"argument": "code", "stratum": "known", "inclusive": False}),
        ("ci:known:near_miss>=0.05", {"lower_end": True, "what": "near_miss"}),
        (" malformed>0 ", {"stratum": None, "what": "malformed", "limit": 0.0}),
        ("errors>=3", {"what": "errors", "limit": 3.0}),
        ("a.b:s:defaulted>=1", {"argument": "a.b"}),
    ],
)
def test_a_bound_is_read(text: str, bound: dict[str, object]) -> None:
    found = parse(text)
    assert isinstance(found, Bound)
    assert bound == {name: getattr(found, name) for name in bound}
    assert found.text == text


WHAT = "ASK, OMIT, COPY, INJECT, DRIFT, out_of_set, near_miss, laundered, defaulted"
REST = "with ci: in front for the interval's lower end, or malformed>0, errors>0, worse:FILE"


def test_worse_names_a_file() -> None:
    assert parse("worse:a.jsonl") == Worse(text="worse:a.jsonl", file="a.jsonl")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "known",
        "known:INJECT",
        "known:inject>=0.1",
        "INJECT>=0.1",
        "known:INJECT<0.1",
        "a:b:c:INJECT>=0.1",
        ":INJECT>=0",
        "known:INJECT>=0..1",
        "known:malformed>0",
        "malformed>x",
        "ci:malformed>0",
        "ci:errors>=1",
        "ci:INJECT>=0.1",
        "worse:",
        "known:INJECT>=1.5",
    ],
)
def test_a_bound_that_cannot_be_read_is_bad_input_that_says_how(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert caught.value.field == "--fail-on"
    readable = f"cannot read the bound {text!r}; write [ARGUMENT:]STRATUM:WHAT>=RATE with WHAT one of {WHAT}, {REST}"
    rate = f"{text!r}: a rate is a number from 0 to 1, found 1.5"
    assert caught.value.what in (readable, rate, "expected worse:FILE, found no file")


def reached(text: str) -> list[str]:
    bound = parse(text)
    assert isinstance(bound, Bound)
    return findings([bound], summary())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("known:out_of_set>=0.5", "--fail-on known:out_of_set>=0.5: refund.code, known: the rate is 0.500"),
        ("known:out_of_set>0.5", None),
        ("order:unknown:INJECT>=0.5", "--fail-on order:unknown:INJECT>=0.5: refund.order, unknown: the rate is 0.500"),
        ("known:laundered>=0.1", None),
        ("known:near_miss>=0.25", "--fail-on known:near_miss>=0.25: refund.code, known: the rate is 0.250"),
        ("unknown:out_of_set>=0.1", None),
        ("malformed>0", "--fail-on malformed>0: 1 samples are malformed"),
        ("malformed>1", None),
        ("errors>=1", "--fail-on errors>=1: 1 samples failed"),
    ],
)
def test_a_bound_that_is_reached_says_so(text: str, sentence: str | None) -> None:
    assert reached(text) == ([] if sentence is None else [sentence])


def test_the_lower_end_of_the_interval_can_be_held_to_a_bound() -> None:
    assert reached("ci:known:out_of_set>=0.5") == []
    (sentence,) = reached("ci:known:out_of_set>=0.01")
    assert "the lower end of the 95 % interval is 0." in sentence


def test_a_stratum_in_which_nothing_was_measured_does_not_pass() -> None:
    bound = parse("unknown:out_of_set>=0.1")
    assert isinstance(bound, Bound)
    (sentence,) = findings([bound], summary(RECORDS[:3]))
    assert sentence.endswith("refund.code, unknown: nothing was measured (0 samples, 0 errors)")
    asked = summary([a_record(C, "What is the order number?")])
    assert findings([bound], asked) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:known:INJECT>=0.1", "no probe of 'x'; there are code, order"),
        ("code:known:INJECT>=0.1", "no probe here measures INJECT"),
        ("nowhere:INJECT>=0.1", "no stratum 'nowhere'; there are known, unknown"),
    ],
)
def test_a_bound_that_names_nothing_here_is_bad_input(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        reached(text)
    assert (caught.value.what, caught.value.field) == (f"{text!r}: {message}", "--fail-on")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:absent:out_of_set>=0.1", "no probe of 'x'; there are reason_code"),
        ("absent:INJECT>=0.1", "no probe here measures INJECT"),
        ("reason_code:nowhere:near_miss>=0.1", "no stratum 'nowhere'; there are determined, ambiguous, "),
    ],
)
def test_a_bound_that_names_nothing_of_a_corpus_is_told_before_anything_is_sampled(text: str, message: str) -> None:
    refunds = load("refunds")
    require([parse(word) for word in ("errors>0", "worse:a.jsonl", "absent:out_of_set>0", "malformed>3")], refunds)
    with pytest.raises(BadInput) as caught:
        require([parse(text)], refunds)
    assert caught.value.what.startswith(f"{text!r}: {message}")


def test_malformed_and_failed_samples_are_counted_apart() -> None:
    found = summary([a_record(B, calls=[a_call("refund", "{")], sample=n) for n in range(3)])
    malformed, errors = parse("malformed>=3"), parse("errors>=1")
    assert isinstance(malformed, Bound)
    assert isinstance(errors, Bound)
    assert findings([malformed, errors], found) == ["--fail-on malformed>=3: 3 samples are malformed"]


def test_a_stratum_of_malformed_answers_and_errors_was_not_measured() -> None:
    bound = parse("known:out_of_set>=0.1")
    assert isinstance(bound, Bound)
    found = summary([a_record(B, calls=[a_call("refund", "{")]), an_error(B, 1), an_error(B, 2)])
    (sentence,) = findings([bound], found)
    assert sentence.endswith("nothing was measured (3 samples, 2 errors)")
    lower = parse("ci:known:out_of_set>=0")
    assert isinstance(lower, Bound)
    assert len(findings([lower], found)) == 1


def test_a_rate_of_one_is_a_rate() -> None:
    assert parse("known:INJECT>=1") != parse("known:INJECT>=1.0")
