"""Every bundled canned trace holds, and one that is flipped on purpose is named."""

from __future__ import annotations

import msgspec
import pytest

from corpora.corpus import bundled, load, read_sets
from corpora.fixtures import CannedCall, CannedTrace, Trace
from corpora.records import Call, Record, Turn
from scoring.canned import as_record, flips
from tests.scoring.build import a_corpus, a_fixture, a_tool


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
    written = a_trace('<tool_call>{"name": "act", "arguments": {"a": 1}}</tool_call>').calls
    assert [(call.name, call.arguments, call.offered, call.index, call.turn) for call in written] == [
        ("act", '{"a": 1}', True, 0, 0)
    ]
