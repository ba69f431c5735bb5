"""A refusal concerns one item, until nothing else ever came."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.anyio

REFUSED = '{"error":{"message":"the schema of a tool is not to my taste","type":"invalid_request_error"}}'
GOOD = json.dumps({"id": "c", "choices": [{"message": {"content": "Which zone?"}, "finish_reason": "stop"}]})


@pytest.mark.parametrize(("good_first", "stops_at"), [(False, 16), (True, None)], ids=["never an answer", "one answer"])
async def test_refusals_stop_a_run_that_never_had_an_answer(good_first: bool, stops_at: int | None, wire: Any) -> None:
    script = [wire.response(GOOD)] if good_first else []
    async with (
        wire.server(*script, wire.response(REFUSED, 400)) as server,
        wire.sampler(wire.world("W1"), wire.config(server.base_url)) as sampler,
    ):
        lines = [(await wire.draw(sampler, sample=number))[1] for number in range(20)]
    fatal = [number for number, line in enumerate(lines, 1) if line.fatal]
    assert (fatal[0] if fatal else None) == stops_at
    if stops_at:
        assert "not to my taste (so the first 16 requests were all answered)" in str(lines[15].fatal)
