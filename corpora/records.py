"""One line of results: a sample, whole and verbatim.

The order of the fields is the order on disk: what changes from run to run stands last, so that a diff shows what
matters first. Later fields get a default, and a type never changes: old lines stay readable.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.values import Json, JsonObject

Status = Literal["ok", "error"]
WireType = Literal["string", "object", "null", "absent"]
Source = Literal["tool_calls", "function_call", "tool_use", "content", "agent"]
FailureKind = Literal[
    "timeout",
    "connect",
    "cut",
    "tls",
    "http",
    "rate-limit",
    "quota",
    "auth",
    "model",
    "request",
    "answer",
    "agent",
    "redirect",
    "internal",
]
FINAL_KINDS: frozenset[str] = frozenset({"request", "answer", "agent"})
"""Errors that will not pass: a resume leaves them as they are."""

Malformed = Literal[
    "truncated",
    "not-utf8",
    "not-json",
    "not-object",
    "trailing-text",
    "missing-brace",
    "python-literal",
    "non-standard-constant",
    "duplicate-key",
    "empty-arguments",
    "arguments-absent",
    "double-encoded",
    "fenced",
    "in-text",
    "tool-name",
    "framing",
    "no-choices",
    "empty-message",
    "upstream-rejected",
    "upstream-malformed",
]


STUB_ERRORS = "stub-errors"
"""The flag of every record of a study in which the stub refuses a share of the calls."""
USER_STUBS = "user-stubs"
"""The flag of every record of a run in which the user's own stand-in answered for the services."""
SIMULATED_ENDPOINT = "simulated-endpoint"
"""The flag of a record whose endpoint serves a simulated model, where no reply of it was seen that says so."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One tool call inside a sample, its arguments as they were emitted."""

    turn: int
    """The model turn it stands in, from 0."""
    index: int
    """Its place among the calls of that turn, from 0."""
    id: str | None
    name: str | None
    offered: bool
    """False where no tool of that name was given."""
    arguments: str | None
    """The emitted string before any parsing; an object's exact JSON text; None where null or absent."""
    escaped: bool = False
    """True where the text holds JSON escapes for what cannot stand in UTF-8 (a lone surrogate)."""
    wire_type: WireType
    source: Source
    malformed: Malformed | None = None


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What the recording stub answered to a call, and what the real service would have stored."""

    turn: int
    index: int
    tool: str
    answer: Json
    stored: Json = None
    given: str | None = None
    """The arguments as the tool was given them, where what stands between model and tool changed them."""
    refused: bool = False
    """True where the stub refused on purpose: the study was made with a share of refusals."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a sample has no usable answer after every attempt."""

    kind: FailureKind
    message: str
    status: int | None = None


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens summed over the turns, None where the endpoint did not report them."""

    input_tokens: int | None = None
    output_tokens: int | None = None


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A failed request of a turn: what came back, and how long was waited before the next."""

    status: int | None
    error: str
    response: str | None = None
    response_base64: str | None = None
    wait_s: float = 0.0
    latency_s: float = 0.0


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One request to the model that was answered, with the failed attempts before it."""

    text: str | None
    response: str | None
    """The body verbatim; None where it is no valid UTF-8, then its bytes are in `response_base64`."""
    response_base64: str | None = None
    status: int | None = None
    finish_reason: str | None = None
    response_id: str | None = None
    request_sha256: str | None = None
    attempts: tuple[Attempt, ...] = ()
    ttfb_s: float | None = None
    latency_s: float = 0.0
    first_call_s: float | None = None
    """Of a streamed answer: until the first piece of a call."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One sample of one fixture."""

    v: Literal[1] = 1
    corpus: str
    corpus_sha256: str
    fixture_id: str
    fixture_sha256: str
    stratum: str
    sample: int
    status: Status
    malformed: Malformed | None = None
    text: str | None = None
    calls: tuple[Call, ...] = ()
    effects: tuple[Effect, ...] = ()
    flags: tuple[str, ...] = ()
    error: Failure | None = None
    request_model: str = ""
    response_models: tuple[str, ...] = ()
    system_fingerprints: tuple[str, ...] = ()
    api: str = ""
    base_url: str = ""
    """Without userinfo and query."""
    system_sha256: str = ""
    tools_sha256: str = ""
    temperature: float | None = None
    seed: int | None = None
    params: JsonObject = {}
    usage: Usage = Usage()
    turns: tuple[Turn, ...] = ()
    run_id: str = ""
    site: str = ""
    started_at: str = ""
    queued_s: float = 0.0
    latency_s: float = 0.0
