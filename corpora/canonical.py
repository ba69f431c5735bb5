"""Canonical JSON and its sha256: the form in which everything here is hashed."""

from __future__ import annotations

import hashlib

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """Canonical JSON: keys sorted, no white space, UTF-8."""
    return _encoder.encode(value)


def sha256(value: object) -> str:
    """The sha256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()
