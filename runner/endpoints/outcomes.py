"""One function sorts everything that can come of a request: sample, malformed sample, retry, fatal for it or the run.

What the model may have caused is a sample, however broken: trying it again would redraw it and bias the rate. What the
transport or the service caused is tried again. What would happen to every other request stops the run.
"""

from __future__ import annotations

import msgspec

from corpora.records import Failure, FailureKind
from corpora.shapes.bodies import Body, NoReply, open_body
from corpora.shapes.nodes import Node, Unreadable, unmark
from corpora.shapes.sse import events, has_end, is_stream
from runner.endpoints.base import Api
from runner.endpoints.faults import Fault, fault_in, first_words, loose_fault
from runner.endpoints.refusals import refused, status_of
from runner.endpoints.results import Action, Outcome, final, malformed, retry
from runner.endpoints.transport import Exchange


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
        return final("run", "redirect", f"the endpoint moved to {where}; name that address, nothing follows it", status)
    if not received.body.strip() and status < 300:
        return retry("cut", "the answer is empty", status)
    plain = api.plainly(received.body) if status < 300 else None
    if plain is not None:
        return Outcome(action="sample", answer=plain)
    try:
        body, first_call = _opened(received.body, api)
    except NoReply as error:
        return _unreadable(error, received, answered_before=answered_before)
    if status >= 400:
        return refused(loose_fault(body.node), status, received)
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
        return refused(fault, fault.status or status_of(fault), received)
    if not api.is_reply(node):
        return _no_answer(f"the answer is no reply of {api.name}", status, answered_before=answered_before)
    try:
        answer = api.read(node)
    except Unreadable:
        return malformed("not-json", None)
    whole = msgspec.structs.replace(answer, flags=(*flags, *answer.flags), raw=unmark(node.raw))
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
        return refused(Fault(message=first_words(received.body)), status, received)
    if error.cut:
        return retry("cut", "the answer ends in the middle", status)
    if error.foreign:
        what = f"the answer is no JSON but {first_words(received.body)!r}"
        return _no_answer(what, status, answered_before=answered_before)
    return malformed(error.kind, None)


def _no_answer(what: str, status: int, *, answered_before: bool) -> Outcome:
    """A body that can never be a reply: where none came before, the address is not that of the API."""
    hint = "" if answered_before else "; is this the base URL of the API?"
    return final("request" if answered_before else "run", "answer", what + hint, status)
