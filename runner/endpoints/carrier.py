"""httpx-aiohttp's transport, for many requests that differ in their body alone.

What is the same as for the request before is not made anew, and header fields go to the connector in the form that it
keeps: the transport as it comes turns all of it from httpx's form into aiohttp's for every request.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import AiohttpResponseStream, map_aiohttp_exceptions
from multidict import CIMultiDict
from yarl import URL

_NONE: Mapping[str, float | None] = {}


class Carrier(AiohttpTransport):
    """Carries requests whose content was read; of httpx's time-outs it knows `connect` and `read`."""

    def __init__(self, proxy: httpx.Proxy | None, session: aiohttp.ClientSession, **more: object) -> None:
        super().__init__(proxy=proxy, client=session, **more)  # type: ignore[arg-type]
        self._session = session
        self._addresses: dict[str, URL] = {}
        self._limits: tuple[Mapping[str, float | None], aiohttp.ClientTimeout] = (_NONE, aiohttp.ClientTimeout())
        self._by = str(proxy.url) if proxy else None
        self._by_auth = aiohttp.BasicAuth(*proxy.auth) if proxy and proxy.auth else None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One request; raises httpx's errors."""
        fields = [(name.decode("ascii"), text.decode("ascii")) for name, text in request.headers.raw]
        with map_aiohttp_exceptions():
            response = await self._session.request(
                request.method,
                self._target(request.url),
                headers=CIMultiDict(fields),
                data=request.content,
                allow_redirects=False,
                auto_decompress=False,
                timeout=self._bounded(request.extensions.get("timeout", _NONE)),
                proxy=self._by,
                proxy_auth=self._by_auth,
            )
        return httpx.Response(response.status, headers=response.raw_headers, stream=_Body(response))

    def _target(self, url: httpx.URL) -> URL:
        written = str(url)
        if written not in self._addresses:
            self._addresses[written] = URL(written, encoded=True)
        return self._addresses[written]

    def _bounded(self, limits: Mapping[str, float | None]) -> aiohttp.ClientTimeout:
        if limits is not self._limits[0]:
            self._limits = (
                limits,
                aiohttp.ClientTimeout(sock_connect=limits.get("connect"), sock_read=limits.get("read")),
            )
        return self._limits[1]


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
