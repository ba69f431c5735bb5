"""The recording tools: always a success, and what the real service would have written."""

from __future__ import annotations

import pytest

from corpora.corpus import load, read_sets
from corpora.records import Call
from corpora.values import Json
from runner.agents.stub import Stub
from scoring.judging.arguments import Emitted

MAINTENANCE, REFUNDS = load("maintenance"), load("refunds")


def called(name: str) -> Call:
    return Call(
        turn=0, index=0, id="c", name=name, offered=True, arguments="{}", wire_type="string", source="tool_calls"
    )


@pytest.mark.parametrize("value", [None, "", []], ids=["null", "empty text", "empty list"])
def test_what_the_scorer_calls_empty_is_stored_as_left_out(value: Json) -> None:
    """Record and verdict agree on what an omission is."""
    assert Emitted(value, present=True).emptiness is not None
    stub = Stub(MAINTENANCE, read_sets(MAINTENANCE))
    tool = MAINTENANCE.tool("schedule_window")
    effect = stub.effect(called("schedule_window"), tool, {"timezone": value}, MAINTENANCE.fixtures[0])
    assert effect.stored == {"timezone": "UTC"}


@pytest.mark.parametrize(
    ("code", "stored"),
    [
        ("OTHER", None),
        ("DAMAGED_ON_ARRIVAL", None),
        ("damaged_on_arrival", {"reason_code": "OTHER"}),
        (7, {"reason_code": "OTHER"}),
    ],
)
def test_a_value_that_the_service_does_not_know_is_stored_as_its_catch_all(code: Json, stored: Json) -> None:
    stub = Stub(REFUNDS, read_sets(REFUNDS))
    arguments = {"order_id": "1", "reason_code": code}
    effect = stub.effect(called("refund_order"), REFUNDS.tool("refund_order"), arguments, REFUNDS.fixtures[0])
    assert effect.stored == stored
    assert effect.answer == {"refund_id": "rf_stub", "state": "pending"}


def test_a_tool_that_is_not_there_answers_so() -> None:
    stub = Stub(REFUNDS, read_sets(REFUNDS))
    effect = stub.effect(called("nowhere"), None, {}, REFUNDS.fixtures[0])
    assert effect.answer == {"error": "there is no tool 'nowhere'"}
