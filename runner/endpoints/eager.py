"""A request that is written when it is made, and not one turn of the event loop later.

Before Python 3.12 aiohttp writes a body in a task of its own, which waits behind everything that is ready already. Of
answers that come in a burst all would be read, and only then the first new request would go out: they would come in a
burst again, a larger one each time. From 3.12 on aiohttp starts that task at once; this does the same.
"""

from __future__ import annotations

import sys
from collections.abc import Coroutine, Generator
from functools import partial
from typing import Any

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from aiohttp.connector import Connection

Writing = Coroutine[Any, Any, None]


class _EagerRequest(aiohttp.ClientRequest):
    """Writes as far as it can without waiting; the task that aiohttp makes goes on from there."""

    def write_bytes(self, writer: AbstractStreamWriter, conn: Connection, content_length: int | None = None) -> Writing:
        """What is left to be awaited of writing the body."""
        writing = super().write_bytes(writer, conn, content_length)
        try:
            waits_for = writing.send(None)
        except StopIteration:
            return _nothing()
        return _rest(writing, waits_for)


REQUEST_CLASS = aiohttp.ClientRequest if sys.version_info >= (3, 12) else _EagerRequest


async def _nothing() -> None:
    """All was written."""


async def _rest(begun: Writing, waits_for: object) -> None:
    await _Rest(begun, waits_for)


class _Rest:
    """The rest of a coroutine that was begun outside of the task that ends it."""

    def __init__(self, begun: Writing, waits_for: object) -> None:
        self._begun = begun
        self._waits_for = waits_for

    def __await__(self) -> Generator[object, object, None]:
        waits_for = self._waits_for
        while True:
            try:
                value = yield waits_for
            except BaseException as error:  # noqa: BLE001 - a cancel too is for the coroutine
                step = partial(self._begun.throw, error)
            else:
                step = partial(self._begun.send, value)
            try:
                waits_for = step()
            except StopIteration:
                return
