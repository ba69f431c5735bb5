"""What an agent says to an endpoint and what it gets back; and what an API has to tell about itself.

No request carries fixture id, stratum, truth or hidden values: a ChatRequest has no field for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from corpora.corpus import Tool
from corpora.fixtures import Message
from corpora.records import Attempt, Failure
from corpora.shapes.answers import Answer, Emitted
from corpora.shapes.nodes import Node
from corpora.shapes.sse import Assembled, Event
from corpora.values import JsonObject

_encoder = msgspec.json.Encoder()

KEY_ECHOED = "key-echoed"
"""The flag of a record in which a secret was replaced."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One turn that the model spoke in this sample, with what the stub answered to each of its calls."""

    text: str | None
    calls: tuple[Emitted, ...]
    answers: tuple[str, ...]
    """The text of one for each call."""
    raw: bytes = b""
    """The object that it came in, for an API that wants its own items back unchanged."""


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request to the model, in the words of no API."""

    model: str
    system: str
    messages: tuple[Message, ...]
    said: tuple[Said, ...] = ()
    tools: tuple[Tool, ...] = ()
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    tool_choice: str | None = None
    """auto, required, none, or the name of a tool."""
    params: JsonObject = {}
    """Anything more, put into the body as it is."""
    stream: bool = False
    drop: tuple[str, ...] = ()
    """Fields that are left out of the body."""


def encoded(always: JsonObject, settings: JsonObject, request: ChatRequest) -> bytes:
    """The body of a request: what is always sent, then what is set; its own parameters go over both, less its drops."""
    body = {**always, **{name: value for name, value in settings.items() if value is not None}, **request.params}
    return _encoder.encode({name: value for name, value in body.items() if name not in request.drop})


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one request after every attempt: an answer, or a failure."""

    answer: Answer | None = None
    failure: Failure | None = None
    fatal: str | None = None
    """Why every further request would fail the same way."""
    body: bytes = b""
    """As received and decompressed, verbatim but for an echoed key."""
    status: int | None = None
    request_sha256: str | None = None
    attempts: tuple[Attempt, ...] = ()
    """The failed ones."""
    flags: tuple[str, ...] = ()
    ttfb_s: float | None = None
    first_call_s: float | None = None
    """Of a streamed answer: until the first piece of a call."""
    latency_s: float = 0.0
    queued_s: float = 0.0


class Endpoint(Protocol):
    """Something that answers chat requests. It never raises for what an endpoint does; only a cancel ends it."""

    async def complete(self, request: ChatRequest) -> Reply:
        """One request, tried again as the rules allow."""

    def clean(self, data: bytes) -> bytes:
        """Data without the secrets that this endpoint was given; for what will be written."""


class Api(Protocol):
    """One wire format: how a request is written and how a reply is read. Pure."""

    name: str
    path: str
    """Below the base URL."""

    def headers(self, key: str | None) -> dict[str, str]:
        """The header fields of this API: those that carry the key, and where it has one its version."""

    def body(self, request: ChatRequest) -> bytes:
        """The request as JSON."""

    def assemble(self, stream: Iterable[Event]) -> Assembled:
        """The body that a stream would have been; raises what `nodes.Unreadable` names."""

    def plainly(self, data: bytes, /) -> Answer | None:
        """The answer in a body of the usual form, with its `raw`; None says nothing. For speed alone."""

    def is_reply(self, body: Node) -> bool:
        """Whether an object claims to be a reply of this API."""

    def read(self, body: Node) -> Answer:
        """A reply, read; raises what `nodes.Unreadable` names."""
