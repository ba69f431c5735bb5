"""What the recording stub says that a service would have written: by the scorer's own idea of what is left out."""

from __future__ import annotations

import json

import pytest

from corpora.corpus import Stores, Tool, load, read_sets
from corpora.records import Call
from runner.agents.stub import Stub

REFUNDS = load("refunds")
STORES = Stores(omitted={"zone": "UTC", "where.region": "eu"}, unknown={"reason_code": "OTHER"})
TOOL = Tool(name="refund_order", parameters={"type": "object"}, stores=STORES)


@pytest.mark.parametrize(
    ("arguments", "stored"),
    [
        ({}, {"zone": "UTC", "where.region": "eu"}),
        ({"zone": None, "where": {"region": ""}}, {"zone": "UTC", "where.region": "eu"}),
        ({"zone": [], "where": {"region": "us"}}, {"zone": "UTC"}),
        ({"zone": "CET", "where": {"region": "us"}}, None),
        ({"zone": "CET", "where": {"region": "us"}, "reason_code": "RETURN"}, {"reason_code": "OTHER"}),
        ({"zone": "CET", "where": {"region": "us"}, "reason_code": "LATE_DELIVERY"}, None),
        ({"zone": "CET", "where": {"region": "us"}, "reason_code": []}, None),
    ],
    ids=["absent", "null and empty", "empty list", "given", "unknown", "known", "unknown left out"],
)
def test_what_would_be_stored(arguments, stored):
    call = Call(
        turn=0,
        index=0,
        id=None,
        name="refund_order",
        offered=True,
        arguments=json.dumps(arguments),
        wire_type="string",
        source="tool_calls",
    )
    effect = Stub(REFUNDS, read_sets(REFUNDS)).effect(call, TOOL, arguments, REFUNDS.fixtures[0])
    assert effect.stored == stored
