"""What one attempt can come to."""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.records import Failure, FailureKind, Malformed
from corpora.shapes.answers import Answer

Action = Literal["sample", "retry", "request", "run"]
"""sample: done, malformed or not. retry: another attempt. request, run: a final failure of this request, of the run."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt came to."""

    action: Action
    answer: Answer | None = None
    failure: Failure | None = None
    exhausted: Action = "request"
    """What a retry becomes when no attempt is left."""
    first_call: int | None = None
    """The byte of a stream at which its first call began."""


def malformed(kind: Malformed, text: str | None) -> Outcome:
    """A sample whose reply as a whole is no valid answer."""
    return Outcome(action="sample", answer=Answer(text=text, malformed=kind))


def retry(kind: FailureKind, message: str, status: int) -> Outcome:
    """A failure that can pass."""
    return Outcome(action="retry", failure=Failure(kind=kind, message=message, status=status))


def final(action: Action, kind: FailureKind, message: str, status: int) -> Outcome:
    """A failure that will not, of this request or of every one."""
    return Outcome(action=action, failure=Failure(kind=kind, message=message, status=status))
