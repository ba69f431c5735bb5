"""Rows of a table or of a log of one's own: a tool and its arguments, as one column or as a column each."""

from __future__ import annotations

import msgspec

from corpora.shapes.stored import Inner, Stored, is_cut, maybe_json, once, stored_call, when
from corpora.values import Json, JsonObject

_TOOLS = ("tool", "tool_name", "toolName", "function", "function_name", "name")
_ALONE = ("arguments", "tool_arguments", "args", "tool_args", "tool_input", "toolInput", "tool_kwargs", "kwargs")
"""Columns that are arguments also where no other column names a tool; an `input` may be anybody's."""
_ARGUMENTS = (*_ALONE, "input", "parameters")
_OF_A_RUN = (*_ARGUMENTS, "inputs")
"""Of the run of a tool in LangSmith, where it is named a row: else the model's own run holds the same call."""

_ANSWERS = ("output", "outputs", "response", "result", "completion", "message", "payload", "body", "data")
"""Cells that are looked into first: where an answer stands beside what was asked, the answer counts."""
_ASKED = frozenset({"request", "input", "inputs", "prompt", "messages", "tools", "metadata", *_ARGUMENTS})
_WEAK = ("row", "columns")


def read_row(record: JsonObject, _: Inner) -> Stored | None:
    """A row with its arguments in one column; the tool in another, or nowhere where the table is of one tool."""
    tool = next((record[name] for name in _TOOLS if isinstance(record.get(name), str)), None)
    names = _OF_A_RUN if record.get("run_type") == "tool" else _ARGUMENTS if tool is not None else _ALONE
    column = next((name for name in names if name in record), None)
    if column is None or not isinstance(record[column], str | dict | None):
        return None
    call = stored_call(tool, record[column], record.get("call_id", record.get("tool_call_id")))
    return Stored(shape="row", calls=(call,), at=when(record))


def read_columns(record: JsonObject, _: Inner) -> Stored | None:
    """A row whose columns are the arguments themselves: what a service stored, with the tool in one of them."""
    tool = next((name for name in _TOOLS[:3] if isinstance(record.get(name), str)), None)
    if tool is None:
        return None
    columns = {name: value for name, value in record.items() if name != tool}
    return Stored(shape="columns", calls=(stored_call(record[tool], columns),), at=when(record))


def read_named_columns(record: JsonObject, inner: Inner) -> Stored | None:
    """As `read_columns`, for whoever says that these are columns: the table may be of one tool that none names."""
    found = read_columns(record, inner)
    return found or Stored(shape="columns", calls=(stored_call(None, record),), at=when(record))


def read_cells(record: JsonObject, inner: Inner) -> Stored | None:
    """A row in which one cell holds a payload of a shape that is told by names of its own."""
    return _cells(record, inner, weak=False)


def read_row_cells(record: JsonObject, inner: Inner) -> Stored | None:
    """A row in which one cell holds a row with its tool."""
    return _cells(record, inner, weak=True)


def _cells(record: JsonObject, inner: Inner, *, weak: bool) -> Stored | None:
    names = [name for name in _ANSWERS if name in record]
    names += [name for name in record if name not in _ANSWERS and name not in _ASKED]
    for name in names:
        cell = record[name]
        found = _payload(maybe_json(cell), inner)
        if found is not None and found.shape.rpartition(": ")[2].startswith(_WEAK) is weak:
            at = when(record)
            return msgspec.structs.replace(found, shape=f"{name}: {found.shape}", at=found.at if at is None else at)
        if is_cut(cell):
            return Stored(shape=name, at=when(record), skipped=("truncated",))
    return None


def _payload(value: Json, inner: Inner) -> Stored | None:
    """What a cell holds: a record, or a list of them."""
    if isinstance(value, dict):
        return inner(value)
    if not isinstance(value, list) or not value:
        return None
    found = [inner(item) for item in value if isinstance(item, dict)]
    known = [one for one in found if one is not None]
    if not known:
        return None
    calls = once(call for one in known for call in one.calls)
    return msgspec.structs.replace(known[0], calls=calls)
