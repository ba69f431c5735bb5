"""A JSON document over HTTP: asked for once, and again only where its server says that it changed."""

from __future__ import annotations

from typing import NamedTuple

import httpx

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.sets import plain_url
from corpora.values import Json
from runner.secrets import Secret
from runner.urls import proxy_for

TIMEOUT_S = 30.0
MOST_BYTES = 64 * 1024 * 1024


class Document(NamedTuple):
    """What a server gave. `value` is None where it says that nothing changed."""

    value: Json
    etag: str | None
    unchanged: bool = False


def fetch_document(url: str, *, token: Secret | None = None, etag: str | None = None) -> Document:
    """The document at a URL. Raises BadInput where it cannot be had, is no JSON, or the server sends elsewhere.

    A redirect is not followed: the token was named for this URL alone.
    """
    place = plain_url(url)
    headers = {"Accept": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token.reveal()}"
    if etag is not None:
        headers["If-None-Match"] = etag
    try:
        with (
            httpx.Client(timeout=TIMEOUT_S, trust_env=False, proxy=proxy_for(url)) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            if response.status_code == httpx.codes.NOT_MODIFIED and etag is not None:
                return Document(None, etag, unchanged=True)
            if response.status_code != httpx.codes.OK:
                raise BadInput(f"answered with status {response.status_code}; expected 200 and a document", path=place)
            data = _body(response, place)
            return Document(_decoded(data, place), response.headers.get("etag"))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise BadInput(f"cannot be read: {type(error).__name__}: {error}", path=place) from error


def _body(response: httpx.Response, place: str) -> bytes:
    data = bytearray()
    for part in response.iter_bytes():
        data += part
        if len(data) > MOST_BYTES:
            raise BadInput(f"is longer than {MOST_BYTES} bytes", path=place)
    return bytes(data)


def _decoded(data: bytes, place: str) -> Json:
    try:
        return decode_value(data)
    except BadInput as error:
        raise BadInput(error.what, path=place) from error
