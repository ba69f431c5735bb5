"""The clocks that an endpoint goes by, in one place, so that a test can bring its own."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import anyio
import msgspec


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """Time as it passes, time as dates tell it, and waiting."""

    clock: Callable[[], float] = time.monotonic
    """The event loop's own clock, without the detour over what kind of loop it is."""
    now: Callable[[], datetime] = _utc_now
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep


REAL = Timing()
