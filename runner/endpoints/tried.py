"""What one attempt came to."""

from __future__ import annotations

import msgspec

from runner.endpoints.results import Outcome
from runner.endpoints.transport import Exchange


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt: what was received, and what it was sorted into."""

    received: Exchange
    outcome: Outcome
    wait_s: float | None = None
    """The wait that the server asked for."""
    queued_s: float = 0.0
