"""How a run is asked to stop: first politely, then at once."""

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
