"""A certificate that nobody vouches for stops the run; an authority that the environment names is trusted."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here to make a certificate with"),
]

GOOD = json.dumps({"id": "c", "choices": [{"message": {"content": "Which zone?"}, "finish_reason": "stop"}]})


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that vouches for itself, and its key."""
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(made, check=True, capture_output=True, timeout=15)
    return cert, key


@asynccontextmanager
async def encrypted(certificate: tuple[Path, Path]) -> AsyncIterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(GOOD), GOOD.encode())
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def test_a_certificate_that_nobody_vouches_for_stops_the_run(
    certificate: tuple[Path, Path], wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    async with (
        encrypted(certificate) as base_url,
        wire.sampler(wire.world("W1"), wire.config(base_url)) as sampler,
    ):
        record, line = await wire.draw(sampler)
    assert record.error is not None
    assert (record.error.kind, len(record.turns[0].attempts)) == ("tls", 1)
    assert line.fatal is not None
    assert "certificate" in line.fatal.lower()


async def test_an_authority_that_the_environment_names_is_trusted(
    certificate: tuple[Path, Path], wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    async with (
        encrypted(certificate) as base_url,
        wire.sampler(wire.world("W1"), wire.config(base_url)) as sampler,
    ):
        record, _ = await wire.draw(sampler)
    assert (record.status, record.text) == ("ok", "Which zone?")
