"""What a coordinator and a site say to each other. Every message is a frozen value that can cross a process border."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Key(NamedTuple):
    """Names one sample: in exactly one of the plan, the hand of one site, the journal."""

    fixture_id: str
    sample: int


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A finished record: encoded once where it was made, never decoded on the way to the journal."""

    key: Key
    data: bytes
    """The JSONL line with its line feed."""
    ok: bool
    """False where the record is an error."""
    malformed: bool = False
    fatal: str | None = None
    """Why every further request would fail the same way; None where the run may go on."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """One site's part of the limits."""

    concurrency: int
    requests_per_s: float | None = None
    tokens_per_min: float | None = None


class Pressure(msgspec.Struct, frozen=True, kw_only=True):
    """What the endpoint said of its limits since the last exchange."""

    rate_limited: int = 0
    """Answers 429 and 529."""
    retry_after_s: float = 0.0
    """The longest wait that was asked for."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Coordinator to site."""

    run_id: str
    epoch: int
    """Fences an old coordinator out: a site refuses a lower one."""
    turn: int
    """Rises with every new order of an epoch; one that is sent again keeps it, and is obeyed once."""
    keys: tuple[Key, ...]
    """New work. It may be more than can be in flight: the rest waits in the hand for a slot."""
    ack: int
    """Every line with seq <= ack is on disk."""
    share: Share
    hold: bool = False
    """Start nothing more, not even what is in hand; what is in flight goes on."""
    waits: bool = True
    """Whether the receipt may wait for the next line."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Site to coordinator."""

    turn: int
    """Of the last order that was obeyed."""
    seq: int
    """Of the last line in `lines`; the ack where there is none."""
    lines: tuple[Line, ...]
    running: tuple[Key, ...]
    """All else in its hand, for a coordinator that adopts this site; empty but at the first order of an epoch."""
    in_flight: int = 0
    """How many samples are being drawn. Those of its hand that are neither in flight nor finished were not begun."""
    pressure: Pressure = Pressure()
