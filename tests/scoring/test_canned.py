"""Every bundled canned trace holds, and one that is flipped on purpose is named."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest

from corpora.corpus import bundled, load, read_sets
from corpora.fixtures import CannedCall, CannedTrace, Trace
from corpora.records import Call, Record, Turn
from scoring.canned import Flip, as_record, flips
from tests.scoring.build import a_corpus, a_fixture, a_probe, a_set, a_tool


@pytest.mark.parametrize("name", bundled())
def test_every_canned_trace_of_a_bundled_corpus_holds(name: str) -> None:
    corpus = load(name)
    assert corpus.canned
    assert flips(corpus, read_sets(corpus)) == []


def test_a_flipped_trace_is_named_with_the_expected_and_the_given_verdict() -> None:
    corpus = load("refunds")
    wrong = msgspec.structs.replace(corpus.canned[0], expect={"reason_code": {"in_set": False}})
    flipped = msgspec.structs.replace(corpus, canned=(wrong, *corpus.canned[1:]))
    (flip,) = flips(flipped, read_sets(corpus))
    assert flip.sentence() == ('canned trace 1 (det-001): reason_code is {"in_set":true}, expected {"in_set":false}')


def test_an_expectation_of_an_argument_that_is_not_probed_is_a_flip() -> None:
    corpus = load("refunds")
    odd = msgspec.structs.replace(corpus.canned[0], expect={"order_id": "COPY"})
    (flip,) = flips(msgspec.structs.replace(corpus, canned=(odd,)), read_sets(corpus))
    assert flip.given == "not probed"


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        pytest.param({"label": "INJECT"}, {"label": None}, id="a label that there is not"),
        pytest.param({"colour": "red"}, {"colour": "no such field"}, id="a field that no verdict has"),
        pytest.param({"colour": None}, {"colour": "no such field"}, id="such a field, expected to be empty"),
        pytest.param({"in_set": True, "flags": ["b", "a"]}, {"in_set": True, "flags": []}, id="flags that it has not"),
        pytest.param({"flags": None}, {"flags": []}, id="flags that are null"),
        pytest.param({"flags": 7}, {"flags": []}, id="flags that are a number"),
        pytest.param({"flags": "ab"}, {"flags": []}, id="flags that are a text"),
        pytest.param({"flags": [1, "a", None, {}]}, {"flags": []}, id="flags of many kinds"),
        pytest.param("COPY", {"label": None}, id="a label of its own"),
    ],
)
def test_a_flip_shows_each_field_that_was_asked_for(expected: Any, given: dict[str, Any]) -> None:
    corpus = load("refunds")
    odd = msgspec.structs.replace(corpus.canned[0], line=7, expect={"reason_code:membership": expected})
    (flip,) = flips(msgspec.structs.replace(corpus, canned=(odd,)), read_sets(corpus))
    wanted = expected if isinstance(expected, dict) else {"label": expected}
    assert flip == Flip(line=7, fixture="det-001", argument="reason_code:membership", expected=wanted, given=given)


@pytest.mark.parametrize("flags", [["former-member", "type-mismatch"], ["type-mismatch", "former-member"]])
def test_flags_may_be_expected_in_any_order(flags: list[str]) -> None:
    members = a_set(("OTHER",), former=(7,))
    call = CannedCall(name="refund", arguments={"code": 7})
    assert flipped({"code:membership": {"in_set": False, "flags": flags}}, call, members=members) == []
    (given,) = flipped({"code:membership": {"flags": flags[:1]}}, call, members=members)
    assert given == {"flags": ["former-member", "type-mismatch"]}


REFUND = a_tool("refund", properties={"code": {}})
CALLS = [CannedCall(name="refund", arguments={"code": code}) for code in ("OTHER", "NEW", "LATE_DELIVERY")]


def flipped(expect: dict[str, Any], *calls: CannedCall, text: str | None = None, members: Any = None) -> list[Any]:
    """What the flips of one trace say was given."""
    fixture = a_fixture("f", "s")
    probes = [a_probe("code", "refund", "membership", set="codes"), a_probe("code", "refund")]
    trace = Trace(text=text, tool_calls=calls, finish_reason="stop")
    corpus = msgspec.structs.replace(
        a_corpus([fixture], [REFUND, a_tool("look_up")], probes),
        canned=(CannedTrace(fixture="f", trace=trace, expect=expect),),
    )
    return [flip.given for flip in flips(corpus, {"codes": members or a_set()})]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_of_several_calls_the_one_out_of_the_set_is_the_verdict(order: tuple[int, ...]) -> None:
    calls = [CALLS[n] for n in order]
    assert flipped({"code:membership": {"in_set": False, "emitted": "NEW"}}, *calls) == []
    assert flipped({"code:membership": {"in_set": True}}, *calls) == [{"in_set": False}]


@pytest.mark.parametrize("order", [1, -1], ids=["value first", "value last"])
def test_a_call_with_a_member_is_the_verdict_before_one_without_a_value(order: int) -> None:
    calls = [CALLS[0], CannedCall(name="refund", arguments={})][::order]
    assert flipped({"code:membership": {"in_set": True, "emitted": "OTHER"}}, *calls) == []


def test_each_measure_of_an_argument_is_held_to_its_own_expectation() -> None:
    expect = {"code:membership": {"in_set": False, "label": None}, "code:closed-world": "INJECT"}
    assert flipped(expect, CALLS[1]) == []
    assert flipped({"code:closed-world": "OMIT", "code:membership": {"in_set": True}}, CALLS[1]) == [
        {"label": "INJECT"},
        {"in_set": False},
    ]


def test_a_call_that_names_no_tool_is_one_of_the_only_tool_and_of_none_where_there_are_two() -> None:
    nameless = CannedCall(arguments={"code": "NEW"})
    assert a_trace("x", nameless).calls[0].name == "act"
    assert flipped({"code:membership": {"malformed": "tool-name"}}, nameless) == []


@pytest.mark.parametrize(
    ("text", "malformed"),
    [
        ('refund(code="NEW")', "in-text"),
        ('<tool_call>{"name": "refund", "arguments": {"code": "NEW"}}</tool_call>', "in-text"),
        ('Use `{"name": "refund", "arguments": {"code": "NEW"}}` for it', "in-text"),
        ('As said: send(code="NEW")', None),
        ('Use `{"name": "send", "arguments": {"code": "NEW"}}` for it', None),
    ],
)
def test_words_are_a_call_where_they_name_a_tool_of_the_corpus(text: str, malformed: str | None) -> None:
    assert flipped({"code:membership": {"malformed": malformed}}, text=text) == []


def a_trace(text: str | None, *calls: CannedCall) -> Record:
    trace = Trace(text=text, tool_calls=calls, finish_reason="stop")
    fixture = a_fixture("f", "s")
    return as_record(CannedTrace(fixture="f", trace=trace, expect={}), a_corpus([fixture], [a_tool()], []), fixture)


@pytest.mark.parametrize(
    ("given", "call"),
    [
        (CannedCall(name="functions.act", arguments={"a": 1}), ("functions.act", True, '{"a":1}', "string")),
        (CannedCall(name="fly", arguments="{"), ("fly", False, "{", "string")),
        (CannedCall(arguments=None), ("act", True, None, "null")),
        (CannedCall(), ("act", True, None, "absent")),
    ],
)
def test_a_stored_call_is_the_call_of_a_record(given: CannedCall, call: tuple[str, bool, str | None, str]) -> None:
    name, offered, arguments, wire_type = call
    fields = {"name": name, "offered": offered, "arguments": arguments, "wire_type": wire_type}
    found = a_trace("x", CannedCall(), given).calls[1]
    assert found == Call(turn=0, index=1, id=None, source="tool_calls", **fields)  # type: ignore[arg-type]


def test_a_stored_answer_is_a_whole_record() -> None:
    fixture = a_fixture("f", "s")
    assert a_trace("x") == Record(
        corpus="made",
        corpus_sha256="",
        fixture_id="f",
        fixture_sha256=fixture.sha256,
        stratum="s",
        sample=0,
        status="ok",
        text="x",
        calls=(),
        turns=(Turn(text="x", response=None, finish_reason="stop"),),
    )
