"""Statuses, limit headers and connection faults that real users met, through the real client."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

from corpora.errors import BadInput
from runner.endpoints.pool import open_endpoint
from runner.endpoints.timing import Timing
from runner.secrets import Secret
from runner.urls import proxy_for

pytestmark = pytest.mark.anyio

CASES = {
    case["id"]: case
    for line in (Path(__file__).parent.parent / "data" / "transport.jsonl").read_text(encoding="utf-8").splitlines()
    for case in [json.loads(line)]
}
ANSWERED = [case for case in CASES.values() if "response" in case["input"]]
GOOD = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "probe-model-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Which zone?"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 211, "completion_tokens": 44, "total_tokens": 255},
    }
)
KEY = "sk-test-0123456789abcd"
Handler = Callable[[bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class FakeClock:
    """Time that passes only where somebody sleeps."""

    def __init__(self, now: datetime) -> None:
        self.began = now
        self.slept_s = 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept_s += seconds

    def timing(self) -> Timing:
        return Timing(clock=lambda: self.slept_s, now=lambda: self.began, sleep=self.sleep)


def titled(case: dict[str, Any]) -> str:
    return f"{case['id']} {case['title']}"


@pytest.mark.parametrize("case", ANSWERED, ids=map(titled, ANSWERED))
async def test_a_response_is_sorted_as_it_must_be(case: dict[str, Any], wire: Any) -> None:
    expect = {**case["expect"], **case["expect"].get("ambiguous", [{}])[0]}
    told = case["input"]["response"]
    clock = FakeClock(datetime.fromisoformat(case["input"]["now"]))
    corpus = wire.world("W1")
    if "expected_prompt_tokens_about" in case["input"]:
        corpus = wire.lengthened(corpus, 4 * case["input"]["expected_prompt_tokens_about"])
    first = wire.response(told["body"], told["status"], told["headers"])
    async with wire.server(first, wire.response(GOOD)) as server:
        config = wire.config(server.base_url, key=Secret(KEY), max_wait_s=300.0, backoff_s=0.5)
        async with (
            open_endpoint(config, timing=clock.timing()) as endpoint,
            wire.sampler(corpus, config, endpoint=endpoint) as sampler,
        ):
            record, line = await wire.draw(sampler)

    assert KEY.encode() not in line.data
    match expect["class"]:
        case "retry":
            assert (record.status, len(server.requests)) == ("ok", 2)
            (attempt,) = record.turns[0].attempts
            assert attempt.status == told["status"]
            assert attempt.response == told["body"]
            wait = expect.get("wait_s", {"at_least": 0, "at_most": 60})
            assert wait["at_least"] <= attempt.wait_s <= wait["at_most"]
        case "fatal":
            assert (record.status, len(server.requests)) == ("error", 1)
            assert record.error is not None
            assert record.error.status == told["status"]
            assert bool(line.fatal) == (expect["scope"] == "run")
            assert clock.slept_s == 0
        case "record-as-malformed":
            assert (record.status, record.malformed, len(server.requests)) == ("ok", "upstream-rejected", 1)
            assert record.text == expect["emitted_text"]
        case "ok":
            assert (record.status, record.malformed) == ("ok", None)
            assert set(expect["flags"]) <= set(record.flags)
    if told["status"] == 301:
        assert line.fatal is not None
        assert told["headers"]["location"] in line.fatal


def cut_in_body(kind: str) -> Handler:
    """Half an answer, then the connection is reset or closed."""

    async def handler(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        half = GOOD[: len(GOOD) // 2].encode()
        if kind == "chunked":
            writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(half), half))
        elif kind == "length":
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(GOOD), half))
        elif kind == "until-close":
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" + half)
        if kind != "before":
            await writer.drain()
            await asyncio.sleep(0.05)
        if kind == "reset":
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()

    return handler


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        (CASES["tr-1d0dac4"], "reset"),
        (CASES["tr-71917d0"], "before"),
        (CASES["tr-951b4ea"], "chunked"),
        (CASES["tr-951b4ea"], "length"),
        (CASES["tr-951b4ea"], "until-close"),
    ],
    ids=["reset while reading", "closed before a response", "chunked cut", "length cut", "cut without a length"],
)
async def test_a_cut_connection_is_tried_again_and_its_fragment_is_no_sample(
    case: dict[str, Any], kind: str, wire: Any
) -> None:
    record, _, server = await wire.sampled(cut_in_body(kind), wire.response(GOOD))
    assert case["expect"]["class"] == "retry"
    assert (record.status, record.text, len(server.requests)) == ("ok", "Which zone?", 2)
    (attempt,) = record.turns[0].attempts
    assert attempt.error.startswith("cut")
    if kind in {"chunked", "length", "until-close"}:
        assert attempt.response == GOOD[: len(GOOD) // 2]
    spent, _, server = await wire.sampled(cut_in_body(kind), max_attempts=3)
    assert spent.error is not None
    assert (spent.status, spent.error.kind, len(server.requests)) == ("error", "cut", 3)


async def test_a_refused_connection_is_tried_a_few_times_then_stops_the_run_with_the_address(wire: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    config = wire.config(f"http://{address}/v1", max_attempts=3)
    async with wire.sampler(wire.world("W1"), config) as sampler:
        record, line = await wire.draw(sampler)
    assert record.error is not None
    assert (record.error.kind, len(record.turns[0].attempts)) == ("connect", 3)
    assert line.fatal is not None
    assert address in line.fatal


async def test_a_gzip_header_on_a_plain_body_is_tried_again_then_stops_the_run(wire: Any) -> None:
    raw = CASES["tr-3322c86"]["input"]["raw_server_bytes"].encode()
    record, line, server = await wire.sampled(raw)
    assert record.error is not None
    assert (record.error.kind, len(server.requests)) == ("answer", 2)
    assert line.fatal
    assert raw.endswith((record.turns[0].attempts[0].response or "?").encode())


@pytest.mark.parametrize("no_proxy", ["localhost", ""])
async def test_an_environment_proxy_does_not_capture_a_loopback_endpoint(
    no_proxy: str, wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES["tr-380c43b"]
    monkeypatch.setenv("HTTP_PROXY", case["input"]["env"]["HTTP_PROXY"])
    monkeypatch.setenv("http_proxy", case["input"]["env"]["HTTP_PROXY"])
    monkeypatch.setenv("no_proxy", no_proxy)
    assert proxy_for(case["input"]["base_url"]) is None
    assert proxy_for("http://models.example.net/v1") == case["input"]["env"]["HTTP_PROXY"]
    record, _, _ = await wire.sampled(wire.response(GOOD))
    assert record.status == "ok"


@pytest.mark.parametrize("scheme", ["http://", ""], ids=["with its scheme", "without"])
async def test_a_request_goes_through_the_proxy_that_the_environment_names(
    scheme: str, wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wire.server(wire.response(GOOD)) as proxy:
        monkeypatch.setenv("http_proxy", scheme + proxy.base_url.removesuffix("/v1").removeprefix("http://"))
        monkeypatch.setenv("no_proxy", "")
        config = wire.config("http://models.example.net/v1")
        async with wire.sampler(wire.world("W1"), config) as sampler:
            record, _ = await wire.draw(sampler)
    assert record.status == "ok"
    assert proxy.requests[0].startswith(b"POST http://models.example.net/v1/chat/completions HTTP/1.1\r\n")


@pytest.mark.parametrize("proxy", ["socks5://u:pw-4711@127.0.0.1:9", "http://", "http://127.0.0.1:port", "ftp://h:1"])
def test_a_proxy_that_cannot_be_used_is_said_without_what_is_secret_in_it(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", proxy)
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    with pytest.raises(BadInput, match=r"the proxy .* cannot be used: expected http://HOST:PORT") as caught:
        proxy_for("http://models.example.net/v1")
    assert "4711" not in str(caught.value)


async def test_a_cancel_is_no_retry_and_no_sample(wire: Any) -> None:
    arrived = anyio.Event()

    async def silent(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.set()
        await reader.read()

    async with (
        wire.server(silent) as server,
        wire.sampler(wire.world("W1"), wire.config(server.base_url)) as sampler,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(wire.draw, sampler)
        await arrived.wait()
        tasks.cancel_scope.cancel()
    assert len(server.requests) == 1


async def test_four_attempts_are_four_requests_at_the_server(wire: Any) -> None:
    case = CASES["tr-9e0334e"]
    script = [wire.response("{}", step["status"], {"retry-after": "0"}) for step in case["input"]["script"]]
    record, line, server = await wire.sampled(*script, max_attempts=case["input"]["config"]["max_attempts"])
    assert len(server.requests) == case["expect"]["server_requests"]
    assert record.error is not None
    assert (record.status, record.error.kind, line.fatal) == ("error", "rate-limit", None)
    assert len(record.turns[0].attempts) == 4


def test_every_case_is_used() -> None:
    elsewhere = {
        "tr-360b95b",  # test_limits.py: many workers
        "tr-65e1ef3",
        "tr-2f3676e",
        "tr-3322c86",
        "tr-380c43b",
        "tr-9e0334e",
        "tr-1d0dac4",
        "tr-71917d0",
        "tr-951b4ea",
    }
    assert CASES.keys() == elsewhere | {case["id"] for case in ANSWERED}
