"""The guard at call time beside what it is compared with, in turn, in one thread's CPU time."""

from __future__ import annotations

import json
import time
import timeit
from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle
from statistics import median

import msgspec

from corpora.corpus import Probe
from scoring.guard import Guard

CODES = ("DAMAGED_ON_ARRIVAL", "WRONG_ITEM_SHIPPED", "LATE_DELIVERY", "NOT_AS_DESCRIBED", "DUPLICATE_CHARGE", "OTHER")
SIZES = (6, 900, 100_000)
FIELDS = {
    "order_id": "90418-A",
    "reason_code": "DAMAGED_ON_ARRIVAL",
    "amount_cents": 4599,
    "note": "Customer says the parcel was crushed and the screen cracked, wants money back",
}
PEER_US = 27.0
"""What the nearest peer publishes for its own check of one field."""


class Arguments(msgspec.Struct):
    """What a service that trusts its model decodes."""

    order_id: str
    reason_code: str
    amount_cents: int
    note: str


def in_turn(contenders: Mapping[str, Callable[[], object]], runs: int, count: int) -> dict[str, float]:
    """Median nanoseconds of each, every one measured once in each of `runs` x 5 rounds; the loop's own cost in each."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(runs * 5):
        for name, call in contenders.items():
            found[name].append(timeit.timeit(call, number=count, timer=time.thread_time) / count * 1e9)
    return {name: median(values) for name, values in found.items()}


def table(runs: int) -> None:
    """Allows, check and the closed world."""
    for size in SIZES:
        _members(size, runs)
    _worlds(runs)


def _members(size: int, runs: int) -> None:
    values = (*CODES, *(f"CODE_{number:06}" for number in range(size - len(CODES))))
    bare = frozenset(values)
    guard = Guard(
        [Probe(tool="refund_order", argument="reason_code", measure="membership", set="codes")], {"codes": values}
    )
    text = json.dumps(FIELDS)
    texts = {
        "check": text,
        "check, colons in the text": json.dumps({**FIELDS, "note": FIELDS["note"].replace("says the", "says: the")}),
        "check, a miss again": json.dumps({**FIELDS, "reason_code": "damaged on arrival"}),
    }
    many = [json.dumps({**FIELDS, "reason_code": value}) for value in values[-50_000:]]
    turn = cycle(many)
    decode = msgspec.json.Decoder(Arguments).decode
    member, stranger = "DAMAGED_ON_ARRIVAL", "damaged on arrival"
    quick = in_turn(
        {
            "bare in, a member": lambda: member in bare,
            "allows, a member": lambda: guard.allows("refund_order", "reason_code", member),
            "bare in, a stranger": lambda: stranger in bare,
            "allows, a stranger": lambda: guard.allows("refund_order", "reason_code", stranger),
        },
        runs,
        20_000,
    )
    for who in ("member", "stranger"):
        plain, ours = quick[f"bare in, a {who}"], quick[f"allows, a {who}"]
        shown = f"{ours:6.0f} ns   bare `in frozenset` {plain:4.0f} ns   over it {ours - plain:4.0f} ns"
        print(f"{size:7} values  allows, a {who:8} {shown}")
    checks: dict[str, Callable[[], object]] = {"msgspec": lambda: decode(text).reason_code in bare}
    for name, one in texts.items():
        checks[name] = partial(guard.check, "refund_order", one)
    checks["check, another member each time"] = lambda: guard.check("refund_order", next(turn))
    found = in_turn(checks, runs, 5_000)
    plain = found.pop("msgspec")
    print(f"{size:7} values  msgspec typed decode and check {plain:6.0f} ns, of {len(text)} bytes")
    for name, value in found.items():
        print(f"{size:7} values  {name:32} {value:6.0f} ns   {value / plain:5.2f} x msgspec", flush=True)


def _worlds(runs: int) -> None:
    said = "We have a window for the cluster next week and the engineer on call asks what is touched and who signs it. "
    text = (said * 30)[:1950] + " The zone is Asia/Tokyo, for order 90418-A."
    fields = {f"fact_{number}": text[number * 62 : number * 62 + 62] for number in range(33)}
    worlds = {"a text": text, "a JSON state of 33 fields": {"state": fields}}
    values = {"id": ("90418-A", "90418-B"), "text": ("Asia/Tokyo", "nobody said"), "timezone": ("Asia/Tokyo", "UTC")}
    for kind, (seen, made) in values.items():
        probe = Probe(tool="book", argument="value", measure="closed-world", type=kind, bait=("UTC", "GMT"))  # type: ignore[arg-type]
        guard = Guard([probe], {})
        checks: dict[str, Callable[[], object]] = {}
        for where, shown in worlds.items():
            for value in (seen, made):
                call = json.dumps({"value": value, "order": "X-1", "note": "as asked"})
                label = guard.check("book", call, shown).label
                checks[f"{label} in {where}"] = partial(guard.check, "book", call, shown)
        for name, value in in_turn(checks, runs, 300).items():
            us = value / 1000
            print(f"closed world, {kind:8} {name:35} {us:6.1f} us   {us / PEER_US:4.2f} of the peer's 27", flush=True)
