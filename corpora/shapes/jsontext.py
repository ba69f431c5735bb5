"""JSON that stands somewhere in a text: where a value ends, and the exact text of what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator

from corpora.shapes.nodes import Node, Unreadable, mark_lone

_decoder = json.JSONDecoder(strict=False)
_MOST = 64
"""More objects are not looked at: a text may be made of nothing but braces."""

_NAMES = ("name", "function_name", "tool_name", "tool", "function", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "tool_input", "input", "kwargs")


def value_end(text: str, start: int) -> int:
    """Where the JSON value that begins at `start` ends; the end of the text where it is none."""
    try:
        return _decoder.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return len(text)


def objects_in(text: str) -> Iterator[Node]:
    """The outermost objects in a text, also those in an array."""
    at = text.find("{")
    for _ in range(_MOST):
        if at < 0:
            return
        end = _object_end(text, at)
        if end is not None:
            yield Node(mark_lone(text[at:end].encode("utf-8", "surrogatepass")))
        at = text.find("{", at + 1 if end is None else end)


def _object_end(text: str, at: int) -> int | None:
    try:
        value, end = _decoder.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return end if isinstance(value, dict) else None


def named_call(node: Node) -> tuple[str | None, str | None]:
    """The function that an object names and the exact text of its arguments; None where it does not say."""
    try:
        fields = node.fields()
        inner = fields.get("function")
        if inner is not None and inner.is_object:
            fields = inner.fields()
        name = next((fields[key].string() for key in _NAMES if key in fields and fields[key].is_string), None)
        found = next((fields[key] for key in _ARGUMENTS if key in fields), None)
        if found is None or found.is_null:
            return name, None
        text = found.text()
        return name, text.value if text else found.exact()
    except Unreadable:
        return None, None
