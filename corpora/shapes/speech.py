"""What a model says to the user, without what it says to itself: reasoning that a server left in the content.

The body keeps all of it; here only the words are told from the thoughts, so that a draft of a call is no call and a
question asked of itself is no question.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NAMES = "think|thinking|thought|reasoning|reflection|scratchpad|seed:think"
_TAG = re.compile(rf"<(?P<close>/?)(?:{_NAMES})>|\[(?P<end>/?)THINK\]", re.IGNORECASE)

# Harmony, whole: https://cookbook.openai.com/articles/openai-harmony
_CHANNEL = re.compile(
    r"<\|channel\|>(?P<channel>\w+)(?P<header>[^<]*(?:<\|constrain\|>[^<]*)?)<\|message\|>"
    r"(?P<body>.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
# Harmony with its markers lost: `analysis…assistantfinal…`
_LEAKED = re.compile(r"\A(?:assistant)?(?:analysis|commentary)(?!\w*\s+to=)")
_LEAKED_NEXT = re.compile(r"assistant(?P<channel>final|commentary|analysis)")


class Speech(NamedTuple):
    """The words, and flags that say what stood round them."""

    words: str
    flags: tuple[str, ...] = ()


def spoken(content: str) -> Speech:
    """The words of a content."""
    if "<|channel|>" in content:
        return _harmony(content)
    if _LEAKED.match(content) and _LEAKED_NEXT.search(content):
        return _leaked(content)
    if "<" in content or "[THINK]" in content.upper() or "[/THINK]" in content.upper():
        return _blocks(content)
    return Speech(content)


def _blocks(content: str) -> Speech:
    """Thoughts between tags. One closed that never opened began in the prompt; one never closed goes to the end."""
    words: list[str] = []
    at, inside, found = 0, False, False
    for tag in _TAG.finditer(content):
        closes = bool(tag["close"] or tag["end"])
        if closes and not inside:
            words = []
        elif not closes and not inside:
            words.append(content[at : tag.start()])
        at, inside, found = tag.end(), not closes, True
    if not found:
        return Speech(content)
    return Speech("".join([*words, "" if inside else content[at:]]).lstrip(), ("reasoning-in-content",))


def _harmony(content: str) -> Speech:
    """The final channel; a commentary to nobody is meant for the user too, one to a function is a call."""
    found = list(_CHANNEL.finditer(content))
    if not found:
        return Speech(content)
    calls = [part for part in found if "to=" in part["header"]]
    if calls:
        return Speech("".join(part.group() for part in calls), ("reasoning-leak",))
    said = [part for part in found if part["channel"] in {"final", "commentary"}]
    return Speech("".join(part["body"] for part in said), ("reasoning-leak",))


def _leaked(content: str) -> Speech:
    parts = _LEAKED_NEXT.split(content)  # thought, channel, text, channel, text, …
    pairs = list(zip(parts[1::2], parts[2::2], strict=True))
    said = [text for channel, text in pairs if channel == "final"]
    called = [f"{channel}{text}" for channel, text in pairs if channel != "final" and "to=functions." in text]
    return Speech("".join(said or called), ("reasoning-leak",))
