"""What kind of text it is that is no strict JSON object: cut, fenced, Python, or with something behind it."""

from __future__ import annotations

import ast
import json

from corpora.records import Malformed
from scoring.judging.strict import decoder, is_object


def how_broken(text: str) -> Malformed:
    """What kind of text that is no strict JSON: the first that holds."""
    shown = text.strip()
    if shown.startswith("```"):
        return "fenced"
    if "<|" in shown or shown.startswith(("<tool_call", "[TOOL_CALLS]")):
        return "framing"
    stripped = text.strip(" \t\n\r")  # other blanks round an object are what makes it no JSON
    if _object_then_more(stripped):
        return "trailing-text"
    open_ones, in_string = _left_open(stripped)
    if open_ones and not in_string and is_object(stripped + open_ones):
        return "missing-brace"
    if _python(stripped):
        return "python-literal"
    return "truncated" if (open_ones or in_string) and stripped.startswith("{") and _cut(stripped) else "not-json"


def _object_then_more(text: str) -> bool:
    try:
        value, end = decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and end < len(text)


def _left_open(text: str) -> tuple[str, bool]:
    """The closers that are missing at the end, innermost first; and whether the text ends inside a string."""
    closers: list[str] = []
    in_string = escaped = False
    for character in text:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "{[":
            closers.append("}" if character == "{" else "]")
        elif character in "}]" and closers:
            closers.pop()
    return "".join(reversed(closers)), in_string


def _cut(text: str) -> bool:
    """The text is the beginning of an object: the decoder finds its first fault at the end, or in an open string."""
    try:
        decoder.decode(text)
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or not text[error.pos :].strip(' \n\t\r,:-."tfnrueals\\')
    except (ValueError, RecursionError):
        return False
    return False  # pragma: no cover - only called for text that does not decode


_LONGEST_PYTHON = 100_000


def _python(text: str) -> bool:
    """A dict as Python prints it; a very long text is not read as one, since its tree would fill the memory."""
    if not text.startswith("{") or len(text) > _LONGEST_PYTHON:
        return False
    try:
        return isinstance(ast.literal_eval(text), dict)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
