"""Whether a call is recorded as it came."""

from __future__ import annotations

import json

from corpora.records import Call, Record


def stands_in_its_body(record: Record, call: Call) -> bool:
    """Whether arguments are, letter by letter, those of the body; those of a call left in the words stand there."""
    message = json.loads(record.turns[call.turn].response or "")["choices"][0]["message"]
    if call.source == "content":
        return (call.arguments or "") in message["content"]
    return call.arguments == message["tool_calls"][call.index]["function"]["arguments"]
