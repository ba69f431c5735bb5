"""Rows of a table or of a log of one's own: a tool and its arguments, as one column or as a column each."""

from __future__ import annotations

import msgspec

from corpora.shapes.stored import Inner, Stored, is_cut, maybe_json, stored_call, when
from corpora.values import JsonObject

_TOOLS = ("tool", "tool_name", "toolName", "function", "function_name", "name")
_ARGUMENTS = ("arguments", "tool_arguments", "args", "input", "parameters", "tool_input")


def read_row(record: JsonObject, _: Inner) -> Stored | None:
    """A row with its arguments in one column; the tool in another, or nowhere where the table is of one tool."""
    column = next((name for name in _ARGUMENTS if name in record), None)
    if column is None:
        return None
    tool = next((record[name] for name in _TOOLS if isinstance(record.get(name), str)), None)
    arguments = record[column]
    if not isinstance(arguments, str | dict | None):
        return None
    call = stored_call(tool, arguments, record.get("call_id", record.get("tool_call_id")))
    return Stored(shape="row", calls=(call,), at=when(record))


def read_columns(record: JsonObject, _: Inner) -> Stored | None:
    """A row whose columns are the arguments themselves: what a service stored, with the tool in one of them."""
    tool = next((name for name in _TOOLS[:3] if isinstance(record.get(name), str)), None)
    if tool is None:
        return None
    columns = {name: value for name, value in record.items() if name != tool}
    return Stored(shape="columns", calls=(stored_call(record[tool], columns),), at=when(record))


def read_cells(record: JsonObject, inner: Inner) -> Stored | None:
    """A row in which one cell holds a payload of a known shape, as an object or as JSON."""
    for name, cell in record.items():
        if not isinstance(cell, str | dict):
            continue
        payload = maybe_json(cell)
        found = inner(payload) if isinstance(payload, dict) else None
        if found is not None:
            at = when(record)
            return msgspec.structs.replace(found, shape=f"{name}: {found.shape}", at=found.at if at is None else at)
        if is_cut(cell):
            return Stored(shape=name, at=when(record), skipped=("truncated",))
    return None
