"""What a model was shown, as a service can say it at call time, made a world that is searched.

A text (what the user said), messages in the shape of a chat or responses API, a JSON state, or both under the names
`messages` and `state`. User turns, tool results and the state are sources. System and developer texts, and the model's
own words, are none; nor is a message of a role that is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.jsonl import encode_text
from corpora.values import Json
from scoring.judging.leaves import Leaf
from scoring.judging.texts import Source
from scoring.judging.view import Tree
from scoring.judging.visible import World, tool_result

_NOWHERE = Fixture(id="", stratum="", messages=(), sha256="", line=0)
_BOTH = frozenset({"messages", "state"})
_TOOL = frozenset({"tool", "function", "tool_result", "function_call_output", "custom_tool_call_output"})
_OWN = frozenset({"assistant", "model", "function_call", "tool_use", "custom_tool_call"})


class Said(NamedTuple):
    """One piece of a conversation: whose it is, in which message, and its text."""

    role: str
    message: int
    text: str


def world(shown: Json, schema: list[Source]) -> World:
    """The world that `shown` makes visible; `schema`: the texts of the tool's own description."""
    parts: list[Leaf | Tree] = []
    spoken: list[Source] = []
    system: list[str] = []
    messages, state = _parts(shown)
    if state is not None:
        parts.append(Tree("state", None, state))
    for role, number, text in said(messages) if messages != () else ():
        if role == "user":
            parts.append(Leaf("user", number, None, text, Source(text)))
        elif role in _TOOL:
            parts.append(tool_result(number, text))
        elif role in _OWN:
            spoken.append(Source(text))
        else:
            system.append(text)
    return World(_NOWHERE, parts, spoken, schema, Source("\n".join(system)))


def _parts(shown: Json) -> tuple[Json, Json]:
    """The messages and the state."""
    if isinstance(shown, str):
        return shown, None
    if isinstance(shown, Mapping):
        if shown.keys() <= _BOTH:
            return shown.get("messages", ()), shown.get("state")
        return (), shown
    return shown, None


def said(messages: Json) -> Iterator[Said]:
    """The pieces of a conversation. Raises BadInput where it is none."""
    if isinstance(messages, str):
        yield Said("user", 0, messages)
        return
    if not isinstance(messages, (tuple, list, Sequence)):  # in this order a third of the time
        raise BadInput(f"expected a text, messages or a state; found {type(messages).__name__}", field="shown")
    for number, message in enumerate(messages):
        if isinstance(message, str):
            yield Said("user", number, message)
        elif isinstance(message, Mapping):
            yield from _message(number, message)
        else:
            raise BadInput(f"message {number} is no object, but {type(message).__name__}", field="shown")


def _message(number: int, message: Mapping[str, Json]) -> Iterator[Said]:
    role = message.get("role") or message.get("type")
    if not isinstance(role, str):
        raise BadInput(f"message {number} names neither a role nor a type", field="shown")
    yield from _content(role, number, message.get("content"))
    for key in ("output", "arguments", "input"):
        yield from _content(role, number, message.get(key))
    for call in message.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        yield from _content("assistant", number, function.get("arguments") if isinstance(function, Mapping) else None)


def _content(role: str, number: int, content: Json) -> Iterator[Said]:
    """A content: a text, or parts that hold texts; a tool's result inside a user's message is the tool's."""
    if isinstance(content, str):
        yield Said(role, number, content)
    elif isinstance(content, Mapping):
        yield Said(role, number, encode_text(content))
    elif isinstance(content, Sequence):
        for part in content:
            kind = part.get("type") if isinstance(part, Mapping) else None
            whose = kind if kind in _TOOL or kind in _OWN else role
            if isinstance(part, Mapping):
                for key in ("text", "content", "input", "output"):
                    yield from _content(whose, number, part.get(key))
