"""Agents for the tests, kept as a user keeps them: a module in the working directory. Each has its own bad habit."""

import asyncio
import json
import os
import sys
import threading
import time

import httpx

shared = httpx.AsyncClient(timeout=30)  # made once for all samples, as real agents do


def described(tools):
    return [
        {"type": "function", "function": {"name": name, "description": f.description, "parameters": f.parameters}}
        for name, f in tools.items()
    ]


def body(messages, tools, settings):
    return {
        "model": settings.model,
        "messages": messages,
        "tools": described(tools),
        "temperature": settings.temperature,
        "seed": settings.seed,
        **settings.params,
    }


def head(settings):
    return {"authorization": f"Bearer {settings.api_key or 'none'}"}


async def loop(messages, tools, settings):
    """A plain loop on the chat API."""
    url = f"{settings.base_url}/chat/completions"
    for _ in range(settings.max_turns):
        reply = await shared.post(url, json=body(messages, tools, settings), headers=head(settings))
        reply.raise_for_status()
        message = reply.json()["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            name = call["function"]["name"]
            try:
                answer = await tools[name](**json.loads(call["function"]["arguments"]))
            except (KeyError, ValueError, TypeError) as error:
                answer = {"error": repr(error)}
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(answer)})
        if "refund_order" in [call["function"]["name"] for call in message["tool_calls"]]:
            return message["content"]
    return None


def sync_loop(messages, tools, settings):
    """The same, without async."""
    url = f"{settings.base_url}/chat/completions"
    with httpx.Client(timeout=30) as client:
        for _ in range(settings.max_turns):
            reply = client.post(url, json=body(messages, tools, settings), headers=head(settings)).raise_for_status()
            message = reply.json()["choices"][0]["message"]
            messages.append(message)
            calls = message.get("tool_calls") or []
            for call in calls:
                answer = tools[call["function"]["name"]](**json.loads(call["function"]["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(answer)})
            if not calls or any(call["function"]["name"] == "refund_order" for call in calls):
                return message["content"]
    return None


def said(messages):
    return messages[-1]["content"]


async def echo(messages, tools, settings):
    """Calls with a nonce of its own conversation, after a while, so that samples overlap."""
    await asyncio.sleep(0.001)
    await tools["refund_order"](order_id="1", reason_code=said(messages), amount_cents=1)
    return said(messages)


def slow(messages, tools, settings):
    for number in range(3):
        time.sleep(0.01)
        tools["lookup_order"](order_id=f"{number}:{said(messages)}")
    tools["refund_order"](order_id="1", reason_code=said(messages), amount_cents=1)
    return said(messages)


async def hangs(messages, tools, settings):
    await tools["lookup_order"](order_id="before")
    await asyncio.sleep(3600)


async def blocks(messages, tools, settings):
    time.sleep(3600)


def hangs_in_its_thread(messages, tools, settings):
    time.sleep(3600)


async def raises(messages, tools, settings):
    await tools["lookup_order"](order_id="before")
    raise ValueError("no such plan")


def exits(messages, tools, settings):
    sys.exit(7)


async def exits_async(messages, tools, settings):
    sys.exit(7)


async def exits_in_a_task(messages, tools, settings):
    async def leave():
        raise SystemExit(7)

    asyncio.create_task(leave())
    await asyncio.sleep(0)
    return "still here"


async def interrupts(messages, tools, settings):
    raise KeyboardInterrupt


async def prints(messages, tools, settings):
    print("a word on standard output")
    os.write(1, b"and another, past Python\n")
    os.system("echo and one of a child process")
    return "done"


async def leaves_tasks(messages, tools, settings):
    async def later():
        await asyncio.sleep(3600)

    tasks.append(asyncio.create_task(later()))
    return "done"


tasks: list[asyncio.Task] = []


async def mutates(messages, tools, settings):
    answer = await tools["lookup_order"](order_id="1")
    answer.clear()
    answer["changed"] = True
    messages.clear()
    messages.append({"role": "user", "content": "changed"})
    tools.clear()
    return "done"


def calls_late(messages, tools, settings):
    threading.Timer(0.05, lambda: tools["lookup_order"](order_id="late")).start()
    return "done"


def returns_an_object(messages, tools, settings):
    return {"text": "done"}


async def calls_together(messages, tools, settings):
    await asyncio.gather(tools["lookup_order"](order_id="1"), tools["lookup_order"](order_id="2"))
    await tools["refund_order"](order_id="1", reason_code="X", amount_cents=1)


async def passes_what_the_schema_forbids(messages, tools, settings):
    await tools["refund_order"]("1", reason_code=None, amount_cents="many", extra={"a": [1.5]})
    await tools["refund_order"](reason_code=float("nan"))
    await tools["refund_order"](reason_code="\ud83d")


class Configured:
    def __init__(self, code, times=1):
        self.code = code
        self.times = times
        self.calls = 0

    async def __call__(self, messages, tools, settings):
        for _ in range(self.times):
            self.calls += 1
            await tools["refund_order"](order_id=str(self.calls), reason_code=self.code, amount_cents=1)


class Broken:
    def __call__(self, messages, tools, settings):
        return "never"

    def __init__(self):
        raise RuntimeError("no licence")


class Stubs:
    """A stand-in for the services."""

    def answer(self, tool, arguments):
        if tool == "lookup_order":
            return NotImplemented
        return {"refund_id": "from the stand-in", "echo": arguments}

    def stored(self, tool, arguments):
        return {"reason_code": "OTHER"} if tool == "refund_order" else None


class BrokenStubs:
    def answer(self, tool, arguments):
        raise LookupError("no database")


not_callable = 3
