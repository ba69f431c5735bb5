"""Lines that a program reads, whole: the decisions of a guard and the verdicts on records, for `pages`."""

from __future__ import annotations

import json
import re
from typing import Any

from corpora.jsonl import encode
from scoring import judge
from scoring.guard import Guard
from scoring.guarding.lines import answer, too_long
from tests.scoring.build import a_probe, a_set, a_tool
from tests.scoring.test_tally import CORPUS, RECORDS, SETS

TEXT = {"type": "string"}
REFUND = a_tool(
    "refund_order",
    ["reason_code", "order_id"],
    {"reason_code": TEXT, "order_id": TEXT, "mode": TEXT, "items": {"type": "array", "items": {"type": "object"}}},
    stores={"omitted": {"mode": "slow"}, "unknown": {"mode": "fast"}},
)
BOOK = a_tool("book", ["timezone"], {"timezone": {**TEXT, "description": "such as Europe/Paris"}, "day": TEXT})
PROBES = (
    a_probe("reason_code", "refund_order", "membership", set="codes"),
    a_probe("mode", "refund_order", "membership", set="modes"),
    a_probe("items[].size", "refund_order", "membership", set="sizes"),
    a_probe("timezone", "book", type="timezone", bait=["UTC"]),
    a_probe("day", "book", type="date", placeholder_is="OMIT", **{"pass": ["ASK", "COPY"]}),
)
SHOWN: dict[str, Any] = {
    "messages": [
        {"role": "user", "content": "Book it in Asia/Tokyo on 2027-03-04."},
        {"role": "assistant", "content": "In America/Lima?"},
        {"role": "tool", "content": '{"zone": "Africa/Lagos"}'},
    ],
    "state": {"office": {"zone": "Europe/Oslo"}},
}
CALLS: list[tuple[str, Any, Any]] = [
    ("refund_order", {"order_id": "7", "reason_code": "OTHER", "mode": "slow"}, None),
    ("functions.refund_order", '{"order_id": "7", "reason_code": "other", "mode": "swift"}', None),
    ("refund_order", {"reason_code": "LOST", "mode": None, "items": [{"size": 1}, {"size": 3}, {}]}, None),
    ("refund_order", {"reason_code": "WRONG_COLOUR", "items": []}, "It has the WRONG_COLOUR."),
    ("refund_order", {}, None),
    ("refund_order", "", None),
    ("refund_order", '{"reason_code": "OTH', None),
    ("refund_order", "[]", None),
    ("refund_order", '{"reason_code": "OTHER", "reason_code": "LATE_DELIVERY"}', None),
    ("book", {"timezone": "Asia/Tokyo", "day": "2027-03-04"}, SHOWN),
    ("book", {"timezone": "UTC", "day": "2027-03-05"}, SHOWN),
    ("book", {"timezone": "America/Lima", "day": "<day>"}, SHOWN),
    ("book", {"timezone": "Africa/Lagos"}, SHOWN),
    ("book", {"timezone": "Europe/Oslo", "day": ""}, SHOWN),
    ("book", {"timezone": "Europe/Paris", "day": "4 March 2027"}, SHOWN),
    ("book", {"day": "2027-03-04"}, SHOWN),
    ("book", {"timezone": "UTC"}, None),
    ("book", {"timezone": "UTC"}, 7),
    ("book", {"timezone": "UTC"}, [{"role": "user", "content": "x"}, 7]),
    ("book", {"timezone": "UTC"}, [{"content": "x"}]),
    ("fly", {}, None),
    ("old", {}, None),
]
ODD = [
    b"",
    b"[]",
    b'{"id": 4}',
    b'{"id": "a", "tool": 7}',
    b'{"id": [], "tool": "x", "tool": 8}',
    b'{"tool": "book"',
    b"\xff",
]


def a_guard() -> Guard:
    members = a_set(catch_all=("OTHER",), former=("LOST",))
    sets = {"codes": members, "modes": a_set(("slow", "fast"), name="modes"), "sizes": a_set((1, 2), name="sizes")}
    return Guard(PROBES, sets, tools=(REFUND, BOOK))


def decisions() -> str:
    """Each call, and the line that answers it."""
    guard = a_guard()
    asked = [encode({"id": n, "tool": t, "arguments": a, "shown": s}) for n, (t, a, s) in enumerate(CALLS)]
    lines = [answer(guard, n, line, stale) for n, line in enumerate([*asked, *ODD], 1)]
    return text([*lines, too_long(9, 1000)])


def stale(tool: str) -> str | None:
    return "the set is 9 days old" if tool == "old" else None


def verdicts() -> str:
    """The verdicts on each record of the tally."""
    return text([encode(verdict) for record in RECORDS for verdict in judge(record, CORPUS, SETS)])


def text(lines: list[bytes]) -> str:
    """The lines as they are, but for the words in which the decoder says what is wrong with one."""
    plain = "".join(json.dumps(json.loads(line), ensure_ascii=True) + "\n" for line in lines)
    return re.sub(r'(asks nothing: )[^"]*', r"\1...", plain)
