"""A record's calls read again from what was kept: which tool each names, and what its arguments are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corpora.corpus import Corpus, Tool
from corpora.lean import LeanCall, Sample
from corpora.records import Call, Malformed
from corpora.shapes.dialects import calls_in
from corpora.shapes.finish import is_truncated
from corpora.values import JsonObject
from scoring.judging.arguments import parse
from scoring.judging.names import plain_name


class ReadCall(NamedTuple):
    """One call: its place in the record, its turn, the tool it names (None where not offered), and its arguments."""

    place: int
    turn: int
    tool: Tool | None
    value: JsonObject | None
    malformed: Malformed | None
    flags: tuple[str, ...]


def read_calls(record: Sample, corpus: Corpus) -> tuple[ReadCall, ...]:
    """Every call of a record, in its order."""
    calls: Sequence[Call | LeanCall] = record.calls or _unheard(record, corpus)
    return tuple(read_call(call, index, corpus, cut=_was_cut(record, call.turn)) for index, call in enumerate(calls))


def _unheard(record: Sample, corpus: Corpus) -> list[LeanCall]:
    """Calls that a server left in the words of a reply without any other, where the record does not have them."""
    if not record.text:
        return []
    turn = max(0, len(record.turns) - 1)
    return [
        LeanCall(turn=turn, name=found.name, source="content")
        for found in calls_in(record.text, [tool.name for tool in corpus.tools])
    ]


def read_call(call: Call | LeanCall, index: int, corpus: Corpus, *, cut: bool) -> ReadCall:
    """One call. `cut`: the model was stopped by the token limit in the turn of this call."""
    name = plain_name(call.name)
    tool = corpus.tool(name)
    flags = ("tool-name-normalised",) if tool is not None and name != call.name else ()
    if call.source == "content":
        return ReadCall(index, call.turn, tool, None, "in-text", flags)
    if not name:
        return ReadCall(index, call.turn, None, None, "tool-name", flags)
    value, malformed = parse(call.arguments, call.wire_type, required=tool is None or bool(tool.required))
    if cut and value is not None:
        if tool is not None and any(field not in value for field in tool.required):
            return ReadCall(index, call.turn, tool, None, "truncated", flags)
        flags = (*flags, "cut-at-limit")
    return ReadCall(index, call.turn, tool, value, malformed, flags)


def _was_cut(record: Sample, turn: int) -> bool:
    return turn < len(record.turns) and is_truncated(record.turns[turn].finish_reason)


_REPLY = frozenset(
    {"not-utf8", "in-text", "framing", "no-choices", "empty-message", "upstream-rejected", "upstream-malformed"}
)


def reply_malformed(record: Sample, calls: tuple[ReadCall, ...]) -> str | None:
    """How the reply as a whole is no valid answer: its own fault, or that of a call in its last turn."""
    if record.malformed in _REPLY or not calls:
        return record.malformed
    last = max(call.turn for call in calls)
    if last + 1 < len(record.turns):
        return None
    return next((call.malformed for call in calls if call.turn == last and call.malformed is not None), None)
