"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def until(what: Callable[[], Any], timeout_s: float = 15) -> None:
    """Returns as soon as it is so; after `timeout_s` the test has failed."""
    end = time.monotonic() + timeout_s
    while not what():
        assert time.monotonic() < end, "this never came"
        time.sleep(0.002)
