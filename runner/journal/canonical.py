"""Puts a complete results file in its canonical order: the corpus's order of fixtures, then sample, one line a key.

Two runs of one study then differ line by line only where the answers differ. The file may be larger than memory: where
each key's last line stands is written to an index on disk (16 bytes a key), then the lines are copied in the index's
order, and the copy takes the file's place in one step. Killed at any moment, the old file stands.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from corpora.heads import head
from runner.errors import Fatal
from runner.journal.manifest import sync_folder

_ENTRY = struct.Struct("<QQ")
_BLOCK = _ENTRY.size * 4096


def put_in_order(path: Path, fixtures: Sequence[str], samples: int) -> bool:
    """Rewrite the file where it is not in order yet; whether it was rewritten.

    Every line must be a record of one of the fixtures, with a sample below `samples`. Raises Fatal where the copy
    cannot be written; the file then stays as it is, complete and out of order.
    """
    ranks = {fixture: place * samples for place, fixture in enumerate(fixtures)}
    leftovers = [path.with_name(f"{path.name}{ending}") for ending in (".index", ".ordered")]
    try:
        if _is_ordered(path, ranks):
            return False
        with ExitStack() as stack:
            source = stack.enter_context(path.open("rb"))
            index = stack.enter_context(leftovers[0].open("w+b", buffering=0))
            target = stack.enter_context(leftovers[1].open("wb", buffering=1 << 17))
            _write_index(source, index, ranks)
            _copy(source, index, target)
            target.flush()
            os.fsync(target.fileno())
        leftovers[1].replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise Fatal(
            f"{path}: all samples are in it, but it could not be put in order: {error.strerror}; "
            "make room and give the same command to do that alone"
        ) from error
    finally:
        for leftover in leftovers:
            with suppress(OSError):
                leftover.unlink(missing_ok=True)
    return True


def _is_ordered(path: Path, ranks: dict[str, int]) -> bool:
    last = -1
    with path.open("rb") as source:
        for _, _, rank in _lines(source, ranks):
            if rank <= last:
                return False
            last = rank
    return True


def _lines(source: BinaryIO, ranks: dict[str, int]) -> Iterator[tuple[int, int, int]]:
    """Offset, length and canonical rank of every line."""
    source.seek(0)
    offset = 0
    for line in source:
        found = head(line)
        if found is not None:
            yield offset, len(line), ranks[found.fixture_id] + found.sample
        offset += len(line)


def _write_index(source: BinaryIO, index: BinaryIO, ranks: dict[str, int]) -> None:
    """At 16 x rank: offset and length of the key's last line; zeros where it has none."""
    for offset, length, rank in _lines(source, ranks):
        os.pwrite(index.fileno(), _ENTRY.pack(offset, length), rank * _ENTRY.size)


def _copy(source: BinaryIO, index: BinaryIO, target: BinaryIO) -> None:
    index.seek(0)
    while block := index.read(_BLOCK):
        for offset, length in _ENTRY.iter_unpack(block):
            if length:
                target.write(os.pread(source.fileno(), length, offset))
