"""Whether a sample is counted as malformed: the one rule of the sampler, of a resume and of a summary."""

from __future__ import annotations

from typing import TypeAlias

from corpora.heads import Head
from corpora.records import Record
from scoring.judging.names import plain_name

Sample: TypeAlias = Record | Head
"""A record, whole or by what a resume reads of it."""


def is_unread(sample: Sample, goal: str | None) -> bool:
    """Something in it cannot be read, and no call of `goal` can: the tool that its fixture is meant to reach.

    Where `goal` is None, nobody said which tool that is, and any call that can be read is enough.
    """
    if any(call.malformed is None and goal in (None, plain_name(call.name)) for call in sample.calls):
        return False
    return sample.malformed is not None or any(call.malformed for call in sample.calls)
