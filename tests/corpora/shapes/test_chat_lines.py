"""The short way through a file of chat completions says what the long way says, or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.shapes.chat_lines import ChatLines
from corpora.shapes.detect import Detector
from corpora.shapes.stored import StoredCall

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
calls = st.fixed_dictionaries(
    {
        "function": st.fixed_dictionaries(
            {"name": st.sampled_from(["refund_order", "x"]), "arguments": texts | st.none()}
        )
    },
    optional={"id": texts | st.none() | st.integers(), "type": st.just("function"), "index": st.integers()},
)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["assistant", "user", "tool"])},
    optional={
        "content": texts | st.none() | st.lists(st.just({"type": "text", "text": "x"})),
        "tool_calls": st.lists(calls, max_size=3) | st.none(),
        "function_call": st.none() | st.just({"name": "refund_order", "arguments": "{}"}),
    },
)
times = st.sampled_from([1_790_000_000, "2026-11-30T00:00:00Z", "soon", 1_790_000_000_123, None, True])
NAMES = (
    "created timestamp created_at createdAt ts date type model attributes role content output completion response "
    "fixture_id object cache_hit body candidates outputs result"
)
extras = st.dictionaries(st.sampled_from(NAMES.split()), times | texts, max_size=3)
choices_ = st.fixed_dictionaries({"message": messages}, optional={"delta": st.none(), "index": st.just(0)})
bodies = st.builds(lambda choices, more: {"choices": choices, **more}, st.lists(choices_, max_size=2), extras)
pairs = st.builds(
    lambda body, cached, more: {**more, "response": body, **cached},
    bodies,
    st.dictionaries(st.just("cache_hit"), st.sampled_from([True, False, "True", "no", None, 1])),
    extras,
)
talks = st.builds(lambda said, more: {**more, "messages": said}, st.lists(messages, max_size=3), extras)
ones = st.builds(lambda message, more: {**more, **message}, messages, extras)


def long_way(record: Any) -> Any:
    [stored] = [*Detector().read(record)] or [None]
    if stored is None:
        return None
    return stored.shape, stored.at, "cache-hit" in stored.flags, list(stored.calls)


def short_way(record: Any, lines: ChatLines) -> Any:
    plain = lines.read(json.dumps(record).encode())
    if plain is None:
        return None
    shape, at, cached, found = plain
    listed = [StoredCall(tool=call.function.name, arguments=call.function.arguments, id=call.id) for call in found]
    return shape, at, cached, listed


@given(st.lists(bodies | pairs | talks | ones, min_size=1, max_size=4))
def test_where_the_short_way_answers_both_say_the_same(records: list[Any]) -> None:
    lines = ChatLines()
    for record in records:
        short = short_way(record, lines)
        if short is not None:
            assert short == long_way(record)


CALL = {"id": "c1", "type": "function", "function": {"name": "refund_order", "arguments": '{"reason_code": "OTHER"}'}}
SAID = {"role": "assistant", "content": None, "tool_calls": [CALL]}
BODY = {"object": "chat.completion", "created": 1_790_000_000, "choices": [{"index": 0, "message": SAID}]}


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(BODY, id="completion"),
        pytest.param({"request": {"messages": []}, "response": BODY}, id="request and response"),
        pytest.param({"messages": [{"role": "user", "content": "x"}, SAID]}, id="talk"),
        pytest.param(SAID, id="message"),
    ],
)
def test_plain_lines_go_the_short_way(record: Any) -> None:
    assert short_way(record, ChatLines()) == long_way(record) is not None


def test_a_file_of_another_shape_is_soon_left_alone() -> None:
    lines = ChatLines()
    for _ in range(200):
        assert lines.read(b'{"tool": "refund_order"}') is None
    assert lines.read(json.dumps({"response": BODY}).encode()) is None
