"""The recording proxy, between a real client and a real server that misbehaves on purpose."""

from __future__ import annotations

import gzip
import json
from contextlib import asynccontextmanager

import anyio
import httpx
import pytest
from aiohttp import web

from runner.agents.taps import Passed, Tap
from runner.agents.wire import offered_in, recording
from runner.config import EndpointConfig, Secret
from runner.endpoints.relay import open_relay

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

KEY = Secret("sk-the-real-key-of-the-endpoint")
REPLY = {"id": "r", "model": "m", "choices": [{"index": 0, "message": {"content": "hi"}, "finish_reason": "stop"}]}


class Upstream:
    """An endpoint whose answers a test writes; it keeps the requests that came."""

    def __init__(self) -> None:
        self.seen: list[web.BaseRequest] = []
        self.bodies: list[bytes] = []
        self.gate = anyio.Event()
        self.base_url = ""

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self.seen.append(request)
        self.bodies.append(await request.content.read())
        match request.path:
            case "/v1/chat/completions":
                return web.json_response(REPLY)
            case "/v1/packed":
                packed = gzip.compress(json.dumps(REPLY).encode())
                return web.Response(body=packed, headers={"Content-Encoding": "gzip"})
            case "/v1/brotli":
                return web.Response(body=b"\x0b\x02\x80", headers={"Content-Encoding": "br"})
            case "/v1/large":
                return web.Response(body=b"x" * 100_000)
            case "/v1/stream" | "/v1/cut":
                return await self._in_two(request)
        return web.Response(status=500, text="no")

    async def _in_two(self, request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b"data: one\n\n")
        await self.gate.wait()
        if request.path == "/v1/cut":
            request.transport.close()
            return response
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
        return response


@asynccontextmanager
async def between(**settings):
    """An upstream, a tap in front of it and a client."""
    upstream = Upstream()
    runner = web.ServerRunner(web.Server(upstream.handle, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    config = EndpointConfig(base_url=base_url, api="openai-chat", model="m", **settings)
    try:
        async with open_relay(config) as relay, recording(relay, base_url) as taps, httpx.AsyncClient() as client:
            yield upstream, taps, client
    finally:
        await runner.cleanup()


def kept(tap: Tap, place: int = 0) -> Passed:
    passed = tap.passed[place]
    assert passed is not None
    return passed


async def test_the_agent_holds_no_key_and_the_endpoint_gets_the_real_one():
    async with between(key=KEY) as (upstream, taps, client):
        tap = taps.open()
        assert KEY.reveal() not in tap.base_url
        answer = await client.post(
            f"{tap.base_url}/chat/completions", json={"a": 1}, headers={"authorization": "Bearer given", "x-own": "1"}
        )
        assert answer.json() == REPLY
        assert upstream.seen[0].headers.getall("authorization") == [f"Bearer {KEY.reveal()}"]
        assert upstream.seen[0].headers["x-own"] == "1"
        assert json.loads(upstream.bodies[0]) == {"a": 1}
        assert json.loads(kept(tap).exchange.body) == REPLY


async def test_without_a_key_the_agents_own_goes_through():
    async with between() as (upstream, taps, client):
        await client.get(f"{taps.open().base_url}/models", headers={"authorization": "Bearer own"})
        assert upstream.seen[0].headers["authorization"] == "Bearer own"


async def test_a_stream_goes_through_piece_by_piece():
    async with between() as (upstream, taps, client):
        tap = taps.open()
        async with client.stream("POST", f"{tap.base_url}/stream", json={}) as answer:
            pieces = answer.aiter_raw()
            assert await anext(pieces) == b"data: one\n\n", "the first piece is here before the second was sent"
            upstream.gate.set()
            assert b"".join([piece async for piece in pieces]) == b"data: [DONE]\n\n"
        assert kept(tap).exchange.body == b"data: one\n\ndata: [DONE]\n\n"
        assert kept(tap).exchange.kind is None


async def test_an_agent_that_hangs_up_after_the_last_event_has_the_whole_answer():
    async with between() as (upstream, taps, client):
        tap = taps.open()
        upstream.gate.set()
        async with client.stream("POST", f"{tap.base_url}/stream", json={}) as answer:
            async for piece in answer.aiter_raw():
                if b"[DONE]" in piece:
                    break
        await _until(lambda: tap.passed[0] is not None)
        assert (kept(tap).exchange.kind, kept(tap).exchange.body.count(b"data:")) == (None, 2)


async def test_an_agent_that_hangs_up_in_the_middle_is_a_cut():
    async with between() as (upstream, taps, client):
        tap = taps.open()
        async with client.stream("POST", f"{tap.base_url}/stream", json={}) as answer:
            await anext(answer.aiter_raw())
        await _until(lambda: tap.passed[0] is not None)
        assert (kept(tap).exchange.kind, kept(tap).exchange.message) == ("cut", "the agent hung up")
        upstream.gate.set()


async def test_an_answer_above_the_bound_is_cut_there_and_said_to_be_too_large():
    async with between(max_response_bytes=50_000) as (_, taps, client):
        tap = taps.open()
        with pytest.raises(httpx.HTTPError):
            await client.get(f"{tap.base_url}/large")
        exchange = kept(tap).exchange
        assert (exchange.kind, exchange.message.split(";")[0]) == ("answer", "the answer is larger than 50000 bytes")
        assert len(exchange.body) <= 100_000


async def _until(holds) -> None:
    with anyio.fail_after(10):
        while not holds():
            await anyio.sleep(0.01)


async def test_a_cut_is_a_cut_for_the_agent_too():
    async with between() as (upstream, taps, client):
        tap = taps.open()
        upstream.gate.set()
        with pytest.raises(httpx.RemoteProtocolError):
            await client.post(f"{tap.base_url}/cut", json={})
        assert kept(tap).exchange.kind == "cut"
        assert kept(tap).exchange.body == b"data: one\n\n"


async def test_an_answer_that_comes_packed_unasked_is_kept_unpacked():
    async with between() as (_, taps, client):
        tap = taps.open()
        assert (await client.get(f"{tap.base_url}/packed")).json() == REPLY
        assert json.loads(kept(tap).exchange.body) == REPLY


async def test_an_answer_that_cannot_be_unpacked_here_is_a_cut_for_the_agent_and_says_why_in_the_record():
    async with between() as (_, taps, client):
        tap = taps.open()
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get(f"{tap.base_url}/brotli")
        assert kept(tap).exchange.kind == "answer"
        assert "'br' was not asked for; turn it off at the server" in kept(tap).exchange.message


async def test_an_endpoint_that_is_not_there_is_a_502_that_says_so():
    config = EndpointConfig(base_url="http://127.0.0.1:9/v1", api="openai-chat", model="m")
    async with open_relay(config) as relay, recording(relay, config.base_url) as taps, httpx.AsyncClient() as client:
        tap = taps.open()
        answer = await client.post(f"{tap.base_url}/chat/completions", json={})
        assert answer.status_code == 502
        assert answer.json()["error"]["message"].startswith("connect: ")
        assert kept(tap).exchange.kind == "connect"
        assert await relay.models() == ()


async def test_an_endpoint_that_does_not_answer_in_time_is_a_504():
    async with between(timeout_s=0.3) as (upstream, taps, client):
        tap = taps.open()
        with pytest.raises(httpx.RemoteProtocolError):
            await client.post(f"{tap.base_url}/stream", json={})
        assert kept(tap).exchange.kind == "timeout"
        assert kept(tap).exchange.message == "no whole answer within 0.3 s"
        upstream.gate.set()


async def test_samples_have_addresses_of_their_own_which_end_with_them():
    async with between() as (upstream, taps, client):
        one, two = taps.open(), taps.open()
        await client.post(f"{one.base_url}/chat/completions", json={"n": 1})
        await client.post(f"{two.base_url}/chat/completions", json={"n": 2})
        assert [one.begun(), two.begun()] == [1, 1]
        assert kept(one).request_sha256 != kept(two).request_sha256
        assert len(taps.close(one)) == 1
        origin = two.base_url.split(two.token)[0]
        for address in (one.base_url, f"{origin}guessed/v1", origin.rstrip("/")):
            answer = await client.post(f"{address}/chat/completions", json={})
            assert answer.status_code == 404
        assert len(upstream.seen) == 2


async def test_an_echoed_key_is_not_kept():
    async with between(key=KEY) as (_, taps, client):
        tap = taps.open()
        REPLY["id"] = KEY.reveal()
        try:
            await client.post(f"{tap.base_url}/chat/completions", json={})
        finally:
            REPLY["id"] = "r"
        await client.post(f"{tap.base_url}/chat/completions", json={})
        assert KEY.reveal().encode() not in kept(tap).exchange.body
        assert [kept(tap, place).exchange.echoed for place in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b'{"tools": [{"type": "function", "function": {"name": "a"}}]}', {"a"}),
        (b'{"tools": [{"type": "function", "name": "b"}, {"name": "c", "input_schema": {}}]}', {"b", "c"}),
        (b'{"tools": {}}', set()),
        (b"{", set()),
        (b"", set()),
    ],
    ids=["chat", "responses and messages", "strange", "no JSON", "empty"],
)
def test_the_tools_that_a_request_offers(body, names):
    assert offered_in(body) == names
