"""Decisions as JSON lines, written behind the back of the call: it puts a decision down and goes on.

Bounded everywhere: so many decisions wait, a longer queue is dropped and the next line says how many; a value is cut;
a file that is full is renamed to NAME.1, so that two of them are kept. A logger of the standard library is the sink
where no file is named. What cannot be written is counted with what was dropped, and the program's log says why once.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
import weakref
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from corpora.jsonl import encode, encode_text
from corpora.values import Json
from scoring.guarding.decision import Decision
from scoring.guarding.lasting import append

_LONGEST = 1_000
"""So many characters of a value are written."""
LOGGER = "assumeprobe.guard"
"""The name that a guard speaks by in the program's own log."""


class Entry(NamedTuple):
    """One decision, when it was made, and in which mode."""

    at: float
    mode: str
    decision: Decision


class DecisionLog:
    """A queue of decisions and the thread that writes them."""

    def __init__(self, path: str | Path | None, *, most_waiting: int = 10_000, most_bytes: int = 10_000_000) -> None:
        self.path = None if path is None else Path(path)
        self.dropped = 0
        """Decisions that found the queue full or could not be written, since the last line that said so."""
        self._waiting: deque[Entry] = deque()
        self._most_waiting = most_waiting
        self._most_bytes = most_bytes
        self._filled = threading.Event()
        self._pid = 0
        self._start = threading.Lock()
        self._counting = threading.RLock()  # of `dropped`; a signal may come while it is held
        self._failed: str | None = None
        _LOGS.add(self)
        atexit.register(self.flush, 1.0)

    def put(self, decision: Decision, mode: str) -> None:
        """Put a decision down; never waits, and never fails."""
        # While the interpreter ends no thread starts any more, and who waits for one hangs.
        if self._pid != os.getpid() and not sys.is_finalizing():
            self._begin()
        if len(self._waiting) >= self._most_waiting:
            self._drop(1)
            return
        self._waiting.append(Entry(time.time(), mode, decision))
        if not self._filled.is_set():
            self._filled.set()

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything is written, at most so long; True where it is."""
        end = time.monotonic() + timeout_s
        while self._waiting and self._pid == os.getpid() and time.monotonic() < end:
            self._filled.set()
            time.sleep(0.005)
        return not self._waiting

    def forked(self) -> None:
        """In the child of a fork: what waits is written by the parent, whose thread and locks are not here."""
        self._waiting, self.dropped = deque(), 0
        self._start, self._counting = threading.Lock(), threading.RLock()
        self._pid = 0

    def _begin(self) -> None:
        with self._start:
            if self._pid != os.getpid():
                self._filled = threading.Event()
                with suppress(RuntimeError):  # the program ends, or has too many threads: the call goes on
                    threading.Thread(target=self._write_all, name="guard-log", daemon=True).start()
                    self._pid = os.getpid()

    def _write_all(self) -> None:
        while True:
            self._filled.wait()
            self._filled.clear()
            while self._waiting:
                entries = [self._waiting[n] for n in range(min(len(self._waiting), 500))]
                self._attempt(entries)
                for _ in entries:
                    self._waiting.popleft()

    def _attempt(self, entries: list[Entry]) -> None:
        """Write, whatever comes of it: a full disk or a handler that fails must not end the service, nor the log."""
        if self.path is None:
            _to_logger(entries)
            return
        try:
            why = self._to_file(self.path, entries)
        except Exception as error:  # noqa: BLE001 - see above
            self._drop(len(entries))
            why = type(error).__name__
        if why != self._failed:
            self._failed = why
            with suppress(Exception):
                if why is None:
                    logging.getLogger(LOGGER).warning("decisions are written to %s again", self.path)
                else:
                    logging.getLogger(LOGGER).warning("decisions cannot be written to %s: %s", self.path, why)

    def _to_file(self, path: Path, entries: list[Entry]) -> str | None:
        """Append the lines of these decisions; why not all of them, if so. What is lost counts as dropped."""
        dropped = self.dropped
        lines = [encode(line(entry)) for entry in entries]
        if dropped:
            lines.append(encode({"at": _written(time.time()), "dropped": dropped}))
        data = b"".join(lines)
        sent, why = append(path, data, self._most_bytes)
        whole = data[:sent].count(b"\n")
        told = dropped if whole == len(lines) else 0
        self._drop(max(0, len(entries) - whole) - told)
        return why

    def _drop(self, more: int) -> None:
        with self._counting:
            self.dropped += more


def _to_logger(entries: list[Entry]) -> None:
    logger = logging.getLogger(LOGGER)
    for entry in entries:
        level = logging.DEBUG if entry.decision.allow else logging.WARNING
        if logger.isEnabledFor(level):
            with suppress(Exception):  # a handler of the program's log may fail
                logger.log(level, "%s", encode_text(line(entry)))


def line(entry: Entry) -> dict[str, Json]:
    """A decision as a line: the fields of a verdict, then whether the call may pass, why, in which mode and when."""
    fields = entry.decision.line()
    allow, reason = fields.pop("allow"), fields.pop("reason")
    for name in ("emitted", "stored", "nearest"):
        fields[name] = _cut(fields[name])
    return {**fields, "allow": allow, "reason": reason, "mode": entry.mode, "at": _written(entry.at)}


def _cut(value: Json) -> Json:
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    if isinstance(value, list | dict):
        text = encode_text(value)
        return value if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return value


def _written(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_LOGS: weakref.WeakSet[DecisionLog] = weakref.WeakSet()


def _after_fork() -> None:
    for log in list(_LOGS):
        log.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
