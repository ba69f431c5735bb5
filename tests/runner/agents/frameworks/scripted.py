"""An endpoint that emits written arguments, one case for each fixture, to see what a framework makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web
from anyio.from_thread import start_blocking_portal

EMITTED = {
    "everything given": '{"order_id": " A-1 ", "amount": 100, "kind": "credit", "note": ""}',
    "optional fields left out": '{"order_id": "A-1", "amount": 100}',
    "a number as text": '{"order_id": "A-1", "amount": "100"}',
    "a fraction for a whole number": '{"order_id": "A-1", "amount": 100.0}',
    "a number for a text": '{"order_id": 71904, "amount": 100}',
    "a required field left out": '{"order_id": "A-1"}',
    "null for a required field": '{"order_id": "A-1", "amount": null}',
    "a field that is not there": '{"order_id": "A-1", "amount": 100, "vip": true}',
    "a value that is not in the enum": '{"order_id": "A-1", "amount": 100, "kind": "gold"}',
    "text after the object": '{"order_id": "A-1", "amount": 100} Done.',
    "cut in the middle": '{"order_id": "A-1", "amo',
    "no arguments": "",
}


def answer(request: dict) -> dict:
    """The case's call in the first turn, words in the next."""
    text = json.dumps(request["messages"])
    case = next(name for name in EMITTED if f"Case: {name}" in text)
    own = any(message["role"] in {"assistant", "tool"} for message in request["messages"])
    names = [tool["function"]["name"] for tool in request.get("tools", ())]
    if not own:
        calls = [("book", EMITTED[case])]
    else:
        calls = [("final_answer", '{"answer": "Booked."}')] if "final_answer" in names else []
    message: dict = {"role": "assistant", "content": None if calls else "Booked."}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "r",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [choice],
        "usage": usage,
    }


@contextmanager
def scripted() -> Iterator[str]:
    """The endpoint's base URL, for as long as the block runs."""

    async def handle(request: web.BaseRequest) -> web.Response:
        return web.json_response(answer(json.loads(await request.content.read())))

    async def start() -> tuple[web.ServerRunner, str]:
        runner = web.ServerRunner(web.Server(handle, access_log=None), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return runner, f"http://127.0.0.1:{runner.addresses[0][1]}/v1"

    with start_blocking_portal() as portal:
        runner, base_url = portal.call(start)
        try:
            yield base_url
        finally:
            portal.call(runner.cleanup)
