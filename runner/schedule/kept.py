"""The finished lines of a site, numbered, each kept until it is acknowledged. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from runner.schedule.messages import Key, Line


class Kept:
    """Lines in the order in which they ended."""

    def __init__(self) -> None:
        self._lines: deque[Line] = deque()
        self._seq = 0
        """Of the last line."""

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, line: Line) -> None:
        """Keep a line; its number is one more than that of the line before it."""
        self._lines.append(line)
        self._seq += 1

    def forget(self, ack: int) -> Iterator[Key]:
        """Drop every line with seq <= ack, and name its key."""
        while self._lines and self.seq(0) < ack:
            yield self._lines.popleft().key

    def seq(self, count: int) -> int:
        """Of the last of the first `count` lines; of the last that was dropped where that is none."""
        return self._seq - len(self._lines) + count

    def first(self, most_bytes: int | None) -> tuple[Line, ...]:
        """As many of the first lines as have room, one at least where there is one; None is room for all."""
        if most_bytes is None:
            return tuple(self._lines)
        lines: list[Line] = []
        for line in self._lines:
            most_bytes -= len(line.data)
            if lines and most_bytes < 0:
                break
            lines.append(line)
        return tuple(lines)
