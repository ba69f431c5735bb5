"""Any bytes as a body give a record and never an exception; any argument string survives to the line and back."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpora.jsonl import read_records
from corpora.records import Record
from runner.endpoints.pool import open_endpoint
from runner.endpoints.timing import Timing
from runner.schedule.messages import Key

BODIES = [
    case["input"]["response"]["body"].encode()
    for line in (Path(__file__).parent.parent / "data" / "wire.jsonl").read_text(encoding="utf-8").splitlines()
    for case in [json.loads(line)]
    if "body" in case["input"]["response"]
]
APIS = ["openai-chat", "openai-responses", "anthropic-messages"]


class Desk:
    """A server whose next answer is set from outside, and samplers of all three APIs."""

    def __init__(self, wire: Any, runner: asyncio.Runner) -> None:
        self.runner = runner
        self.answer = b""
        self.slept_s = 0.0
        self.stack = wire.server(lambda request: self.answer)
        self.server = runner.run(self.stack.__aenter__())
        self.open = []
        self.samplers = {}
        for api in APIS:
            config = wire.config(self.server.base_url, api=api, max_attempts=1)
            endpoint = open_endpoint(config, timing=Timing(clock=lambda: self.slept_s, sleep=self.sleep))
            used = runner.run(endpoint.__aenter__())
            self.open.append(endpoint)
            sampler = wire.sampler(wire.world("W1"), config, endpoint=used, max_tokens=100)
            self.samplers[api] = runner.run(sampler.__aenter__())
            self.open.append(sampler)

    async def sleep(self, seconds: float) -> None:
        self.slept_s += seconds

    def sample(self, api: str, body: bytes, status: int = 200, kind: str = "application/json") -> tuple[Record, bytes]:
        head = f"HTTP/1.1 {status} Status\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
        self.answer = head.encode() + body
        line = self.runner.run(self.samplers[api].draw(Key("only", 0)))
        assert line.data.endswith(b"\n")
        assert line.data.count(b"\n") == 1
        (record,) = read_records(io.BytesIO(line.data))
        return record, line.data

    def close(self) -> None:
        for held in reversed(self.open):
            self.runner.run(held.__aexit__(None, None, None))
        self.runner.run(self.stack.__aexit__(None, None, None))


@pytest.fixture
def desk(wire: Any) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        made = Desk(wire, runner)
        yield made
        made.close()


FIXED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A body of a real case with bytes cut out, put in or changed."""
    body = draw(st.sampled_from(BODIES))
    start = draw(st.integers(0, len(body)))
    end = draw(st.integers(start, min(len(body), start + 40)))
    return body[:start] + draw(st.binary(max_size=20)) + body[end:]


def kept(record: Record, body: bytes) -> bool:
    """Whether the bytes that came stand in the record."""
    import base64

    places = [*record.turns, *(attempt for turn in record.turns for attempt in turn.attempts)]
    texts = [place.response.encode() for place in places if place.response is not None]
    return body in texts or body in [base64.b64decode(place.response_base64 or "") for place in places]


@FIXED
@given(
    body=st.one_of(st.binary(max_size=300), damaged(), st.sampled_from(BODIES)),
    api=st.sampled_from(APIS),
    status=st.sampled_from([200, 200, 200, 201, 400, 404, 429, 500, 502, 529]),
    kind=st.sampled_from(["application/json", "text/event-stream", "text/html"]),
)
def test_any_bytes_as_a_body_give_a_record(desk: Desk, body: bytes, api: str, status: int, kind: str) -> None:
    record, _ = desk.sample(api, body, status, kind)
    assert record.status == "ok" or record.error is not None
    assert kept(record, body)


@FIXED
@given(parts=st.lists(st.binary(max_size=60), max_size=8), api=st.sampled_from(APIS))
def test_any_events_give_a_record(desk: Desk, parts: list[bytes], api: str) -> None:
    body = b"".join(b"data: " + part + b"\n\n" for part in parts) + b"data: [DONE]\n\n"
    record, _ = desk.sample(api, body, kind="text/event-stream")
    assert kept(record, body)


LONE = re.compile("[\ud800-\udfff]")


def as_kept(text: str) -> str:
    """How a text stands in a record: a lone surrogate as the escape that stood in the body."""
    return LONE.sub(lambda match: f"\\u{ord(match.group()):04x}", joined(text))


def joined(text: str) -> str:
    """A text with the surrogates that are a pair made one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def body_with(arguments: str) -> bytes:
    call = {"id": "a", "type": "function", "function": {"name": "schedule_window", "arguments": arguments}}
    return json.dumps({"id": "c", "choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}).encode()


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


@FIXED
@given(arguments=ANY_TEXT)
def test_any_argument_string_survives(desk: Desk, arguments: str) -> None:
    record, _ = desk.sample("openai-chat", body_with(arguments))
    (call,) = record.calls
    assert call.arguments == as_kept(arguments)
    assert call.escaped == (as_kept(arguments) != joined(arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        '{"note": "a\x00b"}',
        '{"note": "\u2028\u2029\x85\x7f\x9f"}',
        '{"note": "\ud83d"}',
        '{"note": "\ud83d\ude00"}',
        "\ufeff{}",
        "\r\n\t{}\r\n",
        '{"note": "' + "x" * 10_000_000 + '"}',
        '{"note": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '{"note":' * 10_000 + "1" + "}" * 10_000,
    ],
    ids=[
        "NUL",
        "line ends of Unicode",
        "lone surrogate",
        "pair",
        "byte order mark",
        "white space",
        "10 MB",
        "10,000 arrays deep",
        "10,000 objects deep",
    ],
)
def test_an_extreme_argument_string_survives(desk: Desk, arguments: str) -> None:
    record, data = desk.sample("openai-chat", body_with(arguments))
    (call,) = record.calls
    assert call.arguments == as_kept(arguments)
    assert call.escaped == (as_kept(arguments) != joined(arguments))
    assert len(data.splitlines()) == 1
    assert len(data.decode().splitlines()) == 1


@pytest.mark.parametrize("depth", [100, 10_000])
def test_an_object_of_any_depth_as_input_is_a_record(desk: Desk, depth: int) -> None:
    """Deeper than any decoder goes: the body is kept and the reply is malformed."""
    deep = '{"a":' * depth + "1" + "}" * depth
    block = f'{{"type":"tool_use","id":"t","name":"schedule_window","input":{deep}}}'
    body = f'{{"id":"m","type":"message","content":[{block}],"stop_reason":"tool_use"}}'.encode()
    record, _ = desk.sample("anthropic-messages", body)
    assert record.status == "ok"
    assert kept(record, body)
    if depth == 100:
        assert record.calls[0].arguments == deep
    else:
        assert record.malformed == "not-json"


def test_an_object_as_arguments_keeps_its_exact_text(desk: Desk) -> None:
    exact = '{ "amount" : 1.50,\t"id":2512292042121000017, "id" : "\\ud83d",  "n":1E400 }'
    body = b'{"id":"c","choices":[{"message":{"tool_calls":[{"function":{"name":"schedule_window","arguments":%s}}]}}]}'
    record, _ = desk.sample("openai-chat", body % exact.encode())
    assert (record.calls[0].arguments, record.calls[0].wire_type) == (exact, "object")
