"""Keeps standard output for results: what an agent prints goes to standard error, whichever way it prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def kept_for_results() -> Iterator[int]:
    """A descriptor of the real standard output; until the end of the block number 1 is standard error.

    Python's prints, the writes of C code and those of child processes all go there.
    """
    sys.stdout.flush()
    real = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield real
    finally:
        os.dup2(real, 1)
        os.close(real)
