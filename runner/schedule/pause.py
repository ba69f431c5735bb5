"""A place to wait until one is woken, or for so long."""

from __future__ import annotations

import asyncio


class Pause:
    """Where several may wait: a repeated order waits beside the one that it repeats. Each wake is for all of them."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    async def wait(self, seconds: float | None) -> None:
        """Wait to be woken; at most so long, None without end."""
        loop = asyncio.get_running_loop()
        wake: asyncio.Future[None] = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, _end, wake)
        self._waiting.append(wake)
        try:
            await wake
        finally:
            self._waiting.remove(wake)
            if timer is not None:
                timer.cancel()

    def wake(self) -> None:
        """Whoever waits goes on."""
        for wake in self._waiting:
            _end(wake)


def _end(wake: asyncio.Future[None]) -> None:
    if not wake.done():
        wake.set_result(None)
