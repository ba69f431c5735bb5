"""Sites on the nodes of a Ray cluster: a named, detached actor each, which outlives the coordinator that placed it.

Ray places an actor, says when one dies, and carries one small call to and fro. It never retries: what died is known to
the coordinator, and an order may be sent again without harm. Actors of one run are named after it, so that the next
coordinator finds them and goes on with what they hold.
"""

from __future__ import annotations

import logging
import os
import platform
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Iterable
from importlib.metadata import version
from typing import Any, NamedTuple

import anyio
import anyio.to_thread

from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.values import Json, JsonObject
from runner.log import logger
from runner.schedule.messages import Order, Receipt
from runner.schedule.pump import Fenced
from runner.schedule.sites.base import SiteLost, SiteUnreachable
from runner.schedule.sites.outfit import Fence, Outfit, pack, unpack_reply
from runner.schedule.sites.seats import RESOURCE, Seat, seats
from runner.schedule.sites.shell import shell

# Before Ray is imported: it reports its use by default, and asks for no token by default.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "1")  # one attempt to join: its own takes half a minute
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
import ray.exceptions
import ray.util
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

_DEAD = (
    ray.exceptions.RayActorError,
    ray.exceptions.ActorUnschedulableError,
    ray.exceptions.ActorHandleNotFoundError,
    ray.exceptions.NodeDiedError,
)

Actor = Any
"""Ray's handle of an actor, which has no types."""

NAMESPACE = "assumeprobe"
PLACE_S = 60.0
"""A site has so long to start and to open."""
ASK_S = 5.0
LOOK_S = 3.0
"""How often new nodes are looked for, and idle sites told that their coordinator lives."""


class Living(NamedTuple):
    """An actor of ours in the cluster."""

    name: str
    run_id: str
    node: str
    facts: JsonObject | None
    """None where it does not answer."""


def connect(address: str) -> None:
    """Join a cluster as a driver. Raises BadInput where that cannot be, and says what to do."""
    _check_reach(address)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        ray.init(address=address, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.ERROR)
    except (ray.exceptions.AuthenticationError, ConnectionError, ValueError) as error:
        raise BadInput(
            f"Ray cannot join; has it another token? ({_first_line(error)}) Every machine needs the same one in "
            "RAY_AUTH_TOKEN, or in the file that RAY_AUTH_TOKEN_PATH names; `ray start --head` starts a cluster here",
            field="--ray-address",
        ) from error
    except RuntimeError as error:
        raise BadInput(f"cannot join the cluster at {address}: {_mismatch(error)}", field="--ray-address") from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check_reach(address: str) -> None:
    """Ray itself would try for minutes. It reaches this machine by its own address, whatever name was given."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return
    there = ray.util.get_node_ip_address() if host in {"localhost", "127.0.0.1", "::1"} else host.strip("[]")
    try:
        socket.create_connection((there, int(port)), timeout=ASK_S).close()
    except OSError as error:
        raise BadInput(
            f"nothing answers at {there}:{port}: {error.strerror or error}; `ray start --head` starts a cluster here",
            field="--ray-address",
        ) from error


def disconnect() -> None:
    """Leave the cluster; sites stay."""
    ray.shutdown()


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _mismatch(error: RuntimeError) -> str:
    text = " ".join(str(error).split())
    if "Version mismatch" in text:
        return f"{text}; use the same Ray and the same Python, to the last number, on every machine"
    return text


class RaySite:
    """One actor, seen from a coordinator."""

    def __init__(self, site: str, actor: Actor) -> None:
        self.id = site
        self.actor = actor

    async def exchange(self, order: Order) -> Receipt:
        """Pass an order on; raises SiteLost, SiteUnreachable, or Fenced where a newer coordinator drives the site."""
        reply = unpack_reply.decode(await _heard(self.id, self.actor.exchange.remote(pack(order))))
        if isinstance(reply, Fence):
            raise Fenced(reply.why)
        return reply.receipt


async def _heard(site: str, call: Awaitable[Json]) -> Json:
    """What a call of an actor returns, with Ray's errors as ours."""
    try:
        return await call
    except ray.exceptions.ActorUnavailableError as error:
        raise SiteUnreachable(f"site {site}: {_first_line(error)}") from error
    except ray.exceptions.RayTaskError as error:
        raise SiteLost(f"site {site} broke down: {_first_line(error.cause)}") from error
    except _DEAD as error:
        raise SiteLost(f"site {site} died: {_first_line(error)}") from error
    except ray.exceptions.RayError as error:
        raise SiteUnreachable(f"site {site}: {_first_line(error)}") from error


async def _within(seconds: float, site: str, call: Awaitable[Json]) -> Json:
    with anyio.move_on_after(seconds):
        return await _heard(site, call)
    raise SiteUnreachable(f"site {site} did not answer within {seconds:g} s")


class Cluster:
    """The sites of one run: those that live, those that are placed, and those that come."""

    def __init__(self, outfit: Outfit) -> None:
        self._outfit = outfit
        self._taken: set[tuple[str, int]] = set()
        self._refused: set[str] = set()
        self.sites: list[RaySite] = []
        self.facts: dict[str, JsonObject] = {}
        """Of each site, for the manifest."""
        self.adopted: set[str] = set()
        """Those that an earlier coordinator left."""

    async def open(self) -> None:
        """Take over what lives and place what is missing. Raises BadInput where a node cannot take part."""
        for name in _names(self._outfit.run_id):
            await self._adopt(name)
        faults: list[BadInput] = []
        async with anyio.create_task_group() as group:
            for seat in self._free():
                group.start_soon(self._try, seat, faults)
        if faults:
            await self.release(fresh=True)
            raise faults[0]
        if not self.sites:
            raise BadInput(
                f"the cluster has no node for a site: none offers a CPU, nor the resource {RESOURCE!r}",
                field="--ray-address",
            )

    async def _adopt(self, name: str) -> None:
        _, node, slot, site = name.split("|")
        self._taken.add((node, int(slot)))
        try:
            found = RaySite(site, ray.get_actor(name, namespace=NAMESPACE))
            self._check(await _within(ASK_S, site, found.actor.about.remote()), site)
            fault = await _within(PLACE_S, site, found.actor.open.remote(self._packed(site)))
        except (ValueError, SiteLost):
            return  # it died a moment ago
        except SiteUnreachable:
            fault = None  # its hand is not known: the coordinator waits for it
        if fault is not None:
            raise BadInput(f"site {site}: {fault}", field="--engine")
        self.facts[site] = {"node": node}
        self.adopted.add(site)
        self.sites.append(found)

    def _free(self) -> list[Seat]:
        return [seat for seat in seats(ray.nodes()) if (seat.node, seat.slot) not in self._taken]

    async def _try(self, seat: Seat, faults: list[BadInput]) -> None:
        try:
            self.sites.append(await self._place(seat))
        except BadInput as error:
            faults.append(error)

    async def _place(self, seat: Seat) -> RaySite:
        """A new site. Raises BadInput where the node cannot take part."""
        self._taken.add((seat.node, seat.slot))
        site = f"{seat.address}/{seat.node[:8]}-{secrets.token_hex(2)}"
        actor = (
            ray.remote(shell())
            .options(
                name="|".join((self._outfit.run_id, seat.node, str(seat.slot), site)),
                namespace=NAMESPACE,
                lifetime="detached",
                num_cpus=0,
                max_concurrency=16,
                max_restarts=0,
                max_task_retries=0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(seat.node, soft=False),
            )
            .remote()
        )
        try:
            found = await _within(PLACE_S, site, actor.about.remote())
            self._check(found, site)
            fault = await _within(PLACE_S, site, actor.open.remote(self._packed(site)))
        except (SiteLost, SiteUnreachable, BadInput) as error:
            ray.kill(actor)
            raise error if isinstance(error, BadInput) else BadInput(str(error), field="--engine") from error
        if fault is not None:
            ray.kill(actor)
            raise BadInput(f"node {seat.address} cannot take part: {fault}", field="--engine")
        self.facts[site] = {"node": seat.node, **{name: found[name] for name in ("host", "version", "python", "pid")}}
        return RaySite(site, actor)

    def _packed(self, site: str) -> bytes:
        return pack(changed(self._outfit, site=site))

    def _check(self, found: JsonObject, site: str) -> None:
        """At first contact: the same package and the same Python. Raises BadInput that says what to install where."""
        mine = {"version": version("assumeprobe"), "python": platform.python_version()}
        where = f"site {site} ({found['host']})"
        install = f"install assumeprobe[ray]=={mine['version']} there, into the Python that runs Ray"
        if "fault" in found:
            raise BadInput(f"{where} has no working assumeprobe ({found['fault']}); {install}", field="--engine")
        if found["version"] != mine["version"]:
            raise BadInput(
                f"{where} has assumeprobe {found['version']}, this machine {mine['version']}; {install}",
                field="--engine",
            )
        if found["python"] != mine["python"]:
            raise BadInput(
                f"{where} runs Python {found['python']}, this machine {mine['python']}; they must be the same",
                field="--engine",
            )

    async def joining(self) -> AsyncIterator[RaySite]:
        """Sites on nodes that come later. A node whose site died gets no other in this start of the run."""
        while True:
            await anyio.sleep(LOOK_S)
            for site in self.sites:
                site.actor.beat.remote()
            for seat in await anyio.to_thread.run_sync(self._free):
                try:
                    site = await self._place(seat)
                except BadInput as error:
                    logger().warning("a node that came cannot take part", why=str(error))
                    continue
                self.sites.append(site)
                yield site

    async def account(self) -> dict[str, JsonObject]:
        """What the endpoint showed of itself, by site; of those that answer."""
        found: dict[str, JsonObject] = {}

        async def ask(site: RaySite) -> None:
            """Ask one site; one that does not answer in time is no error."""
            try:
                found[site.id] = await _within(ASK_S, site.id, site.actor.account.remote())
            except (SiteLost, SiteUnreachable):
                return

        async with anyio.create_task_group() as group:
            for site in self.sites:
                group.start_soon(ask, site)
        return found

    async def release(self, *, fresh: bool = False) -> None:
        """End every site, or those that this coordinator placed."""
        for site in self.sites:
            if not (fresh and site.id in self.adopted):
                ray.kill(site.actor)


def _names(run_id: str | None = None) -> list[str]:
    """Our actors, of one run or of all."""
    named = ray.util.list_named_actors(all_namespaces=True)
    ours = [str(actor["name"]) for actor in named if actor["namespace"] == NAMESPACE]
    return sorted(name for name in ours if run_id is None or name.startswith(f"{run_id}|"))


async def living() -> list[Living]:
    """Every site of every run in the cluster."""
    found: list[Living] = []

    async def ask(name: str) -> None:
        """Ask one site; one that does not answer in time is no error."""
        run_id, node, _, site = name.split("|")
        try:
            actor = ray.get_actor(name, namespace=NAMESPACE)
            facts = await _within(ASK_S, site, actor.about.remote())
        except (ValueError, SiteLost):
            return
        except SiteUnreachable:
            facts = None
        found.append(Living(name, run_id, node, facts))

    async with anyio.create_task_group() as group:
        for name in _names():
            group.start_soon(ask, name)
    return sorted(found)


def end(names: Iterable[str]) -> None:
    """End sites by the names of their actors."""
    for name in names:
        try:
            ray.kill(ray.get_actor(name, namespace=NAMESPACE))
        except ValueError:  # it ended by itself
            continue
