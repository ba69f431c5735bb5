"""Joining a cluster as a driver, and leaving it, with Ray's reasons against it as sentences that say what to do."""

from __future__ import annotations

import logging
import signal
import socket

import ray
import ray.exceptions
import ray.util

from corpora.errors import BadInput

NAMESPACE = "assumeprobe"
_REACH_S = 5.0


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
    ray.shutdown()


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
