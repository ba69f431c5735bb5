"""How a run is asked to stop, first politely, then at once; and whether a drive is at its end, and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import anyio


class Stop:
    """Shared by whoever stops a run and whoever drives it: `request` ends new work, `abort` cuts what is in flight."""

    def __init__(self) -> None:
        self.requested = False
        self.aborted = False
        self._scopes: list[anyio.CancelScope] = []

    def request(self) -> None:
        """No new work; what is in flight may finish."""
        self.requested = True

    def abort(self) -> None:
        """What is in flight is cut."""
        self.requested = self.aborted = True
        for scope in self._scopes:
            scope.cancel()

    @contextmanager
    def aborts(self, scope: anyio.CancelScope) -> Iterator[None]:
        """Cancel a scope when this is aborted."""
        self._scopes.append(scope)
        if self.aborted:
            scope.cancel()
        try:
            yield
        finally:
            self._scopes.remove(scope)


class End:
    """Whether a drive is at its end, and why. Its scope holds all that the drive waits for."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.scope = anyio.CancelScope()
        self.fatal: str | None = None
        """Why nothing more can be drawn."""
        self.broken: Exception | None = None
        """An error of the journal, or a bug: the first one, to be raised out of the drive."""

    @property
    def near(self) -> bool:
        """Whether nothing new is to begin."""
        return self.fatal is not None or self.broken is not None or self.stop.requested

    def fails(self, why: str) -> None:
        """Nothing more can be drawn. The first reason is the one that is told: what follows may come of it."""
        self.fatal = self.fatal or why

    def breaks(self, error: Exception) -> None:
        """The drive ends now, by an error that it raises."""
        self.broken = self.broken or error
        self.scope.cancel()
