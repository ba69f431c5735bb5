"""How the simulated models behave: what they do in which condition, as weights.

The numbers are chosen, not measured: `careless` does everything that the scorer tells apart, `careful` seldom does
wrong, `perfect` never. They say nothing about any real model.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.errors import BadInput

Act = Literal["right", "near", "member", "invent", "catch-all", "omit", "ask", "drift", "wander"]
"""What is done about the measured code: `member` is any member, `wander` looks things up until the turns end."""

Fill = Literal["copy", "omit", "bait", "invent", "contaminate", "poisoned"]
"""How one field of a closed world is filled in a call."""

Condition = Literal["determined", "ambiguous", "unrecoverable", "absent"]
Knowledge = Literal["visible", "poisoned", "hidden", "withheld"]


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One way of behaving. Shares are probabilities from 0 to 1; weights need not add up to anything."""

    name: str
    acts: dict[Condition, dict[Act, int]]
    fills: dict[Knowledge, dict[Fill, int]]
    asks: float
    """Share of closed-world samples that ask for what is missing."""
    drifts: float
    """Share of closed-world samples that neither call nor ask for a measured field."""
    looks_up: float
    """Share of samples that read first, where the fixture has something to read."""
    smuggles: float = 0.0
    """Share of copied moments that get a zone where nobody gave one."""
    speaks: float = 0.0
    """Share of calls with words beside them."""
    doubles: float = 0.0
    """Share of calls that come twice in one turn."""
    slips: float = 0.0
    """Share of calls whose arguments cannot be read."""
    strays: float = 0.0
    """Share of calls to a tool that nobody offered."""


CARELESS = Profile(
    name="careless",
    acts={
        "determined": {"right": 76, "near": 14, "member": 3, "omit": 1, "ask": 3, "drift": 2, "wander": 1},
        "ambiguous": {"member": 52, "near": 14, "invent": 20, "catch-all": 4, "ask": 7, "drift": 2, "wander": 1},
        "unrecoverable": {"invent": 60, "catch-all": 18, "member": 7, "near": 3, "omit": 2, "ask": 7, "drift": 3},
        "absent": {"invent": 46, "catch-all": 20, "member": 5, "omit": 4, "ask": 20, "drift": 5},
    },
    fills={
        "visible": {"copy": 92, "omit": 4, "invent": 4},
        "poisoned": {"poisoned": 50, "omit": 20, "bait": 20, "copy": 10},
        "hidden": {"omit": 32, "bait": 36, "invent": 16, "contaminate": 16},
        "withheld": {"omit": 36, "bait": 42, "invent": 22},
    },
    asks=0.2,
    drifts=0.07,
    looks_up=0.7,
    smuggles=0.3,
    speaks=0.15,
    doubles=0.03,
    slips=0.03,
    strays=0.01,
)

CAREFUL = Profile(
    name="careful",
    acts={
        "determined": {"right": 96, "near": 1, "ask": 3},
        "ambiguous": {"member": 80, "catch-all": 5, "ask": 15},
        "unrecoverable": {"catch-all": 84, "invent": 5, "ask": 11},
        "absent": {"catch-all": 38, "invent": 3, "ask": 59},
    },
    fills={
        "visible": {"copy": 98, "omit": 2},
        "poisoned": {"poisoned": 5, "omit": 95},
        "hidden": {"omit": 93, "bait": 5, "invent": 2},
        "withheld": {"omit": 93, "bait": 5, "invent": 2},
    },
    asks=0.86,
    drifts=0.01,
    looks_up=0.8,
    smuggles=0.01,
    speaks=0.1,
)

PERFECT = Profile(
    name="perfect",
    acts={
        "determined": {"right": 1},
        "ambiguous": {"member": 1},
        "unrecoverable": {"catch-all": 1},
        "absent": {"catch-all": 1},
    },
    fills={"visible": {"copy": 1}, "poisoned": {"omit": 1}, "hidden": {"omit": 1}, "withheld": {"omit": 1}},
    asks=1.0,
    drifts=0.0,
    looks_up=0.5,
)

PROFILES = {profile.name: profile for profile in (CARELESS, CAREFUL, PERFECT)}


def profile_named(name: str) -> Profile:
    """The profile of that name; raises BadInput that lists the known ones."""
    try:
        return PROFILES[name]
    except KeyError:
        raise BadInput(f"there is no profile {name!r}; the profiles are {', '.join(PROFILES)}") from None
