"""One function sorts everything that can come of a request: sample, malformed sample, retry, fatal for it or the run.

What the model may have caused is a sample, however broken: trying it again would redraw it and bias the rate. What the
transport or the service caused is tried again. What would happen to every other request stops the run.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.records import Failure, FailureKind, Malformed
from corpora.shapes.answers import Answer
from corpora.shapes.bodies import Body, NoReply, open_body
from corpora.shapes.nodes import Node, Unreadable
from corpora.shapes.sse import events, has_end, is_stream
from runner.endpoints.base import Api
from runner.endpoints.faults import Fault, fault_in, loose_fault
from runner.endpoints.transport import Exchange

Action = Literal["sample", "retry", "request", "run"]
"""sample: done, malformed or not. retry: another attempt. request, run: a final failure of this request, of the run."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt came to."""

    action: Action
    answer: Answer | None = None
    failure: Failure | None = None
    exhausted: Action = "request"
    """What a retry becomes when no attempt is left."""
    first_call: int | None = None
    """The byte of a stream at which its first call began."""


def sort(received: Exchange, api: Api, *, answered_before: bool) -> Outcome:
    """Which of the five an exchange is. `answered_before`: this endpoint has shown that it speaks the API.

    1. no whole response; 2. a redirect; 3. a status that says error; 4. a success whose body is no reply;
    5. a success that carries an error; 6. a reply.
    """
    if received.kind is not None:
        return _broken(received, received.kind, answered_before=answered_before)
    status = received.status or 0
    if 300 <= status < 400:
        where = received.headers.get("location", "nowhere")
        return _final(
            "run", "redirect", f"the endpoint moved to {where}; name that address, nothing follows it", status
        )
    if not received.body.strip() and status < 300:
        return _retry("cut", "the answer is empty", status)
    try:
        body, first_call = _opened(received.body, api)
    except NoReply as error:
        return _unreadable(error, received, answered_before=answered_before)
    if status >= 400:
        return _fault(loose_fault(body.node), status, received)
    found = _success(body.node, body.flags, received, api, answered_before=answered_before)
    return found if first_call is None else msgspec.structs.replace(found, first_call=first_call)


def _opened(data: bytes, api: Api) -> tuple[Body, int | None]:
    """The object of a body, streamed or not; and where in a stream its first call began. Raises NoReply."""
    if not is_stream(data):
        return open_body(data), None
    try:
        whole = api.assemble(events(data))
    except Unreadable as error:
        raise NoReply("not-json", cut=not has_end(data)) from error
    if not whole.complete:
        raise NoReply("not-json", cut=True)
    return open_body(whole.body), whole.first_call


def _success(node: Node, flags: tuple[str, ...], received: Exchange, api: Api, *, answered_before: bool) -> Outcome:
    status = received.status or 200
    fault = fault_in(node)
    if fault is not None:
        return _fault(fault, fault.status or _status_of(fault), received)
    if not api.is_reply(node):
        return _no_answer(f"the answer is no reply of {api.name}", status, answered_before=answered_before)
    try:
        answer = api.read(node)
    except Unreadable:
        return _malformed("not-json", None)
    whole = msgspec.structs.replace(answer, flags=(*flags, *answer.flags), raw=node.exact().encode())
    return Outcome(action="sample", answer=whole)


def _broken(received: Exchange, kind: FailureKind, *, answered_before: bool) -> Outcome:
    failure = Failure(kind=kind, message=received.message, status=received.status)
    match kind:
        case "tls":
            return Outcome(action="run", failure=failure)
        case "connect":
            return Outcome(action="retry", failure=failure, exhausted="run")
        case "answer":  # too large, or a content encoding that does not fit
            decoding = "content encoding" in received.message
            spent: Action = "run" if decoding and not answered_before else "request"
            return Outcome(action="retry" if decoding else "request", failure=failure, exhausted=spent)
    return Outcome(action="retry", failure=failure)


def _unreadable(error: NoReply, received: Exchange, *, answered_before: bool) -> Outcome:
    status = received.status or 0
    if status >= 400:
        return _fault(Fault(message=_first_words(received.body)), status, received)
    if error.cut:
        return _retry("cut", "the answer ends in the middle", status)
    if error.foreign:
        what = f"the answer is no JSON but {_first_words(received.body)!r}"
        return _no_answer(what, status, answered_before=answered_before)
    return _malformed(error.kind, None)


def _no_answer(what: str, status: int, *, answered_before: bool) -> Outcome:
    """A body that can never be a reply: where none came before, the address is not that of the API."""
    hint = "" if answered_before else "; is this the base URL of the API?"
    return _final("request" if answered_before else "run", "answer", what + hint, status)


def _first_words(body: bytes) -> str:
    return " ".join(body[:300].decode("utf-8", "replace").split())[:120]


_QUOTA = ("insufficient_quota", "billing", "payment_required", "credit", "quota_exceeded")
_NO_MODEL = ("model_not_found", "notfounderror", "not_found_error", "not found", "deploymentnotfound")
_SETTING = ("unsupported_value", "unsupported_parameter", "unknown_parameter", "unsupported_country", "invalid_model")
_TOO_LONG = ("context_length", "exceed_context", "context_window", "string_above_max_length")
_SAMPLED = (
    "model produced output that does not match",
    "failed to parse tool call",
    "failed to parse the generated",
    "malformed function call",
    "invalid tool call generated",
)
"""Sentences of servers whose 500 depends on the sampled text. llama.cpp says the first."""


def _status_of(fault: Fault) -> int:
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


def _fault(fault: Fault, status: int, received: Exchange) -> Outcome:
    """An error that the service stated, in the order in which one statement outweighs another."""
    said = fault.message or _first_words(received.body) or f"HTTP {status}"
    if fault.generation is not None:
        return _malformed("upstream-rejected", fault.generation)
    if fault.says(*_SAMPLED):
        return _malformed("upstream-malformed", None)
    if status in {401, 403}:
        return _final("run", "auth", said, status)
    if status == 402 or fault.names(*_QUOTA):
        return _final("run", "quota", said, status)
    if status == 429:
        return _limited(said, status, received)
    if status in {408, 409, 425} or status >= 500:
        return _served(fault, said, status, received)
    return _refused(fault, said, status)


def _limited(said: str, status: int, received: Exchange) -> Outcome:
    if received.headers.get("x-should-retry") == "false":
        return _final("request", "rate-limit", said, status)
    return _retry("rate-limit", said, status)


def _served(fault: Fault, said: str, status: int, received: Exchange) -> Outcome:
    if received.headers.get("x-should-retry") == "false" or status in {501, 505}:
        return _final("request", "http", said, status)
    limited = fault.names("overloaded", "rate_limit") or status == 529
    return _retry("rate-limit" if limited else "http", said, status)


def _refused(fault: Fault, said: str, status: int) -> Outcome:
    if fault.names(*_TOO_LONG) or fault.names("content_filter", "content_policy"):
        return _final("request", "request", said, status)
    if status in {404, 405, 410}:
        no_model = fault.names("model") or fault.says("model") or fault.names("notfounderror")
        return _final("run", "model" if no_model else "http", said, status)
    if fault.names("invalid_model", "model_not_found") or fault.param == "model":
        return _final("run", "model", said, status)
    if fault.names(*_SETTING) or fault.param.split(".")[0].split("[")[0] in _SETTINGS:
        return _final("run", "request", said, status)
    return _final("request", "request", said, status)


_SETTINGS = frozenset(
    {"temperature", "max_tokens", "max_completion_tokens", "seed", "tools", "tool_choice", "top_p", "stream_options"}
)
"""Parameters that are equal in every request of a run: one refusal is the refusal of all."""


def _malformed(kind: Malformed, text: str | None) -> Outcome:
    return Outcome(action="sample", answer=Answer(text=text, malformed=kind))


def _retry(kind: FailureKind, message: str, status: int) -> Outcome:
    return Outcome(action="retry", failure=Failure(kind=kind, message=message, status=status))


def _final(action: Action, kind: FailureKind, message: str, status: int) -> Outcome:
    return Outcome(action=action, failure=Failure(kind=kind, message=message, status=status))
