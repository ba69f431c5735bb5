"""One stored call against one probe: its values, or why there is none that could be judged.

A value that is a member is a value, whatever it looks like. One that is not may be what a writer made of it: cut by a
limit, masked, or turned by a spreadsheet into another number. Such a value counts neither as in nor as out of the set.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from corpora.shapes.stored import StoredCall
from corpora.values import Json
from scoring.judging.arguments import extract, parse

Reason = Literal["truncated", "redacted", "mapped", "malformed", "unknown-shape", "damaged", "no-argument"]

_DOTS = r"(?:\.{3}|…|\\u2026)"
_CUT = re.compile(
    rf"litellm_truncated|[\[(<]\s*{_DOTS}?\s*truncated|{_DOTS}\s*[\[(]?\d+ more (?:char|byte)"
    r"|\btruncated \d+ (?:char|byte)",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"\s*(?:[\[<({]*\s*(?:redacted|masked|removed|filtered|scrubbed|hidden|pii)\b[^\]>)}]*[\]>)}]*"
    r"|\*{3,}|#{3,}|(?:sha-?\d+|md5|hmac|hash)[:_=-][0-9a-f…]{4,})\s*",
    re.IGNORECASE,
)
_LOSSY = re.compile(r"[-+]?\d(?:[.,]\d+)?E\+?\d+", re.IGNORECASE)
_CELL_ERROR = re.compile(r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!)|#{4,}", re.IGNORECASE)
_EXACT = 2**53
"""Above it a number that went through floating point may be another."""


class Value(NamedTuple):
    """One value of a call, or the reason for which there is none."""

    value: Json
    reason: Reason | None = None


class Arguments(NamedTuple):
    """A stored call read for one argument."""

    values: tuple[Value, ...]
    cut_elsewhere: bool = False
    """A mark of truncation stands in its text, and not in the value."""


def read_values(call: StoredCall, argument: str, *, required: bool) -> Arguments:
    """Every value of an argument in a call, or why there is none; see `doubt` for values that are no member."""
    value, marked = call.value, False
    if value is None:
        parsed = parse(call.arguments, call.wire_type, required=required)
        if parsed.value is None:
            return Arguments((Value(None, "truncated" if parsed.malformed == "truncated" else "malformed"),))
        value = parsed.value
        marked = call.arguments is not None and may_be_cut(call.arguments) and is_cut(call.arguments)
    found = tuple(Value(one.value, "no-argument" if one.emptiness else None) for one in extract(value, argument))
    return Arguments(found, cut_elsewhere=marked and not any(is_cut(one.value) for one in found))


def may_be_cut(text: str) -> bool:
    """A quick look: False only where no mark stands that `is_cut` knows."""
    folded = text.lower()
    return "trunc" in folded or " more " in folded


def is_cut(value: Json) -> bool:
    """Whether a mark stands in a text that says that some of it is missing."""
    return isinstance(value, str) and bool(_CUT.search(value))


def doubt(value: Json, *, spreadsheet: bool) -> Reason | None:
    """Why a value that is no member may not be what was emitted; None where nothing says so."""
    if isinstance(value, float) and abs(value) >= _EXACT:
        return "damaged"
    if not isinstance(value, str):
        return None
    if is_cut(value):
        return "truncated"
    if _MASKED.fullmatch(value):
        return "redacted"
    if spreadsheet and (_LOSSY.fullmatch(value.strip()) or _CELL_ERROR.fullmatch(value.strip())):
        return "damaged"
    return None
