"""The shortest way through a file of chat completions: only the fields that a scan needs are decoded.

It answers for plain lines alone: a completion, or a request with one, whose calls have a name and a string of
arguments. For anything else it says None, and the line goes the long way; where it answers, both ways say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

from corpora.shapes.stored import TIMES, seconds
from corpora.shapes.wrapped import NAMES, says_yes
from corpora.values import Json


class PlainFunction(msgspec.Struct, frozen=True, gc=False):
    """What it calls."""

    name: str
    arguments: str


class PlainCall(msgspec.Struct, frozen=True, gc=False):
    """One call of a plain line."""

    function: PlainFunction
    id: str | None = None


class _Message(msgspec.Struct, frozen=True, gc=False):
    tool_calls: tuple[PlainCall, ...] | None = None
    function_call: None = None


class _Said(msgspec.Struct, frozen=True, gc=False):
    """A message of a conversation."""

    role: str
    content: str | None = None
    tool_calls: tuple[PlainCall, ...] | None = None
    function_call: None = None


class _Choice(msgspec.Struct, frozen=True, gc=False):
    message: _Message
    delta: None = None


_Never = Literal["\ufdd0 stands for no value"]
"""The type of a field that would make the record one of another shape: there, whatever it holds, it is refused."""


_TIMES, _LATER = TIMES[:4], TIMES[4:]
"""A record that tells its time by a later name alone goes the long way."""


def _with_times(name: str, fields: list[Any], foreign: tuple[str, ...]) -> type[Any]:
    """A Struct with the fields that tell the time, and without the foreign ones."""
    times = [(f"time{place}", Json, msgspec.UNSET) for place, _ in enumerate(_TIMES)]
    never = [(f"never{place}", _Never, msgspec.UNSET) for place, _ in enumerate((*_LATER, *foreign))]
    renamed = {f"time{place}": key for place, key in enumerate(_TIMES)}
    renamed |= {f"never{place}": key for place, key in enumerate((*_LATER, *foreign))}
    return msgspec.defstruct(name, [*fields, *times, *never], rename=renamed, frozen=True, gc=False)


_FOREIGN = ("fixture_id", "resourceSpans", "attributes", "observations", "type", "run_type")
_OTHER = (*_FOREIGN, *NAMES, "choices", "output", "candidates")

_Body = _with_times("_Body", [("choices", tuple[_Choice, ...])], (*_FOREIGN, *NAMES, "body"))
_Pair = _with_times("_Pair", [("response", _Body), ("cache_hit", bool | str | None, None)], _FOREIGN)
_Talk = _with_times(
    "_Talk", [("messages", tuple[_Said, ...]), ("model", Json, msgspec.UNSET)], (*_OTHER, "role", "content")
)
_One = _with_times(
    "_One",
    [
        ("role", Literal["assistant"]),
        ("content", str | None),
        ("tool_calls", tuple[PlainCall, ...] | None, None),
        ("function_call", None, None),
    ],
    _OTHER,
)
_Unread = (msgspec.DecodeError, RecursionError, UnicodeError)

Plain: TypeAlias = tuple[str, float | None, bool, tuple[PlainCall, ...]]
"""Shape, time, whether a cache replayed it, and its calls."""


def _of_body(top: Any) -> Plain:  # noqa: ANN401 - a Struct that was made above, as in the next ones
    return ("openai-chat", _at(top), False, _calls(top.choices))


def _of_pair(top: Any) -> Plain:  # noqa: ANN401
    body, at = top.response, _at(top)
    cached = top.cache_hit is not None and says_yes(top.cache_hit)
    return ("pair of openai-chat", _at(body) if at is None else at, cached, _calls(body.choices))


def _of_talk(top: Any) -> Plain | None:  # noqa: ANN401
    said = [message.tool_calls or () for message in top.messages if message.role == "assistant"]
    if not top.messages:
        return None
    kept = said[-1:] if top.model is not msgspec.UNSET else said
    return ("openai-messages", _at(top), False, tuple(call for calls in kept for call in calls))


def _of_one(top: Any) -> Plain:  # noqa: ANN401
    return ("openai-message", _at(top), False, top.tool_calls or ())


_FORMS: tuple[tuple[Callable[[bytes], Any], Callable[[Any], Plain | None]], ...] = (
    (msgspec.json.Decoder(_Body).decode, _of_body),
    (msgspec.json.Decoder(_Pair).decode, _of_pair),
    (msgspec.json.Decoder(_Talk).decode, _of_talk),
    (msgspec.json.Decoder(_One).decode, _of_one),
)
_PATIENCE = 100
"""After so many lines in a row that were not plain, no further one is tried."""


class ChatLines:
    """Reads line after line by the form of the last one."""

    def __init__(self) -> None:
        self._decode, self._read = _FORMS[0]
        self._strange = 0

    def read(self, line: bytes) -> Plain | None:
        """A plain line; None for any other."""
        try:
            return self._read(self._decode(line))
        except _Unread:
            return self._other(line) if self._strange < _PATIENCE else None

    def _other(self, line: bytes) -> Plain | None:
        for decode, read in _FORMS:
            try:
                plain = read(decode(line))
            except _Unread:
                continue
            self._decode, self._read, self._strange = decode, read, 0
            return plain
        self._strange += 1
        return None


def _calls(choices: tuple[_Choice, ...]) -> tuple[PlainCall, ...]:
    if len(choices) == 1:
        return choices[0].message.tool_calls or ()
    return tuple(call for choice in choices for call in choice.message.tool_calls or ())


def _at(top: Any) -> float | None:  # noqa: ANN401 - a Struct that was made above
    for value in (top.time0, top.time1, top.time2, top.time3):
        if value is not msgspec.UNSET:
            found = seconds(value)
            if found is not None:
                return found
    return None
