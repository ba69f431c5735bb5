"""Which nodes of a cluster get sites, and how many. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corpora.values import Json

RESOURCE = "assumeprobe"
"""A node that offers it gets so many sites; where no node does, each node with a CPU gets one."""


class Seat(NamedTuple):
    """A place for one site."""

    node: str
    address: str
    slot: int


def seats(nodes: Iterable[Mapping[str, Json]]) -> list[Seat]:
    """Where sites belong, by what the nodes offer."""
    alive = [node for node in nodes if node["Alive"]]
    marked = any(RESOURCE in node["Resources"] for node in alive)

    def count(node: Mapping[str, Json]) -> int:
        """How many sites a node offers to hold."""
        offered = node["Resources"]
        return int(offered.get(RESOURCE, 0)) if marked else int(offered.get("CPU", 0) > 0)

    return [
        Seat(node["NodeID"], node["NodeManagerAddress"], slot)
        for node in sorted(alive, key=lambda node: str(node["NodeID"]))
        for slot in range(count(node))
    ]
