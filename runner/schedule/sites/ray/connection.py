"""Joining a cluster as a driver, and leaving it, with Ray's reasons against it as sentences that say what to do."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Callable
from typing import TypeVar

import anyio
import ray
import ray.exceptions
import ray.util

from corpora.errors import BadInput
from runner.schedule.sites.base import EngineLost

T = TypeVar("T")

NAMESPACE = "assumeprobe"
_REACH_S = 5.0
_LEAVE_S = 5.0


def connect(address: str) -> None:
    """Join a cluster as a driver. Raises BadInput where that cannot be, and says what to do."""
    _check_reach(address)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        ray.init(address=address, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.ERROR)
    except (ray.exceptions.AuthenticationError, ConnectionError, ValueError) as error:
        raise BadInput(
            f"Ray cannot join; has it another token? ({first_line(error)}) Every machine needs the same one in "
            "RAY_AUTH_TOKEN, or in the file that RAY_AUTH_TOKEN_PATH names; `ray start --head` starts a cluster here",
            field="--ray-address",
        ) from error
    except RuntimeError as error:
        raise BadInput(f"cannot join the cluster at {address}: {_mismatch(error)}", field="--ray-address") from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def disconnect() -> None:
    """Leave the cluster; sites stay."""
    leaving = threading.Thread(target=ray.shutdown, name="leaving", daemon=True)
    leaving.start()
    leaving.join(_LEAVE_S)  # without a head it would wait for one


async def head(ask: Callable[[], T], within_s: float) -> T:
    """What the head of the cluster answers.

    Raises EngineLost where it does not: Ray would wait for a minute, and then end this process without a word.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: Exception | None) -> None:
        """Give the answer to whoever still waits."""
        if answer.done():
            return
        if error is None:
            answer.set_result(value)  # type: ignore[arg-type] # without an error it is one
        else:
            answer.set_exception(error)

    def work() -> None:
        """Ask, in a thread that the end of this process need not wait for."""
        try:
            loop.call_soon_threadsafe(settle, ask(), None)
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            loop.call_soon_threadsafe(settle, None, error)

    threading.Thread(target=work, name="head", daemon=True).start()
    with anyio.move_on_after(within_s):
        return await answer
    raise EngineLost(f"Ray's head has not answered for {within_s:g} s")


def first_line(error: BaseException) -> str:
    """The first words of an error; Ray's go on for pages."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _check_reach(address: str) -> None:
    """Ray itself would try for minutes. It reaches this machine by its own address, whatever name was given."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return
    there = ray.util.get_node_ip_address() if host in {"localhost", "127.0.0.1", "::1"} else host.strip("[]")
    try:
        socket.create_connection((there, int(port)), timeout=_REACH_S).close()
    except OSError as error:
        raise BadInput(
            f"nothing answers at {there}:{port}: {error.strerror or error}; `ray start --head` starts a cluster here",
            field="--ray-address",
        ) from error


def _mismatch(error: RuntimeError) -> str:
    text = " ".join(str(error).split())
    if "Version mismatch" in text:
        return f"{text}; use the same Ray and the same Python, to the last number, on every machine"
    return text
