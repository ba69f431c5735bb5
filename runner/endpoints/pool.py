"""The connections: one pool as large as the concurrency, under httpx's interface, over aiohttp's connector.

aiohttp's connector costs a third of httpx's own pool, which searches all its connections at every request.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import aiohttp
import httpx

from corpora.errors import BadInput
from runner.config import EndpointConfig
from runner.endpoints.anthropic_messages import AnthropicMessages
from runner.endpoints.base import Api
from runner.endpoints.carrier import Carrier
from runner.endpoints.eager import REQUEST_CLASS
from runner.endpoints.http import HttpEndpoint
from runner.endpoints.openai_chat import OpenAIChat
from runner.endpoints.openai_responses import OpenAIResponses
from runner.endpoints.timing import REAL, Timing
from runner.urls import proxy_for

APIS: dict[str, type[Api]] = {api.name: api for api in (OpenAIChat, OpenAIResponses, AnthropicMessages)}

_KEEP_ALIVE_S = 4.0
"""Shorter than the five seconds after which common servers close an idle connection: theirs must not race ours."""


@asynccontextmanager
async def open_endpoint(
    config: EndpointConfig,
    *,
    timing: Timing = REAL,
) -> AsyncIterator[HttpEndpoint]:
    """An endpoint with its connections, which are closed at the end. Raises BadInput for an unknown API."""
    if config.api not in APIS:
        raise BadInput(f"there is no API {config.api!r}; known are {', '.join(APIS)}", field="--api")
    transport = transport_for(config)
    try:
        yield HttpEndpoint(config, APIS[config.api](), transport, timing=timing)
    finally:
        await transport.aclose()


def transport_for(config: EndpointConfig) -> Carrier:
    """The connections to an endpoint, under the interface of httpx."""
    context = _context(config.base_url)
    proxy = proxy_for(config.base_url)
    return Carrier(httpx.Proxy(proxy) if proxy else None, _session(config.concurrency, context), verify=context)


def _session(concurrency: int, context: ssl.SSLContext) -> aiohttp.ClientSession:
    """No cookie is kept, and of a header no more is read than a server has reason to send."""
    connector = aiohttp.TCPConnector(limit=concurrency, ssl=context, keepalive_timeout=_KEEP_ALIVE_S)
    return aiohttp.ClientSession(
        connector=connector,
        request_class=REQUEST_CLASS,
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=16_384,
        max_field_size=32_768,
    )


def _context(base_url: str) -> ssl.SSLContext:
    """The authorities to trust: SSL_CERT_FILE and SSL_CERT_DIR count. Without TLS one that trusts nobody."""
    if urlsplit(base_url).scheme == "https":
        try:
            return httpx.create_ssl_context()
        except OSError as error:
            named = {name: os.environ[name] for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)}
            places = " and ".join(f"{name}={place}" for name, place in named.items()) or "the system's own"
            raise BadInput(f"the certificates to trust cannot be read ({places}): {error}") from error
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
