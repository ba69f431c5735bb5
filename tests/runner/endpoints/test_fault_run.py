"""Ten kinds of fault at random over thousands of samples: each sample ends as one record, with all its attempts."""

from __future__ import annotations

import asyncio
import io
import json
import random
import socket
import struct
from collections import Counter
from typing import Any

import anyio
import pytest

from corpora.jsonl import read_records
from runner.endpoints.timing import Timing
from runner.schedule.messages import Key

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(180)]

SAMPLES = 5_000
IN_FLIGHT = 64
GOOD = {
    "id": "c",
    "model": "m",
    "choices": [{"message": {"role": "assistant", "content": "Which zone?"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 4},
}


def reply(number: int) -> bytes:
    return json.dumps({**GOOD, "id": f"c-{number}"}).encode()


class Faulty:
    """Answers well in four cases of five; in the fifth it does one of ten things, by a seeded draw."""

    KINDS = (
        "429", "500", "503", "529", "reset", "cut", "closed", "page", "empty", "half JSON",
    )  # fmt: skip

    def __init__(self) -> None:
        self.random = random.Random(20)
        self.kinds: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(int(x[15:]) for x in head.lower().split(b"\r\n") if x.startswith(b"content-length:"))
                await reader.readexactly(length)
                kind = self.random.choice(self.KINDS) if self.random.random() < 0.2 else "good"
                self.kinds[kind] += 1
                if not self.answer(kind, writer):
                    break
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def answer(self, kind: str, writer: asyncio.StreamWriter) -> bool:
        """Write one answer; whether the connection stays."""
        body = reply(self.kinds.total())
        match kind:
            case "good":
                writer.write(self.whole("200 OK", body))
            case "429" | "500" | "503" | "529":
                error = b'{"error":{"message":"not now"}}'
                writer.write(self.whole(f"{kind} Sorry", error, "retry-after: 0\r\n" if kind == "429" else ""))
            case "page":
                writer.write(self.whole("502 Bad Gateway", b"<html>502</html>"))
            case "empty":
                writer.write(self.whole("200 OK", b"\n\n"))
            case "half JSON":
                writer.write(self.whole("200 OK", body[: len(body) // 2]))
            case "cut":
                writer.write(self.whole("200 OK", body)[:-20])
            case "reset":
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        return kind not in {"cut", "reset", "closed"}

    def whole(self, status: str, body: bytes, more: str = "") -> bytes:
        return f"HTTP/1.1 {status}\r\n{more}content-length: {len(body)}\r\n\r\n".encode() + body


async def test_every_sample_ends_as_one_record_and_every_failure_stands_in_it(wire: Any) -> None:
    faulty = Faulty()
    server = await asyncio.start_server(faulty.serve, "127.0.0.1", 0)
    config = wire.config(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", max_attempts=3, concurrency=64)
    slept = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds
        await anyio.sleep(0)

    from runner.endpoints.pool import open_endpoint

    lines = []
    keys = iter([Key("only", number) for number in range(SAMPLES)])
    async with (
        server,
        open_endpoint(config, timing=Timing(clock=lambda: slept, sleep=sleep)) as endpoint,
        wire.sampler(wire.world("W1"), config, endpoint=endpoint) as sampler,
    ):

        async def worker() -> None:
            lines.extend([await sampler.draw(key) for key in keys])

        async with anyio.create_task_group() as tasks:
            for _ in range(IN_FLIGHT):
                tasks.start_soon(worker)
    records = [record for line in lines for record in read_records(io.BytesIO(line.data))]
    assert Counter(record.sample for record in records) == Counter(range(SAMPLES))
    failed = sum(len(record.turns[0].attempts) for record in records)
    assert failed == faulty.kinds.total() - faulty.kinds["good"]
    assert sum(record.status == "ok" for record in records) == faulty.kinds["good"]
    assert {len(record.turns[0].attempts) for record in records if record.status == "error"} == {3}
    assert set(faulty.kinds) == {*Faulty.KINDS, "good"}
    kinds = Counter(attempt.error.partition(":")[0] for record in records for attempt in record.turns[0].attempts)
    assert set(kinds) == {"rate-limit", "http", "cut"}
    assert not [line for line in lines if line.fatal]
