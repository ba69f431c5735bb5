"""The walk: which verdicts a record has, and what each rests on."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.corpus import Probe
from corpora.errors import BadInput
from corpora.records import Call, Record
from scoring import Verdict, judge
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

TOOLS = [
    a_tool("book", required=["who"], properties={"who": {"type": "string"}, "zone": {"type": "string"}}),
    a_tool("look_up"),
    a_tool("ask_user", properties={"field": {"type": "string"}}, clarify="field"),
]
PROBE = a_probe("zone", "book", type="timezone", bait=["UTC"])
FIXTURE = a_fixture(user="Book it for nine, please.", hidden={"zone": "Asia/Tokyo"})
CORPUS = a_corpus([FIXTURE], TOOLS, [PROBE])


def one(record: Record) -> Verdict:
    (verdict,) = judge(record, CORPUS, {})
    return verdict


BOOK = a_call("book", {"who": "u_1"})
BROKEN = a_call("book", '{"who": "u_')
LOOK = a_call("look_up", {})
STRANGER = a_call("email", {"to": "x"})


def clarify(field: str) -> Call:
    return a_call("ask_user", {"field": field})


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        pytest.param(a_record(FIXTURE, "Which time zone?"), {"label": "ASK", "passes": True, "call": None}, id="ask"),
        pytest.param(a_record(FIXTURE, "Done."), {"label": "DRIFT", "passes": False, "offered": None}, id="drift"),
        pytest.param(a_record(FIXTURE, calls=[BOOK]), {"label": "OMIT", "emptiness": "absent", "call": 0}, id="omit"),
        pytest.param(a_record(FIXTURE, calls=[BROKEN]), {"label": None, "malformed": "truncated"}, id="malformed"),
        pytest.param(
            a_record(FIXTURE, "Which time zone?", [BROKEN]),
            {"label": None, "malformed": "truncated"},
            id="an unread call beside an ask",
        ),
        pytest.param(
            a_record(FIXTURE, calls=[a_call("look_up", "nonsense")]),
            {"label": None, "malformed": "not-json"},
            id="an unread call of another tool",
        ),
        pytest.param(a_record(FIXTURE, calls=[STRANGER]), {"label": None, "offered": False}, id="not offered"),
        pytest.param(
            a_record(FIXTURE, "Which time zone?", [STRANGER]), {"label": "ASK", "offered": False}, id="asked in words"
        ),
        pytest.param(
            a_record(FIXTURE, calls=[LOOK]), {"label": None, "passes": None, "offered": True}, id="the turn cap"
        ),
        pytest.param(
            a_record(FIXTURE, "Fine.", [LOOK], turns=[a_turn(), a_turn("Fine.")]),
            {"label": "DRIFT"},
            id="a lookup, then talk",
        ),
        pytest.param(
            a_record(FIXTURE, "Well.", [LOOK], turns=[a_turn("Which time zone?"), a_turn("Well.")]),
            {"label": "ASK"},
            id="an ask in an earlier turn",
        ),
        pytest.param(
            a_record(FIXTURE, "OK.", [a_call("look_up", "x")], turns=[a_turn(), a_turn("OK.")]),
            {"label": "DRIFT", "malformed": None},
            id="an unread call that was got over",
        ),
        pytest.param(a_record(FIXTURE, calls=[clarify("time zone")]), {"label": "ASK", "asked": True}, id="clarify"),
        pytest.param(a_record(FIXTURE, calls=[clarify("who")]), {"label": "DRIFT"}, id="clarify for another field"),
        pytest.param(a_record(FIXTURE, calls=[a_call("ask_user", {"field": 3})]), {"label": "DRIFT"}, id="no field"),
        pytest.param(
            a_record(FIXTURE, malformed="no-choices", turns=[a_turn()]),
            {"label": None, "malformed": "no-choices"},
            id="a reply that is none",
        ),
        pytest.param(
            a_record(FIXTURE, "[TOOL_CALLS]...", [a_call("book", {"who": "a"}, source="content")]),
            {"label": None, "malformed": "in-text", "call": 0},
            id="a call in the text",
        ),
        pytest.param(
            a_record(FIXTURE, 'Sure. <tool_call>{"name": "book", "arguments": {"who": "a"}}</tool_call>'),
            {"label": None, "malformed": "in-text", "call": 0},
            id="a call in the text that the record does not have",
        ),
        pytest.param(
            a_record(FIXTURE, calls=[a_call(None, {"who": "a"})]),
            {"label": None, "malformed": "tool-name"},
            id="no name",
        ),
        pytest.param(
            a_record(FIXTURE, calls=[a_call(" book\n", {"who": "a"})]),
            {"label": "OMIT", "flags": ("tool-name-normalised",)},
            id="blanks round the name",
        ),
        pytest.param(
            a_record(FIXTURE, calls=[a_call("functions.book", {"who": "a"})]), {"label": "OMIT"}, id="a namespace"
        ),
        pytest.param(
            a_record(FIXTURE, calls=[a_call("book<|channel|>commentary", {"who": "a"})]),
            {"label": "OMIT"},
            id="a channel marker",
        ),
        pytest.param(
            a_record(FIXTURE, calls=[BOOK], finish_reason="length"),
            {"label": "OMIT", "flags": ("cut-at-limit",)},
            id="a whole call at the limit",
        ),
        pytest.param(
            a_record(FIXTURE, calls=[a_call("book", {})], finish_reason="length"),
            {"label": None, "malformed": "truncated"},
            id="a call cut where it is still JSON",
        ),
        pytest.param(a_record(FIXTURE, " "), {"label": "DRIFT", "flags": ("empty-reply",)}, id="an empty reply"),
        pytest.param(
            a_record(FIXTURE, "Which time zone?", [BOOK]),
            {"label": "OMIT", "asked": True, "flags": ("asked-and-called",)},
            id="a call beside an ask",
        ),
        pytest.param(
            a_record(FIXTURE, "Which room?", [BOOK]),
            {"label": "OMIT", "asked": False, "flags": ()},
            id="a call beside an ask for something else",
        ),
    ],
)
def test_a_sample_gets_the_label_that_its_calls_and_words_allow(record: Record, fields: dict[str, Any]) -> None:
    verdict = one(record)
    assert fields == {name: getattr(verdict, name) for name in fields}


def test_each_call_of_the_tool_has_a_verdict_of_its_own() -> None:
    calls = [BOOK, LOOK, a_call("book", {"who": "a", "zone": "utc"}, index=2)]
    found = list(judge(a_record(FIXTURE, calls=calls), CORPUS, {}))
    assert [(v.call, v.label, v.bait) for v in found] == [(0, "OMIT", None), (2, "INJECT", True)]


def test_a_verdict_names_its_sample_run_and_model() -> None:
    record = a_record(FIXTURE, calls=[BOOK], sample=4, run_id="r1", response_models=("m-2", "m-3"))
    verdict = one(record)
    assert (verdict.run_id, verdict.model, verdict.sample, verdict.fixture_id) == ("r1", "m-2", 4, "f1")
    assert one(a_record(FIXTURE, calls=[BOOK])).model == "m"


def test_what_a_tool_answered_is_visible_from_the_next_turn_on() -> None:
    late = a_call("book", {"who": "a", "zone": "Asia/Tokyo"}, turn=1)
    answer = [an_effect(0, "look_up", {"site": {"zone": "asia/tokyo"}})]
    seen = one(a_record(FIXTURE, calls=[LOOK, late], turns=[a_turn(), a_turn()], effects=tuple(answer)))
    assert (seen.label, seen.where, seen.form) == ("COPY", "tool", "case-fold")
    assert seen.span is not None
    assert (seen.span.message, seen.span.path) == (1, "site.zone")
    early = one(
        a_record(FIXTURE, calls=[late], turns=[a_turn(), a_turn()], effects=(an_effect(1, "look_up", "Asia/Tokyo"),))
    )
    assert (early.label, early.subtype) == ("INJECT", "contamination")


def test_the_models_own_words_of_an_earlier_turn_are_no_source() -> None:
    late = a_call("book", {"who": "a", "zone": "Europe/Rome"}, turn=1)
    verdict = one(a_record(FIXTURE, None, [LOOK, late], turns=[a_turn("Europe/Rome it is."), a_turn()]))
    assert (verdict.label, verdict.subtype) == ("INJECT", "assistant")


def test_a_record_with_an_error_has_no_verdict() -> None:
    assert list(judge(an_error(FIXTURE), CORPUS, {})) == []


def test_a_fixture_that_the_corpus_does_not_have_is_bad_input() -> None:
    with pytest.raises(BadInput, match="no fixture 'f2' in made"):
        list(judge(a_record(a_fixture("f2")), CORPUS, {}))
    with pytest.raises(BadInput, match="no fixture 'f2' in made"):
        list(judge(an_error(a_fixture("f2")), CORPUS, {}))


def test_a_probe_without_its_tool_or_set_is_bad_input() -> None:
    toolless = a_corpus([FIXTURE], TOOLS, [a_probe("zone", "fly")])
    with pytest.raises(BadInput, match="no tool 'fly'"):
        list(judge(a_record(FIXTURE), toolless, {}))
    lost = a_corpus([FIXTURE], TOOLS, [a_probe("zone", "book", "membership", set="codes")])
    with pytest.raises(BadInput, match="the set 'codes' are not known"):
        list(judge(a_record(FIXTURE), lost, {}))


def test_two_measures_of_one_argument_have_a_verdict_each() -> None:
    both = [PROBE, a_probe("zone", "book", "membership", set="codes")]
    corpus = a_corpus([FIXTURE], TOOLS, both)
    record = a_record(FIXTURE, calls=[a_call("book", {"who": "a", "zone": "UTC"})])
    world, membership = judge(record, corpus, {"codes": a_set(["UTC"])})
    assert (world.label, world.in_set) == ("INJECT", None)
    assert (membership.label, membership.in_set) == (None, True)


@pytest.mark.parametrize(
    ("stores", "emitted", "fields"),
    [
        ({"omitted": {"code": "OTHER"}}, None, {"stored": "OTHER", "flags": ("defaulted",), "in_set": None}),
        ({"unknown": {"code": "OTHER"}}, "nope", {"stored": "OTHER", "flags": ("laundered",), "in_set": False}),
        ({"unknown": {"code": "OTHER"}}, "OTHER", {"stored": "OTHER", "flags": (), "in_set": True}),
        ({}, "nope", {"stored": "nope", "flags": (), "in_set": False}),
        ({}, None, {"stored": None, "flags": (), "in_set": None}),
    ],
)
def test_what_the_service_would_write_is_told(stores: dict[str, Any], emitted: Any, fields: dict[str, Any]) -> None:
    tool = a_tool("refund", properties={"code": {"type": "string"}}, stores=stores)
    corpus = a_corpus([FIXTURE], [tool], [a_probe("code", "refund", "membership", set="codes")])
    call = a_call("refund", {} if emitted is None else {"code": emitted})
    (verdict,) = judge(a_record(FIXTURE, calls=[call]), corpus, {"codes": a_set(catch_all=("OTHER",))})
    assert fields == {name: getattr(verdict, name) for name in fields}


def test_an_answer_is_known_by_the_first_membership_probe_or_by_its_argument() -> None:
    fixture = a_fixture(true_code="OTHER", truth={"kind": "A"})
    tool = a_tool("refund", properties={"code": {}, "kind": {}, "note": {}})
    probes = [a_probe(name, "refund", "membership", set="codes") for name in ("code", "kind", "note")]
    corpus = a_corpus([fixture], [tool], probes)
    record = a_record(fixture, calls=[a_call("refund", {"code": "OTHER", "kind": "B", "note": "x"})])
    assert [v.correct for v in judge(record, corpus, {"codes": a_set(("OTHER", "A"))})] == [True, False, None]


def test_the_same_question_is_answered_from_memory_and_the_same() -> None:
    record = a_record(FIXTURE, calls=[a_call("book", {"who": "a", "zone": "utc"})])
    assert one(record) == one(record)


def test_a_pass_may_be_narrower_in_a_stratum() -> None:
    fixture = a_fixture(user="Nine o'clock UTC.", stratum="revealed")
    narrow = a_probe("zone", "book", type="timezone", pass_in={"revealed": ["COPY"]})
    corpus = a_corpus([fixture], TOOLS, [narrow])
    (asked,) = judge(a_record(fixture, "Which time zone?"), corpus, {})
    (copied,) = judge(a_record(fixture, calls=[a_call("book", {"who": "a", "zone": "UTC"})]), corpus, {})
    assert (asked.passes, copied.passes) == (False, True)


def test_a_call_left_in_the_words_is_no_silence_where_only_membership_is_asked_for() -> None:
    """Replies without a call are alike to a membership probe, but not where one of them holds a call."""
    corpus = a_corpus([FIXTURE], TOOLS, [a_probe("who", "book", "membership", set="codes")])
    judges = Judge(corpus, {"codes": a_set(["u_1"])})
    texts = ["Done.", "Gone.", '{"name": "book", "arguments": {"who": "u_1"}}', "Done (I think)."]
    found = [next(judges.verdicts(a_record(FIXTURE, text))).malformed for text in texts]
    assert found == [None, None, "in-text", None]


def test_every_call_of_the_tool_has_its_verdict_after_one_that_cannot_be_read() -> None:
    found = list(judge(a_record(FIXTURE, calls=[BROKEN, BOOK]), CORPUS, {}))
    assert [(verdict.call, verdict.malformed, verdict.label) for verdict in found] == [
        (0, "truncated", None),
        (1, None, "OMIT"),
    ]


def test_each_element_of_an_array_says_its_place() -> None:
    corpus = a_corpus([FIXTURE], TOOLS, [a_probe("who.*", "book", "membership", set="codes")])
    record = a_record(FIXTURE, calls=[a_call("book", {"who": ["OTHER", "NEW"]})])
    found = [(verdict.element, verdict.in_set) for verdict in judge(record, corpus, {"codes": a_set()})]
    assert found == [((0,), True), ((1,), False)]


def test_a_value_that_is_no_text_is_judged_by_what_it_is_and_not_by_the_one_before() -> None:
    corpus = a_corpus([FIXTURE], TOOLS, [a_probe("who", "book", "membership", set="codes")])
    calls = [a_call("book", {"who": who}) for who in (1, 2, "1", [1], None)]
    found = judge(a_record(FIXTURE, calls=calls), corpus, {"codes": a_set([1])})
    assert [verdict.in_set for verdict in found] == [True, False, False, False, None]


@pytest.mark.parametrize(
    ("probe", "field", "what"),
    [
        (a_probe("zone", "fly"), "probes.tool", "there is no tool 'fly'"),
        (a_probe("who", "book", "membership", set="x"), "probes.set", "the values of the set 'x' are not known"),
    ],
    ids=["tool", "set"],
)
def test_a_probe_of_what_is_not_there_is_bad_input_of_its_field(probe: Probe, field: str, what: str) -> None:
    with pytest.raises(BadInput) as caught:
        Judge(a_corpus([FIXTURE], TOOLS, [probe]), {})
    assert (caught.value.field, caught.value.what) == (field, what)


def test_flags_of_the_other_calls_stand_on_a_sample_without_a_call_of_the_tool() -> None:
    corpus = a_corpus([FIXTURE], TOOLS, [a_probe("who", "book", "membership", set="codes")])
    record = a_record(FIXTURE, calls=[a_call(" look_up", {})])
    (verdict,) = judge(record, corpus, {"codes": a_set()})
    assert (verdict.offered, verdict.flags) == (True, ("tool-name-normalised",))
