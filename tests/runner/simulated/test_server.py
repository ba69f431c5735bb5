from __future__ import annotations

import json

import anyio
import httpx
import pytest

from corpora.corpus import load
from corpora.errors import BadInput
from runner.simulated.faults import Faults, parse
from runner.simulated.server import serving
from tests.runner.simulated.asking import request

REFUNDS = load("refunds")
BODY = request(REFUNDS, REFUNDS.fixtures[0])
pytestmark = pytest.mark.anyio


async def post(server, body=BODY, **more) -> httpx.Response:
    async with httpx.AsyncClient() as client:
        if isinstance(body, bytes):
            return await client.post(f"{server.base_url}/chat/completions", content=body, **more)
        return await client.post(f"{server.base_url}/chat/completions", json=body, **more)


async def test_a_reply_comes_over_http_and_is_counted():
    async with serving(corpora=[REFUNDS], profile="perfect") as server:
        reply = (await post(server)).json()
        assert reply["model"] == server.model == "simulated/perfect"
        assert reply["object"] == "chat.completion"
        async with httpx.AsyncClient() as client:
            stats = await client.get(server.base_url.replace("/v1", "/stats"))
            models = await client.get(f"{server.base_url}/models")
        assert stats.json() == {"requests": 1, "peak_in_flight": 1}
        assert [model["id"] for model in models.json()["data"]] == ["simulated/perfect"]


async def test_the_peak_in_flight_is_counted():
    async with serving(corpora=[REFUNDS], latency_s=0.3) as server:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(post, server)
        assert server.stats().requests == server.stats().peak_in_flight == 5


async def test_samples_of_one_conversation_differ_and_each_has_its_own_response_id():
    async with serving(corpora=[REFUNDS]) as server:
        replies = [(await post(server, request(REFUNDS, REFUNDS.by_id()["unrec-005"]))).json() for _ in range(12)]
    assert len({reply["id"] for reply in replies}) == 12
    assert len({json.dumps(reply["choices"][0]["message"].get("content")) for reply in replies}) > 1


async def test_an_unknown_conversation_is_a_400_that_says_what_to_do():
    async with serving(corpora=[REFUNDS]) as server:
        response = await post(server, {"messages": [{"role": "user", "content": "hi"}]})
    assert response.status_code == 400
    error = response.json()["error"]
    assert error["code"] == "unknown_conversation"
    assert error["message"].endswith("load its corpus with --corpus")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[]"], ids=["empty", "cut", "no utf-8", "list"])
async def test_a_body_that_is_no_request_is_a_400(body):
    async with serving(corpora=[REFUNDS]) as server:
        assert (await post(server, body)).status_code == 400


async def test_another_path_is_a_404():
    async with serving(corpora=[REFUNDS]) as server, httpx.AsyncClient() as client:
        assert (await client.get(server.base_url)).status_code == 404


async def test_requests_can_be_kept_as_they_came():
    async with serving(corpora=[REFUNDS], keep=1) as server:
        await post(server, headers={"X-Mark": "a"})
        await post(server, headers={"X-Mark": "b"})
        assert [(seen.headers["x-mark"], json.loads(seen.body)) for seen in server.seen] == [("b", BODY)]


async def test_a_conversation_of_more_than_a_megabyte_is_read():
    async with serving(corpora=[REFUNDS]) as server:
        body = {**BODY, "messages": [{"role": "system", "content": "x" * (2 << 20)}, *BODY["messages"][1:]]}
        assert (await post(server, body)).status_code == 200


class TestFaults:
    @staticmethod
    def broken(kind: str, **more):
        return serving(corpora=[REFUNDS], faults=Faults(script=(kind,), **more))

    @pytest.mark.parametrize(("kind", "wait"), [("429", "1"), ("503", "1"), ("500", None)])
    async def test_a_status_with_its_wait(self, kind, wait):
        async with self.broken(kind) as server:
            response = await post(server)
            assert response.status_code == int(kind)
            assert response.headers.get("retry-after") == wait
            assert (await post(server)).status_code == 200

    async def test_no_wait_is_asked_for_where_none_is_set(self):
        async with self.broken("429", retry_after_s=None) as server:
            assert "retry-after" not in (await post(server)).headers

    @pytest.mark.parametrize("kind", ["cut", "drop"])
    async def test_a_connection_that_ends_too_soon(self, kind):
        async with self.broken(kind) as server:
            with pytest.raises(httpx.RemoteProtocolError):
                await post(server)
            assert (await post(server)).status_code == 200

    @pytest.mark.parametrize("kind", ["html", "empty", "garbage", "truncated-json"])
    async def test_a_body_that_is_no_reply(self, kind):
        async with self.broken(kind) as server:
            response = await post(server)
        assert response.status_code == 200
        with pytest.raises(ValueError, match=r".*"):
            response.json()

    async def test_a_slow_reply_is_a_whole_one(self):
        async with self.broken("slow", slow_s=0.05) as server:
            assert (await post(server)).json()["choices"]

    async def test_a_request_that_is_never_answered(self):
        async with self.broken("hang") as server:
            with pytest.raises(httpx.ReadTimeout):
                await post(server, timeout=0.2)
            assert (await post(server)).status_code == 200

    async def test_a_sample_that_was_not_delivered_comes_again(self):
        body = request(REFUNDS, REFUNDS.by_id()["unrec-005"])
        async with serving(corpora=[REFUNDS]) as server:
            whole = [(await post(server, body)).json()["choices"] for _ in range(3)]
        script = Faults(script=("truncated-json", None, "500", "html", None, None))
        async with serving(corpora=[REFUNDS], faults=script) as server:
            replies = [await post(server, body) for _ in range(6)]
        assert [r.json()["choices"] for r, kind in zip(replies, script.script, strict=True) if kind is None] == whole

    async def test_rates_reach_the_server(self):
        async with serving(corpora=[REFUNDS], faults=parse(["500:1"])) as server:
            assert (await post(server)).status_code == 500


async def test_a_stream_adds_up_to_the_reply():
    bodies = [request(REFUNDS, fixture, seed=1) for fixture in REFUNDS.fixtures[::5]]
    async with serving(corpora=[REFUNDS]) as server:
        for body in bodies:
            whole = (await post(server, body)).json()
            streamed = await post(server, {**body, "stream": True, "stream_options": {"include_usage": True}})
            assert streamed.headers["content-type"] == "text/event-stream"
            assert _added_up(streamed.text) == (whole["choices"][0], whole["usage"])


def _added_up(text: str):
    events = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    assert events.pop() == "[DONE]"
    message, finish, usage = {}, None, None
    for event in map(json.loads, events):
        usage = event.get("usage") or usage
        for choice in event["choices"]:
            finish = choice["finish_reason"] or finish
            _add(message, choice["delta"])
    return {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}, usage


def _add(message, delta):
    for call in delta.pop("tool_calls", ()):
        calls = message.setdefault("tool_calls", [])
        if call.pop("index") == len(calls):
            calls.append(call)
        else:
            calls[-1]["function"]["arguments"] += call["function"]["arguments"]
    if "content" in delta and message.get("content") is not None:
        delta["content"] = message["content"] + delta["content"]
    message |= delta


async def test_a_port_that_is_taken_is_named():
    async with serving(corpora=[REFUNDS]) as server:
        port = httpx.URL(server.base_url).port
        with pytest.raises(BadInput, match=f"--port: cannot listen on port {port}"):
            async with serving(corpora=[REFUNDS], port=port):
                pass
