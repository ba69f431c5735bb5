"""A reply that was cut off is that, whatever its finish reason says."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


def body(tokens: int, finish: str, text: str = "Which time", arguments: str | None = None) -> str:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if arguments is not None:
        message["tool_calls"] = [{"id": "c", "function": {"name": "schedule_window", "arguments": arguments}}]
    choice = {"message": message, "finish_reason": finish}
    return json.dumps({"id": "c", "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": tokens}})


@pytest.mark.parametrize(
    ("study", "tokens", "finish", "malformed"),
    [
        ({"max_tokens": 40}, 40, "stop", "truncated"),
        ({"params": {"max_completion_tokens": 40}}, 40, "stop", "truncated"),
        ({"max_tokens": 40}, 39, "stop", None),
        ({"max_tokens": 40}, 12, "length", "truncated"),
        ({}, 40, "stop", None),
    ],
    ids=["hidden", "hidden, by the other name", "one less", "said", "no limit set"],
)
async def test_words_that_used_every_token_were_cut(
    study: dict[str, Any], tokens: int, finish: str, malformed: str | None, wire: Any
) -> None:
    record, _, server = await wire.sampled(wire.response(body(tokens, finish)), study=study)
    assert (record.status, record.malformed, len(server.requests)) == ("ok", malformed, 1)
    assert ("token-limit-reached" in record.flags) == (malformed is not None and finish != "length")


async def test_a_call_that_was_cut_does_not_parse_and_a_whole_one_stays(wire: Any) -> None:
    cut, _, _ = await wire.sampled(
        wire.response(body(40, "tool_calls", arguments='{"user_id": "u')), study={"max_tokens": 40}
    )
    assert (cut.malformed, cut.calls[0].malformed) == (None, "truncated")
    whole = body(40, "tool_calls", arguments='{"user_id": "u", "starts_at": "x"}')
    record, _, _ = await wire.sampled(wire.response(whole), study={"max_tokens": 40, "max_turns": 1})
    assert (record.malformed, record.calls[0].malformed) == (None, None)
    assert "token-limit-reached" in record.flags
