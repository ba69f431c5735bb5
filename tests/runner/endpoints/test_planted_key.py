"""A planted key is searched for in everything that comes out, after every kind of failure."""

from __future__ import annotations

import base64
import gzip
import json
import logging
import subprocess
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from runner.endpoints.pool import open_endpoint
from runner.secrets import Secret

pytestmark = pytest.mark.anyio

KEY = "sk-planted-7Qd0aZ-19xK"
HEADER = "gw-planted-55aa66bb"


def reply(text: str, arguments: str = "{}") -> str:
    call = {"id": "c", "type": "function", "function": {"name": "schedule_window", "arguments": arguments}}
    message = {"role": "assistant", "content": text, "tool_calls": [call]}
    return json.dumps({"id": KEY, "model": f"m-{KEY}", "choices": [{"message": message, "finish_reason": KEY}]})


def sse(text: str) -> str:
    event = {"id": "c", "choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}
    return f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n"


PLAIN = f"{KEY} {HEADER} ".encode() + bytes(range(256)) * 40
PACKED = gzip.compress(PLAIN)


def unpacked(body: bytes) -> bytes:
    """What anybody could read of a packed body, however it ends."""
    for form in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
        with suppress(zlib.error):
            return zlib.decompressobj(form).decompress(body[:-8]) or body
    return body


ECHOES = {
    "in a good reply": (200, reply(f"Your key is {KEY}", json.dumps({"note": HEADER})), {}),
    "in a stream": (200, sse(f"Your key is {KEY}"), {"content-type": "text/event-stream"}),
    "in a refused key": (401, json.dumps({"error": {"message": f"{KEY} is not valid"}}), {}),
    "in a page": (200, f"<html>{KEY} {HEADER}</html>", {}),
    "in a bad request": (400, json.dumps({"error": {"message": f"header {HEADER}", "param": KEY}}), {}),
    "in a server error": (500, f"Traceback: {KEY}", {}),
    "in bytes that are no text": (500, b"\xff\xfe" + KEY.encode() + b"\xff", {}),
    "in the address of a redirect": (302, "", {"location": f"http://127.0.0.1:1/?key={KEY}"}),
    "in a header": (429, "{}", {"retry-after": "0", "x-echo": KEY, "x-request-id": HEADER}),
    "in a failed generation": (400, json.dumps({"error": {"failed_generation": f"<function={KEY}>"}}), {}),
    "in broken JSON": (200, '{"id": "' + KEY + '", "choices": [oops', {}),
    "in a packed answer that is cut": (200, PACKED[:-12], {"content-encoding": "gzip"}),
    "in a packed answer that is damaged": (200, PACKED[:-8] + bytes(8), {"content-encoding": "gzip"}),
    "in an answer packed otherwise and cut": (200, zlib.compress(PLAIN)[:-6], {"content-encoding": "deflate"}),
}


@pytest.mark.parametrize("echo", ECHOES)
async def test_a_key_that_is_echoed_is_in_nothing_that_is_written(
    echo: str, wire: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    status, body, headers = ECHOES[echo]
    record, line, server = await wire.sampled(
        wire.response(body, status, headers), key=Secret(KEY), headers={"X-Gateway": Secret(HEADER)}
    )
    assert KEY.encode() in server.requests[0]
    assert HEADER.encode() in server.requests[0]
    written = [line.data.decode(), repr(line), repr(record), str(line.fatal), caplog.text]
    encoded = [base64.b64encode(secret.encode()).decode()[:12] for secret in (KEY, HEADER)]
    for text in written:
        assert not [secret for secret in (KEY, HEADER, *encoded) if secret in text]
    for attempt in record.turns[0].attempts:
        held = base64.b64decode(attempt.response_base64 or "")
        assert KEY.encode() not in held + unpacked(held)
        assert HEADER.encode() not in held + unpacked(held)
    if echo in {"in a good reply", "in a page"}:
        assert b"[key]" in line.data
    if "packed" in echo:
        assert record.error
        assert b"[key] [key] " in base64.b64decode(record.turns[0].attempts[0].response_base64 or "")
    if echo == "in a good reply":
        assert "key-echoed" in record.flags


async def test_a_key_is_in_no_repr(wire: Any) -> None:
    config = wire.config("http://127.0.0.1:1/v1", key=Secret(KEY), headers={"X-Gateway": Secret(HEADER)})
    async with open_endpoint(config) as endpoint:
        shown = f"{config!r} {endpoint!r} {config.key!r} {config.headers!r}"
    assert KEY not in shown
    assert HEADER not in shown


@pytest.mark.parametrize("echo", ["in a good reply", "in a refused key", "in a page", "in a server error"])
@pytest.mark.timeout(60)
async def test_a_whole_run_writes_no_key_to_any_file_or_stream(echo: str, wire: Any, tmp_path: Path) -> None:
    """The command itself: results, manifest, log, progress and error, with the key in the environment."""
    import anyio

    status, body, headers = ECHOES[echo]
    async with wire.server(wire.response(body, status, headers)) as server:
        command = [sys.executable, "-m", "runner", "run", "refunds", "--base-url", server.base_url, "--model", "m"]
        command += ["--api-key-env", "PLANTED", "--header", "X-Gateway=env:GATE", "--limit", "4", "--samples", "1"]
        command += ["--max-attempts", "1", "-o", str(tmp_path / "r.jsonl"), "--log-format", "json"]
        done = await anyio.run_process(
            command, check=False, env={"PLANTED": KEY, "GATE": HEADER, "PATH": "/usr/bin"}, stderr=subprocess.PIPE
        )
    assert server.requests
    assert KEY.encode() in server.requests[0]
    written = [done.stdout, done.stderr, *(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())]
    assert len(written) > 2
    for data in written:
        assert KEY.encode() not in data
        assert HEADER.encode() not in data


async def test_what_a_base_url_holds_beside_the_address_is_written_nowhere_either(wire: Any) -> None:
    password, token = "pw-planted-31337", "tok-planted-90210"
    async with wire.server(wire.response(reply(f"{password} {token}"))) as server:
        address = server.base_url.replace("://", f"://me:{password}@") + f"?token={token}"
        async with wire.sampler(wire.world("W1"), wire.config(address)) as sampler:
            record, line = await wire.draw(sampler)
    assert record.text == "[key] [key]"
    assert password.encode() not in line.data
    assert token.encode() not in line.data


def in_pieces(text: str) -> str:
    said = [{"id": "c", "choices": [{"delta": {"content": text[at : at + 4]}}]} for at in range(0, len(text), 4)]
    said.append({"id": "c", "choices": [{"delta": {}, "finish_reason": "stop"}]})
    return "".join(f"data: {json.dumps(event)}\n\n" for event in said)


@pytest.mark.parametrize(
    "script",
    [
        [(200, in_pieces(f"Your key is {KEY}"))],
        [
            (
                200,
                reply("Your key is @")
                .replace(KEY, "c")
                .replace("@", "".join(f"\\u{ord(character):04x}" for character in KEY)),
            )
        ],
        [(500, f"Traceback: {KEY}"), (200, reply("Which zone?").replace(KEY, "c"))],
    ],
    ids=["in pieces", "escaped", "in an earlier attempt"],
)
async def test_that_a_key_was_taken_out_is_said_wherever_it_was(script: list[tuple[int, str]], wire: Any) -> None:
    responses = [wire.response(body, status) for status, body in script]
    record, line, _ = await wire.sampled(*responses, key=Secret(KEY), study={"stream": len(script[0][1]) > 400})
    assert record.status == "ok"
    assert record.flags.count("key-echoed") == 1
    assert KEY.encode() not in line.data
