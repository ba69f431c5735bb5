"""Two samples are one to the judge where nothing that a finding depends on differs."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.records import Record
from scoring.judging.walk import Judge
from tests.scoring.build import (
    a_call,
    a_corpus,
    a_fixture,
    a_probe,
    a_record,
    a_set,
    a_tool,
    a_turn,
    an_effect,
    an_error,
)

F, G = a_fixture("f"), a_fixture("g")
TOOLS = [a_tool("act", properties={"value": {}, "code": {}})]
CODE = a_probe("code", measure="membership", set="codes")
WORDS = Judge(a_corpus([F, G], TOOLS, [a_probe(), CODE]), {"codes": a_set()})
CALLS_ALONE = Judge(a_corpus([F, G], TOOLS, [CODE]), {"codes": a_set()})


TWO = (a_turn("a"), a_turn("b"))
CALL = [a_call("act", {"value": 1})]
CASES: list[Any] = [
    pytest.param(a_record(F, "x"), a_record(F, "x", sample=4, response_id="r"), True, True, id="another sample"),
    pytest.param(a_record(F, "x"), a_record(G, "x"), False, False, id="fixture"),
    pytest.param(a_record(F, "x"), a_record(F, "y"), False, True, id="words"),
    pytest.param(a_record(F, "x"), a_record(F, "x", finish_reason="length"), False, False, id="finish reason"),
    pytest.param(a_record(F, "x", CALL), a_record(F, "x"), False, False, id="a call"),
    pytest.param(a_record(F, "x", CALL), a_record(F, "x", [a_call("act", {})]), False, False, id="arguments"),
    pytest.param(
        a_record(F, "x", turns=TWO),
        a_record(F, "x", turns=(a_turn("c"), a_turn("b"))),
        False,
        True,
        id="an earlier word",
    ),
    pytest.param(
        a_record(F, "x", turns=TWO),
        a_record(F, "x", turns=TWO, effects=(an_effect(0, "act", {"a": 1}),)),
        False,
        True,
        id="an effect",
    ),
]


@pytest.mark.parametrize(("one", "other", "words", "calls_alone"), CASES)
def test_what_a_finding_depends_on_tells_two_samples_apart(
    one: Record, other: Record, words: bool, calls_alone: bool
) -> None:
    assert (WORDS.said(one) == WORDS.said(other)) is words
    assert (CALLS_ALONE.said(one) == CALLS_ALONE.said(other)) is calls_alone
    assert WORDS.said(one) is not None


def test_an_error_is_like_no_other_sample() -> None:
    assert WORDS.said(an_error(F)) is None
