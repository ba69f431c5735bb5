"""A real HTTP endpoint that answers as a test says, and a corpus of a few fixtures to ask it with."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web
from anyio.from_thread import start_blocking_portal

CORPUS = """
name = "cases"
system = "Handle refunds."
[run]
samples = {samples}
temperature = 0.7
[strata]
only = {count}
[[tools]]
name = "refund_order"
parameters = {{ type = "object", properties = {{ reason_code = {{ type = "string" }} }}, required = ["reason_code"] }}
[[probes]]
tool = "refund_order"
argument = "reason_code"
measure = "membership"
set = "codes"
[sets.codes]
values = ["OTHER", "LATE_DELIVERY"]
"""


def corpus(folder: Path, fixtures: list[str], samples: int = 1, **texts: str) -> Path:
    """A corpus whose fixtures say their own ids, or what `texts` says instead."""
    folder.mkdir(exist_ok=True)
    folder.joinpath("corpus.toml").write_text(CORPUS.format(samples=samples, count=len(fixtures)), encoding="utf-8")
    lines = [
        {"id": id_, "stratum": "only", "messages": [{"role": "user", "content": texts.get(id_, id_)}]}
        for id_ in fixtures
    ]
    folder.joinpath("fixtures.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    folder.joinpath("canned.jsonl").write_text("", encoding="utf-8")
    return folder


class Answer(NamedTuple):
    """One answer of the endpoint."""

    codes: tuple[str, ...] = ("OTHER",)
    """A call of refund_order with each of them; none: the model asks."""
    status: int = 200
    after_s: float = 0.0
    response_id: str | None = None
    body: str | None = None


class Endpoint:
    """`answer(text, number)` is asked for every request: the fixture's text, and how many came for it before."""

    def __init__(self, answer: Callable[[str, int], Answer]) -> None:
        self.answer = answer
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.base_url = ""

    @property
    def requests(self) -> int:
        return self.asked.total()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.bodies.append(body)
        text = next(message["content"] for message in body["messages"] if message["role"] == "user")
        number = self.asked[text]
        self.asked[text] += 1
        found = self.answer(text, number)
        await asyncio.sleep(found.after_s)
        if found.status != 200:
            return web.Response(status=found.status, text=found.body or "{}", headers={"retry-after": "0"})
        return web.json_response(_reply(found, found.response_id or f"r-{text}-{number}"))


def _reply(found: Answer, response_id: str) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": "refund_order", "arguments": json.dumps({"reason_code": code})},
        }
        for index, code in enumerate(found.codes)
    ]
    message = {
        "role": "assistant",
        "content": None if calls else "Which order?",
        **({"tool_calls": calls} if calls else {}),
    }
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    return {"id": response_id, "object": "chat.completion", "model": "m", "choices": [choice]}


@asynccontextmanager
async def _serving(endpoint: Endpoint) -> AsyncIterator[None]:
    runner = web.ServerRunner(web.Server(endpoint.handle), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    endpoint.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield
    finally:
        await runner.cleanup()


@contextmanager
def scripted(answer: Callable[[str, int], Answer] = lambda text, number: Answer()) -> Iterator[Endpoint]:
    """The endpoint, in a thread of its own for the block."""
    endpoint = Endpoint(answer)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(_serving(endpoint)):
        yield endpoint
