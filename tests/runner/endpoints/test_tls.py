"""A certificate that nobody vouches for stops the run; an authority that the environment names is trusted."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import BadInput
from runner.endpoints.pool import open_endpoint
from runner.secrets import Secret

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here to make a certificate with"),
]

GOOD = json.dumps({"id": "c", "choices": [{"message": {"content": "Which zone?"}, "finish_reason": "stop"}]})


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 and models.example.net that vouches for itself, and its key."""
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1,DNS:models.example.net", "-keyout", str(key), "-out", str(cert)]
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


@pytest.mark.parametrize("named", ["nowhere.pem", "words.pem"])
async def test_authorities_that_cannot_be_read_are_named(
    named: str, tmp_path: Path, wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words.pem").write_text("these are words", encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / named))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    with pytest.raises(BadInput, match=rf"the certificates to trust cannot be read \(SSL_CERT_FILE=.*{named}\): "):
        async with open_endpoint(wire.config("https://127.0.0.1:1/v1")):
            pass


class Tunnel:
    """A proxy that connects whatever name is asked for with one address, and keeps what it was told and what passed."""

    def __init__(self, to: str) -> None:
        self.port = int(to.removesuffix("/v1").rpartition(":")[2])
        self.asked = self.passed = b""
        self.over = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked += await reader.readuntil(b"\r\n\r\n")
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        self.over.set()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(65536):
                self.passed += piece
                writer.write(piece)
                await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_proxy_only_sees_whom_an_encrypted_request_is_for(
    stream: bool, certificate: tuple[Path, Path], wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The private authority and the proxy of the environment together; the key is inside the tunnel."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    monkeypatch.setenv("no_proxy", "")
    async with encrypted(certificate) as base_url:
        tunnel = Tunnel(base_url)
        async with await asyncio.start_server(tunnel, "127.0.0.1", 0) as proxy:
            monkeypatch.setenv("https_proxy", f"http://user:word@127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
            config = wire.config("https://models.example.net/v1", key=Secret("sk-planted-0123456789"))
            async with wire.sampler(wire.world("W1"), config, stream=stream) as sampler:
                record, _ = await wire.draw(sampler)
            await asyncio.wait_for(tunnel.over.wait(), 10)
    assert (record.status, record.text) == ("ok", "Which zone?")
    assert tunnel.asked.startswith(b"CONNECT models.example.net:443 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic dXNlcjp3b3Jk\r\n" in tunnel.asked
    assert b"sk-planted" not in tunnel.asked + tunnel.passed
