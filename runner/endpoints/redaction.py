"""A key that an endpoint echoes is replaced before anything else sees it: the one exception to verbatim."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from corpora.sets import plain_url
from runner.config import EndpointConfig
from runner.endpoints.encodings import readable
from runner.endpoints.transport import Exchange
from runner.secrets import MARK, SHORTEST


def _in_address(base_url: str) -> Iterator[str]:
    """What a base URL holds that is never written down: a password, and the values of its query."""
    parts = urlsplit(base_url)
    if parts.password:
        yield unquote(parts.password)
        yield base64.b64encode(f"{unquote(parts.username or '')}:{unquote(parts.password)}".encode()).decode()
    yield from (value for _, value in parse_qsl(parts.query))


class Redaction:
    """Takes the secrets of one endpoint out of what it sent."""

    def __init__(self, config: EndpointConfig) -> None:
        values = {secret.reveal() for secret in config.secrets} | set(_in_address(config.base_url))
        self._values = sorted((v for v in values if len(v) >= SHORTEST), key=len, reverse=True)
        self._bytes = [value.encode() for value in self._values]
        self._most_bytes = config.max_response_bytes
        self.address = plain_url(config.base_url)

    def data(self, data: bytes) -> bytes:
        """Bytes without the exact bytes of a secret."""
        for value in self._bytes:
            if value in data:
                data = data.replace(value, MARK.encode())
        return data

    def text(self, text: str) -> str:
        """Text without a secret."""
        for value in self._values:
            text = text.replace(value, MARK)
        return text

    def cleaned(self, received: Exchange) -> Exchange:
        """What was received, without a secret in its body, its header fields or the words of its failure."""
        if not self._values:
            return received
        body = self._body(received)
        message = self.text(received.message)
        fields = received.fields
        if any(value in b"\n".join([text for _, text in fields]) for value in self._bytes):
            fields = tuple((name, self.data(text)) for name, text in fields)
        if body is received.body and message == received.message and fields is received.fields:
            return received
        echoed = body is not received.body or message != received.message
        return msgspec.structs.replace(received, body=body, message=message, fields=fields, echoed=echoed)

    def _body(self, received: Exchange) -> bytes:
        """The body as it came; where a secret stands in it packed, what can be read of it, without the secret."""
        encoding = next((text for name, text in received.fields if name.lower() == b"content-encoding"), b"")
        if not encoding:
            return self.data(received.body)
        read = readable(received.body, encoding.decode("latin-1"), self._most_bytes)
        clean = self.data(read)
        return self.data(received.body) if clean is read else clean
