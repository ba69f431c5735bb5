"""The simulated model behind real HTTP on the loopback interface.

    async with serving(corpora=[load("refunds")]) as server:
        server.base_url, server.model, server.stats()

One handler without a router: the server has to be cheaper than the runner that it measures.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

import msgspec
from aiohttp import web

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.values import Json, JsonObject
from runner.simulated.desk import Desk, Seen, Stats
from runner.simulated.faults import Fault, Faults
from runner.simulated.model import BadRequestError, SimulatedModel
from runner.simulated.scenes import UnknownConversationError
from runner.simulated.stream import events

_UNHURT = frozenset({None, "slow"})
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class SimulatedServer:
    """A running server. `base_url` ends in /v1."""

    def __init__(self, desk: Desk, latency_s: float) -> None:
        self.base_url = ""
        self._desk = desk
        self._latency_s = latency_s

    @property
    def model(self) -> str:
        """The name that the model reports."""
        return self._desk.model.name

    @property
    def seen(self) -> Sequence[Seen]:
        """The last requests, as many as were asked to be kept."""
        return self._desk.seen

    def stats(self) -> Stats:
        """Requests so far, and the most that were in flight at once."""
        return self._desk.stats()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """One request of any path."""
        match request.method, request.path:
            case "POST", "/v1/chat/completions":
                return await self._completion(request)
            case "GET", "/v1/models":
                return _json(
                    {"object": "list", "data": [{"id": self.model, "object": "model", "owned_by": "assumeprobe"}]}
                )
            case "GET", "/stats":
                return _json(msgspec.to_builtins(self.stats()))
        return _error(404, f"there is nothing at {request.method} {request.path}", "not_found")

    async def _completion(self, request: web.BaseRequest) -> web.StreamResponse:
        with self._desk.counted() as number:
            data = await request.content.read()  # `request.read` refuses long conversations
            if self._desk.seen.maxlen:
                headers = {name.lower(): value for name, value in request.headers.items()}
                self._desk.seen.append(Seen(headers=headers, body=data))
            fault = self._desk.faults.kind_for(number)
            await self._wait(fault)
            if fault is not None and fault.isdigit():
                return _refusal(int(fault), self._desk.faults)
            return await self._reply(request, data, number, fault)

    async def _wait(self, fault: str | None) -> None:
        if fault == "hang":
            await asyncio.Event().wait()  # until the client gives up: the handler is cancelled with its connection
        seconds = self._latency_s + (self._desk.faults.slow_s if fault == "slow" else 0.0)
        if seconds:
            await asyncio.sleep(seconds)

    async def _reply(self, request: web.BaseRequest, data: bytes, number: int, fault: str | None) -> web.StreamResponse:
        try:
            asked: Json = _decode(data)
            reply = self._desk.answer(asked, number, int(time.time()), counts=fault in _UNHURT)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return _error(400, f"the body is no JSON: {error}", "invalid_json")
        except BadRequestError as error:
            return _error(400, str(error), "invalid_request")
        except UnknownConversationError as error:
            return _error(400, str(error), "unknown_conversation")
        if fault not in _UNHURT:
            return await _hurt(request, str(fault), _encode(reply))
        if asked.get("stream"):
            options = asked.get("stream_options") or {}
            return await _streamed(request, reply, usage=bool(options.get("include_usage")))
        return web.Response(body=_encode(reply), content_type="application/json")


def _json(value: Json, status: int = 200) -> web.Response:
    return web.Response(body=_encode(value), status=status, content_type="application/json")


def _error(status: int, message: str, code: str) -> web.Response:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return _json({"error": {"message": message, "type": kind, "param": None, "code": code}}, status)


def _refusal(status: int, faults: Faults) -> web.Response:
    response = _error(status, f"status {status} on purpose", "fault")
    if status in {429, 503} and faults.retry_after_s is not None:
        response.headers["Retry-After"] = f"{faults.retry_after_s:g}"
    return response


async def _hurt(request: web.BaseRequest, fault: str, body: bytes) -> web.StreamResponse:
    """A reply that does not arrive as it should."""
    match fault:
        case "html":
            return web.Response(text="<html><body><h1>Bad gateway</h1></body></html>", content_type="text/html")
        case "empty":
            return web.Response(body=b"", content_type="application/json")
        case "garbage":
            return web.Response(body=b"\xff\xfe\x00" + bytes(range(128, 160)), content_type="application/json")
        case "truncated-json":
            return web.Response(body=body[: len(body) // 2], content_type="application/json")
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body))})
    if fault == "cut":
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


async def _streamed(request: web.BaseRequest, reply: JsonObject, *, usage: bool) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await response.prepare(request)
    for event in events(reply, usage=usage):
        await response.write(event)
    await response.write_eof()
    return response


@asynccontextmanager
async def serving(
    *,
    corpora: Iterable[Corpus],
    profile: str = "careless",
    seed: int = 0,
    latency_s: float = 0.0,
    faults: Faults | Sequence[Fault] = (),
    port: int = 0,
    keep: int = 0,
) -> AsyncIterator[SimulatedServer]:
    """A server on 127.0.0.1 for as long as the block runs; port 0 picks a free one, `keep` keeps the last requests.

    Raises BadInput for an unknown profile, a set that cannot be read, or a port that cannot be had.
    """
    plan = faults if isinstance(faults, Faults) else Faults(rates=tuple(faults), seed=seed)
    server = SimulatedServer(Desk(SimulatedModel(corpora, profile, seed), plan, keep), latency_s)
    runner = web.ServerRunner(
        web.Server(server.handle, access_log=None, handler_cancellation=True), shutdown_timeout=0.1
    )
    await runner.setup()
    try:
        server.base_url = f"http://127.0.0.1:{await _listen(runner, port)}/v1"
        yield server
    finally:
        await runner.cleanup()


async def _listen(runner: web.ServerRunner, port: int) -> int:
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=4096)
    try:
        await site.start()
    except OSError as error:
        raise BadInput(f"cannot listen on port {port}: {error.strerror}", field="--port") from error
    return int(runner.addresses[0][1])
