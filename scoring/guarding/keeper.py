"""Keeps the sets of a guard fresh: one thread for each set that can be read again, which no call ever waits for.

Only the standard library. A thread ends when its guard is gone or the keeper is closed; after a fork the child starts
its own.
"""

from __future__ import annotations

import logging
import math
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from corpora.errors import BadInput
from scoring.guard import Guard
from scoring.guarding.alarm import Alarm
from scoring.guarding.log import LOGGER

_LOGGER = logging.getLogger(LOGGER)
_DEFAULT_S = 75.0
"""Between two readings where nothing says otherwise."""
_LONGEST_SLEEP_S = 5.0
"""A thread whose guard is gone sees it this late at the latest."""
clock: Callable[[], float] = time.monotonic
"""What a set's age is told by: it never jumps, and where that can be had goes on while the machine sleeps."""
if sys.platform == "linux":
    clock = partial(time.clock_gettime, time.CLOCK_BOOTTIME)


class Keeper:
    """The threads of one guard, and when each of its sets was last read."""

    def __init__(self, guard: Guard, now: Callable[[], float] = clock) -> None:
        self._guard = weakref.ref(guard)
        self._clock = now
        self._alarm = Alarm()
        self._every: dict[str, float] = {name: guard.refresh_s.get(name, _DEFAULT_S) for name in guard.readers}
        self.max_shrink: float | None = None
        """The smallest part that any decorator of the guard names."""
        begun = now()
        self.read_at = {name: begun - _age_s(one.read_at) for name, one in guard.sets.items()}
        """Set name -> when the reading in use began, by a clock that never jumps."""
        self._held_at: dict[str, float] = {}  # the same of a reading that is held back
        self._telling = threading.Lock()
        self.failed: dict[str, str] = {}
        """Set name -> why its last reading is not in use."""
        self.readings = 0
        """How many readings there were, failed ones too."""
        self.start()

    def start(self) -> None:
        """Start a thread for each set that can be read again."""
        for name in self._every:
            arguments = (weakref.ref(self), self._guard, name, self._alarm, self._clock)
            threading.Thread(target=_keep, args=arguments, name=f"guard-{name}", daemon=True).start()

    def forked(self) -> None:
        """In the child of a fork: locks and threads are of the parent."""
        self._telling = threading.Lock()
        if not self._alarm.ended:
            self._alarm = Alarm()
            self.start()

    def close(self) -> None:
        """End the threads; a reading that goes on is not waited for."""
        self._alarm.ring(end=True)

    def hasten(self, every_s: float, max_age_s: float | None = None) -> None:
        """Read each set at least this often.

        One that itself says how often is read as it says, unless it would grow older than half of `max_age_s` by that.
        """
        guard = self._guard()
        own = guard.refresh_s if guard is not None else {}
        most_s = math.inf if max_age_s is None else max_age_s / 2
        self._every = {
            name: min(old, every_s) if name not in own or old > most_s else old for name, old in self._every.items()
        }
        self._alarm.ring()

    def every_s(self, name: str) -> float:
        """How long to wait between two readings of a set."""
        return self._every[name]

    def read(self, guard: Guard, name: str) -> bool:
        """Read one set now; True where the reading is in use. Why it is not stands in `failed`."""
        begun = self._clock()
        try:
            found = guard.readers[name]()
            taken = guard.take(name, found, self.max_shrink)
        except BaseException as error:  # whatever a source does, the set in use stays, and grows old
            if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise
            # The words of a foreign error may hold a password: its kind is enough to look further.
            self._tell(name, str(error) if isinstance(error, BadInput) else type(error).__name__)
            taken = False
        else:
            self._held_at.pop(name, None)
            (self.read_at if taken else self._held_at)[name] = begun
            self._tell(name, None if taken else f"a reading of {len(found.values)} values waits for guard.confirm()")
        self.readings += 1
        return taken

    def _tell(self, name: str, why: str | None) -> None:
        """Keep why a reading is not in use, and say so to the program's log where that is news."""
        with self._telling:
            if why == self.failed.get(name):
                return
            if why is None:
                self.failed.pop(name)
            else:
                self.failed[name] = why
        with suppress(Exception):  # a handler of the program's log may fail; the sets are read nevertheless
            if why is None:
                _LOGGER.warning("the set %s is read again", name)
            else:
                _LOGGER.warning("the set %s stays as it was: %s", name, why)

    def confirm(self, guard: Guard, names: tuple[str, ...]) -> None:
        """Readings that were held back are in use now; they are as old as they are."""
        for name in names:
            begun = self._held_at.pop(name, None)
            self.read_at[name] = self._clock() - _age_s(guard.sets[name].read_at) if begun is None else begun
            self._tell(name, None)

    def stale(self, guard: Guard, names: tuple[str, ...], max_age_s: float) -> str | None:
        """Why one of these sets is too old; None where all are fresh."""
        now = self._clock()
        for name in names:
            age_s = now - self.read_at[name]
            if age_s > max_age_s:
                return self._why(guard, name, age_s, max_age_s)
        return None

    def _why(self, guard: Guard, name: str, age_s: float, max_age_s: float) -> str:
        sentence = f"the set {name} was read {age_s:.0f} s ago, and may be {max_age_s:g} s old"
        if name in self.failed:
            return f"{sentence}; {self.failed[name][:200]}"
        return (
            sentence if name in guard.readers else f"{sentence}; it was given as it is, give a callable that reads it"
        )


def _age_s(read_at: str) -> float:
    """How long ago a set was read, by its own word; 0 where that cannot be told."""
    try:
        at = datetime.fromisoformat(read_at)
        return max(0.0, (datetime.now(UTC) - (at if at.tzinfo else at.replace(tzinfo=UTC))).total_seconds())
    except (ValueError, TypeError):
        return 0.0


def _keep(
    keeper_of: Callable[[], Keeper | None],
    guard_of: Callable[[], Guard | None],
    name: str,
    alarm: Alarm,
    now: Callable[[], float],
) -> None:
    """The life of one thread."""
    last = now()
    while not alarm.ended:
        keeper, guard = keeper_of(), guard_of()
        if keeper is None or guard is None:
            return
        wait_s = last + keeper.every_s(name) - now()
        if wait_s <= 0:
            last = now()
            keeper.read(guard, name)
            continue
        del keeper, guard  # a sleeping thread keeps nothing alive
        alarm.sleep(min(wait_s, _LONGEST_SLEEP_S))


_KEEPERS: weakref.WeakKeyDictionary[Guard, Keeper] = weakref.WeakKeyDictionary()
_MAKING = threading.Lock()


def keeper_of(guard: Guard) -> Keeper:
    """The one keeper of a guard, started at the first call."""
    with _MAKING:
        found = _KEEPERS.get(guard)
        if found is None:
            found = _KEEPERS[guard] = Keeper(guard)
            guard.on_confirm.append(partial(_confirmed, weakref.ref(guard), weakref.ref(found)))
        return found


def _confirmed(
    guard_of: Callable[[], Guard | None], keeper_of: Callable[[], Keeper | None], names: tuple[str, ...]
) -> None:
    """Take the sets of these names as they are, if both still live."""
    guard, keeper = guard_of(), keeper_of()
    if guard is not None and keeper is not None:
        keeper.confirm(guard, names)


def _after_fork() -> None:
    """Threads do not survive a fork, and a lock may have been held in the middle of one."""
    global _MAKING
    _MAKING = threading.Lock()
    for guard, keeper in list(_KEEPERS.items()):
        guard.unlock()
        keeper.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
