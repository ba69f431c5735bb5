"""A string that nothing prints."""

from __future__ import annotations

MARK = "[key]"
"""What stands in the place of one."""
SHORTEST = 8
"""A shorter one (a tenant's number, a word) would be found in innocent text, and is not looked for."""


class Secret:
    """A string that shows itself only when asked to."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret(***)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def reveal(self) -> str:
        """The string itself, for the one place that sends it."""
        return self._value
