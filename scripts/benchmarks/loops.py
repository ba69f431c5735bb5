"""The loops that our runner is compared with: N requests, at most C in flight, each body appended to a file.

python scripts/benchmarks/loops.py NAME BASE_URL N C FILE
"""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

Send = Callable[[bytes], Awaitable[bytes]]
REQUEST = Path(__file__).with_name("request.json").read_bytes()
HEADERS = {"content-type": "application/json", "authorization": "Bearer none"}


def events(*, uvloop: bool) -> object:
    """asyncio's own, as our runner has it; uvloop for a name that ends in `@uvloop`."""
    if not uvloop:
        return asyncio
    import uvloop as loops

    return loops


async def workers(send: Send, count: int, width: int, file: int) -> None:
    """`width` workers that share one iterator."""
    numbers = iter(range(count))

    async def work(mine: Iterator[int]) -> None:
        for _ in mine:
            os.write(file, await send(REQUEST) + b"\n")

    await asyncio.gather(*(work(numbers) for _ in range(width)))


async def aiohttp_loop(url: str, count: int, width: int, file: int) -> None:
    """What a careful person writes with aiohttp."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=width)
    async with aiohttp.ClientSession(connector=connector, headers=HEADERS) as session:

        async def send(body: bytes) -> bytes:
            async with session.post(url, data=body) as response:
                return await response.read()

        await workers(send, count, width, file)


async def httpx_loop(url: str, count: int, width: int, file: int) -> None:
    """What a careful person writes with httpx: one client, a pool as large as the concurrency."""
    import httpx

    limits = httpx.Limits(max_connections=width, max_keepalive_connections=width)
    async with httpx.AsyncClient(limits=limits, timeout=600, headers=HEADERS, trust_env=False) as client:

        async def send(body: bytes) -> bytes:
            return (await client.post(url, content=body)).content

        await workers(send, count, width, file)


async def httpx_shards_loop(url: str, count: int, width: int, file: int) -> None:
    """httpx with a client for every eight in flight."""
    import httpx

    context = ssl.create_default_context()
    clients = [
        httpx.AsyncClient(verify=context, timeout=600, headers=HEADERS, trust_env=False) for _ in range(-(-width // 8))
    ]
    free = [client for client in clients for _ in range(8)]

    async def send(body: bytes) -> bytes:
        client = free.pop()
        try:
            return (await client.post(url, content=body)).content
        finally:
            free.append(client)

    await workers(send, count, width, file)
    for client in clients:
        await client.aclose()


def _aiohttp_transport(width: int) -> object:
    import aiohttp
    from httpx_aiohttp import AiohttpTransport

    return AiohttpTransport(
        client=lambda: aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=width), cookie_jar=aiohttp.DummyCookieJar()
        )
    )


async def _client_loop(transport: object, url: str, count: int, width: int, file: int) -> None:
    import httpx

    async with httpx.AsyncClient(transport=transport, timeout=600, headers=HEADERS, trust_env=False) as client:

        async def send(body: bytes) -> bytes:
            return (await client.post(url, content=body)).content

        await workers(send, count, width, file)


async def _transport_loop(transport: object, url: str, count: int, width: int, file: int) -> None:
    """Requests built by hand, `AsyncClient` left out."""
    import httpx

    target = httpx.URL(url)
    extensions = {"timeout": httpx.Timeout(600).as_dict()}

    async def send(body: bytes) -> bytes:
        request = httpx.Request("POST", target, headers=HEADERS, content=body, extensions=extensions)
        response = await transport.handle_async_request(request)
        return await response.aread()

    async with transport:
        await workers(send, count, width, file)


async def carrier_loop(url: str, count: int, width: int, file: int) -> None:
    """Our own transport and nothing else of ours."""
    from runner.config import EndpointConfig
    from runner.endpoints.carrier import target
    from runner.endpoints.pool import transport_for

    to = target(url, list(HEADERS.items()), 30)
    config = EndpointConfig(base_url=url, api="openai-chat", model="any", concurrency=width)
    async with transport_for(config) as carrier:

        async def send(body: bytes) -> bytes:
            return await (await carrier.send("POST", to, body)).content.read()

        await workers(send, count, width, file)


async def httpx_aiohttp_client_loop(url: str, count: int, width: int, file: int) -> None:
    await _client_loop(_aiohttp_transport(width), url, count, width, file)


async def httpx_aiohttp_loop(url: str, count: int, width: int, file: int) -> None:
    await _transport_loop(_aiohttp_transport(width), url, count, width, file)


async def pyqwest_client_loop(url: str, count: int, width: int, file: int) -> None:
    from pyqwest import HTTPTransport
    from pyqwest.httpx import AsyncPyqwestTransport

    await _client_loop(AsyncPyqwestTransport(HTTPTransport()), url, count, width, file)


async def pyqwest_loop(url: str, count: int, width: int, file: int) -> None:
    from pyqwest import HTTPTransport
    from pyqwest.httpx import AsyncPyqwestTransport

    await _transport_loop(AsyncPyqwestTransport(HTTPTransport()), url, count, width, file)


async def pyreqwest_client_loop(url: str, count: int, width: int, file: int) -> None:
    from pyreqwest.compatibility.httpx import HttpxTransport

    await _client_loop(HttpxTransport(), url, count, width, file)


async def pyreqwest_loop(url: str, count: int, width: int, file: int) -> None:
    from pyreqwest.compatibility.httpx import HttpxTransport

    await _transport_loop(HttpxTransport(), url, count, width, file)


class Raw(asyncio.Protocol):
    """The least that can be done in Python: no tasks, no parser but a search for the body's end."""

    def __init__(
        self, request: bytes, left: Iterator[int], file: int, live: list[int], over: asyncio.Future[None]
    ) -> None:
        self.request, self.left, self.file, self.live, self.over = request, left, file, live, over
        self.buffer = b""
        self.end = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.live[0] += 1
        self.next()

    def next(self) -> None:
        if next(self.left, None) is not None:
            self.transport.write(self.request)
            return
        self.transport.close()
        self.live[0] -= 1
        if not self.live[0]:
            self.over.set_result(None)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head = self.buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        if not self.end:
            at = self.buffer.lower().index(b"content-length:") + 15
            self.end = head + 4 + int(self.buffer[at : self.buffer.index(b"\r", at)])
        if len(self.buffer) >= self.end:
            os.write(self.file, self.buffer[head + 4 : self.end] + b"\n")
            self.buffer, self.end = b"", 0
            self.next()


async def raw_loop(url: str, count: int, width: int, file: int) -> None:
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    fields = {"Host": parts.netloc, **HEADERS, "Content-Length": str(len(REQUEST))}
    head = f"POST {parts.path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items()) + "\r\n"
    loop = asyncio.get_running_loop()
    left, live, over = iter(range(count)), [1], loop.create_future()

    def protocol() -> Raw:
        return Raw(head.encode() + REQUEST, left, file, live, over)

    await asyncio.gather(*(loop.create_connection(protocol, parts.hostname, parts.port) for _ in range(width)))
    live[0] -= 1
    if live[0]:
        await over


LOOPS = {
    name.removesuffix("_loop"): value
    for name, value in list(globals().items())
    if name.endswith("_loop") and not name.startswith("_")
}


def main(name: str, base_url: str, count: str, width: str, file: str) -> None:
    target = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    loop = LOOPS[name.removesuffix("@uvloop")]
    events(uvloop=name.endswith("@uvloop")).run(loop(f"{base_url}/chat/completions", int(count), int(width), target))


if __name__ == "__main__":
    main(*sys.argv[1:])
