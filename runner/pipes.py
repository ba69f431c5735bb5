"""Standard input and standard output as bytes; one that is closed is bad input and no fault of the program."""

from __future__ import annotations

import sys
from typing import BinaryIO

from corpora.errors import BadInput


def standard_input(instead: str = "name a file") -> BinaryIO:
    """What is piped in. Raises BadInput, which says what to do instead, where it is closed."""
    if sys.stdin is None:
        raise BadInput(f"standard input is closed; {instead}")
    return sys.stdin.buffer


def standard_output(instead: str = "name a file", field: str | None = None) -> BinaryIO:
    """Where results, answers or verdicts go. Raises BadInput likewise; `field` is the flag that named it."""
    if sys.stdout is None:
        raise BadInput(f"standard output is closed; {instead}", field=field)
    return sys.stdout.buffer
