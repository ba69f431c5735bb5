"""Decisions as JSON lines, written behind the back of the call: it puts a decision down and goes on.

Bounded everywhere: so many decisions wait, a longer queue is dropped and the next line says how many; a value is cut;
a file that is full is renamed to NAME.1, so that two of them are kept. A logger of the standard library is the sink
where no file is named.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from corpora.jsonl import encode, encode_text
from corpora.values import Json
from scoring.guarding.decision import Decision

_LONGEST = 1_000
"""So many characters of a value are written."""
_NAME = "assumeprobe.guard"


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
        """Decisions that found the queue full, since the last line that said so."""
        self._waiting: deque[Entry] = deque()
        self._most_waiting = most_waiting
        self._most_bytes = most_bytes
        self._filled = threading.Event()
        self._pid = 0
        self._start = threading.Lock()
        atexit.register(self.flush, 1.0)

    def put(self, decision: Decision, mode: str) -> None:
        """Put a decision down; never waits."""
        if self._pid != os.getpid():
            self._begin()
        if len(self._waiting) >= self._most_waiting:
            self.dropped += 1
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

    def _begin(self) -> None:
        with self._start:
            if self._pid != os.getpid():
                self._filled = threading.Event()
                self._pid = os.getpid()
                threading.Thread(target=self._write_all, name="guard-log", daemon=True).start()

    def _write_all(self) -> None:
        while True:
            self._filled.wait()
            self._filled.clear()
            while self._waiting:
                entries = [self._waiting[n] for n in range(min(len(self._waiting), 500))]
                with suppress(OSError):  # a full disk must not end the service; what could not be written is gone
                    self._write(entries)
                for _ in entries:
                    self._waiting.popleft()

    def _write(self, entries: list[Entry]) -> None:
        if self.path is None:
            for entry in entries:
                level = logging.DEBUG if entry.decision.allow else logging.WARNING
                logger = logging.getLogger(_NAME)
                if logger.isEnabledFor(level):
                    logger.log(level, "%s", encode_text(line(entry)))
            return
        lines = [encode(line(entry)) for entry in entries]
        if self.dropped:
            dropped, self.dropped = self.dropped, 0
            lines.append(encode({"at": _written(time.time()), "dropped": dropped}))
        with suppress(FileNotFoundError):
            if self.path.stat().st_size >= self._most_bytes:
                self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        with self.path.open("ab", buffering=0) as stream:
            stream.write(b"".join(lines))


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
