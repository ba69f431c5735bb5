"""An agent that costs 20 ms of pure Python and asks no model."""

from __future__ import annotations

import time


def agent(messages: list[object], tools: dict[str, object], settings: object) -> str:  # noqa: ARG001 - what an agent is given
    end = time.thread_time() + 0.020
    while time.thread_time() < end:
        sum(range(1000))
    return "done"
