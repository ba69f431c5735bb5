"""A scan from its source to what it found: records read, shapes told, values counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.shapes.chat_lines import ChatLines
from corpora.shapes.detect import Detector, unknown
from corpora.shapes.stored import StoredCall
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from runner.streams import Record
from scoring.counting.history import History, Probe
from scoring.counting.stored import Tally, keys_of

_FAST = (None, "openai-chat", "pair")
_PATIENCE = 1000
"""So many records of unknown shape, and none of a known one, end a scan."""


class Target(NamedTuple):
    """What is looked for, and the set that it is held against."""

    probe: Probe
    members: AuthoritativeSet
    others: tuple[AuthoritativeSet, ...] = ()


class Scan:
    """Counts records as they come."""

    def __init__(self, target: Target, shape: str | None = None) -> None:
        self._tally = Tally(target.probe, target.members, target.others)
        self._detector = Detector(shape)
        self._lines = ChatLines() if shape in _FAST else None
        self._known = self._unknown = 0
        self._sample: Json = None

    def read(self, records: Iterable[Record]) -> None:
        """Count every record. Raises BadInput where none of the first thousand, or none at all, is of a known shape."""
        fast = self._lines
        for record in records:
            if fast is not None and type(record) is bytes:
                plain = fast.read(record)
                if plain is not None:
                    self._known += 1
                    self._tally.plain(*plain)
                    continue
            self._read(record)
        for stored in self._detector.end():
            self._known += 1
            self._tally.add(stored)
        if not self._known and self._unknown:
            raise unknown(self._sample)

    def _read(self, record: Record) -> None:
        try:
            value = decode_value(record) if isinstance(record, bytes) else plain_row(record)
            found = list(self._detector.read(value))
        except (BadInput, RecursionError):  # no JSON, or a record in a record in a record, too deep to be looked into
            self._tally.skip("damaged")
            return
        for stored in found:
            if stored is not None:
                self._known += 1
                self._tally.add(stored)
                continue
            self._sample = value if not self._unknown else self._sample
            self._unknown += 1
            self._tally.skip("unknown-shape")
            if not self._known and self._unknown >= _PATIENCE:
                raise unknown(self._sample)

    def damaged(self) -> None:
        """Count a part of the source that could not be read."""
        self._tally.skip("damaged")

    def history(self, source: str, provoked: frozenset[object] | None = None) -> History:
        """What was found. Raises BadInput where there was nothing to read."""
        found = self._tally.history(source, provoked)
        if not found.records:
            raise BadInput("holds no record", path=source)
        if not self._known:
            raise BadInput(f"not one of {found.records} records could be read", path=source)
        return found


def plain_row(row: dict[str, Json]) -> dict[str, Json]:
    """A row of a table as JSON values: times as text, numbers as numbers, bytes as text."""
    return {name: value if type(value) is str else _plain(value) for name, value in row.items()}


def _plain(value: Json) -> Json:
    match value:
        case None | bool() | int() | float() | str() | dict() | list():
            return value
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case bytes() | memoryview():
            return bytes(value).decode("utf-8", "replace")
    written: Callable[[], str] | None = getattr(value, "isoformat", None)
    return written() if written is not None else str(value)


def provoked_by(results: Iterable[Iterable[StoredCall]], probe: Probe) -> frozenset[object]:
    """The keys of every value that results of a corpus hold for a probe."""
    return frozenset(key for calls in results for key in keys_of(calls, probe))
