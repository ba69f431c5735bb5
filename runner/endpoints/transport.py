"""One HTTP exchange: a body goes through the carrier, and what comes back is bounded, or one of our kinds of failure.

`AsyncClient` stays out of this path: it costs 0.25 to 0.4 ms a request, and redirects, cookies and authentication,
which it adds, are what must not happen here.
"""

from __future__ import annotations

import ssl
import time

import aiohttp
import httpx
import msgspec
from aiohttp import hdrs

from corpora.records import FailureKind
from runner.endpoints.carrier import Carrier, Target, as_httpx
from runner.endpoints.encodings import Short, TooLarge, Unfit, decoded
from runner.endpoints.watch import Limit, Watch


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What one exchange may take."""

    total_s: float
    first_byte_s: float | None
    idle_s: float
    body_bytes: int


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """What came back: a response, or the kind of failure with the part of the body that was received."""

    status: int | None = None
    fields: tuple[tuple[bytes, bytes], ...] = ()
    """The header fields as they came."""
    body: bytes = b""
    """Decompressed; as received where that failed."""
    kind: FailureKind | None = None
    """Set where there is no whole response."""
    message: str = ""
    ttfb_s: float | None = None
    latency_s: float = 0.0
    arrivals: tuple[tuple[int, float], ...] = ()
    """For each piece: how many bytes were there after it, and when; empty where the body came encoded."""
    echoed: bool = False
    """Whether a secret was taken out of the body or the message."""

    @property
    def headers(self) -> httpx.Headers:
        """The header fields, names in any case; made when they are asked for, which is seldom."""
        return httpx.Headers(list(self.fields))

    def arrived_s(self, byte: int | None) -> float | None:
        """When a byte of the body had arrived."""
        return None if byte is None else next((at for size, at in self.arrivals if size > byte), None)


class _Progress:
    """How far an exchange came: what is kept when it ends early."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.response: aiohttp.ClientResponse | None = None
        self.ttfb_s: float | None = None
        self.pieces: list[bytes] = []
        self.arrivals: list[tuple[int, float]] = []

    @property
    def size(self) -> int:
        """Bytes received so far."""
        return self.arrivals[-1][0] if self.arrivals else 0

    def add(self, piece: bytes, now_s: float, most_bytes: int) -> None:
        """Keep a piece of the body; raises TooLarge with the piece that is too much."""
        size = self.size + len(piece)
        self.arrivals.append((size, now_s - self.started))
        self.pieces.append(piece)
        if size > most_bytes:
            raise TooLarge(f"the answer is larger than {most_bytes} bytes; --max-response-bytes allows more")

    def ended(self, kind: FailureKind | None = None, message: str = "", body: bytes | None = None) -> Exchange:
        """What came, with how it ended: `kind` None where it ended well."""
        return Exchange(
            status=self.response.status if self.response is not None else None,
            fields=self.response.raw_headers if self.response is not None else (),
            body=b"".join(self.pieces) if body is None else body,
            kind=kind,
            message=message,
            ttfb_s=self.ttfb_s,
            latency_s=time.monotonic() - self.started,
            arrivals=tuple(self.arrivals) if body is None or len(body) == self.size else (),
        )


async def exchange(carrier: Carrier, to: Target, body: bytes, bounds: Bounds, watch: Watch) -> Exchange:
    """Send one body and read the whole response. Raises nothing but a cancel from outside and bugs."""
    progress = _Progress()
    over_s = progress.started + bounds.total_s
    try:
        with watch.limit(min(over_s, progress.started + (bounds.first_byte_s or bounds.total_s))) as limit:
            try:
                await _send_and_read(carrier, to, body, bounds, progress, limit, over_s)
                return progress.ended(body=_decoded(progress, bounds.body_bytes))
            except (Unfit, Short, TooLarge) as error:
                return progress.ended(*undecoded(error))
            except (httpx.HTTPError, aiohttp.ClientError, OSError, ValueError) as error:
                started = progress.response is not None
                kind, message = failure_of(as_httpx(error), started=started, connect_s=to.timeout.sock_connect or 0.0)
                return progress.ended(kind, message)
    except TimeoutError:
        return progress.ended("timeout", _too_slow(progress, bounds, over=time.monotonic() >= over_s))


def _too_slow(progress: _Progress, bounds: Bounds, *, over: bool) -> str:
    if over:
        return f"no whole answer within {bounds.total_s:g} s"
    if progress.response is None:
        return f"no answer began within {bounds.first_byte_s:g} s"
    return f"nothing came for {bounds.idle_s:g} s in the middle of an answer"


async def _send_and_read(
    carrier: Carrier, to: Target, body: bytes, bounds: Bounds, progress: _Progress, limit: Limit, over_s: float
) -> None:
    response = progress.response = await carrier.send("POST", to, body)
    now_s = time.monotonic()
    progress.ttfb_s = now_s - progress.started
    limit.due_s = min(over_s, now_s + bounds.idle_s)
    content = response.content
    try:
        while not content.at_eof():  # where it is, its connection went back to the others by itself
            piece = await content.readany()
            now_s = time.monotonic()
            limit.due_s = min(over_s, now_s + bounds.idle_s)
            progress.add(piece, now_s, bounds.body_bytes)
    except BaseException:
        response.close()
        raise


def _decoded(progress: _Progress, limit: int) -> bytes:
    assert progress.response is not None  # noqa: S101  # it was read to its end
    return decoded(b"".join(progress.pieces), progress.response.headers.get(hdrs.CONTENT_ENCODING, ""), limit)


def undecoded(error: Unfit | Short | TooLarge) -> tuple[FailureKind, str]:
    """Which of our kinds a body is that cannot be unpacked, or is too large."""
    match error:
        case Unfit():
            return "answer", f"the content encoding does not fit the body: {error}"
        case Short():
            return "cut", str(error)
    return "answer", str(error)


def failure_of(error: Exception, *, started: bool, connect_s: float) -> tuple[FailureKind, str]:
    """Which of our kinds a library's error is. The connector's own error, where there is one, is the more exact."""
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    words = str(error) or str(cause) or type(cause).__name__
    match cause:
        case ssl.SSLError() | aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return "tls", words
        case aiohttp.ConnectionTimeoutError() | httpx.ConnectTimeout():
            return "connect", f"no connection within {connect_s:g} s: nothing at that address answers"
        case TimeoutError() | httpx.TimeoutException() if not isinstance(cause, aiohttp.ClientOSError):
            return "timeout", words or "no answer in time"
        case aiohttp.ClientConnectorError():
            return "connect", f"no connection to {cause.host}:{cause.port}: {cause.os_error.strerror or words}"
        case httpx.ConnectError() | httpx.ProxyError():
            return "connect", words
    return ("cut", words) if started or _reached(cause) else ("connect", words)


def _reached(cause: Exception) -> bool:
    """Whether a connection stood when it failed."""
    return not isinstance(cause, httpx.UnsupportedProtocol | httpx.InvalidURL | aiohttp.InvalidURL)
