"""The guard at call time beside what it is compared with, in turn, in one thread's CPU time."""

from __future__ import annotations

import json
import random
import time
import timeit
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle
from statistics import median
from typing import NamedTuple

import msgspec

from corpora.corpus import Probe
from corpora.values import Json
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


def members(runs: int) -> None:
    """`allows` and `check` by sets of three sizes."""
    for size in SIZES:
        _members(size, runs)


def _members(size: int, runs: int) -> None:
    values = (*CODES, *(f"CODE_{number:06}" for number in range(size - len(CODES))))
    bare = frozenset(values)
    guard = Guard(
        [Probe(tool="refund_order", argument="reason_code", measure="membership", set="codes")], {"codes": values}
    )
    text = json.dumps(FIELDS)
    texts = {
        "check": text,
        "check, colons in the text": _with_note("Customer says: crushed at 10:30, see https://shop.example/90418"),
        "check, colons and line ends": _with_note("Customer says: crushed\nat 10:30, wants money back"),
        "check, a miss again": json.dumps({**FIELDS, "reason_code": "damaged on arrival"}),
    }
    for one in (*texts.values(), *texts.values()):
        guard.check("refund_order", one)
    many = [json.dumps({**FIELDS, "reason_code": value}) for value in values[-50_000:]]
    ours, theirs = cycle(many), cycle(many)
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
        plain, found = quick[f"bare in, a {who}"], quick[f"allows, a {who}"]
        shown = f"{found:6.0f} ns   bare `in frozenset` {plain:4.0f} ns   over it {found - plain:4.0f} ns"
        print(f"{size:7} values  allows, a {who:8} {shown}")
    checks: dict[str, Callable[[], object]] = {}
    for name, one in texts.items():
        checks[f"msgspec, {name}"] = partial(_typed, decode, bare, one)
        checks[name] = partial(guard.check, "refund_order", one)
    # Each string for the first time, for both: 50,000 of them are more than the caches of a processor hold.
    checks[f"msgspec, {FIRST}"] = lambda: _typed(decode, bare, next(theirs))
    checks[FIRST] = lambda: guard.check("refund_order", next(ours))
    times = in_turn(checks, runs, 5_000)
    for name in (*texts, FIRST):
        found, plain = times[name], times[f"msgspec, {name}"]
        print(
            f"{size:7} values  {name:32} {found:6.0f} ns   msgspec {plain:4.0f} ns   {found / plain:5.2f} x", flush=True
        )


FIRST = "check, another string each time"


def _with_note(note: str) -> str:
    return json.dumps({**FIELDS, "note": note.ljust(len(str(FIELDS["note"])), ".")})


def _typed(decode: Callable[[str], Arguments], members: frozenset[str], text: str) -> bool:
    return decode(text).reason_code in members


def worlds(shape: str, kinds: tuple[str, ...], runs: int) -> None:
    """Every kind of probe, with a value that was shown and one that was not, against 2 KB of text or JSON."""
    for kind in kinds:
        _row(kind, shape, Shown(SAID, FACTS, kind, VALUES[kind]), runs)


def languages(name: str, runs: int) -> None:
    """2 KB in another language, where numbers, dates and zones stand in another layout than the value."""
    for shown in LANGUAGES[name]:
        _row(name, "a text", shown, runs)


def orders(runs: int) -> None:
    """2 KB of JSON that is numbers and dates for the most part: every second token begins like the value."""
    fresh = [_orders(number) for number in range(FRESH)]
    for kind, values in ORDERS.items():
        _measured(kind, Shown("", "", kind, values), "a JSON state of 13 orders", fresh, runs)


def _orders(number: int) -> Json:
    """The state of a shop: two objects of 13 are alike in nothing but their names."""
    draw = random.Random(number)
    return {"state": {"customer": f"c-{number}", "zone": "Asia/Tokyo", "orders": [_order(draw) for _ in range(13)]}}


def _order(draw: random.Random) -> Json:
    return {
        "id": f"{draw.randint(10_000, 99_999)}-{draw.choice('ABC')}",
        "amount": draw.randint(100, 50_000) / 100,
        "placed": f"2027-0{draw.randint(1, 9)}-{draw.randint(10, 28)}",
        "paid_at": f"2027-03-{draw.randint(10, 28)}T{draw.randint(10, 23)}:{draw.randint(10, 59)}:00Z",
        "quantity": draw.randint(1, 6),
        "sku": f"SKU-{draw.randint(1000, 9999)}",
        "gift": False,
    }


class Shown(NamedTuple):
    """What fills a world, what is there to be copied, and the values that are asked for."""

    said: str
    facts: str
    kind: str
    values: tuple[Json, ...]
    locale: str | None = None


FRESH = 200
"""So many worlds in turn: a service has another text on every call, and nothing of one may be kept for the next."""


def _row(name: str, shape: str, shown: Shown, runs: int) -> None:
    _measured(name, shown, shape, [_world(shape, shown, number) for number in range(FRESH)], runs)


def _measured(name: str, shown: Shown, shape: str, fresh: list[Json], runs: int) -> None:
    probe = Probe(
        tool="book",
        argument="value",
        measure="closed-world",
        type=shown.kind,  # type: ignore[arg-type]
        bait=("UTC", "GMT"),
        locale=shown.locale,
    )
    guard = Guard([probe], {})
    checks: dict[str, Callable[[], object]] = {}
    for value in shown.values:
        call = json.dumps({"value": value, "order": "X-1", "note": "as asked"})
        label = guard.check("book", call, fresh[0]).label
        checks[f"{label} {json.dumps(value)} in {shape}"] = partial(_next, guard, call, cycle(fresh))
    for what, value in in_turn(checks, runs, FRESH).items():
        us = value / 1000
        print(f"{name:8} {shown.kind:8} {what:50} {us:6.1f} us   {us / PEER_US:4.2f} of the peer's 27", flush=True)


def _next(guard: Guard, call: str, fresh: Iterator[Json]) -> object:
    return guard.check("book", call, next(fresh))


def _world(shape: str, shown: Shown, number: int) -> Json:
    """A text of 2,000 characters that begins as no other does, or the same cut into the fields of a state."""
    first = f"{chr(97 + number % 26)}{chr(97 + number // 26)} "
    text = (first + shown.said * 40)[: 2000 - len(shown.facts)] + shown.facts
    if shape == "a text":
        return text
    return {"state": {f"fact_{number}": text[number * 61 : number * 61 + 61] for number in range(33)}}


SAID = "We have a window for the cluster next week and the engineer on call asks what is touched and who signs it. "
FACTS = " The zone is Asia/Tokyo, for order 90418-A of 45.90 EUR, on 2027-03-04 at 09:00, priority high, value: yes."
VALUES: dict[str, tuple[Json, ...]] = {
    "id": ("90418-A", "90418-B"),
    "text": ("Asia/Tokyo", "nobody said"),
    "enum": ("high", "urgent"),
    "timezone": ("Asia/Tokyo", "UTC"),
    "number": ("45.90", 46.9),
    "money": ("45.90", 46.9),
    "date": ("2027-03-04", "2027-03-05"),
    "datetime": ("2027-03-04 at 09:00", "2027-03-05T09:00:00"),
    "boolean": (True, False),
}
ORDERS: dict[str, tuple[Json, ...]] = {
    "id": ("90418-B",),
    "text": ("nobody said",),
    "timezone": ("Asia/Tokyo", "CET"),
    "number": (46.905, 7),
    "money": (46.905,),
    "date": ("2027-03-05",),
    "datetime": ("2027-03-05T09:00:00",),
    "boolean": (True,),
}
_TYPED = (
    ("id", ("90418-A", "90418-B")),
    ("number", (1234.5, 1234.6)),
    ("date", ("2027-03-04", "2027-03-05")),
    ("datetime", ("2027-03-04T09:00:00", "2027-03-05T09:00:00")),
    ("timezone", ("Asia/Tokyo", "UTC")),
)
_PLACES: dict[str, tuple[str, str, str | None]] = {
    "english": (SAID, " Zone Asia/Tokyo, order 90418-A of 1,234.50 EUR, on March 4, 2027 at 9:00 am.", None),
    "german": (
        "Wir haben nächste Woche ein Fenster für den Cluster, und die Ingenieurin fragt, was berührt wird. ",
        " Zone Asia/Tokyo, Bestellung 90418-A über 1.234,50 EUR, am 4. März 2027 um 9:00 Uhr.",
        "de",
    ),
    "french": (
        "Nous avons une fenêtre la semaine prochaine\u00a0; l\u2019ingénieure demande ce qui est touché. ",
        " Zone Asia/Tokyo, commande 90418-A de 1\u202f234,50\u00a0€, le 4 mars 2027 à 9\u00a0h.",
        "fr",
    ),
    "japanese": (
        "来週のクラスターの作業枠について、担当の技術者が\uff08何に触れるのか\uff09誰が署名するのかを尋ねています\uff01",
        " 時間帯は Asia/Tokyo、注文は 90418-A、金額は 1,234.50 円、日付は 2027年3月4日、時刻は 9:00。",
        None,
    ),
}
LANGUAGES = {
    name: [Shown(said, facts, kind, values, locale if kind == "number" else None) for kind, values in _TYPED]
    for name, (said, facts, locale) in _PLACES.items()
}
ROWS: dict[str, Callable[[int], None]] = {
    "guard-members": members,
    "guard-text": partial(worlds, "a text", tuple(VALUES)),
    "guard-state": partial(worlds, "a JSON state of 33 fields", tuple(VALUES)),
    "guard-orders": orders,
    **{f"guard-{name}": partial(languages, name) for name in LANGUAGES},
}
"""Each can be asked for alone."""
