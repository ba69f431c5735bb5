"""What each sample of an agent says over the wire, kept apart by an address that only that sample knows."""

from __future__ import annotations

import secrets

import msgspec

from runner.endpoints.base import Api
from runner.endpoints.transport import Exchange

PLACEHOLDER = "given-by-the-recording-proxy"
"""What an agent gets for a key: some clients want one before they send anything."""


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """One request that went through, and what came back."""

    path: str
    """Below the base URL."""
    request_sha256: str
    offered: frozenset[str]
    """Names of the tools that the request offered."""
    exchange: Exchange


class Tap:
    """The wire of one sample."""

    def __init__(self, token: str, base_url: str) -> None:
        self.token = token
        self.base_url = base_url
        self._passed: list[Passed | None] = []

    def begin(self) -> int:
        """A request came: the place for its exchange."""
        self._passed.append(None)
        return len(self._passed) - 1

    def end(self, place: int, passed: Passed) -> None:
        """Keep an exchange that came to its end."""
        self._passed[place] = passed

    def begun(self) -> int:
        """How many requests came so far: a tool is called after the request whose answer asks for it."""
        return len(self._passed)

    @property
    def passed(self) -> tuple[Passed | None, ...]:
        """The exchanges in the order in which they began; None for one that has not ended."""
        return tuple(self._passed)


class Taps:
    """The taps of the samples in flight, at a proxy of this address."""

    def __init__(self, api: Api, origin: str, base_path: str) -> None:
        self.api = api
        self._origin = origin
        self._base_path = base_path
        self._taps: dict[str, Tap] = {}

    def open(self) -> Tap:
        """A tap for one sample."""
        token = secrets.token_urlsafe(16)
        tap = self._taps[token] = Tap(token, f"{self._origin}/{token}{self._base_path}")
        return tap

    def close(self, tap: Tap) -> tuple[Passed | None, ...]:
        """What went through; from now on its address is none."""
        del self._taps[tap.token]
        return tap.passed

    def at(self, path: str) -> tuple[Tap, str] | None:
        """The tap that a request's path names, and the path below the base URL; None where there is none."""
        _, token, rest = (*path.split("/", 2), "", "")[:3]
        tap = self._taps.get(token)
        return None if tap is None else (tap, f"/{rest}".removeprefix(self._base_path))
