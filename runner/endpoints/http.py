"""An endpoint over HTTP: one API's requests sent within the limits, sorted, tried again, and turned into replies."""

from __future__ import annotations

import base64
import hashlib
import math
from datetime import timedelta

import httpx
import msgspec

from corpora.records import Attempt, Failure
from corpora.shapes.finish import at_limit
from corpora.values import JsonObject
from runner.config import EndpointConfig
from runner.endpoints.base import KEY_ECHOED, Api, ChatRequest, Reply
from runner.endpoints.carrier import Carrier, target
from runner.endpoints.encodings import ASKED_FOR
from runner.endpoints.headers import SILENT, concern, limits
from runner.endpoints.limiter import Limiter
from runner.endpoints.outcomes import sort
from runner.endpoints.redaction import Redaction
from runner.endpoints.results import Outcome
from runner.endpoints.timing import REAL, Timing
from runner.endpoints.transport import Bounds, exchange
from runner.endpoints.tried import Tried
from runner.endpoints.watch import Watch
from runner.schedule.messages import Pressure, Share
from runner.secrets import MARK
from runner.urls import joined

_ALIKE = 16
"""So many refusals and never an answer: it is not the fixtures."""


class HttpEndpoint:
    """Sends an API's requests to one base URL. The key goes nowhere else: a redirect is a failure, never followed."""

    def __init__(
        self,
        config: EndpointConfig,
        api: Api,
        carrier: Carrier,
        *,
        timing: Timing = REAL,
    ) -> None:
        self._config = config
        self._api = api
        self._carrier = carrier
        self._timing = timing
        address = httpx.URL(joined(config.base_url, api.path))
        bare = str(address.copy_with(userinfo=b""))
        connect_s = min(config.connect_timeout_s, config.timeout_s / 2)
        self._target = target(bare, _fields(config, api, address), connect_s)
        self._redaction = Redaction(config)
        self._limiter = Limiter(
            config.concurrency,
            rpm=config.rpm,
            tpm=config.tpm,
            adaptive=config.adaptive,
            first_alone=config.first_alone,
            max_wait_s=config.max_wait_s,
            timing=timing,
        )
        self._answered = False
        self._refusals = 0
        self._bounds = Bounds(
            total_s=config.timeout_s,
            first_byte_s=config.first_byte_timeout_s,
            idle_s=config.idle_timeout_s,
            body_bytes=config.max_response_bytes,
        )
        self._watch = Watch(min(config.timeout_s, config.first_byte_timeout_s or math.inf, config.idle_timeout_s))

    def clean(self, data: bytes) -> bytes:
        """Data without the secrets that were given to this endpoint."""
        return self._redaction.data(data)

    def limits_over_time(self) -> tuple[JsonObject, ...]:
        """How the limit of requests in flight moved, and why; for the manifest."""
        return tuple(self._limiter.history)

    def share(self, share: Share) -> None:
        """Take a part of the limits that several sites have together."""
        self._limiter.restate(share.concurrency, share.requests_per_s, share.tokens_per_min)

    def pressure(self) -> Pressure:
        """What the endpoint said of its limits since the last call."""
        limited, retry_after_s = self._limiter.pressed()
        return Pressure(rate_limited=limited, retry_after_s=retry_after_s)

    async def complete(self, request: ChatRequest) -> Reply:
        """One request, tried again as the rules allow; what came of it is always a Reply."""
        body = self._api.body(request)
        tried = await self._attempt(body)
        attempts: list[Attempt] = []
        if tried.outcome.failure is not None:
            from runner.endpoints.retry import Policy, failed, until_settled  # loaded at the first failure

            policy = Policy(max_attempts=self._config.max_attempts, backoff_s=self._config.backoff_s)
            tried, attempts = await until_settled(tried, lambda: self._attempt(body), policy, sleep=self._timing.sleep)
            attempts += [failed(tried)] if tried.outcome.failure is not None else []
        return self._reply(request, body, tried, tuple(attempts))

    async def _attempt(self, body: bytes) -> Tried:
        ticket = await self._limiter.acquire(len(body) / 4)
        try:
            came = await exchange(self._carrier, self._target, body, self._bounds, self._watch)
        finally:
            self._limiter.release()
        received = self._redaction.cleaned(came)
        outcome = self._all_alike(sort(received, self._api, answered_before=self._answered))
        age_s = received.latency_s - (received.ttfb_s or received.latency_s)
        said = SILENT
        if concern(received.fields):
            said = limits(received.headers, lambda: self._timing.now() - timedelta(seconds=age_s))
        limited = outcome.failure is not None and outcome.failure.kind == "rate-limit"
        limited = limited or (outcome.action == "retry" and said.retry_after_s is not None)
        self._limiter.answered(ticket, said, limited=limited, used_tokens=_used(outcome), age_s=age_s)
        if outcome.action == "retry" and (said.wait_s or 0.0) > self._config.max_wait_s:
            outcome = _too_long(outcome, said.wait_s or 0.0, self._config.max_wait_s)
        self._answered = self._answered or (outcome.answer is not None and outcome.answer.malformed is None)
        wait_s = said.wait_s if outcome.action == "retry" else None
        return Tried(received=received, outcome=outcome, wait_s=wait_s, queued_s=ticket.queued_s)

    def _all_alike(self, outcome: Outcome) -> Outcome:
        """A refusal of one request is one of all where nothing but refusals ever came."""
        self._refusals += outcome.action == "request" and not self._answered
        if outcome.action != "request" or outcome.failure is None or self._answered or self._refusals < _ALIKE:
            return outcome
        message = f"{outcome.failure.message} (so the first {self._refusals} requests were all answered)"
        return Outcome(action="run", failure=msgspec.structs.replace(outcome.failure, message=message))

    def _reply(self, request: ChatRequest, body: bytes, tried: Tried, attempts: tuple[Attempt, ...]) -> Reply:
        received, outcome = tried.received, tried.outcome
        action = outcome.exhausted if outcome.action == "retry" else outcome.action
        failure = outcome.failure
        return Reply(
            answer=at_limit(outcome.answer, _limit(request)) if outcome.answer else None,
            failure=failure,
            fatal=self._reason(failure) if failure and action == "run" else None,
            body=received.body,
            status=received.status,
            request_sha256=hashlib.sha256(body).hexdigest(),
            attempts=attempts,
            flags=(KEY_ECHOED,) if received.echoed or any(MARK in (one.response or "") for one in attempts) else (),
            ttfb_s=received.ttfb_s,
            first_call_s=received.arrived_s(outcome.first_call),
            latency_s=received.latency_s,
            queued_s=tried.queued_s,
        )

    def _reason(self, failure: Failure) -> str:
        status = f" (HTTP {failure.status})" if failure.status else ""
        return f"{self._redaction.address}: {failure.kind}{status}: {failure.message}"


def _limit(request: ChatRequest) -> int | None:
    """The most tokens that an answer may have, by whatever name it was set."""
    if request.max_tokens or not request.params:
        return request.max_tokens
    others = (request.params.get(name) for name in ("max_completion_tokens", "max_output_tokens"))
    return next((limit for limit in others if isinstance(limit, int)), None)


def _used(outcome: Outcome) -> int | None:
    """Tokens that an answer reports."""
    answer = outcome.answer
    if answer is None or answer.input_tokens is None:
        return None
    return answer.input_tokens + (answer.output_tokens or 0)


def _too_long(outcome: Outcome, wait_s: float, max_wait_s: float) -> Outcome:
    """A wait that nobody would sit through: sleeping it would look like a hang, coming back early would be refused."""
    failure = outcome.failure or Failure(kind="rate-limit", message="")
    asked = f"the server asks to wait {wait_s:.0f} s, more than the {max_wait_s:g} s that --max-wait allows"
    message = f"{failure.message} ({asked})"
    return Outcome(action="run", failure=msgspec.structs.replace(failure, message=message))


def _userinfo(address: httpx.URL) -> dict[str, str]:
    """What stands before the host of an address, as the header field that it means."""
    if not address.userinfo:
        return {}
    pair = f"{address.username}:{address.password}".encode()
    return {"authorization": f"Basic {base64.b64encode(pair).decode()}"}


def _fields(config: EndpointConfig, api: Api, address: httpx.URL) -> list[tuple[str, str]]:
    """The header fields that all requests share. Their values are ASCII: that is checked where they are named."""
    fields = {
        "host": address.netloc.decode("ascii"),
        **_userinfo(address),
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": ASKED_FOR,
        "user-agent": "assumeprobe",
        **api.headers(config.key.reveal() if config.key else None),
        **{name.lower(): secret.reveal() for name, secret in config.headers.items()},
    }
    return list(fields.items())
