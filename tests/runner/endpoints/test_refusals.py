"""What an error says: whom it concerns, whether it can pass, and what to do."""

from __future__ import annotations

import json

import httpx
import pytest

from runner.endpoints.faults import Fault, loose_fault
from runner.endpoints.openai_chat import OpenAIChat
from runner.endpoints.outcomes import sort
from runner.endpoints.refusals import refused
from runner.endpoints.transport import Exchange


def outcome(status: int, error: object, headers: dict[str, str] | None = None, *, before: bool = False):
    body = error if isinstance(error, bytes) else json.dumps(error).encode()
    received = Exchange(status=status, fields=tuple(httpx.Headers(headers or {}).raw), body=body)
    return sort(received, OpenAIChat(), answered_before=before)


@pytest.mark.parametrize(
    ("status", "error", "action", "kind"),
    [
        (200, {"type": "error", "error": {"type": "rate_limit_error", "message": "x"}}, "retry", "rate-limit"),
        (200, {"error": {"type": "authentication_error", "message": "x"}}, "run", "auth"),
        (200, {"error": {"type": "server_error", "message": "x"}}, "retry", "http"),
        (200, {"error": {"message": "x", "code": "something"}}, "request", "request"),
        (400, {"error": {"message": "x", "code": "content_filter"}}, "request", "request"),
        (
            400,
            {"error": {"message": "This model's maximum context length is 8 tokens; max_tokens"}},
            "request",
            "request",
        ),
        (400, {"error": {"message": "The model `m` does not exist"}}, "run", "model"),
        (400, {"error": {"message": "x", "param": "model"}}, "run", "model"),
        (400, {"error": {"message": "x", "param": "tools[0].function"}}, "run", "request"),
        (400, {"detail": "x"}, "request", "request"),
        (402, {"error": {"message": "x"}}, "run", "quota"),
        (404, {"error": {"message": "no such route"}}, "run", "http"),
        (405, b"<html>", "run", "http"),
        (409, {}, "retry", "http"),
        (422, {"detail": [{"loc": ["body"], "msg": "x"}]}, "request", "request"),
        (501, {}, "request", "http"),
        (503, {"error": {"message": "loading", "type": "unavailable_error", "code": 503}}, "retry", "http"),
        (500, {"error": {"message": "Failed to parse tool call: unexpected end"}}, "sample", None),
    ],
)
def test_an_error_is_sorted(status: int, error: object, action: str, kind: str | None) -> None:
    found = outcome(status, error)
    assert found.action == action
    assert (found.failure.kind if found.failure else None) == kind


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_says_not_to_come_back_is_obeyed(status: int) -> None:
    assert outcome(status, {}, {"x-should-retry": "false"}).action == "request"


@pytest.mark.parametrize(
    ("param", "way"),
    [
        ("temperature", "--drop-param temperature leaves it out"),
        ("max_tokens", "--param max_completion_tokens=N"),
        ("tools", None),
    ],
)
def test_a_refused_setting_says_the_way_out(param: str, way: str | None) -> None:
    found = outcome(400, {"error": {"message": "cannot be", "param": param}})
    assert found.failure is not None
    assert ("--" in found.failure.message) == (way is not None)
    assert (way or "") in found.failure.message


@pytest.mark.parametrize("body", [b"<html>Hello</html>", b"[]", b'"x"', b"{}", b'{"object":"list","data":[]}'])
def test_what_can_never_be_a_reply_stops_a_run_that_never_had_one(body: bytes) -> None:
    first, later = outcome(200, body), outcome(200, body, before=True)
    assert (first.action, later.action) == ("run", "request")
    assert first.failure is not None
    assert "is this the base URL of the API?" in first.failure.message


def test_a_body_that_is_broken_in_the_middle_is_a_sample() -> None:
    found = outcome(200, b'{"id": "c", "choices": [oops]}')
    assert found.answer is not None
    assert (found.action, found.answer.malformed) == ("sample", "not-json")


def test_a_refusal_without_words_has_the_first_words_of_its_body() -> None:
    received = Exchange(status=400, body=b"  <b>No\n\nway</b> ")
    found = refused(Fault(), 400, received)
    assert found.failure is not None
    assert found.failure.message == "<b>No way</b>"
    assert refused(Fault(), 400, Exchange(status=400)).failure.message == "HTTP 400"


def test_an_error_object_is_read_in_all_its_layouts() -> None:
    from corpora.shapes.nodes import Node

    layouts = [
        {"error": {"message": "m", "code": 404}},
        {"error": {"message": "m", "code": "404"}},
        {"object": "error", "message": "m", "code": 404},
        {"message": "m", "code": 404},
    ]
    assert {(f.message, f.code) for f in (loose_fault(Node(json.dumps(x).encode())) for x in layouts)} == {("m", "404")}
