"""Time limits of many exchanges at once, looked at a few times a second.

A timer of its own for each would be set, moved and taken away with every request, which costs more than reading the
answer; and hardly one ever goes off.
"""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Self

_LOOKS = 20
"""In the shortest limit: an exchange may be late by a twentieth of that."""
_LONGEST_S = 0.25


class Watch:
    """Ends what takes too long, in one event loop. `shortest_s`: of all limits that it will be given."""

    def __init__(self, shortest_s: float) -> None:
        self._every_s = min(_LONGEST_S, shortest_s / _LOOKS)
        self._limits: set[Limit] = set()
        self._timer: asyncio.TimerHandle | None = None

    def limit(self, due_s: float) -> Limit:
        """A block that is cut when the system's monotonic clock has passed `due_s`, and raises TimeoutError then."""
        return Limit(self, due_s)

    def add(self, limit: Limit) -> None:
        """Look after a limit."""
        self._limits.add(limit)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._every_s, self._look)

    def discard(self, limit: Limit) -> None:
        """Forget a limit."""
        self._limits.discard(limit)

    def _look(self) -> None:
        now_s = time.monotonic()
        for limit in [limit for limit in self._limits if limit.due_s <= now_s]:
            self._limits.discard(limit)
            limit.cut()
        self._timer = asyncio.get_running_loop().call_later(self._every_s, self._look) if self._limits else None


class Limit:
    """The limit of one exchange. `due_s` may be moved while the block runs, for the price of an assignment."""

    __slots__ = ("_cancels", "_is_cut", "_task", "_watch", "due_s")

    def __init__(self, watch: Watch, due_s: float) -> None:
        self._watch = watch
        self._is_cut = False
        self.due_s = due_s

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a block that waits runs in a task
        self._task = task
        self._cancels = task.cancelling()
        self._watch.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Turn our own cancel into TimeoutError; where somebody else cancels as well, theirs goes on."""
        self._watch.discard(self)
        if self._is_cut and self._task.uncancel() <= self._cancels and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def cut(self) -> None:
        """End the block now."""
        self._is_cut = True
        self._task.cancel()
