"""A recording proxy on loopback between a user's agent and the endpoint: what was really said.

Every sample gets a base URL of its own, so that nothing has to be guessed of which request belongs to which sample.
Bodies go through piece by piece; a copy is kept. The agent is given no key of the endpoint: it is put in on the way.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

from corpora.shapes.nodes import Node, Unreadable
from runner.agents.taps import Passed, Taps
from runner.endpoints.relay import Relay
from runner.endpoints.transport import Exchange


class _Proxy:
    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self.taps: Taps | None = None
        """Set as soon as the address is known."""

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """One request of an agent."""
        found = self.taps.at(request.raw_path) if self.taps else None
        if found is None:
            return _refused(404, "this sample has ended, or the address is none of this proxy")
        tap, path = found
        body = await request.content.read()
        sink = _Answer(request)
        place, digest, offered = tap.begin(), hashlib.sha256(body).hexdigest(), offered_in(body)

        def keep(exchange: Exchange) -> None:
            """Keep what passed under the agent's own sample."""
            tap.end(
                place,
                Passed(path=urlsplit(path).path, request_sha256=digest, offered=offered, exchange=exchange),
            )

        headers = list(request.headers.items())
        return await sink.end(await self._relay.forward(request.method, path, headers, body, sink, keep))


class _Answer:
    """The answer on its way to the agent."""

    def __init__(self, request: web.BaseRequest) -> None:
        self._request = request
        self._response: web.StreamResponse | None = None

    async def begin(self, status: int, headers: list[tuple[str, str]]) -> None:
        """Send the head on as it came."""
        self._response = web.StreamResponse(status=status)
        for name, value in headers:
            self._response.headers.add(name, value)
        await self._response.prepare(self._request)

    async def piece(self, data: bytes) -> None:
        """Send a piece of the body on."""
        assert self._response is not None  # noqa: S101  # the head comes first
        await self._response.write(data)

    async def end(self, exchange: Exchange) -> web.StreamResponse:
        """The agent sees the same kind of end as the proxy did: a whole answer, a cut one, or none."""
        if self._response is None:
            return _refused(504 if exchange.kind == "timeout" else 502, f"{exchange.kind}: {exchange.message}")
        if exchange.kind is None:
            await self._response.write_eof()
        elif self._request.transport is not None:
            self._request.transport.close()
        return self._response


def offered_in(body: bytes) -> frozenset[str]:
    """The names of the tools that a request offers, in any of the APIs; none where it is no JSON."""
    try:
        tools = Node(body).get("tools").items()
        return frozenset(
            name for tool in tools if (name := tool.get("function", "name").string() or tool.get("name").string())
        )
    except Unreadable:
        return frozenset()


def _refused(status: int, message: str) -> web.Response:
    error = {"error": {"message": message, "type": "proxy_error", "param": None, "code": None}}
    return web.Response(body=msgspec.json.encode(error), status=status, content_type="application/json")


@asynccontextmanager
async def recording(relay: Relay, base_url: str) -> AsyncIterator[Taps]:
    """The proxy on a free port of 127.0.0.1, in front of `base_url`, for as long as the block runs."""
    proxy = _Proxy(relay)
    server = web.Server(proxy.handle, access_log=None, handler_cancellation=True)
    runner = web.ServerRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
        origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
        proxy.taps = Taps(relay.api, origin, urlsplit(base_url).path.rstrip("/"))
        yield proxy.taps
    finally:
        await runner.cleanup()
