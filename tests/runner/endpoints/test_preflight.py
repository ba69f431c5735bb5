"""Two requests before the first sample say whether an endpoint can be measured at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpora.jsonl import decode_value
from corpora.manifests import Study
from runner.cli import main
from runner.endpoints.pool import open_endpoint
from runner.endpoints.preflight import Preflight, preflight
from runner.simulated.server import SimulatedServer

pytestmark = pytest.mark.anyio

CALL = {"id": "c", "type": "function", "function": {"name": "schedule_window", "arguments": "{}"}}


def reply(prompt_tokens: int | None, *, call: bool) -> str:
    message = {"role": "assistant", "content": "Hello.", **({"tool_calls": [CALL]} if call else {})}
    usage = {} if prompt_tokens is None else {"usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 5}}
    return json.dumps({"id": "x", "model": "other-name", "choices": [{"message": message}], **usage})


async def tried(wire: Any, *bodies: str, status: int = 200) -> tuple[Preflight, list[bytes]]:
    corpus = wire.world("W1")
    async with wire.server(*(wire.response(body, status) for body in bodies)) as server:
        config = wire.config(server.base_url)
        async with open_endpoint(config) as endpoint:
            study = Study(model=config.model, api=config.api, base_url=config.base_url, max_tokens=200)
            found = await preflight(endpoint, corpus, study, corpus.fixtures[0])
    return found, server.requests


@pytest.mark.parametrize(
    ("bodies", "tools", "choice", "warned"),
    [
        ([reply(400, call=True), reply(150, call=False)], "seen", "honoured", 0),
        ([reply(150, call=False), reply(150, call=False)], "dropped", "ignored", 2),
        ([reply(400, call=False), reply(150, call=False)], "seen", "ignored", 1),
        ([reply(None, call=True), reply(None, call=False)], "unknown", "honoured", 0),
        ([reply(150, call=True), reply(150, call=False)], "seen", "honoured", 0),
    ],
    ids=["all is well", "the template drops tools", "required is not heeded", "no usage", "a call is proof enough"],
)
async def test_what_two_answers_say(bodies: list[str], tools: str, choice: str, warned: int, wire: Any) -> None:
    found, requests = await tried(wire, *bodies)
    assert (found.tools, found.tool_choice, len(found.warnings)) == (tools, choice, warned)
    assert len(found.lines) == 3
    assert "other-name answered, probe-model-1 was asked for" in found.lines[2]
    sent = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in requests]
    assert [("tools" in body, body.get("tool_choice")) for body in sent] == [(True, "required"), (False, None)]


async def test_a_key_that_is_refused_ends_it_after_one_request(wire: Any) -> None:
    found, requests = await tried(wire, '{"error":{"message":"no such key"}}', status=401)
    assert found.fatal is not None
    assert "no such key" in found.fatal
    assert len(requests) == 1


def test_a_run_keeps_what_it_found_and_can_do_without(
    endpoint: Callable[..., SimulatedServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server = endpoint()
    asked = ["run", "refunds", "--base-url", server.base_url, "--model", server.model, "--limit", "4", "--samples", "1"]
    assert main([*asked, "-o", "with.jsonl", "--quiet"]) == 0
    first = server.stats().requests
    assert main([*asked, "-o", "without.jsonl", "--quiet", "--no-preflight"]) == 0
    assert server.stats().requests - first == first - 2
    kept = decode_value((tmp_path / "with.manifest.json").read_bytes())
    assert kept["preflight"]["model"] == server.model
    assert kept["pins"] == {
        "response_models": [server.model],
        "system_fingerprints": load_fingerprints(tmp_path / "with.jsonl"),
        "moved": False,
    }
    assert decode_value((tmp_path / "without.manifest.json").read_bytes())["preflight"] == {}


def load_fingerprints(path: Path) -> list[str]:
    records = [decode_value(line) for line in path.read_bytes().splitlines()]
    return sorted({name for record in records for name in record["system_fingerprints"]})
