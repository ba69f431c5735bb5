"""Values that nobody said: near misses of real members, and values made up from nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from corpora.corpus import Probe
from corpora.values import Json


def _words(code: str) -> str:
    return code.replace("_", " ").lower()


# Spellings of a member that a model is known to send instead of it. The first is the most frequent.
NEAR: tuple[Callable[[str], str], ...] = (
    lambda code: f" {_words(code)}",
    str.lower,
    lambda code: code.replace("_", "-"),
    _words,
    lambda code: f"{code} ",
    lambda code: _words(code).title().replace(" ", ""),
    lambda code: f"{code}S",
    lambda code: code.rpartition("_")[0] or code[:-1],
    lambda code: f"REASON_{code}",
    lambda code: f'"{code}"',
)

REASONS = (
    "CHANGED_MIND",
    "CUSTOMER_REQUEST",
    "NO_LONGER_NEEDED",
    "BUYER_REMORSE",
    "UNWANTED",
    "ORDERED_BY_MISTAKE",
    "BETTER_PRICE_FOUND",
    "SIZE_ISSUE",
    "GIFT_NOT_WANTED",
    "customer_request",
    "changed mind",
    "no_reason_given",
    "NOT_SPECIFIED",
    "Customer changed their mind",
    "RETURN",
)
CODES = ("UNSPECIFIED", "GENERAL", "STANDARD", "DEFAULT", "UNKNOWN", "N/A", "misc")

# What models write where nobody said anything, by the type that a probe declares.
DEFAULTS: dict[str, tuple[Json, ...]] = {
    "timezone": ("Europe/Berlin", "America/Los_Angeles", "CET", "US/Eastern", "UTC+1"),
    "datetime": ("2026-01-01T00:00:00Z", "2026-12-01T09:00:00"),
    "date": ("2026-01-01", "2026-12-31"),
    "money": (0, 100, 49.99),
    "number": (1, 10, 100),
    "boolean": (True, False),
    "id": ("12345", "user_1", "A-0001"),
    "enum": ("standard", "default", "normal"),
    "text": ("medium", "high", "minor", "standard", "critical"),
}


def near_miss(member: Json, rng: random.Random) -> Json:
    """A spelling that is nearly a member; of a value that is no text, the value as text."""
    return (
        rng.choices(NEAR, (3, *[1] * (len(NEAR) - 1)))[0](member) if isinstance(member, str) and member else str(member)
    )


def invented_code(argument: str, members: Sequence[Json], rng: random.Random) -> Json:
    """A code in the manner of a set that holds none such."""
    if members and not isinstance(members[0], str):
        return max((m for m in members if isinstance(m, int | float)), default=0) + rng.randint(1, 9)
    pool = REASONS if "reason" in argument else CODES
    return rng.choice([code for code in pool if code not in members])


def invented_value(probe: Probe, rng: random.Random, shown: str) -> Json:
    """A value for a closed-world field that stands nowhere in what was shown."""
    pool = [value for value in DEFAULTS[probe.type] if value not in probe.bait]
    return rng.choice([value for value in pool if str(value) not in shown] or pool)


def bait(probe: Probe, rng: random.Random, shown: str) -> Json:
    """One of the probe's cultural defaults; an invention where it names none, or only zones for a moment."""
    return rng.choice(probe.bait) if probe.bait and probe.type != "datetime" else invented_value(probe, rng, shown)
