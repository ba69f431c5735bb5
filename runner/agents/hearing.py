"""One reply of the model as it will stand in the record: its calls judged, the facts about it, its turn."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from corpora.corpus import Corpus, Tool
from corpora.jsonl import text_or_base64
from corpora.records import Call, Turn
from corpora.shapes.answers import Answer, Emitted
from corpora.shapes.dialects import calls_in
from corpora.shapes.finish import is_truncated
from corpora.values import JsonObject
from runner.agents.facts import facts
from runner.endpoints.base import Reply
from scoring.judging.reading import read_call


class Heard(NamedTuple):
    """A reply, read: for each call the tool that it names, and its arguments where they are not malformed."""

    answer: Answer
    """With the calls that stood in its words."""
    calls: tuple[Call, ...]
    tools: tuple[Tool | None, ...]
    values: tuple[JsonObject | None, ...]
    flags: tuple[str, ...]


def hear(answer: Answer, turn: int, corpus: Corpus) -> Heard:
    """Read the reply of one turn."""
    whole = _with_calls_in_text(answer, corpus)
    cut = is_truncated(whole.finish_reason)
    unread = [_call(turn, index, emitted) for index, emitted in enumerate(whole.calls)]
    found = [read_call(call, call.index, corpus, cut=cut) for call in unread]
    calls = tuple(
        msgspec.structs.replace(call, malformed=read.malformed, offered=read.tool is not None)
        for call, read in zip(unread, found, strict=True)
    )
    values = tuple(read.value for read in found)
    flags = facts(whole.text, calls, values, spoken=whole.malformed is None)
    return Heard(whole, calls, tuple(read.tool for read in found), values, flags)


def _with_calls_in_text(answer: Answer, corpus: Corpus) -> Answer:
    """An answer without a call may hold one that the server left in the words."""
    if answer.calls or not answer.text:
        return answer
    found = calls_in(answer.text, frozenset(tool.name for tool in corpus.tools))
    return msgspec.structs.replace(answer, calls=found) if found else answer


def _call(turn: int, index: int, emitted: Emitted) -> Call:
    return Call(
        turn=turn,
        index=index,
        id=emitted.id,
        name=emitted.name,
        offered=False,
        arguments=emitted.arguments,
        escaped=emitted.escaped,
        wire_type=emitted.wire_type,
        source=emitted.source,
    )


def turn_of(reply: Reply) -> Turn:
    """A reply as a turn. The body of one that failed stands among its attempts."""
    answer = reply.answer
    body = text_or_base64(reply.body) if answer else (None, None)
    return Turn(
        text=answer.text if answer else None,
        response=body[0],
        response_base64=body[1],
        status=reply.status,
        finish_reason=answer.finish_reason if answer else None,
        response_id=answer.response_id if answer else None,
        request_sha256=reply.request_sha256,
        attempts=reply.attempts,
        ttfb_s=reply.ttfb_s,
        latency_s=reply.latency_s,
        first_call_s=reply.first_call_s,
    )
