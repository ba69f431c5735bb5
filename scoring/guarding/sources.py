"""Where the values of a set come from at call time, and what they are now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import EnumType
from pathlib import Path
from typing import TypeAlias

import msgspec

from corpora.errors import BadInput
from corpora.sets import SetSpec, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from scoring.guarding.arguments import NotFinite, NotJson, plain

Source: TypeAlias = AuthoritativeSet | Iterable[Json] | Callable[[], AuthoritativeSet | Iterable[Json]]
"""A set as it is, its values, or what reads either of them again."""


def same_reading(one: AuthoritativeSet, other: AuthoritativeSet) -> bool:
    """Two readings say the same, but for when they were made."""
    return one == msgspec.structs.replace(other, read_at=one.read_at)


def read_source(name: str, source: Source) -> AuthoritativeSet:
    """A source as it is now. An Enum class stands for the values of its members."""
    found = source() if callable(source) and not isinstance(source, EnumType) else source
    if isinstance(found, AuthoritativeSet):
        if not found.values:
            raise BadInput("the set is empty", field=f"sets.{name}")
        return found
    if isinstance(found, str | bytes | bytearray | memoryview) or not isinstance(found, Iterable):
        raise BadInput(f"expected the values of a set, found {type(found).__name__}", field=f"sets.{name}")
    try:
        values = tuple(plain(value) for value in found)
    except (NotJson, NotFinite) as error:
        raise BadInput(f"a member is text, a number or a boolean; {error}", field=f"sets.{name}") from error
    return read_set(name, SetSpec(values=values), Path())
