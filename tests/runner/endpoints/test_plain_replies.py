"""A body that is read in one go gives what the close look at it gives, whatever stands in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpora.shapes.answers import Answer
from corpora.values import JsonObject
from runner.endpoints.openai_chat import OpenAIChat
from runner.endpoints.outcomes import sort
from runner.endpoints.results import Outcome
from runner.endpoints.transport import Exchange


class CloseLook(OpenAIChat):
    """The same API, every body opened level by level."""

    def plainly(self, _: bytes, /) -> Answer | None:
        return None


def sorted_by(api: OpenAIChat, data: bytes, status: int = 200) -> Outcome:
    return sort(Exchange(status=status, body=data), api, answered_before=True)


def reply(**fields: object) -> JsonObject:
    message = {"role": "assistant", "content": None, "tool_calls": [call()], "refusal": None}
    whole = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "system_fingerprint": "fp",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 381, "completion_tokens": 34, "total_tokens": 415},
    }
    return {**whole, **fields}


def call(**fields: object) -> JsonObject:
    return {"id": "call_1", "type": "function", "function": {"name": "refund", "arguments": '{"a": "b"}', **fields}}


def said(content: object, **fields: object) -> JsonObject:
    message = {"role": "assistant", "content": content, **fields}
    return reply(choices=[{"message": message, "finish_reason": fields.pop("finish_reason", "stop")}])


@pytest.mark.parametrize(
    "body",
    [
        reply(),
        said("Which one?"),
        said("<think>hm</think>Which one?"),
        said("", refusal=None),
        said("Which one?", tool_calls=[]),
        reply(usage=None, system_fingerprint=None, id=None),
    ],
    ids=["call", "words", "thoughts", "silence", "no calls", "little is told"],
)
def test_the_usual_forms_are_read_in_one_go(body: JsonObject) -> None:
    data = b" " + json.dumps(body).encode() + b"\n"
    assert OpenAIChat().plainly(data) is not None
    assert sorted_by(OpenAIChat(), data) == sorted_by(CloseLook(), data)


odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 2**70),
    st.floats(allow_nan=True),
    st.text(st.characters(), max_size=6),
    st.sampled_from(
        ["error", "", " ", "\ufdd0ud800", "length", "refusal", "<think>", '{"a":1}', "malformed_function_call"]
    ),
    st.just([]),
    st.just({}),
    st.just({"message": "no"}),
)
FIELDS = ("id", "object", "type", "model", "system_fingerprint", "choices", "usage", "error", "data")
IN_CHOICE = ("message", "finish_reason")
IN_MESSAGE = ("content", "tool_calls", "refusal", "function_call")
IN_USAGE = ("prompt_tokens", "completion_tokens")


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A usual reply with a few fields changed, left out or written twice, and a few bytes of it."""
    calls = [call(**draw(changes(("name", "arguments")))) for _ in range(draw(st.integers(0, 2)))]
    calls = [{**one, **draw(changes(("id", "function")))} for one in calls]
    message = {
        "role": "assistant",
        "content": draw(st.none() | st.text(max_size=9) | odd),
        "tool_calls": calls,
        **draw(changes(IN_MESSAGE)),
    }
    choice = {"message": message, "finish_reason": "stop", **draw(changes(IN_CHOICE))}
    usage = {"prompt_tokens": 3, "completion_tokens": 4, **draw(changes(IN_USAGE))}
    body = reply(choices=[choice] * draw(st.integers(0, 2) | st.just(1)), usage=usage)
    body.update(draw(changes(FIELDS)))
    body.pop(draw(st.sampled_from(("none", *FIELDS))), None)
    text = json.dumps(body, ensure_ascii=draw(st.booleans()))
    if draw(st.integers(0, 3)) == 3:
        text = text.replace('"model"', f'"{draw(st.sampled_from(FIELDS))}"', 1)
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for at, byte in draw(
        st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(0, 255)), max_size=1) | st.just([])
    ):
        data[at] = byte
    return bytes(data)


def changes(names: tuple[str, ...]) -> st.SearchStrategy[JsonObject]:
    return st.one_of(st.just({}), st.just({}), st.dictionaries(st.sampled_from(names), odd, max_size=1))


@given(bodies(), st.sampled_from([200, 200, 400, 500]))
@example(json.dumps(reply(usage={"prompt_tokens": 5})).replace("5", "-0").encode(), 200)
@example(json.dumps(reply(model="\ufdd0ud800"), ensure_ascii=False).encode(), 200)
@example(json.dumps(reply()).encode().replace(b'"index"', b'"\xff"'), 200)
@example(json.dumps(reply()).encode() + b"data: [DONE]", 200)
@example(b"\xef\xbb\xbf" + json.dumps(reply()).encode(), 200)
@example(b"[" * 100_000, 200)
def test_one_go_and_the_close_look_agree(data: bytes, status: int) -> None:
    assert sorted_by(OpenAIChat(), data, status) == sorted_by(CloseLook(), data, status)
