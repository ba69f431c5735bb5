"""The nouns of the mutation run, and the two files they are kept in."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """One change to one function."""

    name: str
    """As mutmut has it; it numbers the mutants of a function, so the number moves when the function changes."""
    module: str
    function: str
    """The dotted name of what is changed, as one reads it in the source."""
    change: str
    """The lines taken away (`-`) and put (`+`); with `function` the name that does not move."""

    @property
    def key(self) -> str:
        """What the mutants of one function share in their names."""
        return self.name.rpartition("__mutmut_")[0]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one mutant: a line of a results file."""

    mutant: str
    module: str
    function: str
    change: str
    killer: str | None
    """The test that failed; a limit or signal in brackets; None where it survived."""
    seconds: float

    @classmethod
    def of(cls, mutant: Mutant, killer: str | None, seconds: float) -> Result:
        """What became of `mutant`."""
        return cls(
            mutant=mutant.name,
            module=mutant.module,
            function=mutant.function,
            change=mutant.change,
            killer=killer,
            seconds=seconds,
        )


class Reason(msgspec.Struct, frozen=True):
    """Why a change may survive: a line of the survivors file."""

    function: str
    change: str
    why: str

    @property
    def module(self) -> str:
        """Where its function stands: classes, not modules, have a capital letter."""
        owner, _, _ = self.function.rpartition(".")
        outer, _, name = owner.rpartition(".")
        return outer if name.lstrip("_")[:1].isupper() else owner


class Recorded(msgspec.Struct, frozen=True):
    """What a known results file is read for."""

    mutant: str
    killer: str | None
    function: str = ""
    change: str = ""


class Spoilt(Exception):
    """A given file or name that cannot be used; its text is one sentence for a person."""

    status = 2


class Unsound(Spoilt):
    """The tests fail although nothing was changed: what they kill would prove nothing."""

    status = 1


Line = TypeVar("Line")


def read(path: Path, kind: type[Line]) -> list[Line]:
    """The lines of a JSONL file; a last line that was cut while being written is left out. Raises Spoilt."""
    try:
        *whole, _torn = path.read_bytes().split(b"\n")
    except OSError as error:
        raise Spoilt(f"{path}: cannot be read: {error.strerror}") from error
    decoder = msgspec.json.Decoder(kind)
    return [_decoded(decoder, line, f"{path}:{number}") for number, line in enumerate(whole, 1) if line]


def _decoded(decoder: msgspec.json.Decoder[Line], line: bytes, where: str) -> Line:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Spoilt(f"{where}: {error}") from error


class Log:
    """A results file that lines are added to, each whole before the next; a cut last line is cut off first."""

    def __init__(self, path: Path) -> None:
        self.before = read(path, Result) if path.exists() else []
        self._file = path.open("ab", buffering=0)
        self._file.truncate(path.read_bytes().rfind(b"\n") + 1)

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, result: Result) -> None:
        self._file.write(msgspec.json.encode(result) + b"\n")
