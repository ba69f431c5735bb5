"""What tests of several rooms share: a simulated endpoint over real HTTP, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from corpora.corpus import load
from runner.simulated.server import SimulatedServer, serving


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def endpoint() -> Iterator[Callable[..., SimulatedServer]]:
    """Starts servers that run beside the test until it ends: `endpoint(corpora=[…], latency_s=…, faults=…, keep=…)`."""
    with ExitStack() as stack:

        def start(corpora: list[Any] | None = None, **settings: Any) -> SimulatedServer:
            portal = stack.enter_context(start_blocking_portal())
            known = [load(corpus) if isinstance(corpus, str) else corpus for corpus in corpora or ["refunds"]]
            return stack.enter_context(portal.wrap_async_context_manager(serving(corpora=known, **settings)))

        yield start
