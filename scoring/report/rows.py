"""Rows of CSV (RFC 4180) in which a text is told from null, a number and a boolean: quotes say that it is a text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corpora.jsonl import encode_text
from scoring.report.escaping import safe

_AS_QUOTED = re.compile(r'|True|False|[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?|.*[",].*', re.DOTALL)
"""A text that would stand for something else without quotes: nothing, a boolean, a number, two cells."""


def as_rows(rows: Iterable[Iterable[object]]) -> str:
    """A line a row; cells that a spreadsheet would run are disarmed, and a list or an object is its JSON text."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return str(value)
    text = safe(value if isinstance(value, str) else encode_text(value))
    if text.startswith(("=", "+", "-", "@")):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _AS_QUOTED.fullmatch(text) else text
