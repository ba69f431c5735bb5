"""What one fixture of a world says and keeps to itself, and the words in which it says it."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TypeAlias

import msgspec

from corpora.errors import BadInput
from corpora.fixtures import Message
from corpora.jsonl import to_json
from corpora.values import Json, JsonObject

Way: TypeAlias = str | tuple[Message, ...]
"""A way of asking: what a user writes, or a list of messages, with slots."""

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_SLOT_AND_GAP = re.compile(r"([ \t]*)\{([a-z][a-z0-9_]*)\}")
_FREE = frozenset({"more", "record"})
"""The slots for what is said in one condition and not in another."""


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """One condition of one case: what is shown where, and what is hidden."""

    stratum: str
    tag: str
    """The end of the fixture's id."""
    state: JsonObject = {}
    user: tuple[str, ...] = ()
    """Sentences that the user adds."""
    record: tuple[str, ...] = ()
    """Sentences that a tool's answer adds."""
    hidden: JsonObject = {}
    truth: JsonObject = {}
    ruled_out: dict[str, JsonObject] = {}
    """`poisoned` or `negated` -> argument -> values."""

    def messages(self, way: Way, shown: JsonObject) -> list[JsonObject]:
        """A way of asking as JSON messages, its slots filled."""
        words = {name: as_words(value) for name, value in shown.items()}
        words |= {"more": " ".join(self.user), "record": " ".join(self.record)}
        return [_filled(message, words) for message in _with_more(_messages(way))]


def spoken(sentence: str, value: Json) -> str:
    """A sentence with its `{value}`."""
    return sentence.replace("{value}", as_words(value))


def as_words(value: Json) -> str:
    """A value as one writes it in a sentence; the items of a list stand between commas."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def has_record(way: Way) -> bool:
    """Tell whether there is a place for what a tool's answer says."""
    return any("{record}" in (message.content or "") for message in _messages(way))


def check_slots(way: Way, shown: Set[str], field: str) -> None:
    """Raise BadInput where a way has no user, or a slot that is no always shown fact."""
    messages = _messages(way)
    if not any(message.role == "user" and message.content for message in messages):
        raise BadInput("nobody asks; a way has a message of a user", field=field)
    used = {slot for message in messages for slot in _SLOT.findall(message.content or "")}
    strange = sorted(used - shown - _FREE)
    if strange:
        known = ", ".join(sorted(shown | _FREE))
        raise BadInput(f"the slot {{{strange[0]}}} is no fact that is always shown; known are {known}", field=field)


def _messages(way: Way) -> tuple[Message, ...]:
    return (Message(role="user", content=way),) if isinstance(way, str) else way


def _with_more(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Where no message says where the rest goes, it goes to the end of the last message of a user."""
    if any("{more}" in (message.content or "") for message in messages):
        return messages
    last = max(n for n, message in enumerate(messages) if message.role == "user" and message.content)
    ended = msgspec.structs.replace(messages[last], content=f"{messages[last].content} {{more}}")
    return (*messages[:last], ended, *messages[last + 1 :])


def _filled(message: Message, words: dict[str, str]) -> JsonObject:
    """Empty slots go with the gap before them; a message of calls alone has no words (TOML has no null)."""
    text = _SLOT_AND_GAP.sub(lambda slot: slot[1] + words[slot[2]] if words[slot[2]] else "", message.content or "")
    raw: JsonObject = to_json(message)
    return {**raw, "content": text or (None if message.tool_calls else "")}
