"""The line codec: one JSON object a line, encoded once, decoded with FILE:LINE in every error.

Lines are UTF-8 and end in one line feed. msgspec writes DEL, the C1 controls, U+2028 and U+2029 as they are; here they
become escapes, so that a line is one line for every reader, also for those that split at Unicode line ends.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from corpora.errors import BadInput, TornLine
from corpora.misfits import misfit
from corpora.records import Record
from corpora.values import Json

T = TypeVar("T")

BOM = b"\xef\xbb\xbf"
_BLOCK = 1 << 18
"""Read at once: lines of some kilobytes are cut from blocks of this size in a third of the time that 8 KiB take."""

_encoder = msgspec.json.Encoder()
_value_decoder = msgspec.json.Decoder()

# As UTF-8 bytes: DEL, U+0080 to U+009F, U+2028, U+2029. In JSON text they can stand inside strings only.
_RAW_CONTROLS = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]")


def _escape(match: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(match.group().decode())


def encode(value: object) -> bytes:
    """One value as one line, with its line feed. Every string in it must be encodable as UTF-8."""
    data = _encoder.encode(value)
    if data.isascii() and b"\x7f" not in data:  # most are: a tenth of the time of the search
        return data + b"\n"
    return _RAW_CONTROLS.sub(_escape, data) + b"\n"


def encode_text(value: object) -> str:
    """One value as JSON text without a line feed."""
    return encode(value)[:-1].decode()


def decode_value(data: bytes | str) -> Json:
    """Any JSON value; raises BadInput without a place where it is none."""
    try:
        return _value_decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadInput(f"this is no JSON: {error}") from error


def convert(value: Json, kind: type[T]) -> T:
    """A decoded JSON value as a Struct; raises BadInput that names the field."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        raise misfit(error, kind) from error


def to_json(value: object) -> Json:
    """A Struct as plain JSON values."""
    return msgspec.to_builtins(value)


def changed(value: T, **fields: Json) -> T:
    """A copy of a Struct with some fields changed."""
    return msgspec.structs.replace(value, **fields)  # type: ignore[type-var]  # every T here is a Struct


def numbered(stream: Iterable[bytes], start: int = 1) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, blank ones left out, a byte order mark at the start taken off."""
    for number, line in enumerate(stream, start):
        text = line.removeprefix(BOM) if number == 1 else line
        if text and not text.isspace():
            yield number, text


def decode(
    lines: Iterable[bytes], kind: type[T], *, path: str, damaged: Callable[[BadInput], None] | None = None
) -> Iterator[T]:
    """Every line as a Struct of `kind`.

    A line that is none is a BadInput with file and line: told to `damaged` and passed over, or raised where nobody
    is there to be told.
    """
    decode_one = msgspec.json.Decoder(kind).decode
    for number, line in enumerate(lines, 1):
        try:
            value = decode_one(line)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            # Only a line that is no value is looked at more closely: it may be blank, or begin with a byte order mark.
            text = line.removeprefix(BOM) if number == 1 else line
            if text is not line:
                yield from decode([text], kind, path=path, damaged=damaged)
            elif text.strip():
                fault = _fault(error, line, kind, path, number)
                if damaged is None:
                    raise fault from error
                damaged(fault)
        else:
            yield value


def _fault(error: Exception, line: bytes, kind: object, path: str, number: int) -> BadInput:
    """What is wrong with a line, and where."""
    if isinstance(error, msgspec.ValidationError):
        bad = misfit(error, kind)
        return BadInput(bad.what, path=path, line=number, field=bad.field)
    if not line.endswith(b"\n"):
        return TornLine(f"the last line is cut: {error}", path=path, line=number)
    return BadInput(f"this line is no JSON: {error}", path=path, line=number)


def open_lines(path: Path) -> BinaryIO:
    """A file for reading its lines; raises BadInput where it cannot be read."""
    try:
        return path.open("rb", buffering=_BLOCK)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path)) from error


def read_records(source: str | Path | BinaryIO, damaged: Callable[[BadInput], None] | None = None) -> Iterator[Record]:
    """The records of a results file or binary stream, in its order, each line as it stands.

    A key may stand more than once where a run was resumed: the last line of a key counts.
    A line that is no record raises BadInput with file and line, or is told to `damaged` and passed over.
    """
    if isinstance(source, str | Path):
        with open_lines(Path(source)) as stream:
            yield from decode(stream, Record, path=str(source), damaged=damaged)
    else:
        yield from decode(source, Record, path=getattr(source, "name", "standard input"), damaged=damaged)


def text_or_base64(data: bytes) -> tuple[str | None, str | None]:
    """A body as a string, or where it is no valid UTF-8 as base64: exactly one of the two is not None."""
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        return None, base64.b64encode(data).decode("ascii")
