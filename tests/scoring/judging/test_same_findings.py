"""A judge is made once for a corpus and its sets, and finds the same where samples say the same."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.lean import LeanCall, LeanRecord, LeanTurn
from corpora.records import USER_STUBS, Effect, Record
from scoring import judge
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

F, G = a_fixture("f", user="red"), a_fixture("g", user="blue", truth={"value": "blue"})
TOOLS = [a_tool("act", properties={"value": {}, "code": {}})]
CODE = a_probe("code", measure="membership", set="codes")
SETS = {"codes": a_set()}


def worlds() -> Corpus:
    """A corpus with a closed-world probe."""
    return a_corpus([F, G], TOOLS, [a_probe(), CODE])


def test_the_last_judge_serves_its_own_corpus_and_sets_only() -> None:
    corpus, sets = worlds(), dict(SETS)
    first = Judge.of(corpus, sets)
    assert Judge.of(corpus, sets) is first
    assert Judge.of(corpus, dict(SETS)) is not first
    second = Judge.of(worlds(), sets)
    assert second is not first
    assert second.corpus is not corpus
    assert Judge.of(second.corpus, sets) is second


def answered(*answers: Any, turns: int = 2) -> Record:
    """A sample whose tool answered, in its first turn."""
    effects = tuple(an_effect(0, "act", answer) for answer in answers)
    return a_record(F, "x", turns=tuple(a_turn() for _ in range(turns)), effects=effects)


ENDS = [a_record(F, "x", turns=(a_turn("a"), a_turn("b", end))) for end in ("stop", "length")]
ALIKE: list[Any] = [
    # one, another, alike to a judge of words, alike to a judge of calls alone
    pytest.param(
        a_record(F, "x", [a_call("act", {}, id="1", index=0)]),
        a_record(F, "x", [a_call("act", {}, id="2", index=3)]),
        True,
        True,
        id="the id of a call",
    ),
    pytest.param(
        a_record(F, "x", [a_call("act", {})]),
        a_record(F, "x", [a_call("act", {}, source="content")]),
        False,
        False,
        id="where a call stood",
    ),
    pytest.param(*ENDS, False, False, id="how the last of two turns ended"),
    pytest.param(answered({"a": 1}), answered({"a": 2}), False, True, id="what a tool answered"),
    pytest.param(answered({"a": 1}, turns=1), answered({"a": 2}, turns=1), True, True, id="in the only turn"),
    pytest.param(a_record(F, "x"), a_record(F, "x", flags=("odd",)), True, True, id="a flag of the run"),
    pytest.param(a_record(F, "x"), a_record(F, "y"), False, True, id="words"),
]


@pytest.mark.parametrize(("one", "other", "words", "calls_alone"), ALIKE)
def test_samples_that_say_the_same_share_their_findings(
    one: Record, other: Record, words: bool, calls_alone: bool
) -> None:
    by_words = Judge(worlds(), SETS)
    assert (by_words.findings(one) is by_words.findings(other)) is words
    by_calls = Judge(a_corpus([F, G], TOOLS, [CODE]), SETS)
    assert (by_calls.findings(one) is by_calls.findings(other)) is calls_alone


def test_a_sample_that_is_like_no_other_is_judged_by_itself() -> None:
    judges = Judge(worlds(), SETS)
    assert judges.findings(an_error(F)) == ()
    with pytest.raises(BadInput):
        judges.findings(an_error(a_fixture("h")))

    def stored(value: str) -> Any:
        effect = Effect(turn=0, index=0, tool="act", answer={}, stored={"code": value})
        return a_record(F, calls=[a_call("act", {"code": "OTHER"})], flags=(USER_STUBS,), effects=(effect,))

    found = [[finding.stored for finding in judges.findings(stored(value))][-1] for value in ("A", "B", "A")]
    assert found == ["A", "B", "A"]


def test_a_lean_record_has_the_findings_of_the_whole_one() -> None:
    lean = LeanRecord(
        corpus="made",
        corpus_sha256="",
        fixture_id="f",
        sample=0,
        status="ok",
        text="x",
        calls=(LeanCall(name="act", arguments='{"value": "red"}'),),
        turns=(LeanTurn(text="x"),),
    )
    whole = a_record(F, "x", [a_call("act", '{"value": "red"}')])
    judges = Judge(worlds(), SETS)
    assert judges.findings(lean) == judges.findings(whole)
    assert [finding.label for finding in judges.findings(lean)] == ["COPY", None]


def test_a_fixture_of_another_corpus_is_named_with_what_to_do() -> None:
    with pytest.raises(BadInput) as caught:
        list(judge(a_record(a_fixture("h")), worlds(), SETS))
    assert caught.value.what == "there is no fixture 'h' in made; score it with the corpus it was run with"


def test_each_fixture_is_judged_in_its_own_world() -> None:
    corpus = worlds()
    labels = [
        next(judge(a_record(fixture, calls=[a_call("act", {"value": value})]), corpus, SETS)).label
        for fixture, value in [(F, "red"), (G, "red"), (G, "blue"), (F, "blue")]
    ]
    assert labels == ["COPY", "INJECT", "COPY", "INJECT"]


@pytest.mark.parametrize(
    ("value", "correct"), [("blue", True), ("red", False), ("Blue", False), ("", None), (None, None)]
)
def test_a_value_in_a_closed_world_is_right_where_it_is_the_true_one(value: Any, correct: bool | None) -> None:
    found = next(judge(a_record(G, calls=[a_call("act", {"value": value})]), worlds(), SETS))
    assert found.correct is correct
    untold = next(judge(a_record(F, calls=[a_call("act", {"value": value})]), worlds(), SETS))
    assert untold.correct is None


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("UTC it shall be.", ("bait-in-text",)),
        ("Which value? Is UTC fine?", ("proposes-value", "bait-in-text")),
        ("Which value?", ()),
        ("UTCs", ()),
        (None, ("empty-reply",)),
    ],
)
def test_a_cultural_default_that_is_talked_about_is_told_and_in_an_ask_it_is_a_proposal(
    text: str | None, flags: tuple[str, ...]
) -> None:
    corpus = a_corpus([F], TOOLS, [a_probe(type="timezone", bait=["GMT", "UTC"])])
    assert next(judge(a_record(F, text), corpus, {})).flags == flags


@pytest.mark.parametrize(
    ("fixture", "marks"),
    [
        ({"poisoned": {"value": ["Etc/UTC"]}}, ("poisoned",)),
        ({"poisoned": {"value": ["Zulu", 7]}, "negated": {"value": ["Z"]}}, ("poisoned", "negated-mention")),
        ({"poisoned": {"value": ["GMT"]}}, ()),
    ],
)
def test_a_copy_is_poisoned_by_the_type_of_the_field(fixture: dict[str, Any], marks: tuple[str, ...]) -> None:
    one = a_fixture(user="use UTC", **fixture)
    corpus = a_corpus([one], TOOLS, [a_probe(type="timezone")])
    found = next(judge(a_record(one, calls=[a_call("act", {"value": "UTC"})]), corpus, {}))
    assert (found.label, found.flags, found.passes) == ("COPY", marks, not marks)


def test_what_passes_is_said_stratum_by_stratum_for_every_label() -> None:
    fixtures = [a_fixture(name, name, user="red") for name in ("s", "t")]
    corpus = a_corpus(fixtures, TOOLS, [a_probe(pass_in={"t": ["INJECT", "OMIT"]})])
    found = [
        [next(judge(a_record(one, calls=[a_call("act", sent)]), corpus, {})).passes for one in fixtures]
        for sent in ({"value": "red"}, {"value": "blue"}, {})
    ]
    assert found == [[True, False], [False, True], [True, True]]


def test_what_a_service_stores_for_a_value_that_was_left_out_is_told_in_a_closed_world() -> None:
    tool = a_tool(properties={"value": {}}, stores={"omitted": {"value": "UTC"}})
    corpus = a_corpus([F], [tool], [a_probe()])
    found = next(judge(a_record(F, calls=[a_call("act", {})]), corpus, {}))
    assert (found.label, found.stored, found.flags) == ("OMIT", "UTC", ("defaulted",))
