"""The sites of one run in a cluster: those that live are taken over, those that are missing placed, others come."""

from __future__ import annotations

import platform
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from importlib.metadata import version
from typing import TypeVar

import anyio
import ray

from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.values import JsonObject
from runner.log import logger
from runner.schedule.sites.base import EngineLost, SiteLost, SiteUnreachable
from runner.schedule.sites.names import Name
from runner.schedule.sites.outfit import Outfit, pack
from runner.schedule.sites.ray.actor import PLACE_S, RaySite, found, placed
from runner.schedule.sites.ray.connection import head
from runner.schedule.sites.ray.listing import names
from runner.schedule.sites.seats import RESOURCE, Seat, seats

T = TypeVar("T")

LOOK_S = 3.0
"""How often new nodes are looked for, and idle sites told that their coordinator lives."""
HEAD_S = 10.0
"""The head of the cluster answers within so long, or is gone: after a minute Ray ends whatever belongs to it."""


class Cluster:
    """The sites of one run: those that live, those that are placed, and those that come."""

    def __init__(self, outfit: Outfit) -> None:
        self._outfit = outfit
        self._taken: set[tuple[str, int]] = set()
        self.sites: list[RaySite] = []
        self.facts: dict[str, JsonObject] = {}
        """Of each site, for the manifest."""
        self.adopted: set[str] = set()
        """Those that an earlier coordinator left."""

    async def open(self) -> None:
        """Take over what lives and place what is missing. Raises BadInput where a node cannot take part."""
        faults = await _each(self._adopt, names(self._outfit.run_id))
        faults = faults or await _each(self._place, self._free())
        if faults:
            await self.release(fresh=True)
            raise faults[0]
        if not self.sites:
            raise BadInput(
                f"the cluster has no node for a site: none offers a CPU, nor the resource {RESOURCE!r}",
                field="--ray-address",
            )

    async def _adopt(self, name: Name) -> None:
        """A site of an earlier start, unless it died a moment ago. Raises BadInput where it cannot take part."""
        try:
            site = found(name)
            _checked(await site.about(), name.site)
            _opened(await site.open(self._packed(name.site)), f"site {name.site} cannot go on")
        except SiteLost:
            return
        except SiteUnreachable:
            pass  # its hand is not known: the coordinator waits for it
        self._taken.add((name.node, name.slot))
        self.facts[name.site] = {"node": name.node}
        self.adopted.add(name.site)
        self.sites.append(site)

    def _free(self) -> list[Seat]:
        return [seat for seat in seats(ray.nodes()) if (seat.node, seat.slot) not in self._taken]

    async def _place(self, seat: Seat) -> RaySite:
        """A new site. Raises BadInput where the node cannot take part."""
        self._taken.add((seat.node, seat.slot))
        name = f"{seat.address}/{seat.node[:8]}-{secrets.token_hex(2)}"
        site = placed(Name(self._outfit.run_id, seat.node, seat.slot, name))
        try:
            facts = await site.about(PLACE_S)
            _checked(facts, name)
            _opened(await site.open(self._packed(name)), f"node {seat.address} cannot take part")
        except BadInput:
            site.end()
            raise
        except (SiteLost, SiteUnreachable) as error:
            site.end()
            raise BadInput(str(error), field="--engine") from error
        self.facts[name] = {"node": seat.node, **{what: facts[what] for what in ("host", "version", "python", "pid")}}
        self.sites.append(site)
        return site

    def _packed(self, site: str) -> bytes:
        return pack(changed(self._outfit, site=site))

    async def joining(self) -> AsyncIterator[RaySite]:
        """Sites on nodes that come later. A node whose site died gets no other in this start of the run.

        Raises EngineLost where the head of the cluster is gone.
        """
        while True:
            await anyio.sleep(LOOK_S)
            for site in self.sites:
                site.beat()
            for seat in await head(self._free, HEAD_S):
                try:
                    yield await self._place(seat)
                except BadInput as error:
                    logger().warning("a node that came cannot take part", why=str(error))

    async def account(self) -> dict[str, JsonObject]:
        """What the endpoint showed of itself, by site; of those that answer."""
        accounts: dict[str, JsonObject] = {}

        async def ask(site: RaySite) -> None:
            """Add one, if it answers."""
            try:
                accounts[site.id] = await site.account()
            except (SiteLost, SiteUnreachable):
                return

        async with anyio.create_task_group() as group:
            for site in self.sites:
                group.start_soon(ask, site)
        return accounts

    async def release(self, *, fresh: bool = False) -> None:
        """End every site, or those that this coordinator placed."""

        def end() -> None:
            """One after another."""
            for site in self.sites:
                if not (fresh and site.id in self.adopted):
                    site.end()

        try:
            await head(end, HEAD_S)
        except EngineLost as error:
            logger().warning("sites cannot be ended now; they end by themselves", why=str(error))


async def _each(work: Callable[[T], Awaitable[object]], items: Iterable[T]) -> list[BadInput]:
    """Do something for all at once: what cannot be, in order of failure."""
    faults: list[BadInput] = []

    async def one(item: T) -> None:
        """Do it for one."""
        try:
            await work(item)
        except BadInput as error:
            faults.append(error)

    async with anyio.create_task_group() as group:
        for item in items:
            group.start_soon(one, item)
    return faults


def _opened(fault: str | None, what: str) -> None:
    """Raises BadInput where something cannot be opened."""
    if fault is not None:
        raise BadInput(f"{what}: {fault}", field="--engine")


def _checked(facts: JsonObject, site: str) -> None:
    """At first contact: the same package and the same Python. Raises BadInput that says what to install where."""
    mine = {"version": version("assumeprobe"), "python": platform.python_version()}
    where = f"site {site} ({facts['host']})"
    install = f"install assumeprobe[ray]=={mine['version']} there, into the Python that runs Ray"
    if "fault" in facts:
        raise BadInput(f"{where} has no working assumeprobe ({facts['fault']}); {install}", field="--engine")
    if facts["version"] != mine["version"]:
        raise BadInput(
            f"{where} has assumeprobe {facts['version']}, this machine {mine['version']}; {install}",
            field="--engine",
        )
    if facts["python"] != mine["python"]:
        raise BadInput(
            f"{where} runs Python {facts['python']}, this machine {mine['python']}; they must be the same",
            field="--engine",
        )
