"""What a stored payload holds: calls of tools, when they were made, and what of it cannot be read.

Stored is not emitted: a log may hold the string that the model wrote, or only the object that some writer made of it.
`verbatim` says which. Nothing here restores what a writer lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import msgspec

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.records import WireType
from corpora.shapes.answers import Answer
from corpora.shapes.streamed import may_be_stream, whole
from corpora.values import Json, JsonObject


class StoredCall(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One call of a tool, as it was stored."""

    tool: str | None
    """None where the record names none."""
    arguments: str | None = None
    """The string that was stored; None where only an object survived."""
    value: JsonObject | None = None
    """The object that survived in its place."""
    wire_type: WireType = "string"
    id: str | None = None

    @property
    def verbatim(self) -> bool:
        """Whether the emitted string itself was stored."""
        return self.arguments is not None


class Stored(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One stored record, read."""

    shape: str
    calls: tuple[StoredCall, ...] = ()
    at: float | None = None
    """When, in seconds since 1970 UTC; None where the record does not say."""
    flags: tuple[str, ...] = ()
    """Facts about the record: `cache-hit`."""
    skipped: tuple[str, ...] = ()
    """A reason for every part that may hold a call and cannot be read."""


Inner = Callable[[Json], Stored | None]
"""Reads a payload that stands inside another; None where its shape is unknown."""

Reader = Callable[[JsonObject, Inner], Stored | None]
"""Reads a record of one shape; None where it is of another."""


def stored_call(tool: Json, arguments: Json, call_id: Json = None) -> StoredCall:
    """A call from the decoded values of its fields, whatever kinds they are."""
    name = tool if isinstance(tool, str) else None
    known = call_id if isinstance(call_id, str) else None
    match arguments:
        case str():
            return StoredCall(tool=name, arguments=arguments, id=known)
        case dict():
            return StoredCall(tool=name, value=arguments, wire_type="object", id=known)
        case None:
            return StoredCall(tool=name, wire_type="null", id=known)
    return StoredCall(tool=name, arguments=str(arguments), id=known)


def of_answer(answer: Answer) -> tuple[StoredCall, ...]:
    """The calls of a reply that a shape of an endpoint has read; what stands in its words is no call."""
    return tuple(
        StoredCall(tool=call.name, value=_object(call.arguments), wire_type="object", id=call.id)
        if call.wire_type == "object"
        else StoredCall(tool=call.name, arguments=call.arguments, wire_type=call.wire_type, id=call.id)
        for call in answer.calls
        if call.source != "content"
    )


def _object(text: str | None) -> JsonObject:
    value = maybe_json(text)
    return value if isinstance(value, dict) else {}


def maybe_json(value: Json) -> Json:
    """The value in a string of JSON, or in the events of a stream of it; the value itself where it is neither."""
    if not isinstance(value, str):
        return value
    text = (whole(value) or "") if may_be_stream(value) else value
    if text.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return decode_value(text)
    except BadInput:
        return value


def is_cut(value: Json) -> bool:
    """Whether a value is the beginning of JSON, or of a stream of it, whose end is missing."""
    if not isinstance(value, str) or not isinstance(maybe_json(value), str):
        return False
    return value.lstrip()[:1] in ("{", "[") or (may_be_stream(value) and whole(value) is not None)


def once(calls: Iterable[StoredCall]) -> tuple[StoredCall, ...]:
    """Each call once: a trace that repeats its last generation repeats the ids of its calls."""
    found: dict[object, StoredCall] = {}
    for place, call in enumerate(calls):
        found.setdefault(call.id if call.id is not None else place, call)
    return tuple(found.values())


TIMES = (
    "timestamp", "created_at", "createdAt", "created", "create_time", "started_at", "start_time", "startTime",
    "startTimeUnixNano", "start_time_unix_nano", "time", "ts", "@timestamp", "date", "logged_at", "ended_at",
)  # fmt: skip


def when(record: JsonObject) -> float | None:
    """When a record was made, by the first field that says so, in seconds since 1970 UTC."""
    for name in TIMES:
        if name in record:
            found = seconds(record[name])
            if found is not None:
                return found
    return None


_MAGNITUDES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From so much on a number counts nanoseconds, microseconds, milliseconds; below it seconds."""


def seconds(value: Json) -> float | None:
    """A time as logs write it: seconds, milliseconds or finer since 1970, or ISO 8601 (without a zone: UTC)."""
    if isinstance(value, str):
        return _from_text(value)
    if type(value) is not int and type(value) is not float:
        return None
    if 1e8 <= value < 1e11:
        return float(value)
    if not 1e11 <= value < 1e20:
        return None
    return value / next(unit for least, unit in _MAGNITUDES if value >= least)


def _from_text(text: str) -> float | None:
    if text.isascii() and text.isdigit():
        return seconds(int(text)) if len(text) <= 20 else None
    try:
        moment = datetime.fromisoformat(text.strip().removesuffix(" UTC"))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
