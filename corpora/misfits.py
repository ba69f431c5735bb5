"""What a value that does not fit its Struct should have been: the names and words that stand open at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import inspect

from corpora.errors import BadInput
from corpora.fixtures import SET_BY_LOADER

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def misfit(error: msgspec.ValidationError, kind: object) -> BadInput:
    """A validation error as one sentence and a field; a closed list of words or names is told whole.

    msgspec's own sentence ends in "- at `$.a[0]`": the path becomes the field.
    """
    what, _, path = str(error).partition(" - at ")
    field = path.strip("`")
    what = what[:1].lower() + what[1:]
    known = _known(what, _at(inspect.type_info(kind), field))
    return BadInput(f"{what}; known are {', '.join(known)}" if known else what, field=field or None)


def _known(what: str, found: list[inspect.Type]) -> list[str]:
    """What could have stood in the place of an unknown word or name, in the order of its definition."""
    if what.startswith("invalid enum value"):
        return [str(word) for one in found if isinstance(one, inspect.LiteralType) for word in one.values]
    if "contains unknown field" in what:
        fields = (field for one in found if isinstance(one, inspect.StructType) for field in one.fields)
        return [field.encode_name for field in fields if field.encode_name not in SET_BY_LOADER]
    return []


def _at(whole: inspect.Type, path: str) -> list[inspect.Type]:
    """The types that may stand at a path."""
    found = list(_each(whole))
    for name, item in _STEP.findall(path):
        found = [inner for one in found for below in _below(one, name, item) for inner in _each(below)]
    return found


def _each(kind: inspect.Type) -> Iterator[inspect.Type]:
    """A type, or those that one of several may be; what stands beside it in its annotation is taken off."""
    if isinstance(kind, inspect.Metadata):
        yield from _each(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _each(one)
    else:
        yield kind


def _below(kind: inspect.Type, name: str, item: str) -> Iterator[inspect.Type]:
    match kind:
        case inspect.StructType() if name:
            yield from (field.type for field in kind.fields if field.encode_name == name)
        case inspect.DictType():
            yield kind.value_type
        case inspect.ListType() | inspect.VarTupleType() if item:
            yield kind.item_type
