"""Calls that a model wrote as Python in its text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple


class Found(NamedTuple):
    """A call in a text: the tool that it names, and its arguments as they stand there."""

    name: str | None
    arguments: str | None


_LISTED = re.compile(r"\[\s*(?=[A-Za-z_][\w.]*\()")
_PRINTED = re.compile(r"\A\s*(?:print\()?(?=[A-Za-z_][\w.]*\()")
_LISTED_END = re.compile(r"\)\s*\]")


def pythonic(text: str, offered: Collection[str]) -> Iterator[Found]:
    """[NAME(key="value")] of Llama and Gemma, or NAME(…) as the whole text, where the tool was offered."""
    listed = _LISTED.search(text)
    if listed and _LISTED_END.search(text, listed.end()):
        yield from pythonic_in(text[listed.end() :], offered)
    elif (printed := _PRINTED.match(text)) and text.rstrip().endswith(")"):
        yield from pythonic_in(text[printed.end() :], offered)


def pythonic_in(text: str, offered: Collection[str]) -> Iterator[Found]:
    """Every call of an offered tool in Python code; what stands in the arguments of one is no other."""
    if not offered:
        return
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(offered)))})\(")
    at = 0
    while match := named.search(text, at):
        at = _closing(text, match.end())
        inside = text[match.end() : at]
        if not inside.strip() or "=" in inside or inside.lstrip().startswith("{"):
            yield Found(match.group()[:-1], inside)


def _closing(text: str, start: int) -> int:
    """Where the parenthesis opened just before `start` closes; the end of the text where it does not."""
    depth, quote = 1, ""
    for at in range(start, len(text)):
        character = text[at]
        if quote:
            quote = "" if character == quote and text[at - 1] != "\\" else quote
        elif character in "\"'":
            quote = character
        elif character in "()":
            depth += 1 if character == "(" else -1
            if depth == 0:
                return at
    return len(text)
