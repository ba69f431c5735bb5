"""An alarm for threads that sleep."""

from __future__ import annotations

import threading


class Alarm:
    """Ends the sleep of every thread of a keeper."""

    def __init__(self) -> None:
        self.ended = False
        self._bell = threading.Condition()

    def ring(self, *, end: bool = False) -> None:
        """Wake whoever sleeps; with `end`, for good."""
        with self._bell:
            self.ended = self.ended or end
            self._bell.notify_all()

    def sleep(self, wait_s: float) -> None:
        """Wait so long, or until the alarm rings."""
        with self._bell:
            if not self.ended:
                self._bell.wait(wait_s)
