"""The errors of the top floor, under `corpora.errors.ProbeError`; each knows the exit status it ends in.

ProbeError
├── BadInput        (ground floor, exit 2)
│   └── Locked      another process owns the file
├── Finding         the run is whole and says something bad
├── Fatal           the run cannot go on; what was received is kept
└── Interrupted     SIGINT or SIGTERM; what was received is kept
"""

from __future__ import annotations

from typing import ClassVar

from corpora.errors import BadInput, ProbeError


class Locked(BadInput):
    """Another living process owns the file."""


class Finding(ProbeError):
    """Nothing failed, and what was found does not pass: a flipped canned trace, a bound that does not hold."""

    status: ClassVar[int] = 1


class Fatal(ProbeError):
    """The run must stop: every further request would fail the same way, or nothing more can be written."""

    status: ClassVar[int] = 3


class Interrupted(ProbeError):
    """A signal ended the run before its plan was done."""

    status: ClassVar[int] = 130
