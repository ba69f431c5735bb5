"""Ctrl-C and SIGTERM: the first ends new work, the second cuts what is in flight; `grace_s` after the first, so too."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio

from runner.schedule.stopping import Stop


@asynccontextmanager
async def interruptible(stop: Stop, grace_s: float, say: Callable[[str], None]) -> AsyncIterator[None]:
    """While inside, signals stop the run by way of `stop`, and `say` tells a person what happens now."""
    async with anyio.create_task_group() as group:
        group.start_soon(_listen, stop, grace_s, say)
        try:
            yield
        finally:
            group.cancel_scope.cancel()


async def _listen(stop: Stop, grace_s: float, say: Callable[[str], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        await anext(signals)
        stop.request()
        say(f"stopping: what is in flight has {grace_s:g} s to finish; once more to cut it")
        with anyio.move_on_after(grace_s):
            await anext(signals)
        stop.abort()
        say("stopped: what was in flight is cut; everything received is kept")
        async for _ in signals:
            pass
