"""One sample of a scene: what a request allows, how far it came, what is decided; and a chance for every purpose."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from corpora.values import JsonObject
from runner.simulated.profiles import Profile
from runner.simulated.scenes import Scene

_K = TypeVar("_K")


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a request allows: the names of its tools, and whether it wants a call."""

    tools: dict[str, JsonObject]
    """Their JSON Schemas by name."""
    choice: str = "auto"
    """auto, none, required, or a tool's name."""
    parallel: bool = True


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A call that the model wants to make, before it is written down."""

    tool: str
    arguments: JsonObject


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Words, calls, or both."""

    text: str | None = None
    calls: tuple[Wish, ...] = ()


class Draw:
    """One sample of a scene: every question asked of chance has a name, so that no answer depends on another."""

    def __init__(self, scene: Scene, profile: Profile, seed: int, number: int) -> None:
        self.scene = scene
        self.profile = profile
        self._prefix = f"{seed}/{scene.fixture.sha256}/{number}/"

    def chance(self, purpose: str) -> random.Random:
        """A generator for one purpose."""
        return random.Random(self._prefix + purpose)  # noqa: S311  # behaviour, not secrets

    def happens(self, purpose: str, share: float) -> bool:
        """True in that share of all samples."""
        return self.chance(purpose).random() < share

    def pick(self, purpose: str, weights: Mapping[_K, int]) -> _K:
        """One key, by weight."""
        return self.chance(purpose).choices(list(weights), list(weights.values()))[0]


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a sample has come."""

    turn: int = 0
    results: str = ""
    """What the tools returned so far."""
    done: bool = False
    """The fixture's tool was called."""
