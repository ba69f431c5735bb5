"""A summary, a comparison and a history made by hand in which hardly two figures are alike, so that none can change
its place unseen; with values, names and warnings of every kind and length.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec

from scoring.counting.comparison import Change, Comparison, Side, Values
from scoring.counting.figures import (
    PLANNED,
    Accuracy,
    Check,
    ClosedWorldProbe,
    ClosedWorldStratum,
    Drawn,
    MembershipProbe,
    MembershipStratum,
    Pins,
    Samples,
    SetFigures,
    Summary,
    ValueRow,
)
from scoring.counting.history import History
from scoring.counting.history import ValueRow as StoredRow

MARKUP = "[bold]odd[/bold] :smile: & <i>X\\\x1b[7m"
LONG = "a value of a good many words that no column has room for, " * 4
SET = SetFigures(
    name=f"codes {MARKUP}", size=17, sha256="0123456789abcdef" * 4, source="service.py:Code", read_at="2026-01-02",
    compare="case-insensitive",
)  # fmt: skip


def numbered(kind: Any, start: int, **known: Any) -> Any:
    """A Struct whose whole numbers count on from `start`."""
    free = (name for name in kind.__struct_fields__ if name not in known)
    return kind(**dict(zip(free, count(start), strict=False)), **known)


def membership() -> MembershipProbe:
    known: dict[str, Any] = {"rate": 0.1234, "ci95": (0.0456, 0.7891), "distinct_per_fixture": 2.346, "shares": {}}
    empty = dict.fromkeys(known, None) | {"shares": {}}
    strata = {
        "known": numbered(MembershipStratum, 101, **known),
        f"of a long name {MARKUP}": numbered(MembershipStratum, 1201, **(known | {"rate": 1.0})),
        "empty": numbered(MembershipStratum, 0, **empty),
    }
    kinds: list[tuple[Any, Any, str | None]] = [
        (LONG, LONG.upper(), "case"),
        ("wide " * 8 + "ab", "wide " * 9 + "ab", "edit"),
        ("near of none", None, "none"),
        (MARKUP, [MARKUP, "\u202eb"], "multiple"),
        ("\u305d\u306e\u4ed6" * 20, "\u914d\u9054\u304c\u9045\u308c\u307e\u3057\u305f" * 9, "case+separator"),
        (None, None, None),
        ({"a": [1, True]}, None, None),
    ]
    missed = [
        ValueRow(
            value=value, count=900 - n, in_set=False, catch_all=False, nearest=nearest, near=near,
            strata={"known": n, "empty": 0, f"of a long name {MARKUP}": 98760 + n},
        )
        for n, (value, nearest, near) in enumerate([*kinds, *((f"N{n}", None, None) for n in range(21))])
    ]  # fmt: skip
    members = [
        ValueRow(
            value=f"M{n}", count=700 - n, in_set=True, catch_all=n == 1, nearest=None, near=None, strata={"known": n}
        )
        for n in range(28)
    ]
    accuracy = {
        "known": Accuracy(answered=41, correct=42, rate=0.4321, ci95=(0.1, 0.99)),
        "empty": Accuracy(answered=0, correct=0, rate=None, ci95=None),
    }
    return MembershipProbe(
        tool=f"refund{MARKUP}", argument=f"code{MARKUP}", set=SET, calls=51, out_of_set=52, strata=strata,
        values=(*missed, *members), accuracy=accuracy,
    )  # fmt: skip


def closed_world() -> ClosedWorldProbe:
    labels = dict(zip(("ASK", "OMIT", "COPY", "INJECT", "DRIFT"), count(301), strict=False))
    kinds = dict(zip(("contamination", "schema", "assistant", "invention"), count(401), strict=False))
    known: dict[str, Any] = {"rate": 0.5678, "ci95": (0.5, 0.6), "labels": labels, "subtypes": kinds, "shares": {}}
    strata = {
        "revealed": numbered(ClosedWorldStratum, 501, **known),
        "withheld": numbered(ClosedWorldStratum, 601, **(known | {"rate": None, "ci95": None})),
    }
    return ClosedWorldProbe(tool="schedule", argument="zone", strata=strata)


def summary() -> Summary:
    """Every warning, a membership probe with more values than are listed, one without any, a closed-world one."""
    bare = msgspec.structs.replace(membership(), tool="bare", values=(), accuracy={})
    checks = [("it holds", 61, 61, True), ("it does not", 62, 63, False), ("nobody knows", None, 64, None)]
    checks.append((PLANNED, 9999, 8888, False))
    return Summary(
        corpus=f"made {MARKUP}", corpus_sha256="ab" * 32, simulated=True,
        marks=("changed-corpus", "stub-errors", "live-sets", "another-mark"), interval="made up",
        checks=tuple(Check(name=name, left=left, right=right, ok=ok) for name, left, right, ok in checks),
        samples=numbered(Samples, 71, planned=9999, missing=(("a", 1),)),
        pins=Pins(
            request_model=("ask-1", "ask-2"), response_models=("m-1", f"m-2{MARKUP}"),
            system_fingerprints=("fp-1", "fp-2"), moved=True,
        ),
        drawn=Drawn(
            run_id=f"r{MARKUP}" * 9, api="=openai-chat", base_url=f"http://h{MARKUP}/v1", temperature=0.25,
            params={"top_p": 0.5, MARKUP: [1]},
        ),
        probes=(membership(), bare, closed_world()),
    )  # fmt: skip


def plain_summary() -> Summary:
    """Nothing to warn of, no model known, no value, nothing planned."""
    return msgspec.structs.replace(
        summary(), corpus="made", simulated=False, marks=(),
        samples=numbered(Samples, 81, planned=None, missing=()),
        pins=Pins(request_model=(), response_models=(), system_fingerprints=(), moved=False), drawn=Drawn(run_id="r"),
        probes=(msgspec.structs.replace(membership(), values=membership().values[:1]), closed_world()),
    )  # fmt: skip


def change(argument: str, stratum: str, verdict: Any, at: float | None = None, **more: Any) -> Change:
    """A row whose figures hang on `at`; without it there is nothing to compare."""
    figures = {
        name: None if at is None else factor * at
        for name, factor in [
            ("before", 1),
            ("after", 2),
            ("difference", 1.01),
            ("p", 3),
            ("p_adjusted", 4),
            ("floor", 5),
        ]
    }
    figures |= {"ci95": None if at is None else (-0.5 * at, 1.5 * at)}
    return Change(
        tool=f"refund{MARKUP}", argument=argument, measure="membership" if argument == "code" else "closed-world",
        stratum=stratum, fixtures=int(1000 * (at or 0)), verdict=verdict, **(figures | more),
    )  # fmt: skip


def comparison() -> Comparison:
    """Both runs simulated and drifted, unpaired fixtures, much moved, every verdict, many values come and gone."""
    changes = (
        change("code", "known", "rose", 0.111),
        change("code", f"long name {MARKUP}", "fell", 0.0123, p=0.5),
        change("zone", "known", "no change seen", 0.0002, p_adjusted=0.001, floor=0.0009),
        change("zone", "few", "too few fixtures to see one", 0.09),
        change("zone", "none", "nothing to compare"),
    )
    many = tuple(f"V{n}" for n in range(13))
    return Comparison(
        corpus=f"made {MARKUP}",
        before=Side(source=f"a{MARKUP}.jsonl", run_id="a", models=("m-1", "m-2"), simulated=False, drifted=True),
        after=Side(source="b.jsonl", run_id="b", models=(), simulated=True, drifted=True),
        moved={
            "model": ("m-1", "m-2"), MARKUP: (LONG, {"a": MARKUP}), "edge": ("x" * 26, "x" * 27), "seed": (None, 7),
        },
        cause=f"Much moved {MARKUP}.", unpaired=tuple(f"u{n}{MARKUP if n == 0 else ''}" for n in range(7)), paired=91,
        method="by hand", adjust="bh", changes=changes,
        values=(
            Values(tool="refund", argument=f"code{MARKUP}", appeared=many, vanished=(LONG, "x" * 38, "x" * 39)),
            Values(tool="refund", argument="kind", appeared=(), vanished=many[:12]),
        ),
    )  # fmt: skip


def plain_comparison() -> Comparison:
    """Nothing moved, nothing to warn of."""
    sides = [Side(source=f"{n}.jsonl", run_id=n, models=("m",), simulated=False, drifted=False) for n in "ab"]
    return msgspec.structs.replace(
        comparison(), before=sides[0], after=sides[1], moved={}, cause="Nothing moved.", unpaired=(), adjust="holm",
        values=(),
    )  # fmt: skip


def history() -> History:
    """Values of every kind, each with its months, joined with what a run provoked."""
    rows: list[dict[str, Any]] = [
        {"value": LONG, "nearest": LONG.upper(), "near": "case", "provoked": True, "count": 3},
        {"value": MARKUP, "nearest": None, "near": "none", "provoked": False, "count": 5},
        {"value": "x" * 42, "nearest": "y" * 43, "near": "edit", "count": 4},
        {"value": "@sum", "in_set": True, "catch_all": True, "first_seen": None, "months": {}, "count": 8},
        {"value": "+1", "in_set": True, "count": 7},
        {"value": "-1", "in_set": True, "count": 7},
        {"value": "=1", "in_set": True, "count": 7},
        {"value": -1, "count": 2},
        {"value": None, "count": 1},
        {"value": [1, "-2"], "nearest": ["+a", "\u202eb"], "near": "multiple", "count": 6},
        {"value": 1.5, "count": 9, "in_set": False, "months": {"2026-03": 2, "2026-01": 7}},
    ]
    known: dict[str, Any] = {
        "in_set": False, "catch_all": False, "first_seen": "2026-01-02T03:04:05Z",
        "last_seen": "2026-03-04T05:06:07Z", "months": {"2026-02": 1}, "provoked": False,
    }  # fmt: skip
    return History(
        source=f"log{MARKUP}", shape="chat, columns", tool=f"refund{MARKUP}", argument="code", set=SET, records=201,
        calls=202, out_of_set=203, other_tool_calls=204, values=tuple(StoredRow(**(known | row)) for row in rows),
        skipped={"truncated": 205, "no-argument": 6}, caveats=(f"First {MARKUP}.", "Second.\u202e"),
    )  # fmt: skip


def plain_history() -> History:
    """Nothing joined, nothing skipped."""
    bare = [msgspec.structs.replace(row, provoked=None) for row in history().values[:2]]
    return msgspec.structs.replace(history(), values=tuple(bare), skipped={})
