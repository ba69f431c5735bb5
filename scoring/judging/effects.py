"""What a user's own stand-in for a service says it would have stored, in the place of what the corpus says."""

from __future__ import annotations

import msgspec

from corpora.lean import Sample
from corpora.records import USER_STUBS
from scoring.judging.verdicts import Verdict

_CORPUS_SAYS = frozenset({"defaulted", "laundered"})


def has_stand_in(record: Sample) -> bool:
    """Whether a stand-in of the user answered in this sample."""
    return USER_STUBS in record.flags


def as_stored(verdict: Verdict, record: Sample) -> Verdict:
    """A verdict with what the stand-in would have stored for its call.

    A default in the place of what was left out is flagged `defaulted`, another value in the place of one that is no
    member `laundered`.
    """
    if verdict.call is None or verdict.malformed is not None:
        return verdict
    call = record.calls[verdict.call]
    found = [effect.stored for effect in record.effects if (effect.turn, effect.index) == (call.turn, call.index)]
    stored = found[0] if found and isinstance(found[0], dict) else {}
    flags = tuple(flag for flag in verdict.flags if flag not in _CORPUS_SAYS)
    if verdict.argument not in stored:
        return msgspec.structs.replace(verdict, stored=verdict.emitted, flags=flags)
    value = stored[verdict.argument]
    if verdict.emptiness is not None:
        flags = (*flags, "defaulted")
    elif verdict.in_set is False and value != verdict.emitted:
        flags = (*flags, "laundered")
    return msgspec.structs.replace(verdict, stored=value, flags=flags)
