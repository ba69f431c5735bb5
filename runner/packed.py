"""Files and pipes to lines, whatever they are packed in: plain, gzip or zstd, told by their first bytes."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from corpora.errors import BadInput
from corpora.jsonl import open_lines
from runner.pipes import standard_input

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 20


class Damaged(BadInput):
    """A packed stream that ends in the middle, or does not unpack."""


@contextmanager
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """A file, or standard input for None, as a stream of its unpacked bytes.

    Raises BadInput where it cannot be read, or is packed in a way that needs what is not installed.
    """
    if path is None:
        yield unpacked(standard_input(), "standard input")
    else:
        with open_lines(path) as stream:
            yield unpacked(stream, str(path))


def unpacked(stream: BinaryIO, name: str) -> io.BufferedReader:
    """The unpacked bytes of a stream that is not read yet; `name` is told in errors."""
    buffered = stream if isinstance(stream, io.BufferedReader) else _buffered(stream, name)
    head = buffered.peek(len(_ZSTD))
    if head.startswith(_GZIP):
        from gzip import GzipFile  # loaded for a packed file only

        return _buffered(cast("BinaryIO", GzipFile(fileobj=buffered)), name)
    if head.startswith(_ZSTD):
        return _buffered(_zstd(buffered, name), name)
    return buffered


def _buffered(stream: BinaryIO, name: str) -> io.BufferedReader:
    """Read in large blocks, of which lines are cut."""
    return io.BufferedReader(_Unpacking(stream, name), _BLOCK)


def _zstd(stream: BinaryIO, name: str) -> BinaryIO:
    """A zstd stream, by the standard library or its backport."""
    for module in ("compression.zstd", "backports.zstd"):
        try:
            found = import_module(module)
        except ImportError:
            continue
        return cast("BinaryIO", found.ZstdFile(stream))
    raise BadInput("is packed with zstd; reading it needs: pip install 'assumeprobe[zstd]'", path=name)


class _Unpacking(io.RawIOBase):
    """A packed stream; one that ends in the middle, or is damaged, is bad input and no error of ours."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Fill a buffer with unpacked bytes; 0 at the end."""
        view = memoryview(buffer)
        try:
            data = self._stream.read(len(view))
        except (EOFError, OSError, zlib.error) as error:
            raise self._damaged(error) from error
        except Exception as error:
            if type(error).__name__ == "ZstdError":  # its module need not be there
                raise self._damaged(error) from error
            raise
        view[: len(data)] = data
        return len(data)

    def _damaged(self, error: Exception) -> Damaged:
        return Damaged(f"is packed and damaged: {error}", path=self._name)
