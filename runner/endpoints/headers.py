"""What a server says of its limits in header fields: one strict parser, and what it cannot read is as if not there."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol

_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?", re.ASCII)


class Fields(Protocol):
    """Header fields, case-insensitive by name."""

    def get(self, name: str) -> str | None:
        """The value of a field, or None."""


def retry_after_s(headers: Fields, now: datetime) -> float | None:
    """The wait that the server asks for; None where it asks for none that can be read. `now` has a time zone."""
    precise = _number(headers.get("retry-after-ms"))
    if precise is not None:
        return precise / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    return seconds if seconds is not None else _until(value, now)


def _number(value: str | None) -> float | None:
    value = (value or "").strip()
    return float(value) if _NUMBER.fullmatch(value) else None


def _until(value: str | None, now: datetime) -> float | None:
    """Seconds until an HTTP date in any of its three forms (RFC 9110, section 5.6.7)."""
    if not value or not value[:3].isalpha():
        return None
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
