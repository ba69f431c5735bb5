"""What scripts/fuzz-guard runs: any bytes as the arguments of a call, and as what the model was shown."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scoring", "corpora"]):
    from corpora.corpus import Probe
    from corpora.errors import BadInput
    from scoring.guard import Guard

TYPES = ("id", "text", "number", "money", "datetime", "date", "timezone", "boolean", "enum")
CODES = ("DAMAGED_ON_ARRIVAL", "WRONG_ITEM_SHIPPED", "LATE_DELIVERY", "OTHER", "4", 4, 2.5, True)


def guard() -> Guard:
    """One membership probe under each shape of path, and a closed-world probe of each type."""
    paths = ("a", "a.b", "a.*", "c.*.d")
    member = [Probe(tool="t", argument=path, measure="membership", set="s") for path in paths]
    world = [Probe(tool="t", argument="a", measure="closed-world", type=kind, bait=("UTC",)) for kind in TYPES]
    return Guard([*member, *world], {"s": CODES})


GUARD = guard()
SHORT = Guard([Probe(tool="t", argument="a", measure="membership", set="s")], {"s": CODES})


def one(data: bytes) -> None:
    """Raises where the guard raises, fails inside, or says two things of one call."""
    head, _, tail = data.partition(b"\0")
    text = head.decode("utf-8", "surrogateescape")
    shown = tail.decode("utf-8", "replace")
    quick = SHORT.check("t", text)
    close = SHORT._checks["t"].closely(text, None)
    if quick != close:
        raise AssertionError(f"{quick} is not {close}")
    forms = (head, text, '{"a": ' + text + "}", json.dumps({"a": text}), {"a": text})
    worlds = (None, shown, [{"role": "user", "content": shown}, {"role": "tool", "content": text}])
    turn = len(data)  # one form of each a run, so that there are many runs
    hold(forms[turn % len(forms)], worlds[turn // len(forms) % len(worlds)])
    with suppress(ValueError, RecursionError, BadInput):  # shown is the program's own: it may be told that this is none
        hold("{}", json.loads(shown))


def hold(arguments: object, shown: object) -> None:
    """A decision that can be written."""
    decision = GUARD.check("t", arguments, shown)
    if "guard-fault" in decision.flags:
        raise AssertionError(f"{decision.reason}: {arguments!r} {shown!r}")
    json.dumps(decision.line(), default=str).encode()
    if decision.allow == bool(decision.refused):
        raise AssertionError(decision)


SEEDS = (
    b'{"a": "OTHER", "c": [{"d": "x"}]}\0It is OTHER, EUR 45.90 on March 4, 2027 at 09:00 in Asia/Tokyo.',
    b'"2027-03-04T09:00:00+09:00"\0{"state": {"today": "2027-03-03"}, "messages": []}',
    b'{"a": {"b": 4.50}, "a": NaN}\0[{"role": "user", "content": [{"type": "text", "text": "4,50"}]}]',
    b'"damaged on arrival, other"\0not UTC+9',
)


def main() -> None:
    for number, seed in enumerate(SEEDS):
        Path(sys.argv[1], f"seed{number}").write_bytes(seed)
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
