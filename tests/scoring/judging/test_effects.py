"""What a stand-in would have stored counts in the place of what the corpus says."""

from __future__ import annotations

import msgspec
import pytest

from corpora.corpus import load, read_sets
from corpora.records import Call, Effect, Record
from scoring import judge

REFUNDS = load("refunds")
SETS = read_sets(REFUNDS)
FIXTURE = REFUNDS.fixtures[0]


def record(arguments: str, stored: dict | None, flags: tuple[str, ...]) -> Record:
    call = Call(
        turn=0,
        index=0,
        id="c",
        name="refund_order",
        offered=True,
        arguments=arguments,
        wire_type="string",
        source="tool_calls",
    )
    return Record(
        corpus=REFUNDS.name,
        corpus_sha256=REFUNDS.corpus_sha256,
        fixture_id=FIXTURE.id,
        fixture_sha256=FIXTURE.sha256,
        stratum=FIXTURE.stratum,
        sample=0,
        status="ok",
        calls=(call,),
        effects=(Effect(turn=0, index=0, tool="refund_order", answer={}, stored=stored),),
        flags=flags,
    )


UNKNOWN = '{"order_id": "1", "reason_code": "RETURN", "amount_cents": 1}'
MEMBER = '{"order_id": "1", "reason_code": "OTHER", "amount_cents": 1}'
LEFT_OUT = '{"order_id": "1", "amount_cents": 1}'


@pytest.mark.parametrize(
    ("arguments", "stored", "flags", "expected"),
    [
        (UNKNOWN, None, (), ("laundered", "OTHER")),
        (UNKNOWN, None, ("user-stubs",), (None, "RETURN")),
        (UNKNOWN, {"reason_code": "MISC"}, ("user-stubs",), ("laundered", "MISC")),
        (MEMBER, {"reason_code": "MISC"}, ("user-stubs",), (None, "MISC")),
        (LEFT_OUT, {"reason_code": "NONE"}, ("user-stubs",), ("defaulted", "NONE")),
        (LEFT_OUT, None, ("user-stubs",), (None, None)),
    ],
    ids=["corpus", "stored as it came", "laundered", "a member rewritten", "defaulted", "left out"],
)
def test_stored_and_its_flag(arguments, stored, flags, expected):
    (verdict,) = judge(record(arguments, stored, flags), REFUNDS, SETS)
    marks = [flag for flag in verdict.flags if flag in {"laundered", "defaulted"}]
    assert (marks[0] if marks else None, verdict.stored) == expected


def test_a_malformed_call_stored_nothing():
    (verdict,) = judge(record("{", {"reason_code": "X"}, ("user-stubs",)), REFUNDS, SETS)
    assert (verdict.stored, verdict.malformed is not None) == (None, True)


def test_a_sample_without_a_call_stored_nothing():
    silent = msgspec.structs.replace(record(MEMBER, {"reason_code": "X"}, ("user-stubs",)), calls=())
    (verdict,) = judge(silent, REFUNDS, SETS)
    assert verdict.stored is None
