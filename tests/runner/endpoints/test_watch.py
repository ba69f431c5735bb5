"""One look for all limits: what is due is cut, what was moved is not, and a cancel from outside stays one."""

from __future__ import annotations

import time

import anyio
import pytest

from runner.endpoints.watch import Watch

pytestmark = pytest.mark.anyio


async def test_a_block_that_is_due_raises_and_its_neighbour_goes_on() -> None:
    watch = Watch(0.02)
    ended = anyio.Event()

    async def patient() -> None:
        with watch.limit(time.monotonic() + 600):
            await ended.wait()

    async with anyio.create_task_group() as group:
        group.start_soon(patient)
        with pytest.raises(TimeoutError), watch.limit(time.monotonic() + 0.02):
            await anyio.sleep_forever()
        ended.set()


async def test_a_limit_that_is_moved_on_lets_the_block_end() -> None:
    watch = Watch(0.02)
    with watch.limit(time.monotonic() + 0.02) as limit:
        limit.due_s = time.monotonic() + 600
        await anyio.sleep(0.05)


async def test_a_cancel_from_outside_is_no_timeout() -> None:
    watch = Watch(0.02)
    with anyio.CancelScope() as scope:
        with watch.limit(time.monotonic() + 600):
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught


async def test_an_error_of_the_block_is_raised_as_it_is() -> None:
    watch = Watch(0.02)
    with pytest.raises(ValueError, match="its own"), watch.limit(time.monotonic() + 600):
        raise ValueError("its own")


async def test_it_looks_again_after_a_time_with_nothing_to_look_at() -> None:
    watch = Watch(0.02)
    for _ in range(2):
        with pytest.raises(TimeoutError), watch.limit(time.monotonic() + 0.01):
            await anyio.sleep_forever()
        await anyio.sleep(0.01)
