"""What a scan found, and what a count over unlabelled traffic cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from corpora.values import Json
from scoring.counting.figures import SetFigures

MOST_VALUES = 20_000
"""Different values out of the set that are kept apart; later ones are counted together, so that memory has a bound."""

PRODUCT = (
    "A count over unlabelled traffic is the product of two unknown factors: how often a conversation left the value "
    "open, and how often the model then made one up. It is no rate of the model; a corpus measures that."
)


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for: one argument of one tool."""

    tool: str
    argument: str
    required: bool = False
    """The tool has required arguments, so that a call without any is malformed."""
    mapped: Json = None
    """What the service writes for a value that it does not know; None where that is not known."""


class ValueRow(msgspec.Struct, frozen=True, kw_only=True):
    """One value that was stored."""

    value: Json
    count: int
    in_set: bool
    catch_all: bool
    nearest: Json = None
    near: str | None = None
    first_seen: str | None = None
    last_seen: str | None = None
    months: dict[str, int] = {}
    flags: tuple[str, ...] = ()
    provoked: bool | None = None
    """Whether the results that were joined hold it too; None where none were joined."""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan found. No field for a rate: nothing here was labelled."""

    v: int = 1
    source: str
    shape: str
    tool: str
    argument: str
    set: SetFigures
    records: int
    calls: int
    """Values that could be judged; the sum of the rows and of `values_left_out`."""
    out_of_set: int
    values: tuple[ValueRow, ...]
    values_left_out: int = 0
    """Calls whose value is out of the set and has no row of its own, there being too many different ones."""
    skipped: dict[str, int] = {}
    other_tool_calls: int = 0
    flags: dict[str, int] = {}
    independent_draws: int = 0
    """Calls that no cache replayed."""
    first_seen: str | None = None
    last_seen: str | None = None
    shapes: dict[str, int] = {}
    caveats: tuple[str, ...] = ()


def caveats(found: History, mapped: Json) -> Iterator[str]:
    """What a reader must know of a history, in plain words. `mapped`: what the service writes for unknown values."""
    flags, skipped = found.flags, found.skipped
    yield PRODUCT
    yield f"The set is as read at {found.set.read_at}; a value may have been a member when it was stored."
    yield _retention(found)
    if not (found.calls or skipped or found.other_tool_calls) and found.records:
        yield (
            f"No record holds a call, of {found.tool} or of another tool: records were read as {found.shape}; "
            "where they hold calls in another form, name it with --shape."
        )
    if flags.get("not-verbatim"):
        yield f"{flags['not-verbatim']} values come from objects: the text that the model emitted was not stored."
    if flags.get("cache-hit"):
        yield f"{flags['cache-hit']} values were replayed by a cache: calls that the service saw, and no new draws."
    if flags.get("tool-not-named"):
        yield f"{flags['tool-not-named']} records name no tool and are taken for calls of {found.tool}."
    if skipped.get("mapped"):
        yield (
            f"{skipped['mapped']} values are {mapped!r} in the service's own table, which is what it writes for a "
            "value that it does not know: what was emitted cannot be told."
        )
    if found.values_left_out:
        yield f"{found.values_left_out} calls out of the set have no row: there are more than {MOST_VALUES} values."


def _retention(found: History) -> str:
    """Over which time the data reaches."""
    if found.first_seen is None or found.last_seen is None:
        return "No record says when it was made."
    first, last = (datetime.fromisoformat(moment) for moment in (found.first_seen, found.last_seen))
    return (
        f"The data reaches over {(last - first).days + 1} days, from {found.first_seen} to {found.last_seen}: "
        "what was before was not kept, or not given."
    )
