"""httpx-aiohttp's transport, for many requests that differ in their body alone.

What is the same as for the request before is not made anew, and header fields go to the connector in the form that it
keeps: the transport as it comes turns all of it from httpx's form into aiohttp's for every request.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import NamedTuple

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import AiohttpResponseStream, map_aiohttp_exceptions
from multidict import CIMultiDict
from yarl import URL

_NONE: Mapping[str, float | None] = {}


class Target(NamedTuple):
    """Where many requests go, and what they share, in the connector's own form."""

    url: URL
    headers: CIMultiDict[str]
    timeout: aiohttp.ClientTimeout


def target(url: str, fields: Sequence[tuple[str, str]], connect_s: float | None) -> Target:
    """The address and header fields of many requests; the connector adds the length of each body."""
    return Target(URL(url, encoded=True), CIMultiDict(fields), aiohttp.ClientTimeout(sock_connect=connect_s))


class Carrier(AiohttpTransport):
    """Carries requests whose content was read; of httpx's time-outs it knows `connect` and `read`."""

    def __init__(self, proxy: httpx.Proxy | None, session: aiohttp.ClientSession, **more: object) -> None:
        super().__init__(proxy=proxy, client=session, **more)  # type: ignore[arg-type]
        self._session = session
        self._by = str(proxy.url) if proxy else None
        self._to_proxy = _credentials(*proxy.auth) if proxy and proxy.auth else None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One request; raises httpx's errors."""
        fields = [(name.decode("ascii"), text.decode("ascii")) for name, text in request.headers.raw]
        limits = request.extensions.get("timeout", _NONE)
        timeout = aiohttp.ClientTimeout(sock_connect=limits.get("connect"), sock_read=limits.get("read"))
        to = Target(URL(str(request.url), encoded=True), CIMultiDict(fields), timeout)
        with map_aiohttp_exceptions():
            response = await self.send(request.method, to, request.content)
        return httpx.Response(response.status, headers=response.raw_headers, stream=_Body(response))

    async def send(self, method: str, to: Target, body: bytes) -> aiohttp.ClientResponse:
        """One request without httpx's objects round it, which cost a fifth of it; raises aiohttp's errors.

        An answer that is not read to its end is to be closed.
        """
        return await self._session.request(
            method,
            to.url,
            headers=to.headers,
            data=body,
            allow_redirects=False,
            auto_decompress=False,
            timeout=to.timeout,
            proxy=self._by,
            proxy_headers=self._to_proxy,
        )


def _credentials(user: str, password: str) -> dict[str, str]:
    """What a proxy asks for; the connector makes the field for proxies of it, and puts it where one only looks."""
    return {"Authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"}


def as_httpx(error: Exception) -> Exception:
    """The error of httpx that an error of aiohttp is, with that as its cause; any other as it is."""
    try:
        with map_aiohttp_exceptions():
            raise error  # noqa: TRY301 - the library maps what passes it
    except Exception as mapped:  # noqa: BLE001 - it is what is asked for
        return mapped


class _Body(AiohttpResponseStream):
    """A body in the pieces in which it came; one that was read to its end is let go at once."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        super().__init__(response)
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        content = self._response.content
        with map_aiohttp_exceptions():
            while piece := await content.readany():
                yield piece

    async def aclose(self) -> None:
        """Give the connection back where all of the body was read, else close it."""
        if self._response.content.at_eof():
            self._response.release()
        else:
            await super().aclose()
