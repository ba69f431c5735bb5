"""A streamed answer is recorded as the same answer at once would be, with the times that only a stream has."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpora.records import Record

pytestmark = pytest.mark.anyio

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "wire.jsonl").read_text(encoding="utf-8").splitlines()
]
API = {"openai-chat": "choices", "anthropic-messages": "content", "openai-responses": "output"}


def readable(case: dict[str, Any]) -> bool:
    """Whether the case holds one plain JSON reply with something in it."""
    try:
        body = json.loads(case["input"]["response"].get("body", ""))
    except ValueError:
        return False
    return bool(body.get(API[case["input"]["api"]]))


REPLIES = [case for case in CASES if readable(case)]


def sse(events: Iterator[tuple[str | None, object]], end: str = "") -> str:
    lines = [(f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n" for name, data in events]
    return "".join(lines) + end


def pieces(text: str, size: int = 3) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]


def chat_events(body: dict[str, Any]) -> Iterator[tuple[None, object]]:
    choice = body["choices"][0]
    message = choice["message"]
    top = {key: body[key] for key in ("id", "model", "created") if key in body} | {"object": "chat.completion.chunk"}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> tuple[None, object]:
        return None, {**top, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": None})
    for name in ("reasoning_content", "content", "refusal"):
        if message.get(name) is not None:
            yield from (chunk({name: piece}) for piece in pieces(message[name]))
    for index, call in enumerate(message.get("tool_calls") or []):
        function = call["function"]
        head = {"index": index, "id": call["id"], "type": "function", "function": {"name": function["name"]}}
        yield chunk({"tool_calls": [head]})
        if "arguments" in function:
            parts = pieces(function["arguments"]) if isinstance(function["arguments"], str) else [function["arguments"]]
            yield from (chunk({"tool_calls": [{"index": index, "function": {"arguments": p}}]}) for p in parts)
    yield chunk({}, choice.get("finish_reason"))
    if "usage" in body:
        yield None, {**top, "choices": [], "usage": body["usage"]}


def message_events(body: dict[str, Any]) -> Iterator[tuple[str, object]]:
    start = {**body, "content": [], "stop_reason": None, "usage": {**body["usage"], "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(body["content"]):
        is_text = block["type"] == "text"
        empty = {**block, "text": ""} if is_text else {**block, "input": {}}
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        for piece in pieces(block["text"] if is_text else json.dumps(block["input"], separators=(",", ":"))):
            delta = (
                {"type": "text_delta", "text": piece}
                if is_text
                else {"type": "input_json_delta", "partial_json": piece}
            )
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    usage = {"output_tokens": body["usage"]["output_tokens"]}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def response_events(body: dict[str, Any]) -> Iterator[tuple[str, object]]:
    yield "response.created", {"type": "response.created", "response": {**body, "output": []}}
    for index, item in enumerate(body["output"]):
        event = {"type": "response.output_item.added", "output_index": index, "item": item}
        yield "response.output_item.added", event
    last = f"response.{body['status']}"
    yield last, {"type": last, "response": body}


def streamed(case: dict[str, Any]) -> str:
    body = json.loads(case["input"]["response"]["body"])
    match case["input"]["api"]:
        case "openai-chat":
            return sse(chat_events(body), "data: [DONE]\n\n")
        case "anthropic-messages":
            return sse(message_events(body))
    return sse(response_events(body))


def compared(record: Record) -> dict[str, Any]:
    turn = record.turns[-1]
    return {
        "status": record.status,
        "malformed": record.malformed,
        "text": record.text or "",
        "calls": record.calls,
        "effects": record.effects,
        "flags": sorted(record.flags),
        "error": record.error,
        "usage": record.usage,
        "models": record.response_models,
        "finish": turn.finish_reason,
        "id": turn.response_id,
    }


@pytest.mark.parametrize("case", REPLIES, ids=[f"{case['id']} {case['title']}" for case in REPLIES])
async def test_a_stream_records_what_the_whole_body_does(case: dict[str, Any], wire: Any) -> None:
    request = case["input"]["request"]
    corpus = wire.world(request["world"], request["tools"])
    settings = {"corpus": corpus, "api": case["input"]["api"], "model": request["model"]}
    whole, _, _ = await wire.sampled(wire.case_response(case), study={"max_tokens": 512}, **settings)
    text = streamed(case)
    parts, _, server = await wire.sampled(
        wire.response(text, headers={"content-type": "text/event-stream"}),
        study={"max_tokens": 512, "stream": True},
        **settings,
    )
    assert compared(parts) == compared(whole)
    assert parts.turns[0].response == (text if whole.status == "ok" else None)
    assert b'"stream":true' in server.requests[0]


async def test_a_stream_has_the_times_of_its_first_byte_and_its_first_call(wire: Any) -> None:
    case = next(case for case in REPLIES if case["id"] == "wi-0f81fe7")
    text = streamed(case).encode()
    at = text.index(b'"tool_calls"')
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" % len(text)

    async def slowly(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in (head + text[:10], text[10 : at - 200], text[at - 200 :]):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.1)
        writer.close()

    record, _, _ = await wire.sampled(slowly, study={"stream": True})
    (turn,) = record.turns
    assert turn.ttfb_s is not None
    assert turn.first_call_s is not None
    assert turn.ttfb_s < turn.first_call_s <= turn.latency_s
    assert turn.first_call_s >= 0.1


@pytest.mark.parametrize(
    "cut", ["data: [DONE]\n\n", '"finish_reason": "stop"', '"delta"'], ids=["end mark", "finish reason", "in an event"]
)
async def test_a_stream_that_breaks_off_is_tried_again_unless_it_had_finished(cut: str, wire: Any) -> None:
    case = next(case for case in REPLIES if case["id"] == "wi-e45d896")
    text = streamed(case)
    half = wire.response(text[: text.index(cut) + (4 if cut == '"delta"' else 0)])
    record, _, server = await wire.sampled(half, wire.response(text), study={"stream": True})
    assert record.status == "ok"
    assert len(server.requests) == (1 if "DONE" in cut else 2)
    assert (
        record.calls[0].arguments
        == json.loads(case["input"]["response"]["body"])["choices"][0]["message"]["tool_calls"][0]["function"][
            "arguments"
        ]
    )


async def test_an_error_in_a_stream_is_that_error(wire: Any) -> None:
    text = (
        'data: {"id":"c","choices":[{"delta":{"content":"Wh"}}]}\n\ndata: {"error":{"message":"gone","code":502}}\n\n'
    )
    record, _, server = await wire.sampled(wire.response(text), study={"stream": True})
    assert record.error is not None
    assert (record.error.kind, record.error.message, len(server.requests)) == ("http", "gone", 2)


async def test_an_escape_that_two_pieces_share_is_one_character(wire: Any) -> None:
    head = '{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"schedule_window","arguments":'
    tail = '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":'
    events = [
        head + '"{\\"note\\":\\"\\ud83d"}}]}}]}',
        tail + '"\\ude00 \\ud83d\\"}"}}]},"finish_reason":"tool_calls"}]}',
    ]
    text = "".join(f"data: {event}\n\n" for event in events)
    record, _, _ = await wire.sampled(wire.response(text), study={"stream": True})
    assert record.calls[0].arguments == '{"note":"\U0001f600 \\ud83d"}'
    assert record.calls[0].escaped
    assert "lone-surrogate" in record.flags


async def test_calls_are_told_apart_by_id_where_a_server_gives_all_of_them_one_index(wire: Any) -> None:
    def event(call_id: str, arguments: str, finish: str | None = None) -> str:
        call = {"index": 0, "id": call_id, "function": {"name": "schedule_window", "arguments": arguments}}
        return "data: " + json.dumps({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": finish}]}) + "\n\n"

    text = event("a", '{"user_id":"1"}') + event("b", '{"user_id":"2"}', "tool_calls")
    record, _, _ = await wire.sampled(wire.response(text), study={"stream": True})
    assert [(call.id, call.arguments) for call in record.calls] == [("a", '{"user_id":"1"}'), ("b", '{"user_id":"2"}')]


@pytest.mark.parametrize(
    "before", ["", ": OPENROUTER PROCESSING\n\n", "id: 7\nretry: 10\n\n"], ids=["", "comment", "id"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("api", API)
async def test_a_stream_may_end_its_lines_in_any_way(api: str, end: str, before: str, wire: Any) -> None:
    case = next(case for case in REPLIES if case["input"]["api"] == api)
    text = (before + streamed(case)).replace("\n", end)
    record, _, server = await wire.sampled(wire.response(text), study={"stream": True}, api=api)
    whole, _, _ = await wire.sampled(wire.response(case["input"]["response"]["body"]), api=api)
    assert (record.status, record.error, len(server.requests)) == ("ok", None, 1)
    assert (record.text, record.calls) == (whole.text, whole.calls)


@pytest.mark.parametrize("api", ["anthropic-messages", "openai-responses"])
async def test_a_cut_in_a_text_that_names_the_end_of_a_stream_is_a_cut(api: str, wire: Any) -> None:
    case = next(case for case in REPLIES if case["input"]["api"] == api)
    text = streamed(case)
    words = 'data: {"type": "content_block_delta", "delta": {"text": "data: [DONE] message_stop response.completed'
    record, _, server = await wire.sampled(wire.response(words), wire.response(text), study={"stream": True}, api=api)
    assert (record.status, record.malformed, len(server.requests)) == ("ok", None, 2)
    assert record.turns[0].attempts[0].error == "cut: the answer ends in the middle"


async def test_an_error_that_is_null_in_every_event_is_none(wire: Any) -> None:
    case = next(case for case in REPLIES if case["id"] == "wi-e45d896")
    text = streamed(case).replace('"choices"', '"error": null, "choices"')
    record, _, _ = await wire.sampled(wire.response(text), study={"stream": True})
    assert (record.status, record.error, len(record.calls)) == ("ok", None, 1)


async def test_an_error_of_a_gateway_that_speaks_another_api_is_that_error(wire: Any) -> None:
    error = {"error": {"message": "no", "type": "authentication_error"}}
    text = sse((None, event) for event in [{"type": "message_start", "message": {}}, error])
    record, line, _ = await wire.sampled(wire.response(text), study={"stream": True}, api="anthropic-messages")
    assert record.error is not None
    assert (record.error.kind, record.error.message) == ("auth", "no")
    assert line.fatal


async def test_blocks_are_put_in_the_order_of_their_index_and_none_takes_the_place_of_another(wire: Any) -> None:
    def started(index: int, number: int) -> dict[str, Any]:
        block = {"type": "tool_use", "id": f"t{number}", "name": "schedule_window", "input": {}}
        return {"type": "content_block_start", "index": index, "content_block": block}

    def delta(index: int, text: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": index, "delta": {"partial_json": text}}

    said = [{"type": "message_start", "message": {"id": "m", "content": []}}, started(1, 1), delta(1, '{"user_id":"1"')]
    said += [started(0, 0), delta(0, '{"user_id":"0"}'), delta(1, "}"), started(1, 2), delta(1, '{"user_id":"2"}')]
    said += [{"type": "message_delta", "delta": {"stop_reason": "tool_use"}}, {"type": "message_stop"}]
    text = sse((None, event) for event in said)
    record, _, _ = await wire.sampled(wire.response(text), study={"stream": True}, api="anthropic-messages")
    assert [(call.id, call.arguments) for call in record.calls] == [
        ("t0", '{"user_id":"0"}'),
        ("t1", '{"user_id":"1"}'),
        ("t2", '{"user_id":"2"}'),
    ]
