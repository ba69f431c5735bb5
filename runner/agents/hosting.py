"""Where a user's agents run: away from our event loop, each sample with its own context, bounded in time.

Agents are not ours: they block, exit, hang, and leave tasks behind. A plain function runs in a thread of its own. Async
agents share one event loop in another thread, so that a client which a module made once serves all samples; where one
blocks that loop, the loop is given up and the next sample gets a new one. Threads cannot be ended from outside: one
that hangs is left behind as a daemon, and ends with the process. What ends the process itself (`os._exit`, a crash in
C code) ends the run; every line received is on disk by then, and the same command goes on from there.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from corpora.values import Json

T = TypeVar("T")

PATIENCE_S = 1.0
"""How long something that was cancelled has to end."""


class Ending(NamedTuple):
    """How the agent of one sample ended."""

    value: Json = None
    error: BaseException | None = None
    timed_out: bool = False
    left_tasks: int = 0
    """Tasks that it had started and not awaited; they were cancelled."""


class AgentExitError(Exception):
    """An agent wanted to end the process."""


_tasks: contextvars.ContextVar[set[asyncio.Task[Any]]] = contextvars.ContextVar("tasks of one sample")


class Host:
    """Runs the agents of one run: `with Host() as host`."""

    def __init__(self) -> None:
        self._loop: _LoopThread | None = None

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None:
            self._loop.stop()

    async def call(self, function: Callable[[], Json], limit_s: float) -> Ending:
        """A plain function, in a thread of its own."""
        context = contextvars.copy_context()
        ending: _Crossing[Ending] = _Crossing()

        def work() -> None:
            """Call the function, and send how it ended to the loop that waits."""
            try:
                ending.send(Ending(value=context.run(_completed, function)))
            except BaseException as error:  # noqa: BLE001 - whatever an agent raises is its sample's error
                ending.send(Ending(error=_contained_error(error)))

        threading.Thread(target=work, name="agent", daemon=True).start()
        return await ending.receive(limit_s) or Ending(timed_out=True)

    async def run(self, start: Callable[[], Awaitable[Json]], limit_s: float) -> Ending:
        """An async agent, in the loop that all of them share."""
        loop = self._loop = self._loop or _LoopThread()
        ending: _Crossing[Ending] = _Crossing()
        cancelled = loop.submit(_sample(start, limit_s, ending.send))
        try:
            ended = await ending.receive(limit_s + 3 * PATIENCE_S)
        finally:
            cancelled()
        if ended is None:
            self._loop = None  # blocked: nothing ends there any more
            return Ending(timed_out=True)
        return ended


class _Crossing(Generic[T]):
    """One value from another thread to this loop. What comes too late is dropped."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[T] = self._loop.create_future()

    def send(self, value: T) -> None:
        """Hand the value over, from any thread; the first one counts."""
        with suppress(RuntimeError):  # the loop is closed: the run has ended
            self._loop.call_soon_threadsafe(self._settle, value)

    def _settle(self, value: T) -> None:
        if not self._future.done():
            self._future.set_result(value)

    async def receive(self, limit_s: float) -> T | None:
        """The value, or None where it does not come in time."""
        done, _ = await asyncio.wait({self._future}, timeout=limit_s)
        return self._future.result() if done else None


def _completed(function: Callable[[], Json]) -> Json:
    """The result of a call; where that is a coroutine after all, its result."""
    value = function()
    return asyncio.run(value) if asyncio.iscoroutine(value) else value


def _contained_error(error: BaseException) -> BaseException:
    if isinstance(error, SystemExit):
        return AgentExitError(f"the agent called exit({error.code if error.code is not None else ''})")
    return AgentExitError("the agent raised KeyboardInterrupt") if isinstance(error, KeyboardInterrupt) else error


class _LoopThread:
    """An event loop in a daemon thread, which no task can end."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_task_factory(_task)
        self._loop.set_exception_handler(lambda *_: None)  # of tasks that an agent left behind
        self._stopping = False
        self._thread = threading.Thread(target=self._serve, name="agents", daemon=True)
        self._thread.start()

    def submit(self, sample: Coroutine[Any, Any, None]) -> Callable[[], None]:
        """Start a sample; calling what comes back cancels it, should it still run."""
        started = asyncio.run_coroutine_threadsafe(sample, self._loop)
        return lambda: None if started.done() else _quietly(started.cancel)

    def stop(self) -> None:
        """End the loop, once what was cancelled in it has ended."""
        self._stopping = True
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(2 * PATIENCE_S)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        while not self._stopping:
            with suppress(SystemExit, KeyboardInterrupt):  # a callback of an agent's
                self._loop.run_forever()
        with suppress(Exception):
            self._loop.run_until_complete(_cancel(asyncio.all_tasks(self._loop)))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


def _quietly(action: Callable[[], Any]) -> None:
    with suppress(RuntimeError):
        action()


def _task(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> asyncio.Task[Any]:  # noqa: ANN401 - asyncio's
    """A task that belongs to the sample in whose context it was made. It cannot end the loop."""
    mine = _tasks.get(None)
    task = asyncio.Task(coroutine if mine is None else _contained(coroutine), loop=loop, **options)
    if mine is not None:
        mine.add(task)
    return task


async def _contained(coroutine: Awaitable[T]) -> T:
    try:
        return await coroutine
    except (SystemExit, KeyboardInterrupt) as error:
        raise _contained_error(error) from error


async def _sample(start: Callable[[], Awaitable[Json]], limit_s: float, send: Callable[[Ending], None]) -> None:
    """The agent of one sample to its end, and then the end of what it left behind."""
    tasks: set[asyncio.Task[Any]] = set()
    context = contextvars.copy_context()
    context.run(_tasks.set, tasks)
    main = asyncio.get_running_loop().create_task(_started(start), context=context)
    tasks.add(main)
    try:
        await asyncio.wait({main}, timeout=limit_s)
        timed_out = not main.done()
    finally:
        left = {task for task in tasks if not task.done()}
        await _cancel(left)
    send(Ending(timed_out=True) if timed_out else _ending(main, len(left)))


async def _started(start: Callable[[], Awaitable[Json]]) -> Json:
    try:
        return await start()
    except (SystemExit, KeyboardInterrupt) as error:
        raise _contained_error(error) from error


def _ending(main: asyncio.Task[Any], left: int) -> Ending:
    if main.cancelled():
        return Ending(error=asyncio.CancelledError("the agent cancelled itself"), left_tasks=left)
    error = main.exception()
    return Ending(value=None if error else main.result(), error=error, left_tasks=left)


async def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=PATIENCE_S)
