"""One contract that every API passes: a conversation is written in its words, and a turn comes back as it was said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpora.fixtures import EarlierCall, FunctionText, Message
from corpora.shapes.answers import Answer
from corpora.shapes.nodes import Node, mark_lone
from runner.endpoints.anthropic_messages import AnthropicMessages
from runner.endpoints.base import Api, ChatRequest, Said
from runner.endpoints.openai_chat import OpenAIChat
from runner.endpoints.openai_responses import OpenAIResponses
from runner.endpoints.pool import APIS

EXACT = '{ "order_id" : 2512292042121000017,  "note":"\\ud83d é" }'

REPLIES: dict[str, str] = {
    "openai-chat": json.dumps(
        {
            "id": "r",
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "content": "Looking.",
                        "tool_calls": [
                            {"id": "c1", "function": {"name": "lookup_order", "arguments": EXACT}},
                            {"id": "c1", "function": {"name": "lookup_order", "arguments": "{}"}},
                        ],
                    }
                }
            ],
        }
    ),
    "openai-responses": json.dumps(
        {
            "id": "r",
            "output": [
                {"type": "reasoning", "id": "rs", "encrypted_content": "…"},
                {"type": "message", "content": [{"type": "output_text", "text": "Looking."}]},
                {"type": "function_call", "call_id": "c1", "name": "lookup_order", "arguments": EXACT},
                {"type": "function_call", "call_id": "c2", "name": "lookup_order", "arguments": "{}"},
            ],
        }
    ),
    "anthropic-messages": '{"id":"r","content":[{"type":"thinking","thinking":"hm","signature":"s"},'
    '{"type":"text","text":"Looking."},'
    f'{{"type":"tool_use","id":"c1","name":"lookup_order","input":{EXACT}}},'
    '{"type":"tool_use","id":"c2","name":"lookup_order","input":{}}]}',
}

HISTORY = (
    Message(role="user", content="Refund, please."),
    Message(
        role="assistant",
        content=None,
        tool_calls=(EarlierCall(id="e1", function=FunctionText(name="lookup_order", arguments='{"order_id": "1"}')),),
    ),
    Message(role="tool", content='{"status": "delivered"}', tool_call_id="e1"),
    Message(role="user", content="Well?"),
)


def said(api: Api) -> tuple[Said, Answer]:
    body = Node(mark_lone(REPLIES[api.name].encode()))
    answer = api.read(body)
    return Said(text=answer.text, calls=answer.calls, answers=("{}", "two"), raw=body.exact().encode()), answer


def sent(api: Api, wire: Any, **settings: Any) -> tuple[dict[str, Any], bytes]:
    corpus = wire.world("W2")
    known = {"model": "m", "system": "Be kind.", "messages": HISTORY, "tools": corpus.tools}
    body = api.body(ChatRequest(**{**known, **settings}))
    return json.loads(body), body


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> Api:
    return APIS[request.param]()


def test_what_is_not_set_is_not_sent(api: Api, wire: Any) -> None:
    body, _ = sent(api, wire)
    assert body["model"] == "m"
    assert body.keys() <= {"model", "messages", "input", "system", "instructions", "tools", "store"}
    assert "Be kind." in json.dumps(body)
    plain, _ = sent(api, wire, tools=(), tool_choice="required")
    assert "tools" not in plain
    assert "tool_choice" not in plain


def test_settings_have_the_names_of_the_api(api: Api, wire: Any) -> None:
    body, _ = sent(
        api, wire, temperature=0.3, max_tokens=50, stream=True, params={"top_p": 0.9, "user": None}, drop=("store",)
    )
    assert (body["temperature"], body["stream"], body["top_p"], body["user"]) == (0.3, True, 0.9, None)
    assert body["max_output_tokens" if api.name == "openai-responses" else "max_tokens"] == 50
    assert "store" not in body
    assert "temperature" not in sent(api, wire, temperature=0.3, drop=("temperature",))[0]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("auto", ["auto", "auto", {"type": "auto"}]),
        ("required", ["required", "required", {"type": "any"}]),
        ("none", ["none", "none", {"type": "none"}]),
        (
            "refund_order",
            [
                {"type": "function", "function": {"name": "refund_order"}},
                {"type": "function", "name": "refund_order"},
                {"type": "tool", "name": "refund_order"},
            ],
        ),
    ],
)
def test_a_tool_choice_in_the_words_of_each_api(choice: str, expected: list[object], wire: Any) -> None:
    apis: list[Api] = [OpenAIChat(), OpenAIResponses(), AnthropicMessages()]
    assert [sent(api, wire, tool_choice=choice)[0]["tool_choice"] for api in apis] == expected


def test_arguments_go_back_as_the_exact_text_that_came(api: Api, wire: Any) -> None:
    turn, answer = said(api)
    assert [call.arguments for call in answer.calls] == [EXACT, "{}"]
    _, body = sent(api, wire, said=(turn,))
    as_string = json.dumps(EXACT).encode()
    assert (EXACT.encode() if api.name == "anthropic-messages" else as_string) in body


def test_each_answer_names_its_call_also_where_two_calls_have_one_id(api: Api, wire: Any) -> None:
    turn, _ = said(api)
    body, _ = sent(api, wire, said=(turn,))
    match api.name:
        case "openai-chat":
            spoken, *results = body["messages"][-3:]
            ids = [call["id"] for call in spoken["tool_calls"]]
            answers = [(result["tool_call_id"], result["content"]) for result in results]
        case "openai-responses":
            ids = [item["call_id"] for item in body["input"] if item.get("type") == "function_call"][-2:]
            answers = [(item["call_id"], item["output"]) for item in body["input"][-2:]]
            assert [item["type"] for item in body["input"][-6:-4]] == ["reasoning", "message"]
        case _:
            spoken, results = body["messages"][-2:]
            ids = [block["id"] for block in spoken["content"] if block["type"] == "tool_use"]
            answers = [(block["tool_use_id"], block["content"]) for block in results["content"]]
            assert spoken["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "s"}
    assert len(set(ids)) == 2
    assert answers == list(zip(ids, ["{}", "two"], strict=True))


def test_a_stored_call_and_its_result_are_written_in_the_words_of_the_api(api: Api, wire: Any) -> None:
    body, _ = sent(api, wire)
    match api.name:
        case "openai-chat":
            called, result = body["messages"][2:4]
            assert called["tool_calls"][0]["function"]["arguments"] == '{"order_id": "1"}'
            assert result == {"role": "tool", "content": '{"status": "delivered"}', "tool_call_id": "e1"}
        case "openai-responses":
            called, result = body["input"][1:3]
            assert (called["type"], called["arguments"]) == ("function_call", '{"order_id": "1"}')
            assert (result["type"], result["output"]) == ("function_call_output", '{"status": "delivered"}')
        case _:
            user, called, result = body["messages"]
            assert called["content"][0]["input"] == {"order_id": "1"}
            assert [block["type"] for block in result["content"]] == ["tool_result", "text"]
            assert [turn["role"] for turn in (user, called, result)] == ["user", "assistant", "user"]


def test_a_system_message_in_the_conversation_reaches_an_api_that_has_one_system_text(wire: Any) -> None:
    history = (Message(role="system", content="And brief."), *HISTORY)
    body, _ = sent(AnthropicMessages(), wire, messages=history)
    assert body["system"] == "Be kind.\n\nAnd brief."


def test_stored_arguments_that_are_no_object_go_as_text(wire: Any) -> None:
    call = EarlierCall(id="e", function=FunctionText(name="lookup_order", arguments="{broken"))
    body, _ = sent(AnthropicMessages(), wire, messages=(Message(role="assistant", content=None, tool_calls=(call,)),))
    assert body["messages"][0]["content"][0]["input"] == "{broken"


@pytest.mark.parametrize(
    ("name", "key", "fields"),
    [
        ("openai-chat", "k", {"authorization": "Bearer k"}),
        ("openai-chat", None, {}),
        ("openai-responses", "k", {"authorization": "Bearer k"}),
        ("anthropic-messages", "k", {"x-api-key": "k", "anthropic-version": "2023-06-01"}),
        ("anthropic-messages", None, {"anthropic-version": "2023-06-01"}),
    ],
)
def test_the_key_stands_in_the_field_of_the_api(name: str, key: str | None, fields: dict[str, str]) -> None:
    assert APIS[name]().headers(key) == fields
