"""A record's calls read again: which tool each names, what its arguments are, and how a reply is no valid answer."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.records import Turn
from corpora.shapes.finish import TRUNCATED
from scoring.judging.reading import ReadCall, read_calls, reply_malformed
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_tool

ACT, BARE = a_tool("act", ["value"], {"value": {}}), a_tool("bare")
FIXTURE = a_fixture()
CORPUS = a_corpus([FIXTURE], [ACT, BARE], [a_probe()])
NORMALISED = ("tool-name-normalised",)


def turns(number: int, *, cut: bool = False) -> list[Turn]:
    return [Turn(text=None, response=None, finish_reason="length" if cut else "stop") for _ in range(number)]


@pytest.mark.parametrize(
    ("call", "cut", "read"),
    [
        pytest.param({}, False, (ACT, {"value": 1}, None, ()), id="as it should be"),
        pytest.param({"name": " act\n"}, False, (ACT, {"value": 1}, None, NORMALISED), id="white space round its name"),
        pytest.param({"name": "other"}, False, (None, {"value": 1}, None, ()), id="of no tool"),
        pytest.param({"name": None}, False, (None, None, "tool-name", ()), id="without a name"),
        pytest.param({"name": " "}, False, (None, None, "tool-name", ()), id="with an empty name"),
        pytest.param({"source": "content"}, False, (ACT, None, "in-text", ()), id="in the text"),
        pytest.param(
            {"source": "content", "name": "act "}, True, (ACT, None, "in-text", NORMALISED), id="in the text, cut"
        ),
        pytest.param({"arguments": '{"value": "x'}, False, (ACT, None, "truncated", ()), id="broken"),
        pytest.param(
            {"wire_type": "null"}, False, (ACT, None, "arguments-absent", ()), id="null where some are needed"
        ),
        pytest.param(
            {"name": "bare", "wire_type": "absent"}, False, (BARE, {}, None, ()), id="absent where none are needed"
        ),
        pytest.param({"name": "bare", "arguments": ""}, False, (BARE, {}, None, ()), id="empty where none are needed"),
        pytest.param({"arguments": ""}, False, (ACT, None, "empty-arguments", ()), id="empty where some are needed"),
        pytest.param(
            {"name": "other", "arguments": ""}, False, (None, None, "empty-arguments", ()), id="empty, of no tool"
        ),
        pytest.param({}, True, (ACT, {"value": 1}, None, ("cut-at-limit",)), id="cut, and whole"),
        pytest.param(
            {"name": "act "}, True, (ACT, {"value": 1}, None, (*NORMALISED, "cut-at-limit")), id="cut, its name too"
        ),
        pytest.param({"arguments": {}, "name": "act "}, True, (ACT, None, "truncated", NORMALISED), id="cut short"),
        pytest.param(
            {"arguments": {}, "name": "bare"}, True, (BARE, {}, None, ("cut-at-limit",)), id="cut, needs none"
        ),
        pytest.param({"arguments": {}, "name": "x"}, True, (None, {}, None, ("cut-at-limit",)), id="cut, of no tool"),
        pytest.param({"arguments": '{"value": "x'}, True, (ACT, None, "truncated", ()), id="cut and broken"),
    ],
)
def test_a_call_is_read(call: dict[str, Any], cut: bool, read: tuple[Any, ...]) -> None:
    first = a_call("bare", {}, turn=0)
    second = a_call(**{"name": "act", "arguments": {"value": 1}, "turn": 1, **call})
    record = a_record(FIXTURE, calls=[first, second], turns=[*turns(1), *turns(1, cut=cut)])
    assert read_calls(record, CORPUS) == (
        ReadCall(0, 0, BARE, {}, None, ()),
        ReadCall(1, 1, *read),
    )


@pytest.mark.parametrize("reason", [*sorted(TRUNCATED), "MAX_TOKENS"])
def test_every_word_for_the_token_limit_says_that_a_call_was_cut(reason: str) -> None:
    turn = Turn(text=None, response=None, finish_reason=reason)
    (call,) = read_calls(a_record(FIXTURE, calls=[a_call("act", {})], turns=[turn]), CORPUS)
    assert call.malformed == "truncated"


CALL = '{"name": "act", "arguments": {"value": 1}}'


@pytest.mark.parametrize(("before", "turn"), [(0, 0), (1, 0), (2, 1), (4, 3)])
def test_a_call_in_the_words_of_a_reply_is_one_of_its_last_turn(before: int, turn: int) -> None:
    record = a_record(FIXTURE, CALL, turns=turns(before))
    assert read_calls(record, CORPUS) == (ReadCall(0, turn, ACT, None, "in-text", ()),)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        pytest.param(None, 0, id="no words"),
        pytest.param("", 0, id="empty words"),
        pytest.param("Well.", 0, id="words"),
        pytest.param(f"It is {CALL}, as I said.", 1, id="a call of a tool that was offered, among words"),
        pytest.param(f"It is {CALL.replace('act', 'acted')}, as I said.", 0, id="one of another tool is talk of JSON"),
    ],
)
def test_only_a_call_of_a_tool_is_heard_among_words(text: str | None, calls: int) -> None:
    assert len(read_calls(a_record(FIXTURE, text), CORPUS)) == calls


def test_words_are_words_where_a_call_came_beside_them() -> None:
    record = a_record(FIXTURE, CALL, calls=[a_call("bare", {})])
    assert [call.tool for call in read_calls(record, CORPUS)] == [BARE]


GOOD, BAD = ("bare", {}), ("act", '{"value": "x')


@pytest.mark.parametrize(
    ("malformed", "calls", "took", "found"),
    [
        pytest.param(None, [], 1, None, id="neither"),
        pytest.param("framing", [], 1, "framing", id="a reply that is none"),
        pytest.param("framing", [(0, GOOD)], 1, "framing", id="a reply that is none, beside a call"),
        pytest.param("truncated", [], 1, "truncated", id="the fault of a call that is not there"),
        pytest.param("truncated", [(0, GOOD)], 1, None, id="the fault of a call that is read again"),
        pytest.param(None, [(0, GOOD)], 1, None, id="a good call"),
        pytest.param(None, [(0, BAD)], 1, "truncated", id="a bad call"),
        pytest.param(None, [(0, GOOD), (0, BAD)], 1, "truncated", id="one of two"),
        pytest.param(None, [(0, BAD), (0, GOOD)], 1, "truncated", id="the other"),
        pytest.param(None, [(0, BAD)], 2, None, id="a bad call that was got over"),
        pytest.param(None, [(1, BAD)], 2, "truncated", id="a bad call in the last turn"),
        pytest.param(None, [(0, BAD), (1, GOOD)], 2, None, id="a good call after a bad one"),
        pytest.param(None, [(0, GOOD), (1, BAD)], 2, "truncated", id="a bad call after a good one"),
        pytest.param("truncated", [], 2, "truncated", id="after two turns"),
        pytest.param(None, [(0, BAD)], 0, "truncated", id="without any turn"),
    ],
)
def test_a_reply_is_malformed_by_itself_or_by_a_call_in_its_last_turn(
    malformed: str | None, calls: list[Any], took: int, found: str | None
) -> None:
    made = [a_call(*call, turn=turn) for turn, call in calls]
    record = a_record(FIXTURE, calls=made, turns=turns(took), malformed=malformed)
    assert reply_malformed(record, read_calls(record, CORPUS)) == found
