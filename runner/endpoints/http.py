"""An endpoint over HTTP: one API's requests sent, sorted, tried again, and turned into replies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime

import httpx
import msgspec

from corpora.records import Attempt, Failure
from runner.config import EndpointConfig
from runner.endpoints.base import Api, ChatRequest, Reply
from runner.endpoints.headers import retry_after_s
from runner.endpoints.outcomes import Outcome, sort
from runner.endpoints.redaction import Redaction
from runner.endpoints.transport import Bounds, Exchange, exchange
from runner.urls import joined


class HttpEndpoint:
    """Sends an API's requests to one base URL. The key goes nowhere else: a redirect is a failure, never followed."""

    def __init__(self, config: EndpointConfig, api: Api, transport: httpx.AsyncBaseTransport) -> None:
        self._config = config
        self._api = api
        self._transport = transport
        self._url = httpx.URL(joined(config.base_url, api.path))
        self._redaction = Redaction(config)
        self._headers = _headers(config, api)
        self._answered = False
        self._bounds = Bounds(
            total_s=config.timeout_s,
            connect_s=config.connect_timeout_s,
            first_byte_s=config.first_byte_timeout_s,
            idle_s=config.idle_timeout_s,
            body_bytes=config.max_response_bytes,
        )

    async def complete(self, request: ChatRequest) -> Reply:
        """One request, tried again as the rules allow; what came of it is always a Reply."""
        body = self._api.body(request)
        received, outcome, wait_s = await self._attempt(body)
        attempts: list[Attempt] = []
        if outcome.action == "retry":
            received, outcome, attempts = await self._again(body, received, outcome, wait_s)
        return self._reply(body, received, outcome, attempts)

    def clean(self, data: bytes) -> bytes:
        """Data without the secrets that were given to this endpoint."""
        return self._redaction.data(data)

    async def _attempt(self, body: bytes) -> tuple[Exchange, Outcome, float | None]:
        timeout = {"connect": self._bounds.connect_s, "read": None, "write": None, "pool": None}
        request = httpx.Request("POST", self._url, headers=self._headers, content=body, extensions={"timeout": timeout})
        received = self._redaction.cleaned(await exchange(self._transport, request, self._bounds))
        outcome = sort(received, self._api, answered_before=self._answered)
        wait_s = retry_after_s(received.headers, datetime.now(UTC)) if outcome.action == "retry" else None
        if wait_s is not None and wait_s > self._config.max_wait_s:
            outcome = _too_long(outcome, wait_s, self._config.max_wait_s)
        self._answered = self._answered or (outcome.answer is not None and outcome.answer.malformed is None)
        return received, outcome, wait_s

    async def _again(
        self, body: bytes, received: Exchange, outcome: Outcome, wait_s: float | None
    ) -> tuple[Exchange, Outcome, list[Attempt]]:
        from runner.endpoints.retry import Policy, Tried, until_settled  # loaded at the first failure

        async def attempt() -> Tried:
            received, outcome, wait_s = await self._attempt(body)
            return Tried(received=received, outcome=outcome, wait_s=wait_s)

        policy = Policy(max_attempts=self._config.max_attempts, backoff_s=self._config.backoff_s)
        first = Tried(received=received, outcome=outcome, wait_s=wait_s)
        last, attempts = await until_settled(first, attempt, policy)
        return last.received, last.outcome, attempts

    def _reply(self, body: bytes, received: Exchange, outcome: Outcome, attempts: list[Attempt]) -> Reply:
        action = outcome.exhausted if outcome.action == "retry" else outcome.action
        failure = outcome.failure
        return Reply(
            answer=outcome.answer,
            failure=failure,
            fatal=self._reason(failure) if failure and action == "run" else None,
            body=received.body,
            status=received.status,
            request_sha256=hashlib.sha256(body).hexdigest(),
            attempts=(*attempts, _last(received, outcome)) if failure else tuple(attempts),
            flags=("key-echoed",) if self._redaction.holds_mark(received.body) else (),
            ttfb_s=received.ttfb_s,
            latency_s=received.latency_s,
        )

    def _reason(self, failure: Failure) -> str:
        status = f" (HTTP {failure.status})" if failure.status else ""
        return f"{self._redaction.address}: {failure.kind}{status}: {failure.message}"


def _last(received: Exchange, outcome: Outcome) -> Attempt:
    from runner.endpoints.retry import Tried, failed  # loaded at the first failure

    return failed(Tried(received=received, outcome=outcome))


def _too_long(outcome: Outcome, wait_s: float, max_wait_s: float) -> Outcome:
    """A wait that nobody would sit through: sleeping it would look like a hang, coming back early would be refused."""
    failure = outcome.failure or Failure(kind="rate-limit", message="")
    message = f"{failure.message} (the server asks to wait {wait_s:.0f} s, more than the {max_wait_s:.0f} s allowed)"
    return Outcome(action="run", failure=msgspec.structs.replace(failure, message=message))


def _headers(config: EndpointConfig, api: Api) -> Mapping[str, str]:
    return {
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "gzip, deflate",
        "user-agent": "assumeprobe",
        **(api.headers(config.key.reveal()) if config.key else {}),
        **{name.lower(): secret.reveal() for name, secret in config.headers.items()},
    }
