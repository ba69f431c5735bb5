"""The errors of the ground floor: one tree, one clear sentence each.

ProbeError            anything that this project raises on purpose
└── BadInput          a file, line, field or flag that cannot be used as it is
    └── TornLine      the last line of a file has no end: it was cut while being written
"""

from __future__ import annotations

from typing import ClassVar


class ProbeError(Exception):
    """The root of every error that is raised on purpose; its text is one sentence for a person."""

    status: ClassVar[int] = 2
    """With which the command line ends where nobody catches it."""


class BadInput(ProbeError):
    """Something given by the user cannot be used: what was found, what was expected, where, what to do.

    `path`, `line` (from 1) and `field` say where, as far as known; `what` is the sentence without the place.
    """

    def __init__(
        self, what: str, *, path: str | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        self.what = what
        self.path = path
        self.line = line
        self.field = field
        super().__init__(what)

    @property
    def where(self) -> str:
        """The place as `FILE:LINE: FIELD`, empty where nothing is known of it."""
        place = ":".join(str(part) for part in (self.path, self.line) if part is not None)
        return ": ".join(part for part in (place, self.field) if part)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class TornLine(BadInput):
    """The last line of a file has no line end."""
