"""Bodies that llama.cpp's own server sent for a real small model, replayed: the same calls, the same classes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora.records import Record

pytestmark = pytest.mark.anyio

BODIES = Path(__file__).parent.parent / "data" / "llama_cpp_bodies"
STUDIES = [
    pytest.param(row, id=f"{path.stem} {number}")
    for path in sorted(BODIES.glob("study_*.jsonl"))
    for number, row in enumerate(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
]
ANSWERS = [path for path in sorted(BODIES.glob("*.json")) if '"choices"' in path.read_text(encoding="utf-8")]


def same(record: Record, body: dict[str, Any]) -> None:
    """The record says what a plain reading of the body says."""
    choice = body["choices"][0]
    message = choice["message"]
    told = [
        (call["id"], call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", [])
    ]
    assert [(call.id, call.name, call.arguments) for call in record.calls if call.source != "content"] == told
    assert (record.text or "") == message["content"]
    assert record.turns[-1].finish_reason == choice["finish_reason"]
    assert record.usage.output_tokens == body["usage"]["completion_tokens"]
    assert (record.response_models, record.system_fingerprints) == ((body["model"],), (body["system_fingerprint"],))
    malformed = {record.malformed, *(call.malformed for call in record.calls)} - {None}
    broken = [arguments for _, _, arguments in told if not parses(arguments)]
    if choice["finish_reason"] == "length" and not told:
        assert record.malformed == "truncated"
    if broken:
        assert malformed
    if choice["finish_reason"] != "length" and not broken and not any(c.source == "content" for c in record.calls):
        assert not malformed


def parses(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False


@pytest.mark.parametrize("row", STUDIES)
async def test_a_sample_of_a_real_model_is_read_as_it_was_sent(row: dict[str, Any], wire: Any) -> None:
    world = "W1" if "schedule_window" in row["response_text"] or "schedule" in str(row["request"]["tools"]) else "W2"
    record, _, server = await wire.sampled(
        wire.response(row["response_text"], row["status"]), corpus=wire.world(world), study={"max_turns": 1}
    )
    assert (record.status, len(server.requests)) == ("ok", 1)
    assert record.turns[0].response == row["response_text"]
    same(record, json.loads(row["response_text"]))


@pytest.mark.parametrize("path", ANSWERS, ids=[path.stem for path in ANSWERS])
async def test_an_answer_is_read_as_it_was_sent(path: Path, wire: Any) -> None:
    record, _, _ = await wire.sampled(wire.response(path.read_text(encoding="utf-8")), study={"max_turns": 1})
    assert record.status == "ok"
    same(record, json.loads(path.read_text(encoding="utf-8")))
    assert ("several-choices" in record.flags) == (path.stem == "schedule_n3")


@pytest.mark.parametrize(
    ("name", "status", "kind", "stops"),
    [
        ("err_bad_api_key", 401, "auth", True),
        ("err_context_overflow", 400, "request", False),
        ("err_empty_body", 400, "request", False),
        ("err_invalid_json", 400, "request", False),
        ("err_messages_type", 400, "request", False),
        ("err_no_messages", 400, "request", False),
        ("err_temperature_type", 400, "request", True),
        ("tool_choice_bad_string", 400, "request", True),
        ("err_tools_type", 500, "request", True),
        ("err_unknown_path", 404, "http", True),
    ],
)
async def test_an_error_is_sorted_by_what_it_concerns(
    name: str, status: int, kind: str, stops: bool, wire: Any
) -> None:
    body = (BODIES / f"{name}.json").read_text(encoding="utf-8")
    record, line, server = await wire.sampled(wire.response(body, status))
    assert record.error is not None
    assert (record.error.kind, bool(line.fatal), len(server.requests)) == (kind, stops, 1)
    assert json.loads(body)["error"]["message"] in record.error.message
    assert record.turns[0].attempts[0].response == body


async def test_a_500_that_depends_on_the_sampled_text_is_an_outcome_and_is_not_drawn_again(wire: Any) -> None:
    body = (BODIES / "direct_style_auto_500.json").read_text(encoding="utf-8")
    record, _, server = await wire.sampled(wire.response(body, 500))
    assert (record.status, record.malformed, len(server.requests)) == ("ok", "upstream-malformed", 1)
    assert record.turns[0].response == body


async def test_the_stream_of_the_real_server_is_put_together(wire: Any) -> None:
    text = (BODIES / "schedule_stream.sse").read_text(encoding="utf-8")
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    deltas = [event["choices"][0]["delta"] for event in events if event["choices"]]
    calls = [call for delta in deltas for call in delta.get("tool_calls", [])]
    record, _, _ = await wire.sampled(wire.response(text), study={"stream": True, "max_turns": 1})
    assert record.status == "ok"
    assert record.calls[0].name == "schedule_window"
    first = "".join(call["function"].get("arguments", "") for call in calls if call["index"] == 0)
    assert record.calls[0].arguments == first
    assert record.usage.output_tokens == events[-1]["usage"]["completion_tokens"]
    assert record.turns[0].response == text
