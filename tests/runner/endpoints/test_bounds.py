"""What an endpoint may take: time, bytes, header fields; and where a key may go."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest

from runner.secrets import Secret

pytestmark = pytest.mark.anyio

Handler = Callable[[bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
GOOD = json.dumps(
    {"id": "c", "choices": [{"message": {"role": "assistant", "content": "Which zone?"}, "finish_reason": "stop"}]}
)


def dripping(every_s: float, piece: bytes = b"1\r\n \r\n") -> Handler:
    async def handler(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(every_s)

    return handler


async def silent(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def half(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b'5\r\n{"id"\r\n')
    await writer.drain()
    await reader.read()


@pytest.mark.parametrize(
    ("handler", "settings", "words"),
    [
        (dripping(0.01), {"timeout_s": 0.3}, "no whole answer within 0.3 s"),
        (half, {"idle_timeout_s": 0.1}, "nothing came for 0.1 s in the middle of an answer"),
        (silent, {"first_byte_timeout_s": 0.1}, "no answer began within 0.1 s"),
        (silent, {"timeout_s": 0.2}, "no whole answer within 0.2 s"),
    ],
    ids=["a slow drip", "silence in the middle", "silence before the first byte", "silence"],
)
async def test_no_answer_holds_a_slot_for_ever(
    handler: Handler, settings: dict[str, float], words: str, wire: Any
) -> None:
    record, line, server = await wire.sampled(handler, wire.response(GOOD), **settings)
    assert (record.status, len(server.requests)) == ("ok", 2)
    assert record.turns[0].attempts[0].error == f"timeout: {words}"
    spent, line, _ = await wire.sampled(handler, max_attempts=1, **settings)
    assert spent.error is not None
    assert (spent.error.kind, line.fatal) == ("timeout", None)


async def test_a_connection_that_nobody_takes_is_a_failure_of_its_own_and_ends_the_run(wire: Any) -> None:
    """A listener whose queue is full: the system leaves what comes then without an answer."""
    with socket.socket() as full, ExitStack() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):
            other = waiting.enter_context(socket.socket())
            other.setblocking(False)
            other.connect_ex(full.getsockname())
        config = wire.config(f"http://127.0.0.1:{full.getsockname()[1]}/v1", connect_timeout_s=0.2)
        async with wire.sampler(wire.world("W1"), config) as sampler:
            record, line = await wire.draw(sampler)
    words = "no connection within 0.2 s: nothing at that address answers"
    assert record.error is not None
    assert (record.error.kind, record.error.message) == ("connect", words)
    assert [attempt.error for attempt in record.turns[0].attempts] == [f"connect: {words}"] * 2
    assert line.fatal is not None
    assert words in line.fatal


async def test_an_endless_body_ends_at_its_bound(wire: Any) -> None:
    endless = dripping(0, b"1000\r\n" + b"x" * 4096 + b"\r\n")
    record, _, server = await wire.sampled(endless, max_response_bytes=50_000)
    assert record.error is not None
    assert (record.error.kind, record.error.message) == (
        "answer",
        "the answer is larger than 50000 bytes; --max-response-bytes allows more",
    )
    assert len(server.requests) == 1
    assert 50_000 <= len(record.turns[0].attempts[0].response or "") < 70_000


async def test_a_small_body_that_decompresses_to_a_large_one_ends_at_its_bound(wire: Any) -> None:
    bomb = gzip.compress(b" " * 20_000_000)
    assert len(bomb) < 50_000
    record, _, server = await wire.sampled(
        wire.response(bomb, headers={"content-encoding": "gzip"}), max_response_bytes=50_000
    )
    assert record.error is not None
    assert record.error.message == "the answer decompresses to more than 50000 bytes; --max-response-bytes allows more"
    assert len(server.requests) == 1


async def test_a_compressed_body_is_recorded_as_what_it_holds(wire: Any) -> None:
    body = gzip.compress(GOOD.encode())
    record, _, _ = await wire.sampled(wire.response(body, headers={"content-encoding": "gzip"}))
    assert record.turns[0].response == GOOD


async def test_a_header_field_without_end_is_no_answer(wire: Any) -> None:
    raw = b"HTTP/1.1 200 OK\r\nx-long: " + b"a" * 200_000 + b"\r\ncontent-length: 0\r\n\r\n"
    record, _, server = await wire.sampled(raw)
    assert record.status == "error"
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_carries_the_key_anywhere(status: int, wire: Any) -> None:
    async with wire.server(wire.response(GOOD)) as other:
        moved = wire.response("", status, {"location": f"{other.base_url}/chat/completions"})
        record, line, server = await wire.sampled(moved, key=Secret("sk-planted-0123456789"))
    assert other.requests == []
    assert record.error is not None
    assert (record.error.kind, len(server.requests)) == ("redirect", 1)
    assert line.fatal is not None
    assert other.base_url in line.fatal


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\x00\x01\x02",
        b"HTTP/1.1 banana\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: banana\r\n\r\n",
        b"SSH-2.0-x\r\n",
    ],
    ids=["nothing", "bytes", "no status", "no length", "another protocol"],
)
async def test_what_is_no_http_is_a_record(garbage: bytes, wire: Any) -> None:
    async def handler(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(garbage)
        await writer.drain()
        writer.close()

    record, _, server = await wire.sampled(handler)
    assert record.error is not None
    assert (record.error.kind, len(server.requests)) == ("cut", 2)


async def test_a_name_and_password_in_the_address_are_sent_and_never_written(wire: Any) -> None:
    async with wire.server(wire.response("sure, swordfish-42!", 500)) as server:
        base_url = server.base_url.replace("http://", "http://probe:swordfish-42@") + "?token=tok-12345678"
        config = wire.config(base_url)
        async with wire.sampler(wire.world("W1"), config, base_url=server.base_url) as sampler:
            record, line = await wire.draw(sampler)
    assert b"Basic cHJvYmU6c3dvcmRmaXNoLTQy\r\n" in server.requests[0]
    assert server.requests[0].startswith(b"POST /v1/chat/completions?token=tok-12345678 HTTP/1.1")
    for secret in (b"swordfish-42", b"tok-12345678", b"cHJvYmU6"):
        assert secret not in line.data
    assert record.turns[0].attempts[0].response == "sure, [key]!"
