"""The standard streams of the process: UTF-8 whatever the locale; what is closed, full or gone is told in one place.

Standard output closed is bad input and full is fatal; one whose reader has gone away takes what is printed and changes
no status. Words on standard error that cannot be written are lost, and end nothing.
"""

from __future__ import annotations

import io
import os
import sys
from typing import BinaryIO, NoReturn, TextIO

from corpora.errors import BadInput
from runner.errors import Fatal


class Printed(io.TextIOWrapper):
    """Standard output as text."""

    def write(self, text: str, /) -> int:
        """Take a text. Raises Fatal where there is no room for it."""
        if text == "":  # click tries with it, and with b"", what a stream takes, and hears of no error
            return 0
        try:
            return super().write(text)
        except OSError as error:
            self._left(error)
            return len(text)

    def flush(self) -> None:
        """Send on what was taken. Raises Fatal likewise."""
        try:
            super().flush()
        except OSError as error:
            self._left(error)

    def _left(self, error: OSError) -> None:
        if isinstance(error, BrokenPipeError):
            forget(self)
        else:
            lost(error)


class Said(io.TextIOWrapper):
    """Standard error: nobody is told where it takes no more."""

    def write(self, text: str, /) -> int:
        """Take a text, or lose it."""
        try:
            return super().write(text)
        except OSError:
            forget(self)
            return len(text)

    def flush(self) -> None:
        """Send on what was taken, or lose it."""
        try:
            super().flush()
        except OSError:
            forget(self)


class Closed(io.TextIOBase):
    """Standard output where there is none: who prints learns it."""

    encoding = "utf-8"
    errors = "strict"

    def writable(self) -> bool:
        """True: the error comes with the first text."""
        return True

    def write(self, text: str, /) -> int:
        """Raises BadInput where there is something to print."""
        if text:
            raise BadInput("standard output is closed; send it to a file, a pipe or /dev/null")
        return 0


def settle() -> None:
    """Replace the standard streams of this process by those of this module, and let no file take their numbers."""
    for number in (0, 1, 2):
        _occupy(number)
    sys.stdout = Closed() if sys.stdout is None else _over(sys.stdout, Printed)
    sys.stderr = open(os.devnull, "w", encoding="utf-8") if sys.stderr is None else _over(sys.stderr, Said)  # noqa: PTH123, SIM115


def _occupy(number: int) -> None:
    """A file that is opened under a number of a closed stream would get what is meant for the stream."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)
        os.set_inheritable(number, True)


def _over(stream: TextIO, kind: type[Printed | Said]) -> TextIO:
    """The old stream stays what Python ends with: closing it would close what both write to."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    return kind(
        stream.buffer,
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def forget(stream: TextIO) -> None:
    """Nobody reads it any more: what is still buffered goes nowhere, also at interpreter exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def lost(error: OSError) -> NoReturn:
    """Standard output takes no more: raises BrokenPipeError where nobody reads it, else Fatal."""
    forget(sys.stdout)
    if isinstance(error, BrokenPipeError):
        raise error
    raise Fatal(f"standard output: {error.strerror or error}; what was written to it is not all") from error


def standard_input(instead: str = "name a file") -> BinaryIO:
    """What is piped in. Raises BadInput, which says what to do instead, where it is closed."""
    if sys.stdin is None:
        raise BadInput(f"standard input is closed; {instead}")
    return sys.stdin.buffer


def standard_output(instead: str = "name a file", field: str | None = None) -> BinaryIO:
    """Where results, answers or verdicts go. Raises BadInput likewise; `field` is the flag that named it."""
    if sys.stdout is None or isinstance(sys.stdout, Closed):
        raise BadInput(f"standard output is closed; {instead}", field=field)
    return sys.stdout.buffer
