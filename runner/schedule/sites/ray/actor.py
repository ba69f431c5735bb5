"""One actor, seen from a coordinator: its calls, with Ray's errors sorted into dead and unreachable."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import anyio
import ray
import ray.exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from corpora.values import Json, JsonObject
from runner.schedule.messages import Order, Receipt
from runner.schedule.pump import Fenced
from runner.schedule.sites.base import SiteLost, SiteUnreachable
from runner.schedule.sites.names import Name
from runner.schedule.sites.outfit import Fence, pack, unpack_reply
from runner.schedule.sites.ray.connection import NAMESPACE, first_line
from runner.schedule.sites.shell import shell

Actor = Any
"""Ray's handle of an actor, which has no types."""

PLACE_S = 60.0
"""A site has so long to start and to open."""
ASK_S = 5.0

_DEAD = (
    ray.exceptions.RayActorError,
    ray.exceptions.ActorUnschedulableError,
    ray.exceptions.ActorHandleNotFoundError,
    ray.exceptions.NodeDiedError,
)


class RaySite:
    """A site in an actor."""

    def __init__(self, site: str, actor: Actor) -> None:
        self.id = site
        self._actor = actor

    async def exchange(self, order: Order) -> Receipt:
        """Pass an order on; raises SiteLost, SiteUnreachable, or Fenced where a newer coordinator drives the site."""
        reply = unpack_reply.decode(await self._heard(self._actor.exchange.remote(pack(order))))
        if isinstance(reply, Fence):
            raise Fenced(reply.why)
        return reply.receipt

    async def about(self, within_s: float = ASK_S) -> JsonObject:
        """What is installed there, and what it does. Raises SiteLost or SiteUnreachable, as all that is asked here."""
        facts: JsonObject = await self._within(within_s, self._actor.about.remote())
        return facts

    async def open(self, outfit: bytes) -> str | None:
        """Let it begin to work; a sentence where that cannot be."""
        fault: str | None = await self._within(PLACE_S, self._actor.open.remote(outfit))
        return fault

    async def account(self) -> JsonObject:
        """What the endpoint showed of itself there."""
        account: JsonObject = await self._within(ASK_S, self._actor.account.remote())
        return account

    def beat(self) -> None:
        """Tell it that its coordinator lives; nobody waits for an answer."""
        self._actor.beat.remote()

    def end(self) -> None:
        """End it, whatever it holds."""
        ray.kill(self._actor)

    abandon = end

    async def _within(self, seconds: float, call: Awaitable[Json]) -> Json:
        with anyio.move_on_after(seconds):
            return await self._heard(call)
        raise SiteUnreachable(f"site {self.id} did not answer within {seconds:g} s")

    async def _heard(self, call: Awaitable[Json]) -> Json:
        """What a call returns, with Ray's errors as ours. What broke down is ended: that it is dead must be certain."""
        try:
            return await call
        except ray.exceptions.ActorUnavailableError as error:
            raise SiteUnreachable(f"site {self.id}: {first_line(error)}") from error
        except ray.exceptions.RayTaskError as error:
            self.end()
            raise SiteLost(f"site {self.id} broke down: {first_line(error.cause)}") from error
        except _DEAD as error:
            raise SiteLost(f"site {self.id} died: {first_line(error)}") from error
        except ray.exceptions.RayError as error:
            raise SiteUnreachable(f"site {self.id}: {first_line(error)}") from error


def placed(name: Name) -> RaySite:
    """A new actor on a node, which is not opened yet. Ray never starts it again, and never repeats a call of it."""
    actor = (
        ray.remote(shell())
        .options(
            name=name.text(),
            namespace=NAMESPACE,
            lifetime="detached",
            num_cpus=0,
            max_concurrency=16,
            max_restarts=0,
            max_task_retries=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(name.node, soft=False),
        )
        .remote()
    )
    return RaySite(name.site, actor)


def found(name: Name) -> RaySite:
    """An actor that lives in the cluster. Raises SiteLost where it ended in the meantime."""
    try:
        return RaySite(name.site, ray.get_actor(name.text(), namespace=NAMESPACE))
    except ValueError as error:
        raise SiteLost(f"site {name.site} has ended") from error
