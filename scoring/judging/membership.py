"""One value against one authoritative set: equal to a member or not, nothing normalised unless the set says so."""

from __future__ import annotations

from typing import NamedTuple

from corpora.canonical import canonical
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from scoring.judging.members import Near
from scoring.judging.near import Index
from scoring.judging.texts import Form


class Standing(NamedTuple):
    """How a value stands to a set; `near` and `nearest` are filled for a miss only."""

    in_set: bool
    catch_all: bool = False
    near: str | None = None
    nearest: Json = None
    flags: tuple[str, ...] = ()
    form: Form | None = None
    """How a member was recognised."""


class Membership:
    """A set made ready to be asked many times. `others`: the corpus's other sets, for the class `other-set`."""

    def __init__(self, members: AuthoritativeSet, others: tuple[AuthoritativeSet, ...] = ()) -> None:
        self.set = members
        self._fold = members.compare == "case-insensitive"
        self._keys = {self._key(value) for value in members.values}
        self._exact = {_exact_key(value) for value in members.values} if self._fold else self._keys
        self._catch_all = {self._key(value) for value in members.catch_all}
        self._former = {self._key(value) for value in members.former}
        self._types = {_kind(value) for value in members.values}
        self._others = {_exact_key(value) for other in others for value in other.values}
        self._index: Index | None = None

    def standing(self, value: Json) -> Standing:
        """Whether a value that is no omission is a member, and if not, in which way it misses."""
        key = self._key(value)
        if key in self._keys:
            form: Form = "exact" if _exact_key(value) in self._exact else "case-fold"
            return Standing(True, catch_all=self.catches(value), form=form)
        flags = ("former-member",) if key in self._former else ()
        if _kind(value) not in self._types:
            flags = (*flags, "type-mismatch")
        near = self._near(value)
        return Standing(False, near=near.name, nearest=near.nearest, flags=flags)

    def catches(self, value: Json) -> bool:
        """Whether a value is a member that means "none of these"."""
        return self._key(value) in self._catch_all

    def holds(self, value: Json) -> bool:
        """Whether a value is a member, and nothing more: the way of a miss costs time."""
        return self._key(value) in self._keys

    def equal(self, left: Json, right: Json) -> bool:
        """Two values are one for the service that owns the set."""
        return self._key(left) == self._key(right)

    def prepare(self) -> None:
        """Make now what the first miss would have to wait for: over a second for 100,000 members."""
        self._ready_index().prepare()

    def _ready_index(self) -> Index:
        if self._index is None:
            self._index = Index([member for member in self.set.values if isinstance(member, str)])
        return self._index

    def _near(self, value: Json) -> Near:
        if not isinstance(value, str):
            return Near("other-set" if _exact_key(value) in self._others else "none", None)
        near = self._ready_index().near(value)
        if near.name == "none" and _exact_key(value) in self._others:
            return Near("other-set", None)
        return Near(_without_case(near.name), near.nearest) if self._fold else near

    def _key(self, value: Json) -> object:
        return value.casefold() if self._fold and isinstance(value, str) else _exact_key(value)


def _without_case(name: str) -> str:
    """The classes of a miss where the service does not mind the case."""
    return "+".join(part for part in name.split("+") if part != "case")


def _exact_key(value: Json) -> object:
    """What makes two JSON values one: true is not 1, and 1 is 1.0."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (value,)
    return canonical(value)


def _kind(value: Json) -> type:
    return float if type(value) is int else type(value)
