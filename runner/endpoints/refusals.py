"""An error that a service states: what it concerns, and whether it can pass."""

from __future__ import annotations

import re

from runner.endpoints.faults import Fault, first_words
from runner.endpoints.results import Outcome, final, malformed, retry
from runner.endpoints.transport import Exchange

_QUOTA = ("insufficient_quota", "billing", "payment_required", "credit", "quota_exceeded")
_NO_MODEL = ("model_not_found", "notfounderror", "not_found_error", "not found", "deploymentnotfound")
_SETTING = ("unsupported_value", "unsupported_parameter", "unknown_parameter", "unsupported_country", "invalid_model")
_TOO_LONG_WORDS = ("context length", "context size", "context window", "too long", "too many tokens")
_TOO_LONG = ("context_length", "exceed_context", "context_window", "string_above_max_length")
_SAMPLED = (
    "model produced output that does not match",
    "failed to parse tool call",
    "failed to parse the generated",
    "malformed function call",
    "invalid tool call generated",
)
"""Sentences of servers whose 500 depends on the sampled text. llama.cpp says the first."""


def status_of(fault: Fault) -> int:
    """The status that an error in a success would have had."""
    if fault.names("rate_limit"):
        return 429
    if fault.names("overloaded", "server_error", "api_error", "internal", "unavailable", "timeout"):
        return 503
    if fault.names("authentication", "permission", "invalid_api_key"):
        return 401
    if fault.names(*_NO_MODEL):
        return 404
    return 404 if fault.type == "plain-text" else 400


def refused(fault: Fault, status: int, received: Exchange) -> Outcome:
    """An error that the service stated, in the order in which one statement outweighs another."""
    said = fault.message or first_words(received.body) or f"HTTP {status}"
    if fault.generation is not None:
        return malformed("upstream-rejected", fault.generation)
    if fault.says(*_SAMPLED):
        return malformed("upstream-malformed", None)
    if status in {401, 403}:
        return final("run", "auth", said, status)
    if status == 402 or fault.names(*_QUOTA):
        return final("run", "quota", said, status)
    if status == 429:
        return _limited(said, status, received)
    if fault.says("failed to parse tools"):
        return final("run", "request", said, status)
    if status in {408, 409, 425} or status >= 500:
        return _served(fault, said, status, received)
    return _declined(fault, said, status)


def _limited(said: str, status: int, received: Exchange) -> Outcome:
    if received.headers.get("x-should-retry") == "false":
        return final("request", "rate-limit", said, status)
    return retry("rate-limit", said, status)


def _served(fault: Fault, said: str, status: int, received: Exchange) -> Outcome:
    if received.headers.get("x-should-retry") == "false" or status in {501, 505}:
        return final("request", "http", said, status)
    limited = fault.names("overloaded", "rate_limit") or status == 529
    return retry("rate-limit" if limited else "http", said, status)


def _declined(fault: Fault, said: str, status: int) -> Outcome:
    if fault.names(*_TOO_LONG, "content_filter", "content_policy") or fault.says(*_TOO_LONG_WORDS):
        return final("request", "request", said, status)
    if status in {404, 405, 410}:
        no_model = fault.names("model") or fault.says("model") or fault.names("notfounderror")
        return final("run", "model" if no_model else "http", said, status)
    if fault.names("invalid_model", "model_not_found") or fault.param == "model" or _MODEL_WORDS.search(said):
        return final("run", "model", said, status)
    setting = fault.param.split(".")[0].split("[")[0]
    if fault.names(*_SETTING) or setting in _SETTINGS or _SETTING_WORDS.search(said):
        return final("run", "request", f"{said}{_way_out(setting or _SETTING_WORDS.search(said))}", status)
    return final("request", "request", said, status)


def _way_out(found: str | re.Match[str] | None) -> str:
    """How a setting that is refused can be left out, or called otherwise."""
    name = found if isinstance(found, str) else found[1] if found else ""
    if name == "max_tokens":
        return "; --drop-param max_tokens leaves it out, --param max_completion_tokens=N is its other name"
    return f"; --drop-param {name} leaves it out" if name in _SETTINGS - {"tools"} else ""


_SETTING_WORDS = re.compile(r"\b(temperature|tool_choice|max_tokens|max_completion_tokens|top_p|seed)\b")
_MODEL_WORDS = re.compile(
    r"\bmodel\b.{0,80}\b(?:does not exist|not found|unknown|no such|invalid model)", re.IGNORECASE
)
_SETTINGS = frozenset(
    {"temperature", "max_tokens", "max_completion_tokens", "seed", "tools", "tool_choice", "top_p", "stream_options"}
)
"""Parameters that are equal in every request of a run: one refusal is the refusal of all."""
