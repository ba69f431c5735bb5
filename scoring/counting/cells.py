"""The count of one stored value: how often, in which months, first and last when."""

from __future__ import annotations

from datetime import UTC, datetime
from math import inf, isinf

from corpora.canonical import canonical
from corpora.values import Json


class Cell:
    """The count of one value."""

    __slots__ = ("count", "first", "last", "months", "value")

    def __init__(self, value: Json) -> None:
        self.value = value
        self.count = 0
        self.first, self.last = inf, -inf
        self.months: dict[str, int] = {}

    def add(self, at: float | None, month: str | None) -> None:
        """Count one call that carried the value: when, in seconds and as a month (`2026-01`), where that is known."""
        self.count += 1
        if at is not None and month is not None:
            if at < self.first:
                self.first = at
            if at > self.last:
                self.last = at
            self.months[month] = self.months.get(month, 0) + 1


def key_of(value: Json) -> object:
    """What makes two stored values one row."""
    return value if type(value) is str else canonical(value)


def moment(at: float) -> datetime:
    """Seconds since 1970 as a time in UTC."""
    return datetime.fromtimestamp(at, UTC)


def written(at: float) -> str | None:
    """A time as ISO 8601 to the second; None for none."""
    if isinf(at):
        return None
    return moment(at).isoformat(timespec="seconds").replace("+00:00", "Z")
