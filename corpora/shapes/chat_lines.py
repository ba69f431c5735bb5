"""The shortest way through a file of chat completions: only the fields that a scan needs are decoded.

It answers for plain lines alone: a completion, or a request with one, whose calls have a name and a string of
arguments. For anything else it says None, and the line goes the long way; where it answers, both ways say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec

from corpora.shapes.replies import ANSWERS
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


_FOREIGN = ("fixture_id", "resourceSpans", "attributes", "observations", "type", "run_type")
_NO_REPLY = (*_FOREIGN, *NAMES, *ANSWERS, "choices", "candidates")

Plain: TypeAlias = tuple[str, float | None, bool, tuple[PlainCall, ...]]
"""Shape, time, whether a cache replayed it, and its calls."""

Clock: TypeAlias = Callable[[Any], float | None]


def _struct(fields: list[Any], times: tuple[str, ...], foreign: tuple[str, ...]) -> type[Any]:
    """A Struct with these fields and those that tell the time, and with no other that could tell it."""
    never = [name for name in TIMES if name not in times] + list(foreign)
    listed = [(f"time{place}", Json, msgspec.UNSET) for place, _ in enumerate(times)]
    refused = [(f"never{place}", _Never, msgspec.UNSET) for place, _ in enumerate(never)]
    renamed = {f"time{place}": name for place, name in enumerate(times)}
    renamed |= {f"never{place}": name for place, name in enumerate(never)}
    return msgspec.defstruct("Line", [*fields, *listed, *refused], rename=renamed, frozen=True, gc=False)


def _clock(times: tuple[str, ...]) -> Clock:
    """What tells the time of such a Struct: the first of its times that is one."""
    if not times:
        return lambda _: None
    if len(times) == 1:
        return lambda top: seconds(top.time0)
    names = [f"time{place}" for place, _ in enumerate(times)]

    def first(top: Any) -> float | None:  # noqa: ANN401 - a Struct that was made here
        """The first of the times that can be read, in seconds since 1970; None where none can."""
        found = (seconds(getattr(top, name)) for name in names)
        return next((at for at in found if at is not None), None)

    return first


class _Form(NamedTuple):
    """One kind of line: what decodes it, and what reads it."""

    decode: Callable[[bytes], Any]
    read: Callable[[Any], Plain]


def _body(times: tuple[str, ...]) -> _Form:
    top = _struct([("choices", tuple[_Choice, ...])], times, (*_FOREIGN, *NAMES, "body"))
    at = _clock(times)
    return _Form(msgspec.json.Decoder(top).decode, lambda line: ("openai-chat", at(line), False, _calls(line.choices)))


_Inner = _struct([("choices", tuple[_Choice, ...])], ("created",), (*_FOREIGN, *NAMES, "body"))


def _pair(times: tuple[str, ...]) -> _Form:
    top = _struct([("response", _Inner), ("cache_hit", bool | str | None, None)], times, _FOREIGN)
    at = _clock(times)

    def read(line: Any) -> Plain:  # noqa: ANN401
        """The shape of a line, its time, whether it came from a cache, and its calls."""
        body, moment = line.response, at(line)
        if moment is None:
            moment = seconds(body.time0)
        cached = line.cache_hit is not None and says_yes(line.cache_hit)
        return "pair of openai-chat", moment, cached, _calls(body.choices)

    return _Form(msgspec.json.Decoder(top).decode, read)


def _talk(times: tuple[str, ...]) -> _Form:
    messages = Annotated[tuple[_Said, ...], msgspec.Meta(min_length=1)]
    top = _struct([("messages", messages), ("model", Json, msgspec.UNSET)], times, (*_NO_REPLY, "role", "content"))
    at = _clock(times)

    def read(line: Any) -> Plain:  # noqa: ANN401
        """The shape of a line, its time, whether it came from a cache, and its calls."""
        said = [message.tool_calls or () for message in line.messages if message.role == "assistant"]
        kept = said if line.model is msgspec.UNSET else said[-1:]
        return "openai-messages", at(line), False, tuple(call for calls in kept for call in calls)

    return _Form(msgspec.json.Decoder(top).decode, read)


def _message(times: tuple[str, ...]) -> _Form:
    calls = tuple[PlainCall, ...] | None
    fields = [("role", Literal["assistant"]), ("content", str | None), ("tool_calls", calls, None)]
    top = _struct([*fields, ("function_call", None, None)], times, _NO_REPLY)
    at = _clock(times)
    return _Form(
        msgspec.json.Decoder(top).decode, lambda line: ("openai-message", at(line), False, line.tool_calls or ())
    )


def _calls(choices: tuple[_Choice, ...]) -> tuple[PlainCall, ...]:
    if len(choices) == 1:
        return choices[0].message.tool_calls or ()
    return tuple(call for choice in choices for call in choice.message.tool_calls or ())


_KINDS = {"response": _pair, "choices": _body, "messages": _talk, "role": _message}
"""By the field that tells them, in the order in which the long way asks for it."""

_names = msgspec.json.Decoder(dict[str, msgspec.Raw])
_Unread = (msgspec.DecodeError, RecursionError, UnicodeError)
_PATIENCE = 100
"""After so many lines in a row that were not plain, no further one is tried."""
_MOST_FORMS = 32


class ChatLines:
    """Reads line after line by the form of the last one, and learns another where that does not fit."""

    def __init__(self) -> None:
        self._forms: dict[tuple[str, tuple[str, ...]], _Form] = {}
        self._decode, self._read = _body(("created",))
        self._strange = 0

    def read(self, line: bytes) -> Plain | None:
        """A plain line; None for any other."""
        try:
            return self._read(self._decode(line))
        except _Unread:
            return self._learn(line) if self._strange < _PATIENCE else None

    def _learn(self, line: bytes) -> Plain | None:
        self._strange += 1
        try:
            fields = _names.decode(line)
            form = self._form(fields)
            if form is None:
                return None
            plain = form.read(form.decode(line))
        except _Unread:
            return None
        self._decode, self._read = form
        self._strange = 0
        return plain

    def _form(self, fields: Collection[str]) -> _Form | None:
        """The form of a line with such fields; None where it can have none, or too many forms were met."""
        kind = next((name for name in _KINDS if name in fields), None)
        if kind is None:
            return None
        key = (kind, tuple(name for name in TIMES if name in fields))
        if key not in self._forms and len(self._forms) < _MOST_FORMS:
            self._forms[key] = _KINDS[kind](key[1])
        return self._forms.get(key)
