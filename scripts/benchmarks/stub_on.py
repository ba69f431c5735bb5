"""An endpoint on an address, port 8099: `stub_on.py ADDRESS LATENCY`; stub.json says how many requests came."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from aiohttp import web

ANSWER = {
    "id": "x", "object": "chat.completion", "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Which one?"}}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 3},
}  # fmt: skip
requests = 0


async def answer(request: web.Request) -> web.Response:
    global requests
    requests += 1
    await request.read()
    await asyncio.sleep(float(sys.argv[2]))
    return web.json_response({**ANSWER, "id": f"x{requests}"})


async def main() -> None:
    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, sys.argv[1], 8099, backlog=1024).start()
    while True:
        await asyncio.sleep(0.2)
        Path("stub.new").write_text(json.dumps({"requests": requests}), encoding="utf-8")
        Path("stub.new").replace("stub.json")


asyncio.run(main())
