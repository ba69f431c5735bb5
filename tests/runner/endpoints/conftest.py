"""A raw server on the loopback that sends exact bytes, and samples drawn through the real client."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpora.corpus import Corpus, load, read_sets
from corpora.jsonl import read_records
from corpora.manifests import Study
from corpora.records import Record
from runner.agents.loop import Loop
from runner.agents.stub import Stub
from runner.config import EndpointConfig
from runner.endpoints.http import HttpEndpoint
from runner.endpoints.pool import open_endpoint
from runner.schedule.messages import Key, Line
from runner.schedule.sampler import Sampler

DATA = Path(__file__).parent.parent / "data"

Handler = Callable[..., Any]
"""An async function that does all itself with request, reader and writer; or a plain one from request to response."""


class RawServer:
    """Answers each request by a script of exact bytes, the last of which repeats; counts and keeps the requests."""

    def __init__(self, script: Sequence[bytes | Handler]) -> None:
        self.script = script
        self.requests: list[bytes] = []
        self.base_url = ""
        self._connections: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def hang_up(self) -> None:
        """Close what is still open, and wait until its handlers have ended."""
        for writer in self._connections:
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(writer.wait_closed() for writer in self._connections), return_exceptions=True)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        self._tasks.add(asyncio.current_task())  # type: ignore[arg-type]
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
                )
                request = head + await reader.readexactly(length)
                answer = self.script[min(len(self.requests), len(self.script) - 1)]
                self.requests.append(request)
                if not isinstance(answer, bytes):
                    made = answer(request, reader, writer) if iscoroutinefunction(answer) else answer(request)
                    if not isinstance(made, bytes):
                        await made
                        break
                    answer = made
                writer.write(answer)
                await writer.drain()
                if b"connection: close" in answer[:2000].lower() or b"content-length" not in answer[:2000].lower():
                    break
        with suppress(ConnectionError):
            writer.close()


class Wire:
    """What the tests of the wire share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @asynccontextmanager
    async def server(self, *script: bytes | Handler) -> AsyncIterator[RawServer]:
        """A server that lives in the test's own loop."""
        raw = RawServer(script)
        server = await asyncio.start_server(raw.serve, "127.0.0.1", 0, limit=2**20)
        raw.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        try:
            yield raw
        finally:
            server.close()
            await raw.hang_up()

    def response(self, body: bytes | str = b"", status: int = 200, headers: dict[str, str] | None = None) -> bytes:
        """A whole HTTP response, and the connection closed after it."""
        data = body if isinstance(body, bytes) else body.encode()
        fields = {"content-type": "application/json", **(headers or {}), "content-length": str(len(data))}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"HTTP/1.1 {status} Status\r\n{head}connection: close\r\n\r\n".encode() + data

    def case_response(self, case: dict[str, Any]) -> bytes:
        """The response that a case holds."""
        import base64

        told = case["input"]["response"]
        body = told["body"] if "body" in told else base64.b64decode(told["body_b64"])
        return self.response(body, told["status"], told["headers"])

    def world(self, name: str, tools: Sequence[str] | None = None) -> Corpus:
        """A world of `worlds.json` as a corpus of one fixture, `only`."""
        told = json.loads((DATA / "worlds.json").read_text(encoding="utf-8"))[name]
        probed = told["probed"]
        known = {tool["name"]: tool for tool in told["tools"]}
        offered = [known.get(tool, {"name": tool, "parameters": {"type": "object"}}) for tool in tools or known]
        probe = {"tool": offered[0]["name"], "argument": probed["field"]}
        if "authoritative_set" in told:
            probe |= {"measure": "membership", "set": "values"}
        else:
            probe |= {"measure": "closed-world", "type": "timezone", "bait": ["UTC"]}
        lines = [f"name = {json.dumps(name)}", f"system = {json.dumps(told['system'] + ' State: {state}')}"]
        lines += ["[strata]", "all = 1"]
        for tool in offered:
            file = f"{tool['name']}.json"
            (self.folder / file).write_text(json.dumps(tool["parameters"]), encoding="utf-8")
            lines += ["[[tools]]", f"name = {json.dumps(tool['name'])}", f"parameters = {json.dumps(file)}"]
        lines += ["[[probes]]", *(f"{key} = {json.dumps(value)}" for key, value in probe.items())]
        if "authoritative_set" in told:
            lines += ["[sets.values]", f"values = {json.dumps(told['authoritative_set'])}"]
        (self.folder / "corpus.toml").write_text("\n".join(lines), encoding="utf-8")
        fixture = {
            "id": "only",
            "stratum": "all",
            "messages": told["messages"],
            "visible": told["visible_state"],
            "hidden": told["hidden_state"],
        }
        (self.folder / "fixtures.jsonl").write_text(json.dumps(fixture), encoding="utf-8")
        return load(self.folder)

    def config(self, base_url: str, **settings: Any) -> EndpointConfig:
        """Settings that do not wait."""
        known = {"api": "openai-chat", "model": "probe-model-1", "max_attempts": 2, "backoff_s": 0.0, "timeout_s": 5.0}
        return EndpointConfig(**{"base_url": base_url, **known, **settings})

    @asynccontextmanager
    async def sampler(
        self, corpus: Corpus, config: EndpointConfig, endpoint: HttpEndpoint | None = None, **study: Any
    ) -> AsyncIterator[Sampler]:
        """A sampler of a corpus against an endpoint: one that is open, or its own."""
        settings = {"model": config.model, "api": config.api, "base_url": config.base_url, **study}
        loop = Loop(corpus, Stub(corpus, read_sets(corpus)))
        async with AsyncExitStack() as stack:
            used = endpoint or await stack.enter_async_context(open_endpoint(config))
            yield Sampler(corpus, Study(**settings), used, loop, run_id="run")

    def lengthened(self, corpus: Corpus, characters: int) -> Corpus:
        """The corpus with a system text of so many characters."""
        return msgspec.structs.replace(corpus, system=(corpus.system * characters)[:characters])

    async def draw(self, sampler: Sampler, fixture: str = "only", sample: int = 0) -> tuple[Record, Line]:
        """One sample, as the record that its line holds."""
        line = await sampler.draw(Key(fixture, sample))
        (record,) = read_records(io.BytesIO(line.data))
        return record, line

    async def sampled(
        self,
        *script: bytes | Handler,
        corpus: Corpus | None = None,
        study: dict[str, Any] | None = None,
        **settings: Any,
    ) -> tuple[Record, Line, RawServer]:
        """One sample against a script."""
        async with self.server(*script) as server:
            config = self.config(server.base_url, **settings)
            async with self.sampler(corpus or self.world("W1"), config, **(study or {})) as sampler:
                record, line = await self.draw(sampler)
        return record, line, server


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    return Wire(tmp_path)
