"""Stored records from where they are kept: files, folders and pipes; lines, JSON, CSV, Parquet; plain or compressed.

A record comes as the bytes of one JSON text, or as a row already decoded. Memory is one record, whatever the size of
the source. What cannot be read is told with its place, and the rest goes on.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from corpora.errors import BadInput
from corpora.jsonl import BOM
from corpora.values import Json, JsonObject
from runner.packed import Damaged, unpacked
from runner.pipes import standard_input

Record = bytes | JsonObject
Told = Callable[[BadInput], None]

SUFFIXES = (".jsonl", ".ndjson", ".json", ".log", ".txt", ".csv", ".tsv", ".parquet")
_PACKED = (".gz", ".zst", ".zstd")
_BLOCK = 1 << 20
_HEAD = 1 << 16
_PARQUET = b"PAR1"


def records(source: str, damaged: Told) -> Iterator[Record]:
    """Every record of a file, of the files of a folder, or of `-`, standard input. Raises BadInput."""
    if source == "-":
        yield from _stream(standard_input(), "standard input", "", damaged)
        return
    path = Path(source)
    if not path.is_dir():
        yield from _file(path, damaged)
        return
    files = [file for file in sorted(path.rglob("*")) if _is_log(file.relative_to(path)) and file.is_file()]
    if not files:
        raise BadInput(
            f"holds no file that ends in one of {', '.join(SUFFIXES)}; hidden ones are not read", path=source
        )
    for file in files:
        yield from _file(file, damaged)


def _is_log(path: Path) -> bool:
    """By its path below the folder: nothing that is hidden, nor in a folder that is (an environment, a checkout)."""
    suffix = Path(path.stem).suffix if path.suffix in _PACKED else path.suffix
    hidden = any(part.startswith(".") for part in path.parts)
    return suffix.lower() in SUFFIXES and not hidden and not path.name.endswith(".manifest.json")


def _file(path: Path, damaged: Told) -> Iterator[Record]:
    try:
        stream = path.open("rb", buffering=_BLOCK)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path)) from error
    with stream:
        name = path.stem if path.suffix in _PACKED else path.name
        yield from _stream(stream, str(path), Path(name).suffix.lower(), damaged)


def _stream(stream: BinaryIO, name: str, suffix: str, damaged: Told) -> Iterator[Record]:
    """The records of an open stream: what packs them is told by their first bytes, how they are written by both."""
    opened = unpacked(stream, name)
    try:
        head = opened.peek(_HEAD)
        if head.startswith(_PARQUET):
            yield from _parquet(name)
        elif suffix in (".csv", ".tsv"):
            yield from _csv(opened, name, damaged)
        elif _is_lines(head, suffix):
            yield from _lines(opened)
        else:
            yield from _values(opened, name, damaged)
    except Damaged as error:
        damaged(error)


def _is_lines(head: bytes, suffix: str) -> bool:
    """Whether each line is a record: by its name, or because the first line is a whole JSON object."""
    if suffix in (".jsonl", ".ndjson"):
        first = head.removeprefix(BOM).lstrip().partition(b"\n")[0]
        return not first.startswith((b"{", b"[")) or _is_whole(first) or b"\n" not in head
    first, ended, _ = head.removeprefix(BOM).lstrip().partition(b"\n")
    return bool(ended) and first.startswith(b"{") and _is_whole(first)


def _is_whole(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _lines(stream: Iterable[bytes]) -> Iterator[bytes]:
    first = True
    for line in stream:
        text = line.removeprefix(BOM) if first else line
        first = False
        if not text.isspace():
            yield text


def _values(stream: BinaryIO, name: str, damaged: Told) -> Iterator[bytes]:
    """JSON texts one after another, each over as many lines as it likes; of an array at the top, each item."""
    scanner = json.JSONDecoder()
    reader = codecs.getincrementaldecoder("utf-8-sig")("replace")
    buffer, place, ended = "", 0, False
    wanted = _BLOCK
    while True:
        while not ended and len(buffer) - place < wanted:
            data = stream.read(_BLOCK)
            ended = not data
            buffer, place = buffer[place:] + reader.decode(data, ended), 0
        place = _after_separators(buffer, place)
        if place == len(buffer):
            if ended:
                return
            wanted = _BLOCK
            continue
        try:
            _, end = scanner.raw_decode(buffer, place)
        except (ValueError, RecursionError) as error:
            if not ended and wanted < 64 * _BLOCK:
                wanted = 2 * max(wanted, len(buffer) - place)
                continue
            damaged(BadInput(f"no JSON from here on: {buffer[place : place + 60]!r} ({error})", path=name))
            return
        if end == len(buffer) and not ended:
            wanted = 2 * max(wanted, end - place)  # a number may go on
            continue
        yield buffer[place:end].encode()
        place, wanted = end, min(_BLOCK, wanted)


def _after_separators(buffer: str, place: int) -> int:
    """Past white space, and past the brackets and commas of an array at the top."""
    while place < len(buffer) and buffer[place] in " \t\r\n,[]":
        place += 1
    return place


def _csv(stream: BinaryIO, name: str, damaged: Told) -> Iterator[JsonObject]:
    """Rows by the names of the first; the separator is the one that the first row has most of."""
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="")
    first = text.readline()
    separator = max(",;\t|", key=first.count)
    csv.field_size_limit(sys.maxsize)
    rows = csv.reader(chain([first], text), delimiter=separator, strict=True)
    try:
        names = next(rows, [])
        for row in rows:
            if len(row) == len(names):
                yield dict(zip(names, row, strict=True))
            elif row:
                damaged(
                    BadInput(
                        f"expected {len(names)} cells as in the first row, found {len(row)}",
                        path=name,
                        line=rows.line_num,
                    )
                )
    except csv.Error as error:
        damaged(BadInput(f"is no CSV: {error}", path=name, line=rows.line_num))
    finally:
        text.detach()  # the stream is closed by who opened it


def _parquet(name: str) -> Iterator[JsonObject]:
    try:
        import pyarrow.parquet  # the extra `scan`
    except ImportError as error:
        raise BadInput("Parquet needs the extra: pip install 'assumeprobe[scan]'", path=name) from error
    if not Path(name).is_file():
        raise BadInput("Parquet is read from a file, whose end says where its parts are; save it first", path=name)
    with pyarrow.parquet.ParquetFile(name) as file:
        for batch in file.iter_batches(batch_size=1024):
            rows: list[Json] = batch.to_pylist()
            yield from rows
