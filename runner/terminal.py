"""The console that tables are printed on."""

from __future__ import annotations

import errno
import os

from rich.console import Console


class Terminal(Console):
    """Standard output; a reader that has gone away is an error like any other, turned into a status in one place."""

    def on_broken_pipe(self) -> None:
        """Rich would end the process with status 1."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
