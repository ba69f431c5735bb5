"""A request is with the system in the turn of the loop in which it is made; a large one goes on from there."""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import Iterator

import anyio
import pytest

from runner.config import EndpointConfig
from runner.endpoints.carrier import Carrier, Target, target
from runner.endpoints.pool import transport_for
from runner.endpoints.transport import Bounds, Exchange, exchange
from runner.endpoints.watch import Watch

pytestmark = pytest.mark.anyio

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
LARGE = b"x" * 1_000_000
"""More than the buffers of a connection hold whose reader has little room."""


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A socket of ours that answers nothing by itself."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        server.setblocking(False)
        yield server


def to(listening: socket.socket) -> tuple[Carrier, Target]:
    base_url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    config = EndpointConfig(base_url=base_url, api="openai-chat", model="m", concurrency=1)
    return transport_for(config), target(f"{base_url}/chat", [], 5)


async def one(carrier: Carrier, at: Target, body: bytes, total_s: float = 20) -> Exchange:
    bounds = Bounds(total_s=total_s, first_byte_s=None, idle_s=total_s, body_bytes=100)
    return await exchange(carrier, at, body, bounds, Watch(total_s))


async def read(server: socket.socket, body: bytes) -> None:
    """Read a request that ends in this body."""
    loop = asyncio.get_running_loop()
    data = bytearray()
    while not (len(data) > len(body) and data.endswith(body)):
        data += await loop.sock_recv(server, 1 << 20)


async def test_a_request_is_written_in_the_turn_in_which_it_is_made(listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    carrier, at = to(listening)
    async with carrier:
        first = asyncio.create_task(one(carrier, at, b"{}"))
        server, _ = await loop.sock_accept(listening)
        with server:
            await read(server, b"{}")
            await loop.sock_sendall(server, ANSWER)
            assert (await first).body == b"{}"
            second = asyncio.create_task(one(carrier, at, b"{}"))
            await asyncio.sleep(0)
            assert select.select([server], [], [], 0)[0]
            await read(server, b"{}")
            await loop.sock_sendall(server, ANSWER)
            assert (await second).body == b"{}"


async def test_a_body_that_the_buffers_do_not_hold_is_written_as_the_server_reads(listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    carrier, at = to(listening)
    async with carrier:
        sent = asyncio.create_task(one(carrier, at, LARGE))
        server, _ = await loop.sock_accept(listening)
        with server:
            await read(server, LARGE)
            await loop.sock_sendall(server, ANSWER)
            assert (await sent).body == b"{}"


async def test_a_server_that_stops_reading_costs_the_time_limit_and_no_more(listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    carrier, at = to(listening)
    async with carrier:
        sent = asyncio.create_task(one(carrier, at, LARGE, total_s=0.3))
        server, _ = await loop.sock_accept(listening)
        with server, anyio.fail_after(5):
            assert (await sent).kind == "timeout"


async def test_a_server_that_hangs_up_in_the_middle_of_a_body_is_a_cut(listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    carrier, at = to(listening)
    async with carrier:
        sent = asyncio.create_task(one(carrier, at, LARGE))
        server, _ = await loop.sock_accept(listening)
        await loop.sock_recv(server, 1000)
        server.close()
        with anyio.fail_after(5):
            assert (await sent).kind == "cut"
