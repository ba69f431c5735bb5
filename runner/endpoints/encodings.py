"""A body without the content encoding that it came in: whole, or an error that says what is wrong with it."""

from __future__ import annotations

import zlib
from contextlib import suppress

ASKED_FOR = "gzip, deflate"
_WAY_OUT = f"; turn it off at the server, or at the proxy before it, which has to heed Accept-Encoding: {ASKED_FOR}"
_MOST_PARTS = 100
"""One is usual; each more costs another look at all the rest."""
_PIECE_BYTES = 4096


class Unfit(Exception):
    """A body is not what its content encoding says."""


class Short(Exception):
    """A body ends before what it holds does."""


class TooLarge(Exception):
    """A body is larger than its bound."""


def decoded(body: bytes, encoding: str, most_bytes: int) -> bytes:
    """What a body holds. `encoding`: the field's value. Raises Unfit, Short, TooLarge."""
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        match name:
            case _ if not body:
                break
            case "" | "identity":
                continue
            case "gzip" | "x-gzip":
                body = _parts(body, most_bytes)
            case "deflate":
                body = _deflated(body, most_bytes)
            case _:
                raise Unfit(f"{name[:40]!r} was not asked for{_WAY_OUT}")
    return body


def readable(body: bytes, encoding: str, most_bytes: int) -> bytes:
    """What can be read of a body that `decoded` refuses, up to the damage, the cut or the bound; of no other form."""
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        match name:
            case "gzip" | "x-gzip":
                body = _start(body, most_bytes, zlib.MAX_WBITS | 16)
            case "deflate":
                body = _start(body, most_bytes, zlib.MAX_WBITS) or _start(body, most_bytes, -zlib.MAX_WBITS)
    return body


def _start(body: bytes, most_bytes: int, form: int) -> bytes:
    """The part of a stream before its damage. Of a damaged piece zlib gives nothing, so that one is read by bytes."""
    unpacker = zlib.decompressobj(form)
    found = bytearray()
    for place in range(0, len(body), _PIECE_BYTES):
        before = unpacker.copy()
        try:
            found += unpacker.decompress(body[place : place + _PIECE_BYTES], most_bytes + 1 - len(found))
        except zlib.error:
            return bytes(found) + _up_to_damage(before, body[place : place + _PIECE_BYTES])
        if len(found) > most_bytes:
            break
    return bytes(found)


def _up_to_damage(unpacker: zlib._Decompress, piece: bytes) -> bytes:
    found = b""
    with suppress(zlib.error):
        for byte in piece:
            found += unpacker.decompress(bytes([byte]))
    return found


def _parts(body: bytes, most_bytes: int) -> bytes:
    """A gzip file is one part after another, and may be filled up with zeros (RFC 1952, section 2.2)."""
    found = b""
    for _ in range(_MOST_PARTS):
        part, rest = _unpacked(body, most_bytes, zlib.MAX_WBITS | 16)
        found += part
        _check(found, most_bytes)
        body = rest.lstrip(b"\0")
        if not body:
            return found
    raise Unfit(f"more than {_MOST_PARTS} parts")


def _deflated(body: bytes, most_bytes: int) -> bytes:
    """Zlib's form, as the standard says (RFC 9110, section 8.4.1.2), or as many send it without zlib's frame."""
    try:
        return _unpacked(body, most_bytes, zlib.MAX_WBITS)[0]
    except Unfit:
        return _unpacked(body, most_bytes, -zlib.MAX_WBITS)[0]


def _unpacked(body: bytes, most_bytes: int, form: int) -> tuple[bytes, bytes]:
    """What one part holds, and what comes after it."""
    unpacker = zlib.decompressobj(form)
    try:
        found = unpacker.decompress(body, most_bytes + 1)
    except zlib.error as error:
        raise Unfit(str(error)) from error
    _check(found, most_bytes)
    if not unpacker.eof:
        raise Short("the compressed answer ends in the middle")
    return found, unpacker.unused_data


def _check(found: bytes, most_bytes: int) -> None:
    if len(found) > most_bytes:
        raise TooLarge(f"the answer decompresses to more than {most_bytes} bytes; --max-response-bytes allows more")
