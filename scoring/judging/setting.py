"""What a call is judged against."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from corpora.corpus import Probe, Tool
from corpora.values import Json
from scoring.judging.forms import same
from scoring.judging.leaves import Leaf, leaves
from scoring.judging.visible import World


class Setting(msgspec.Struct, frozen=True):
    """What a call is judged against: the probe, its tool, the fixture's world, and what came before in the sample."""

    probe: Probe
    tool: Tool
    world: World
    later: tuple[Leaf, ...] = ()
    said: tuple[str, ...] = ()
    """The model's own words in earlier turns."""
    beside: Mapping[str, Json] = MappingProxyType({})
    """All arguments of the call."""


def parts(value: Json) -> list[Json]:
    """A container is judged by all of its leaves; an empty one stands for itself."""
    return [leaf for _, leaf in leaves(value)] or [value] if isinstance(value, (dict, list)) else [value]


def among(probe: Probe, value: Json, known: tuple[Json, ...]) -> bool:
    """One of the parts of a value is, by the probe's type, one of the values that are known."""
    return bool(known) and any(same(probe, part, one) for part in parts(value) for one in known)
