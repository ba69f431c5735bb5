"""What a server says of its limits in header fields: one strict parser; what it cannot read is as if not there.

Spellings read: Retry-After (RFC 9110: seconds, or one of three dates) and retry-after-ms; `x-ratelimit-*` with the kind
of quota as prefix, suffix or left out; `anthropic-ratelimit-*`; `ratelimit-*` and `RateLimit` of the IETF drafts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal, NamedTuple

import msgspec

Kind = Literal["requests", "tokens"]
KINDS: tuple[Kind, ...] = ("requests", "tokens")


class Quota(msgspec.Struct, frozen=True, kw_only=True):
    """One quota of a server: as much of it as was said."""

    limit: float | None = None
    remaining: float | None = None
    reset_s: float | None = None
    """Until it is whole again."""
    blur_s: float = 0.0
    """How far off that may be, either way: a whole second may have been rounded."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one response said of the limits."""

    retry_after_s: float | None = None
    requests: Quota = Quota()
    tokens: Quota = Quota()

    @property
    def wait_s(self) -> float | None:
        """The wait that the server asks for: as it says, or until an exhausted quota is whole again."""
        if self.retry_after_s is not None:
            return self.retry_after_s
        spent = [quota for quota in (self.requests, self.tokens) if quota.remaining == 0]
        resets = [quota.reset_s for quota in spent if quota.reset_s is not None]
        return max(resets, default=None)


SILENT = Limits()


def concern(fields: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether header fields, as they came, may tell of limits: for what is asked of every response."""
    return _CONCERNS_BYTES.search(b" ".join([name for name, _ in fields])) is not None


def limits(headers: Mapping[str, str], now: datetime | Callable[[], datetime]) -> Limits:
    """The limits that header fields state (names in any case), in seconds from when they were written.

    A moment is one of the server's clock, and so is the Date beside it. `now`, with a time zone, is that of the answer
    by our clock: it counts where there is no Date.
    """
    if not _CONCERNS.search(" ".join(headers)):
        return SILENT
    fields = {name.lower(): value.strip() for name, value in headers.items()}
    clock = _clock(fields.get("date"), now)
    return Limits(
        retry_after_s=_retry_after(fields, clock),
        requests=_quota(fields, "requests", clock),
        tokens=_quota(fields, "tokens", clock),
    )


class _Wait(NamedTuple):
    """In seconds, and how far off that may be."""

    seconds: float
    blur_s: float = 0.0


class _Clock(NamedTuple):
    """What the server's clock shows."""

    now: datetime
    blur_s: float

    def until(self, moment: datetime) -> _Wait:
        """How long it is to a moment; nothing where it has passed."""
        return _Wait(max(0.0, (moment - self.now).total_seconds()), self.blur_s)


_HALF_S = 0.5
"""A Date shows the second that has begun."""


def _clock(date: str | None, now: datetime | Callable[[], datetime]) -> _Clock:
    told = _moment(date) if date else None
    if told is None:
        return _Clock(now if isinstance(now, datetime) else now(), 0.0)
    return _Clock(told + timedelta(seconds=_HALF_S), _HALF_S)


_CONCERNS = re.compile(r"ratelimit|rate-limit|retry-after", re.IGNORECASE)
_CONCERNS_BYTES = re.compile(_CONCERNS.pattern.encode(), re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?", re.ASCII)
_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?", re.ASCII)
_UNIT_S = (86400, 3600, 60, 1, 0.001)
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d.*", re.ASCII)
_FINER = re.compile(r"\.\d|\dms|(?<!\d)\d{13,15}(?<!000)$", re.ASCII)
"""What is written finer than in whole seconds."""
_EPOCH_S, _EPOCH_MS = 1e9, 1e12
"""From 2001 on. No server asks to wait for thirty years."""


def _retry_after(fields: Mapping[str, str], clock: _Clock) -> float | None:
    precise = _number(fields.get("retry-after-ms") or fields.get("x-ms-retry-after-ms"))
    if precise is not None:
        return precise / 1000
    value = fields.get("retry-after", "")
    wait = _wait(value, clock) if _NUMBER.fullmatch(value) or value[:3].isalpha() else None
    return None if wait is None else wait.seconds + wait.blur_s


def _number(value: str | None) -> float | None:
    return float(value) if value and _NUMBER.fullmatch(value) else None


def _wait(value: str | None, clock: _Clock) -> _Wait | None:
    """A span: written as a number, in units (6m0s, 17ms), or as a moment (epoch, RFC 3339, HTTP date)."""
    if not value:
        return None
    number = _number(value)
    if number is not None:
        return _from_number(number, clock)
    duration = _DURATION.fullmatch(value)
    if duration:
        return _Wait(sum(float(part) * unit for part, unit in zip(duration.groups(), _UNIT_S, strict=True) if part))
    moment = _moment(value)
    return None if moment is None else clock.until(moment)


def _from_number(number: float, clock: _Clock) -> _Wait:
    """Seconds from now, or where it is too large for that a moment: epoch seconds or milliseconds."""
    if number < _EPOCH_S:
        return _Wait(number)
    epoch = number / 1000 if number >= _EPOCH_MS else number
    return _Wait(max(0.0, epoch - clock.now.timestamp()), clock.blur_s)


def _moment(value: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(value) if _STAMP.fullmatch(value) else parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


_PREFIXES = ("x-ratelimit", "ratelimit", "x-rate-limit")


def _quota(fields: Mapping[str, str], kind: Kind, clock: _Clock) -> Quota:
    reset = _find(fields, kind, "reset")
    wait = _wait(reset, clock)
    rounded_s = 1.0 if reset and not _FINER.search(reset) else 0.0
    return Quota(
        limit=_number(_first_part(_find(fields, kind, "limit"))),
        remaining=_number(_find(fields, kind, "remaining")),
        reset_s=None if wait is None else wait.seconds,
        blur_s=rounded_s + (wait.blur_s if wait else 0.0),
    )


def _find(fields: Mapping[str, str], kind: Kind, what: str) -> str | None:
    """The field for one fact of one quota; without a kind it is about requests."""
    names = [f"anthropic-ratelimit-{kind}-{what}"]
    for prefix in _PREFIXES:
        names += [f"{prefix}-{what}-{kind}", f"{prefix}-{kind}-{what}", f"{prefix}-{what}-{kind}-minute"]
    if kind == "requests":
        names += [f"{prefix}-{what}" for prefix in _PREFIXES]
    found = next((fields[name] for name in names if name in fields), None)
    return found if found is not None or kind != "requests" else _drafted(fields, what)


_DRAFTED = {
    "limit": re.compile(r"\b(?:limit=|q=)(\d+)"),
    "remaining": re.compile(r"\b(?:remaining=|r=)(\d+)"),
    "reset": re.compile(r"\b(?:reset=|t=)(\d+)"),
}


def _drafted(fields: Mapping[str, str], what: str) -> str | None:
    """One field for all: `limit=100, remaining=50, reset=30`, or `"default";r=50;t=30`."""
    found = _DRAFTED[what].search(f"{fields.get('ratelimit', '')} {fields.get('ratelimit-policy', '')}")
    return found[1] if found else None


def _first_part(value: str | None) -> str | None:
    """`100, 100;w=60`: the limit stands before its policy."""
    return value.split(",")[0].split(";")[0].strip() if value else None
