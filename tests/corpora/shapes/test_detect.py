"""Which shape a stored record is of, and what calls it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpora.errors import BadInput
from corpora.shapes.detect import Detector, unknown
from corpora.shapes.stored import Stored, seconds

ARGUMENTS = '{"reason_code":"OTHER"}'
FUNCTION = {"name": "refund_order", "arguments": ARGUMENTS}
TOOL_CALL = {"id": "c1", "type": "function", "function": FUNCTION}
MESSAGE = {"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]}
BODY = {
    "id": "r1",
    "created": 1_790_000_000,
    "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "tool_calls"}],
}
ANTHROPIC = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "c1", "name": "refund_order", "input": {"reason_code": "OTHER"}}],
}
OUTPUT_MESSAGES = [
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "refund_order", "arguments": ARGUMENTS}]}
]


def read(record: Any, shape: str | None = None) -> list[Stored | None]:
    detector = Detector(shape)
    return [*detector.read(record), *detector.end()]


def attributes(**values: Any) -> dict[str, Any]:
    return {"name": "chat m", "attributes": {key.replace("__", "."): value for key, value in values.items()}}


SHAPES = [
    pytest.param(BODY, "openai-chat", True, id="chat completion"),
    pytest.param(
        {"custom_id": "1", "response": {"status_code": 200, "body": BODY}}, "pair of openai-chat", True, id="batch line"
    ),
    pytest.param(
        {"response": json.dumps(BODY), "cache_hit": False}, "pair of openai-chat", True, id="response as a string"
    ),
    pytest.param(
        {"request": {"tools": []}, "response": ANTHROPIC}, "pair of anthropic-messages", False, id="pair of messages"
    ),
    pytest.param(ANTHROPIC, "anthropic-messages", False, id="anthropic message"),
    pytest.param(
        {"model": "m", "messages": [{"role": "user", "content": "x"}, ANTHROPIC]},
        "openai-messages",
        False,
        id="blocks in a talk",
    ),
    pytest.param({"messages": [MESSAGE, {"role": "tool", "content": "{}"}]}, "openai-messages", True, id="talk"),
    pytest.param(
        {"id": "x", "object": "response", "output": [{"type": "function_call", "call_id": "c1", **FUNCTION}]},
        "openai-responses",
        True,
        id="response",
    ),
    pytest.param(
        {
            "corpus": "refunds",
            "fixture_id": "det-001",
            "calls": [{**FUNCTION, "source": "tool_calls"}, {**FUNCTION, "source": "content"}],
        },
        "assumeprobe-results",
        True,
        id="own results",
    ),
    pytest.param(
        attributes(gen_ai__output__messages=json.dumps(OUTPUT_MESSAGES)), "otel-span", True, id="span, string attribute"
    ),
    pytest.param(
        {
            "name": "chat",
            "attributes": {},
            "events": [
                {
                    "name": "gen_ai.client.inference.operation.details",
                    "attributes": {"gen_ai.output.messages": OUTPUT_MESSAGES},
                }
            ],
        },
        "otel-span",
        True,
        id="span, event of details",
    ),
    pytest.param(
        {
            "name": "chat",
            "attributes": {"gen_ai.system": "openai"},
            "events": [{"name": "gen_ai.choice", "attributes": {"message": json.dumps(MESSAGE)}}],
        },
        "otel-span-old",
        True,
        id="span, choice event",
    ),
    pytest.param(
        {"name": "chat", "attributes": {}, "events": [{"name": "gen_ai.choice", "body": {"message": MESSAGE}}]},
        "otel-span-old",
        True,
        id="span, choice body",
    ),
    pytest.param(
        attributes(
            gen_ai__completion__0__tool_calls__0__name="refund_order",
            gen_ai__completion__0__tool_calls__0__arguments=ARGUMENTS,
        ),
        "otel-span-old",
        True,
        id="span, flattened",
    ),
    pytest.param(
        {
            "name": "execute_tool",
            "attributes": {"gen_ai.tool.name": "refund_order", "gen_ai.tool.call.arguments": ARGUMENTS},
        },
        "otel-span-old",
        True,
        id="span of the tool",
    ),
    pytest.param(
        {
            "resourceSpans": [
                {
                    "scopeSpans": [
                        {
                            "spans": [
                                {
                                    "name": "chat",
                                    "startTimeUnixNano": "1790000000000000000",
                                    "attributes": [
                                        {
                                            "key": "gen_ai.output.messages",
                                            "value": {"stringValue": json.dumps(OUTPUT_MESSAGES)},
                                        },
                                        {"key": "n", "value": {"intValue": "3"}},
                                    ],
                                }
                            ]
                        }
                    ]
                }
            ]
        },
        "otlp-export",
        True,
        id="OTLP export",
    ),
    pytest.param({"type": "GENERATION", "output": MESSAGE}, "langfuse-trace", True, id="langfuse observation"),
    pytest.param(
        {"observations": [], "output": [MESSAGE]}, "langfuse-trace", True, id="langfuse trace without generations"
    ),
    pytest.param({"run_type": "llm", "outputs": {"output": BODY}}, "langsmith-run", True, id="langsmith, raw reply"),
    pytest.param(
        {
            "run_type": "llm",
            "outputs": {
                "generations": [
                    {
                        "message": {
                            "content": "",
                            "tool_calls": [{"name": "refund_order", "args": {"reason_code": "OTHER"}, "id": "c1"}],
                        }
                    }
                ]
            },
        },
        "langsmith-run",
        False,
        id="langsmith, parsed only",
    ),
    pytest.param(
        {"tool_name": "refund_order", "input": {"reason_code": "OTHER"}}, "row", False, id="row with an object"
    ),
    pytest.param({"tool": "refund_order", "reason_code": "OTHER"}, "columns", False, id="row of columns"),
    pytest.param({"id": 7, "payload": BODY}, "payload: openai-chat", True, id="cell with a payload"),
    pytest.param({"id": "7", "payload": json.dumps(MESSAGE)}, "payload: openai-message", True, id="cell with a string"),
    pytest.param(
        {"choices": [{"message": {"function_call": FUNCTION}}]}, "openai-chat", True, id="legacy function call"
    ),
]


PART = {"type": "tool-call", "toolCallId": "c1", "toolName": "refund_order"}
SHAPES += [
    pytest.param(
        {"role": "assistant", "content": [{**PART, "input": {"reason_code": "OTHER"}}]},
        "anthropic-messages",
        False,
        id="part of the AI SDK",
    ),
    pytest.param(
        {"messages": [{"role": "assistant", "content": [{**PART, "args": {"reason_code": "OTHER"}}]}]},
        "openai-messages",
        False,
        id="part of the AI SDK before its fifth version, in a talk",
    ),
    pytest.param(
        {"role": "assistant", "content": [{"type": "tool_call", "id": "c1", **FUNCTION}]},
        "anthropic-messages",
        True,
        id="part with a string",
    ),
    *(
        pytest.param({"tool_name": "refund_order", name: ARGUMENTS}, "row", True, id=f"row with {name}")
        for name in ("tool_args", "tool_input", "toolInput", "tool_kwargs", "kwargs", "args", "input", "parameters")
    ),
]
DELTA = {"index": 0, "id": "c1", "type": "function", "function": {**FUNCTION, "arguments": ""}}
STREAMS = {
    "openai-chat": [
        {"object": "chat.completion.chunk", "choices": []},
        {"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [DELTA]}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": ARGUMENTS}}]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ],
    "openai-responses": [
        {"type": "response.created", "response": {"id": "r", "object": "response", "output": []}},
        {
            "type": "response.completed",
            "response": {
                "object": "response",
                "output": [{"type": "function_call", "call_id": "c1", **FUNCTION}],
            },
        },
    ],
    "anthropic-messages": [
        {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {**ANTHROPIC["content"][0], "input": {}}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": ARGUMENTS},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ],
}


def as_events(bodies: list[dict[str, Any]]) -> str:
    return "".join(f"event: x\ndata: {json.dumps(body)}\n\n" for body in bodies)


@pytest.mark.parametrize("shape", STREAMS)
def test_a_stream_that_was_stored_as_text_is_put_together(shape: str) -> None:
    for record in ({"request": {}, "response": as_events(STREAMS[shape])}, as_events(STREAMS[shape])):
        [stored] = read(record)
        assert stored is not None
        assert stored.shape == ("pair of " if isinstance(record, dict) else "") + shape
        assert [call.tool for call in stored.calls] == ["refund_order"]
        [call] = stored.calls
        assert call.arguments == ARGUMENTS or call.value == json.loads(ARGUMENTS)


@pytest.mark.parametrize("shape", STREAMS)
def test_a_stored_stream_without_its_end_was_cut(shape: str) -> None:
    """Also where its last event is half a line."""
    cut = as_events(STREAMS[shape][: 1 if shape == "openai-responses" else 2])
    for text in (cut, as_events(STREAMS[shape])[:-60] if shape != "anthropic-messages" else cut[:-9]):
        [stored] = read({"response": text})
        assert stored is not None
        assert (stored.calls, stored.skipped) == ((), ("truncated",))


@pytest.mark.parametrize(
    "text", ["data: nothing", "id: 7", "data: {}\n\n", "data: [DONE]\n\n", "event: x\n\n", ": ping"]
)
def test_a_text_that_only_begins_like_a_stream_is_none(text: str) -> None:
    assert read({"response": text}) == [None]


ASKED = {"messages": [{"role": "user", "content": "x"}, MESSAGE, {"role": "tool", "content": "{}"}]}
LOGS = [
    pytest.param({"input": "Refund it.", "output": BODY}, "output: openai-chat", True, id="input and output"),
    pytest.param({"input": ASKED, "output": MESSAGE}, "output: openai-message", True, id="the output, not the history"),
    pytest.param(
        {"name": "llm", "input": ASKED, "output": [MESSAGE]}, "output: openai-message", True, id="list of output"
    ),
    pytest.param(
        {"metadata": {"tool": "x"}, "event": {"payload": BODY}}, "event: payload: openai-chat", True, id="deep"
    ),
    pytest.param(
        {"id": 1, "payload": {"tool": "refund_order", "arguments": ARGUMENTS}},
        "payload: row",
        True,
        id="a row in a cell",
    ),
    pytest.param({**ASKED, "output": MESSAGE}, "openai-messages and answer", True, id="messages and output"),
    pytest.param({"arguments": ARGUMENTS, "tool": "refund_order"}, "row", True, id="a plain row"),
]


@pytest.mark.parametrize(("record", "shape", "verbatim"), [*SHAPES, *LOGS])
def test_a_shape_is_told_and_its_call_found(record: Any, shape: str, verbatim: bool) -> None:
    [stored] = read(record)
    assert stored is not None
    assert stored.shape == shape
    [call] = stored.calls
    assert (call.tool, call.verbatim) == ("refund_order", verbatim)
    if verbatim:
        assert call.arguments == ARGUMENTS
    else:
        assert call.value is not None
        assert call.value["reason_code"] == "OTHER"


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"request": {"messages": [MESSAGE]}, "response": None}, id="no answer"),
        pytest.param(
            {"request": {"messages": [MESSAGE]}, "response": {"body": None, "status_code": 500}}, id="failed batch line"
        ),
        pytest.param(
            {"model": "m", "messages": [MESSAGE, {"role": "assistant", "content": "Done."}]}, id="history of a request"
        ),
        pytest.param(
            {"messages": [MESSAGE, {"role": "user", "content": "x"}], "output": "Done."}, id="an answer in words"
        ),
        pytest.param({"run_type": "chain", "outputs": {"output": MESSAGE}}, id="a chain repeats its children"),
        pytest.param(
            {"run_type": "tool", "name": "refund_order", "inputs": {"reason_code": "OTHER"}, "outputs": {}},
            id="a run of a tool repeats the model's call",
        ),
        *(
            pytest.param({"role": role, "content": "x"}, id=f"a message of the {role}")
            for role in ("user", "system", "developer", "tool", "function")
        ),
        pytest.param({"name": "http", "attributes": {"http.method": "GET"}}, id="another span"),
        pytest.param({"run_type": "llm", "outputs": {"generations": [[{"message": 7}]]}}, id="no message"),
        pytest.param(
            {
                "name": "s",
                "attributes": {"llm.output_messages.0": "x", "llm.output_messages.0.message.role": "assistant"},
            },
            id="attributes that contradict each other",
        ),
    ],
)
def test_what_is_no_answer_holds_no_call(record: Any) -> None:
    [stored] = read(record)
    assert stored is not None
    assert (stored.calls, stored.skipped) == ((), ())


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"response": json.dumps(BODY)[:-40]}, id="response"),
        pytest.param({"payload": json.dumps(BODY)[:-40]}, id="cell"),
        pytest.param({"type": "GENERATION", "output": json.dumps(MESSAGE)[:-9]}, id="langfuse"),
        pytest.param({"run_type": "llm", "outputs": json.dumps({"output": MESSAGE})[:-9]}, id="langsmith"),
        pytest.param(attributes(gen_ai__output__messages=json.dumps(OUTPUT_MESSAGES)[:-9]), id="span"),
        pytest.param(
            {
                "name": "chat",
                "attributes": {},
                "events": [{"name": "gen_ai.choice", "attributes": {"message": json.dumps(MESSAGE)[:-9]}}],
            },
            id="event",
        ),
    ],
)
def test_a_payload_that_was_cut_is_said_to_be(record: Any) -> None:
    [stored] = read(record)
    assert stored is not None
    assert (stored.calls, stored.skipped) == ((), ("truncated",))


@pytest.mark.parametrize(
    "record",
    [
        {"a": 1},
        {"calls": 3},
        "text",
        7,
        None,
        {"choices": "none"},
        {"content": "x"},
        {"input": "Hello", "output": "Hi"},
    ],
)
def test_an_unknown_shape_is_none(record: Any) -> None:
    assert read(record) == [None]


@pytest.mark.parametrize("inner", [{"a": 1}, BODY], ids=["nothing", "a completion"])
def test_each_level_of_a_deep_record_is_looked_into_once(inner: Any) -> None:
    """Were it twice, the work would double with every level."""
    record = inner
    for _ in range(60):
        record = {"cell": record}
    (found,) = read(record)
    assert (found and found.shape) == (None if inner is not BODY else "cell: " * 60 + "openai-chat")


def test_the_error_shows_what_was_seen() -> None:
    sentence = str(unknown({"k": "\x1b" * 300}))
    assert sentence.startswith('no record is of a known shape; the first is {"k":"\\u001b')
    assert "…; known are assumeprobe-results, otlp-export, " in sentence


def test_columns_that_are_named_so_need_no_tool() -> None:
    """A table of one tool, as a service stores it: told by nothing, so somebody has to say it."""
    row = {"id": 7, "reason_code": "OTHER", "created_at": "2026-11-03T10:00:00Z"}
    assert read(row) == [None]
    [stored] = read(row, "columns")
    assert stored is not None
    assert [(call.tool, call.value) for call in stored.calls] == [(None, row)]
    assert stored.at is not None
    [named] = read({**row, "tool": "refund_order"}, "columns")
    assert named is not None
    assert [call.tool for call in named.calls] == ["refund_order"]


def test_the_run_of_a_tool_is_read_where_it_is_named_a_row() -> None:
    run = {"run_type": "tool", "name": "refund_order", "inputs": {"reason_code": "OTHER"}, "outputs": {"output": "ok"}}
    [stored] = read(run, "row")
    assert stored is not None
    assert [(call.tool, call.value) for call in stored.calls] == [("refund_order", {"reason_code": "OTHER"})]
    assert read({"name": "chain", "inputs": {"x": 1}}) == [None]


def test_a_shape_that_was_named_is_the_only_one() -> None:
    assert read(BODY, "row") == [None]
    assert [one and one.shape for one in read({"tool": "t", "arguments": "{}"}, "row")] == ["row"]
    with pytest.raises(BadInput, match="there is no shape 'xml'; there are assumeprobe-results, "):
        Detector("xml")


def chunk(piece: dict[str, Any] | None, finish: str | None = None, **top: Any) -> dict[str, Any]:
    delta = {} if piece is None else {"tool_calls": [piece]}
    return {
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        **top,
    }


def test_chunks_are_put_together_answer_by_answer() -> None:
    first = [
        chunk(
            {"index": 0, "id": "c1", "function": {"name": "refund_order", "arguments": ""}},
            id="r1",
            created=1_790_000_000,
        ),
        chunk({"index": 0, "function": {"arguments": '{"reason_code":'}}, id="r1"),
        chunk({"index": 1, "id": "c2", "function": {"name": "x", "arguments": "{}"}}, id="r1"),
        chunk({"index": 0, "function": {"arguments": '"OTHER"}'}}, id="r1"),
        chunk(None, "tool_calls", id="r1"),
        {"object": "chat.completion.chunk", "choices": [], "usage": {}, "id": "r1"},
    ]
    second = [chunk({"id": "c3", "function": {"name": "refund_order", "arguments": "{}"}}, id="r2")]
    one, two = read([*first, *second])
    assert one is not None
    assert two is not None
    assert [(call.id, call.tool, call.arguments) for call in one.calls] == [
        ("c1", "refund_order", ARGUMENTS),
        ("c2", "x", "{}"),
    ]
    assert one.at == 1_790_000_000
    assert [call.id for call in two.calls] == ["c3"]


def test_each_choice_of_a_chunked_answer_is_put_together_for_itself() -> None:
    def piece(index: int, arguments: str, finish: str | None = None) -> dict[str, Any]:
        call = {"index": 0, "function": {"name": "refund_order", "arguments": arguments}}
        choice = {"index": index, "delta": {"tool_calls": [call]}, "finish_reason": finish}
        return {"object": "chat.completion.chunk", "choices": [choice]}

    (found,) = read([piece(0, '{"reason'), piece(1, '{"a"'), piece(0, '_code":"OTHER"}', "stop"), piece(1, ":1}")])
    assert found is not None
    assert [call.arguments for call in found.calls] == [ARGUMENTS, '{"a":1}']


def test_a_function_call_that_came_in_chunks_is_a_call() -> None:
    pieces = [{"name": "refund_order", "arguments": '{"reason_code":'}, {"arguments": '"OTHER"}'}]
    (found,) = read([{"choices": [{"index": 0, "delta": {"function_call": piece}}]} for piece in pieces])
    assert found is not None
    assert [(call.tool, call.arguments) for call in found.calls] == [("refund_order", ARGUMENTS)]


@pytest.mark.parametrize(
    "choices",
    [
        "x",
        7,
        {"delta": {}},
        [{"delta": {}}, "x"],
        [{"delta": {}}, {"index": 1}],
        [{"delta": {}, "index": [1]}],
        [{"delta": {"tool_calls": "x"}}],
        [{"delta": {"tool_calls": ["x"]}}],
        [{"delta": {"tool_calls": [{"index": [0], "id": 7, "function": "x"}]}}],
        [{"delta": {"tool_calls": [{"index": 0, "function": {"name": 7, "arguments": 7}}]}}],
    ],
)
def test_a_chunk_of_any_kind_harms_no_call_of_its_answer(choices: Any) -> None:
    begin = chunk({"index": 0, "id": "c1", "function": {"name": "refund_order", "arguments": '{"reason_code":'}})
    odd = {"object": "chat.completion.chunk", "choices": choices}
    (found,) = read([begin, odd, chunk({"index": 0, "function": {"arguments": '"OTHER"}'}}, "stop")])
    assert found is not None
    assert (found.calls[0].tool, found.calls[0].arguments) == ("refund_order", ARGUMENTS)


@pytest.mark.parametrize(
    ("value", "at"),
    [
        (1_790_000_000, 1_790_000_000.0),
        (1_790_000_000_000, 1_790_000_000.0),
        (1_790_000_000_000_000, 1_790_000_000.0),
        (1_790_000_000_000_000_000, 1_790_000_000.0),
        ("1790000000", 1_790_000_000.0),
        ("2026-11-30T00:00:00Z", 1_795_996_800.0),
        ("2026-11-30T02:00:00+02:00", 1_795_996_800.0),
        ("2026-11-30 00:00:00 UTC", 1_795_996_800.0),
        ("2026-11-30", 1_795_996_800.0),
        ("yesterday", None),
        ("1" * 40, None),
        (True, None),
        (12, None),
        (float("nan"), None),
        (1e30, None),
        (None, None),
    ],
)
def test_a_time_is_read_in_every_unit_and_never_guessed(value: Any, at: float | None) -> None:
    assert seconds(value) == at
