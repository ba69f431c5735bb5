"""What tests of several rooms share: a simulated endpoint over real HTTP, in a thread of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any

import pytest
import structlog
from anyio.from_thread import start_blocking_portal
from hypothesis import settings

from corpora.corpus import load
from corpora.errors import BadInput
from runner.local.weights import fetch
from runner.simulated.server import SimulatedServer, serving

# A busy machine is no fault of what is tested: no example is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """A log set up in one test writes to that test's standard error, which is closed in the next."""
    yield
    structlog.reset_defaults()


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


@pytest.fixture(scope="session")
def real_server() -> None:
    """llama.cpp's server: its absence fails where CI is set, and skips elsewhere."""
    if find_spec("xllamacpp") is None:
        _missing("xllamacpp is not installed; scripts/install --local-model installs it")


@pytest.fixture(scope="session")
def real_weights(real_server: None) -> None:
    """The weights of the real model, fetched where they are not here."""
    try:
        fetch()
    except BadInput as error:
        _missing(str(error))


def _missing(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
