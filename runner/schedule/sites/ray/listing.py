"""What lives in a cluster: the sites of every run, as the cluster itself names them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import anyio
import ray.util

from corpora.values import JsonObject
from runner.schedule.sites.base import SiteLost, SiteUnreachable
from runner.schedule.sites.names import Name, parsed
from runner.schedule.sites.ray.actor import found
from runner.schedule.sites.ray.connection import NAMESPACE


class Living(NamedTuple):
    """An actor of ours in the cluster."""

    name: Name
    facts: JsonObject | None
    """None where it does not answer."""


def names(run_id: str | None = None) -> list[Name]:
    """Our actors, of one run or of all."""
    actors = ray.util.list_named_actors(all_namespaces=True)
    ours = sorted(parsed(str(actor["name"])) for actor in actors if actor["namespace"] == NAMESPACE)
    return [name for name in ours if run_id in {None, name.run_id}]


async def living() -> list[Living]:
    """Every site of every run in the cluster."""
    answers: list[Living] = []

    async def ask(name: Name) -> None:
        """Add a site, unless it ended in the meantime."""
        try:
            answers.append(Living(name, await found(name).about()))
        except SiteUnreachable:
            answers.append(Living(name, None))
        except SiteLost:
            return

    async with anyio.create_task_group() as group:
        for name in names():
            group.start_soon(ask, name)
    return sorted(answers, key=lambda one: one.name)


def end(sites: Iterable[Name]) -> None:
    """End sites."""
    for name in sites:
        try:
            found(name).end()
        except SiteLost:  # it ended by itself
            continue
