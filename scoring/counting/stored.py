"""Stored payloads counted by value, one record after another: in the set or not, since when and until when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from math import inf

import msgspec

from corpora.shapes.chat_lines import PlainCall
from corpora.shapes.stored import Stored, StoredCall
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from scoring.counting.cells import Cell, key_of, moment, written
from scoring.counting.figures import set_figures
from scoring.counting.history import MOST_VALUES, History, Probe, ValueRow, caveats
from scoring.judging.membership import Membership
from scoring.judging.names import plain_name
from scoring.judging.stored import Reason, Value, doubt, may_be_cut, read_values
from scoring.judging.strict import plain_object

_DAY_S = 86_400


class Tally:
    """Takes stored records one by one; only counts stay."""

    def __init__(self, probe: Probe, members: AuthoritativeSet, others: tuple[AuthoritativeSet, ...] = ()) -> None:
        self._probe = probe
        self._deep = any(mark in probe.argument for mark in ".*[")
        self._members = members
        self._standing = Membership(members, others)
        self._cells: dict[object, Cell] = {}
        self._rest = Cell(None)
        self._strangers = 0
        self._records = self._others = self._values = 0
        self._months: dict[int, str] = {}
        self._shapes: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._flags: Counter[str] = Counter()
        self._first, self._last = inf, -inf

    def add(self, stored: Stored) -> None:
        """Count one record."""
        self.record(stored.shape, stored.at)
        if stored.skipped:
            self._skipped.update(stored.skipped)
        cached = "cache-hit" in stored.flags
        for call in stored.calls:
            self.call(call, stored.at, shape=stored.shape, cached=cached)

    def plain(self, shape: str, at: float | None, cached: bool, calls: tuple[PlainCall, ...]) -> None:
        """Count a plain line of chat completions, as `add` would."""
        self.record(shape, at)
        for call in calls:
            function = call.function
            if cached or function.name != self._probe.tool or not self._known_value(function.arguments, at):
                stored = StoredCall(tool=function.name, arguments=function.arguments)
                self.call(stored, at, shape=shape, cached=cached)

    def skip(self, reason: Reason) -> None:
        """Count a record that cannot be read at all."""
        self._records += 1
        self._skipped[reason] += 1

    def record(self, shape: str, at: float | None) -> None:
        """Count a record of a known shape; its calls follow."""
        self._records += 1
        self._shapes[shape] += 1
        if at is not None:
            if at < self._first:
                self._first = at
            if at > self._last:
                self._last = at

    def call(self, call: StoredCall, at: float | None, *, shape: str, cached: bool) -> None:
        """Count the values of one call, or why they cannot be judged."""
        if call.tool is None:
            self._flags["tool-not-named"] += 1
        elif call.tool != self._probe.tool and plain_name(call.tool) != self._probe.tool:
            self._others += 1
            return
        found = read_values(call, self._probe.argument, required=self._probe.required)
        if found.cut_elsewhere:
            self._flags["truncation-marker"] += 1
        for value in found.values:
            try:
                counted = self._value(value, at, service=shape.endswith("columns"))
            except RecursionError:  # nested too deep to be compared
                self._skipped["damaged"] += 1
                continue
            if counted and not call.verbatim:
                self._flags["not-verbatim"] += 1
            if counted and cached:
                self._flags["cache-hit"] += 1

    def _known_value(self, arguments: str, at: float | None) -> bool:
        """Count a call whose value is a text that was seen and judged before; False for any other call."""
        flat = None if self._deep or may_be_cut(arguments) else plain_object(arguments)
        cell = None if flat is None else self._cells.get(flat.get(self._probe.argument))
        if cell is None:
            return False
        self._values += 1
        cell.add(at, None if at is None else self._months.get(int(at // _DAY_S)) or self._month(at))
        return True

    def _value(self, found: Value, at: float | None, *, service: bool) -> bool:
        """Count one value; False where it cannot be judged. `service`: the service itself wrote it."""
        value = found.value
        if found.reason is not None:
            self._skipped[found.reason] += 1
            return False
        if service and self._probe.mapped is not None and self._standing.equal(value, self._probe.mapped):
            self._skipped["mapped"] += 1
            return False
        key = key_of(value)
        cell = self._cells.get(key)
        if cell is None:
            cell = self._new(key, value, spreadsheet=service)
            if cell is None:
                return False
        self._values += 1
        cell.add(at, self._month(at))
        return True

    def _month(self, at: float | None) -> str | None:
        """The month of a time, looked up by its day."""
        if at is None:
            return None
        day = int(at // _DAY_S)
        month = self._months.get(day)
        if month is None:
            month = self._months[day] = moment(at).strftime("%Y-%m")
        return month

    def _new(self, key: object, value: Json, *, spreadsheet: bool) -> Cell | None:
        """The cell of a value that is seen for the first time; None where it cannot be judged."""
        if not self._standing.holds(value):
            reason = doubt(value, spreadsheet=spreadsheet)
            if reason is not None:
                self._skipped[reason] += 1
                return None
            if self._strangers >= MOST_VALUES:
                return self._rest
            self._strangers += 1
        cell = self._cells[key] = Cell(value)
        return cell

    def history(self, source: str, provoked: Container[object] | None = None) -> History:
        """Everything that was counted. `provoked`: keys of the values that joined results hold, see `key_of`."""
        rows = sorted(self._rows(provoked), key=lambda row: (-row.count, str(row.value)))
        left_out = self._rest.count
        shapes = dict(self._shapes.most_common())
        found = History(
            source=source,
            shape=", ".join(shapes) or "none",
            tool=self._probe.tool,
            argument=self._probe.argument,
            set=set_figures(self._members),
            records=self._records,
            calls=self._values,
            out_of_set=sum(row.count for row in rows if not row.in_set) + left_out,
            values=tuple(rows),
            values_left_out=left_out,
            skipped=dict(self._skipped.most_common()),
            other_tool_calls=self._others,
            flags=dict(self._flags.most_common()),
            independent_draws=self._values - self._flags["cache-hit"],
            first_seen=written(self._first),
            last_seen=written(self._last),
            shapes=shapes,
        )
        return msgspec.structs.replace(found, caveats=tuple(caveats(found, self._probe.mapped)))

    def _rows(self, provoked: Container[object] | None) -> Iterator[ValueRow]:
        for key, cell in self._cells.items():
            standing = self._standing.standing(cell.value)
            yield ValueRow(
                value=cell.value,
                count=cell.count,
                in_set=standing.in_set,
                catch_all=standing.catch_all,
                nearest=standing.nearest,
                near=standing.near,
                first_seen=written(cell.first),
                last_seen=written(cell.last),
                months=dict(sorted(cell.months.items())),
                flags=standing.flags,
                provoked=None if provoked is None else key in provoked,
            )


def keys_of(calls: Iterable[StoredCall], probe: Probe) -> Iterator[object]:
    """The keys of every value that some calls hold for a probe."""
    for call in calls:
        if call.tool is not None and plain_name(call.tool) == probe.tool:
            found = read_values(call, probe.argument, required=probe.required)
            yield from (key_of(value.value) for value in found.values if value.reason is None)
