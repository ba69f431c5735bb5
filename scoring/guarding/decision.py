"""Decision: may this call pass, and why, in words that a person and a model can read."""

from __future__ import annotations

import msgspec

from corpora.values import Json, JsonObject, Measure
from scoring.judging.verdicts import Verdict
from scoring.report.escaping import shown

_MOST_SHOWN = 80
"""So many characters of a value stand in a sentence."""


class Decision(Verdict, frozen=True, kw_only=True):
    """The verdict on a whole call: the fields are those of the finding that decided.

    That is the first that refuses, else the first of all. `run_id`, `model`, `fixture_id` and `stratum` are empty: no
    run, no model and no fixture is known at call time.
    """

    allow: bool
    reason: str
    refused: tuple[Decision, ...] = ()
    """Every finding that refuses, each with its reason, in the order of the probes; empty where the call may pass."""

    def line(self) -> JsonObject:
        """The decision as one JSON object: allow, reason, then the fields of a verdict."""
        fields: JsonObject = {name: getattr(self, name) for name in Verdict.__struct_fields__}
        return {"allow": self.allow, "reason": self.reason, **fields}


def blank(tool: str, argument: str = "", measure: Measure = "membership") -> Decision:
    """A decision that says nothing yet, and lets nothing pass."""
    return Decision(
        run_id="",
        model="",
        fixture_id="",
        sample=0,
        stratum="",
        tool=tool,
        argument=argument,
        measure=measure,
        allow=False,
        reason="",
    )


def refusal(plain: Decision, reason: str) -> Decision:
    """The decision that refuses a call for what is known of it as a whole."""
    found = msgspec.structs.replace(plain, allow=False, reason=reason)
    return msgspec.structs.replace(found, refused=(found,))


def flagged(decision: Decision, *flags: str) -> Decision:
    """A decision with more facts about it."""
    return msgspec.structs.replace(decision, flags=(*decision.flags, *flags))


def quoted(value: Json) -> str:
    """A value as it stands in a sentence: as JSON, cut where it is long, nothing in it that a terminal would obey."""
    if isinstance(value, str):
        if len(value) <= _MOST_SHOWN and value.isascii() and value.isprintable() and not _ESCAPED.intersection(value):
            return f'"{value}"'
        value = value[: _MOST_SHOWN + 1].encode(errors="backslashreplace").decode()
    return shown(value, _MOST_SHOWN)


_ESCAPED = frozenset('"\\')
_MALFORMED = {
    "not-utf8": "they are no UTF-8",
    "not-json": "they are no JSON",
    "not-object": "they are no JSON object",
    "truncated": "they are cut off",
    "duplicate-key": "a key stands in them twice",
    "non-standard-constant": "they hold NaN or an infinity, which JSON does not have",
    "arguments-absent": "there are none, and the tool requires some",
    "empty-arguments": "there are none, and the tool requires some",
    "double-encoded": "they are a string that holds JSON, and no object",
    "trailing-text": "text stands behind the object",
    "missing-brace": "a bracket is missing at the end",
    "python-literal": "they are written as Python, and not as JSON",
}


def malformed_reason(tool: str, malformed: str) -> str:
    """Why arguments that are no call are refused."""
    return f"the arguments of {tool} cannot be read: {_MALFORMED.get(malformed, malformed)}"
