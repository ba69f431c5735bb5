"""The endpoint that every contender is measured against: each chat request is answered with one tool call.

    python scripts/benchmarks/server.py LATENCY_S     prints one JSON line {"port": N}, then serves until it is killed
    GET /stats     {"requests", "peak_in_flight", "window_s", "first_s"}, and the counts begin anew

The window, from the first request to the last answer, is timed here, the same for every contender. It reads just as
much HTTP as they write: a stub for measuring, no server.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CALL = {
    "id": "call_01",
    "type": "function",
    "function": {
        "name": "refund_order",
        "arguments": '{"order_id": "90418", "reason_code": "damaged on arrival", "amount": 42.5}',
    },
}
REPLY = {
    "id": "chatcmpl-%010d",
    "object": "chat.completion",
    "created": 1800000000,
    "model": "loopback-stub",
    "system_fingerprint": "fp_stub",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": None, "tool_calls": [CALL], "refusal": None},
            "logprobs": None,
            "finish_reason": "tool_calls",
        }
    ],
    "usage": {"prompt_tokens": 381, "completion_tokens": 34, "total_tokens": 415},
}
BODY = json.dumps(REPLY).encode().replace(b"%", b"%%").replace(b"%%010d", b"%010d")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
ANSWER = (HEAD % len(BODY % 0)).replace(b"%", b"%%") + BODY


class Counts:
    """What the server saw since it was last asked."""

    def __init__(self) -> None:
        self.total = 0
        self.reset()

    def reset(self) -> None:
        self.requests = self.flying = self.peak = 0
        self.first = self.last = 0.0

    def take(self) -> bytes:
        stats = {
            "requests": self.requests,
            "peak_in_flight": self.peak,
            "window_s": self.last - self.first,
            "first_s": self.first,
        }
        self.reset()
        return json.dumps(stats).encode()


class Stub(asyncio.Protocol):
    """One connection; requests on it are answered in turn."""

    def __init__(self, counts: Counts, latency_s: float) -> None:
        self.counts = counts
        self.latency_s = latency_s
        self.loop = asyncio.get_running_loop()
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (head := self.buffer.find(b"\r\n\r\n")) >= 0:
            found = LENGTH.search(self.buffer, 0, head)
            end = head + 4 + (int(found[1]) if found else 0)
            if len(self.buffer) < end:
                return
            is_stats = self.buffer.startswith(b"GET /stats")
            self.buffer = self.buffer[end:]
            self.stats() if is_stats else self.request()

    def stats(self) -> None:
        body = self.counts.take()
        self.transport.write(HEAD % len(body) + body)

    def request(self) -> None:
        counts = self.counts
        if not counts.requests:
            counts.first = time.monotonic()
        counts.requests += 1
        counts.flying += 1
        counts.peak = max(counts.peak, counts.flying)
        if self.latency_s:
            self.loop.call_later(self.latency_s, self.answer)
        else:
            self.answer()

    def answer(self) -> None:
        counts = self.counts
        counts.flying -= 1
        counts.total += 1
        counts.last = time.monotonic()
        if not self.transport.is_closing():
            self.transport.write(ANSWER % counts.total)


async def main(latency_s: float) -> None:
    counts = Counts()
    server = await asyncio.get_running_loop().create_server(
        lambda: Stub(counts, latency_s), "127.0.0.1", 0, backlog=4096
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    try:
        import uvloop as loops
    except ImportError:
        loops = asyncio
    loops.run(main(float(sys.argv[1])))
