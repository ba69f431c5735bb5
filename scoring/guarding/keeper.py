"""Keeps the sets of a guard fresh: one thread for each set that can be read again, which no call ever waits for.

Only the standard library. A thread ends when its guard is gone or the keeper is closed; after a fork the child starts
its own.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Callable
from datetime import UTC, datetime

from corpora.errors import BadInput
from scoring.guard import Guard

_LOGGER = logging.getLogger("assumeprobe.guard")
_DEFAULT_S = 75.0
"""Between two readings where nothing says otherwise."""
_LONGEST_SLEEP_S = 5.0
"""A thread whose guard is gone sees it this late at the latest."""


class Keeper:
    """The threads of one guard, and when each of its sets was last read."""

    def __init__(self, guard: Guard) -> None:
        self._guard = weakref.ref(guard)
        self._alarm = _Alarm()
        self._every: dict[str, float] = {name: guard.refresh_s.get(name, _DEFAULT_S) for name in guard.readers}
        self.max_shrink: float | None = None
        """The smallest part that any decorator of the guard names."""
        now = time.monotonic()
        self.read_at = {name: now - _age_s(one.read_at) for name, one in guard.sets.items()}
        """Set name -> when the reading in use began, by the monotonic clock."""
        self.failed: dict[str, str] = {}
        """Set name -> why its last reading is not in use."""
        self.readings = 0
        """How many readings there were, failed ones too."""
        self.start()

    def start(self) -> None:
        """Start a thread for each set that can be read again."""
        self._alarm = _Alarm()
        for name in self._every:
            arguments = (weakref.ref(self), self._guard, name, self._alarm)
            threading.Thread(target=_keep, args=arguments, name=f"guard-{name}", daemon=True).start()

    def close(self) -> None:
        """End the threads; a reading that goes on is not waited for."""
        self._alarm.ring(end=True)

    def hasten(self, every_s: float) -> None:
        """Read each set at least this often, unless the set itself says how often."""
        guard = self._guard()
        own = guard.refresh_s if guard is not None else {}
        self._every = {name: min(old, every_s) if name not in own else old for name, old in self._every.items()}
        self._alarm.ring()

    def every_s(self, name: str) -> float:
        """How long to wait between two readings of a set."""
        return self._every[name]

    def read(self, guard: Guard, name: str) -> bool:
        """Read one set now; True where the reading is in use. Why it is not stands in `failed`."""
        begun = time.monotonic()
        try:
            found = guard.readers[name]()
            taken = guard.take(name, found, self.max_shrink)
        except Exception as error:  # noqa: BLE001 - whatever a source does, the set in use stays, and grows old
            # The words of a foreign error may hold a password: its kind is enough to look further.
            self._tell(name, str(error) if isinstance(error, BadInput) else type(error).__name__)
            taken = False
        else:
            self._tell(name, None if taken else f"a reading of {len(found.values)} values waits for guard.confirm()")
            if taken:
                self.read_at[name] = begun
        self.readings += 1
        return taken

    def _tell(self, name: str, why: str | None) -> None:
        """Keep why a reading is not in use, and say so to the program's log where that is news."""
        if why != self.failed.get(name):
            if why is None:
                self.failed.pop(name)
                _LOGGER.warning("the set %s is read again", name)
            else:
                self.failed[name] = why
                _LOGGER.warning("the set %s stays as it was: %s", name, why)

    def confirm(self, names: tuple[str, ...]) -> None:
        """Readings that were held back are in use now."""
        self.read_at = {**self.read_at, **dict.fromkeys(names, time.monotonic())}
        for name in names:
            self._tell(name, None)

    def stale(self, guard: Guard, names: tuple[str, ...], max_age_s: float) -> str | None:
        """Why one of these sets is too old; None where all are fresh."""
        now = time.monotonic()
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
        return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(read_at)).total_seconds())
    except (ValueError, TypeError):
        return 0.0


class _Alarm:
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


def _keep(
    keeper_of: Callable[[], Keeper | None], guard_of: Callable[[], Guard | None], name: str, alarm: _Alarm
) -> None:
    """The life of one thread."""
    last = time.monotonic()
    while not alarm.ended:
        keeper, guard = keeper_of(), guard_of()
        if keeper is None or guard is None:
            return
        wait_s = last + keeper.every_s(name) - time.monotonic()
        if wait_s <= 0:
            last = time.monotonic()
            keeper.read(guard, name)
            continue
        del keeper, guard  # a sleeping thread keeps nothing alive
        alarm.sleep(min(wait_s, _LONGEST_SLEEP_S))


_KEEPERS: weakref.WeakKeyDictionary[Guard, Keeper] = weakref.WeakKeyDictionary()


def keeper_of(guard: Guard) -> Keeper:
    """The one keeper of a guard, started at the first call."""
    found = _KEEPERS.get(guard)
    if found is None:
        found = _KEEPERS[guard] = Keeper(guard)
        guard.on_confirm.append(_told(weakref.ref(found)))
    return found


def _told(keeper: Callable[[], Keeper | None]) -> Callable[[tuple[str, ...]], None]:
    def confirmed(names: tuple[str, ...]) -> None:
        """Take the sets of these names as they are, if the keeper still lives."""
        one = keeper()
        if one is not None:
            one.confirm(names)

    return confirmed


def _after_fork() -> None:
    """Threads do not survive a fork, and a lock may have been held in the middle of one."""
    for guard, keeper in list(_KEEPERS.items()):
        guard.unlock()
        keeper.start()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
