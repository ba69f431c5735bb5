"""Passes a request of a user's agent on to the endpoint, and the answer back piece by piece as it comes."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

import aiohttp
import anyio
import httpx

from corpora.records import FailureKind
from corpora.shapes.nodes import Node, Unreadable
from corpora.shapes.sse import has_end
from runner.config import EndpointConfig
from runner.endpoints.base import Api
from runner.endpoints.encodings import Short, TooLarge, Unfit, decoded
from runner.endpoints.pool import APIS, transport_for
from runner.endpoints.redaction import Redaction
from runner.endpoints.transport import Exchange, failure_of, undecoded

_OF_ONE_CONNECTION = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "host",
        "content-length",
        "accept-encoding",
    }
)
"""Header fields that are not passed on (RFC 9110, section 7.6.1), and those that are written anew."""

_WITHOUT_LIMIT = dict.fromkeys(("connect", "read", "write", "pool"))


Keep = Callable[[Exchange], None]


class Sink(Protocol):
    """Where the answer goes, as it comes."""

    async def begin(self, status: int, headers: list[tuple[str, str]]) -> None:
        """The head of the answer."""

    async def piece(self, data: bytes) -> None:
        """The next bytes of its body."""


class _Nowhere:
    """A sink for an answer that is read whole."""

    async def begin(self, status: int, headers: list[tuple[str, str]]) -> None:
        """Nobody waits for it."""

    async def piece(self, data: bytes) -> None:
        """Nobody waits for it."""


class Relay:
    """Speaks with one endpoint for agents that hold none of its secrets."""

    def __init__(self, config: EndpointConfig, transport: httpx.AsyncBaseTransport) -> None:
        self._config = config
        self._transport = transport
        self._redaction = Redaction(config)
        self.api: Api = APIS[config.api]()

    async def forward(
        self, method: str, path: str, headers: list[tuple[str, str]], body: bytes, sink: Sink, keep: Keep
    ) -> Exchange:
        """One request to `path` below the base URL. It never raises for what the endpoint does.

        `keep` gets the exchange at its end, before the agent can see that it is one, and where the agent hangs up.
        """
        progress = _Progress(self._config.max_response_bytes)
        request = httpx.Request(
            method,
            self._url(path),
            headers=self._headers(headers),
            content=body,
            extensions={"timeout": {**_WITHOUT_LIMIT, "connect": self._config.connect_timeout_s}},
        )
        failure: tuple[FailureKind | None, str] = ("cut", "the agent hung up")
        try:
            with anyio.fail_after(self._config.timeout_s):
                await self._passed_on(request, sink, progress)
            failure = (None, "")
        except TooLarge as error:
            failure = ("answer", str(error))
        except TimeoutError:
            failure = ("timeout", f"no whole answer within {self._config.timeout_s:g} s")
        except (httpx.HTTPError, httpx.StreamError, aiohttp.ClientError, OSError, ValueError) as error:
            connect_s = self._config.connect_timeout_s
            failure = failure_of(error, started=progress.status is not None, connect_s=connect_s)
        finally:
            exchange = self._redaction.cleaned(progress.exchange(*failure))
            keep(exchange)
        return exchange

    async def models(self) -> tuple[str, ...]:
        """The models that the endpoint lists; none where it lists none, whatever the reason."""
        nowhere = _Nowhere()
        exchange = await self.forward("GET", "/models", [], b"", nowhere, lambda _: None)
        try:
            listed = Node(exchange.body).get("data").items() if exchange.kind is None else []
            return tuple(name for item in listed if (name := item.get("id").string()))
        except Unreadable:
            return ()

    async def _passed_on(self, request: httpx.Request, sink: Sink, progress: _Progress) -> None:
        response = await self._transport.handle_async_request(request)
        progress.began(response)
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)  # noqa: S101  # the transport is an asynchronous one
        try:
            await sink.begin(response.status_code, passed_on(response.headers.multi_items()))
            async for piece in stream:
                progress.add(piece)
                await sink.piece(piece)
        finally:
            with anyio.CancelScope(shield=True, deadline=anyio.current_time() + 1):
                await stream.aclose()

    def _url(self, path: str) -> str:
        base = urlsplit(self._config.base_url)
        rest = urlsplit(path)
        query = "&".join(part for part in (base.query, rest.query) if part)
        return urlunsplit((base.scheme, base.netloc, base.path.rstrip("/") + rest.path, query, ""))

    def _headers(self, given: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The agent's header fields, with the endpoint's own secrets in the place of what the agent was given."""
        key = self._config.key
        own: Mapping[str, str] = {
            **(self.api.headers(key.reveal()) if key else {}),
            **{name.lower(): secret.reveal() for name, secret in self._config.headers.items()},
        }
        kept = [(name, value) for name, value in passed_on(given) if name.lower() not in own]
        return [*kept, *own.items(), ("accept-encoding", "identity")]


def passed_on(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Header fields without those of one connection."""
    return [(name, value) for name, value in headers if name.lower() not in _OF_ONE_CONNECTION]


class _Progress:
    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._size = 0
        self._started = time.perf_counter()
        self._headers = httpx.Headers()
        self._ttfb_s: float | None = None
        self.status: int | None = None
        self.pieces: list[bytes] = []

    def began(self, response: httpx.Response) -> None:
        """Note the head of the answer, and when it came."""
        self._ttfb_s = time.perf_counter() - self._started
        self._headers = response.headers
        self.status = response.status_code

    def add(self, piece: bytes) -> None:
        """Keep a piece; raises TooLarge with the one that is too much."""
        self.pieces.append(piece)
        self._size += len(piece)
        if self._size > self._most_bytes:
            raise TooLarge(f"the answer is larger than {self._most_bytes} bytes; --max-response-bytes allows more")

    def exchange(self, kind: FailureKind | None, message: str) -> Exchange:
        """What passed, with how it ended: `kind` None where it ended well."""
        body = b"".join(self.pieces)
        try:
            body = decoded(body, self._headers.get("content-encoding", ""), self._most_bytes)
        except (Unfit, Short, TooLarge) as error:
            kind, message = (kind, message) if kind else undecoded(error)
        # A client hangs up after the last event of a stream, without waiting for the end of the connection.
        return Exchange(
            status=self.status,
            fields=tuple(self._headers.raw),
            body=body,
            kind=None if kind == "cut" and has_end(body) else kind,
            message=message,
            ttfb_s=self._ttfb_s,
            latency_s=time.perf_counter() - self._started,
        )


@asynccontextmanager
async def open_relay(config: EndpointConfig) -> AsyncIterator[Relay]:
    """A relay with its connections, which are closed at the end."""
    transport = transport_for(config)
    try:
        yield Relay(config, transport)
    finally:
        await transport.aclose()
