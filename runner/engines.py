"""Where a run draws: the pump in this process, or sites in a Ray cluster. One protocol, so that a run is wired once."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from corpora.errors import BadInput
from corpora.jsonl import changed
from corpora.sets import plain_url
from corpora.values import JsonObject
from runner.flags import RunFlags
from runner.schedule.drawing import Drawing, Task, drawing
from runner.schedule.patience import HERE, Patience
from runner.schedule.sites.base import Site
from runner.schedule.sites.local import LocalSite

if TYPE_CHECKING:  # it is loaded where Ray is
    from runner.schedule.sites.outfit import Outfit
    from runner.schedule.sites.ray import Cluster

Kind = Literal["local", "ray"]
KINDS: tuple[str, ...] = get_args(Kind)

DEADLINE_S = 10.0
"""One exchange with a site that is elsewhere: it answers within a quarter of a second."""
ALL_SILENT_S = 300.0
"""A run ends, and its sites stay, where none of them was heard of for so long."""
NONE_LEFT_S = 5.0
"""A run ends where no site lives and none has come for so long."""


class Place(NamedTuple):
    """Where to draw."""

    kind: Kind = "local"
    address: str | None = None
    """Of the cluster; None: that of the environment."""
    abandon_after_s: float | None = None
    """A site that was not heard of for so long is given up."""


class Engine(NamedTuple):
    """Sites, how long to wait for them, and what becomes of them."""

    sites: Sequence[Site]
    account: Callable[[], Awaitable[JsonObject]]
    """What answered (`pins`), and how limits moved (`limits`)."""
    release: Callable[[], Awaitable[None]]
    """Ends the sites: nothing is left for them."""
    joining: AsyncIterator[Site] | None = None
    """Sites that come later."""
    patience: Patience = HERE
    facts: Mapping[str, JsonObject] = {}
    """What is known of each site; those that come later are in it before they join."""
    adopted: frozenset[str] = frozenset()
    """Those that an earlier start of the run left."""


def _here(work: Drawing) -> Engine:
    """The pump in this loop; it ends with the block that opened it."""

    async def account() -> JsonObject:
        """Its pins, and its limits over time."""
        return {"pins": work.sampler.pins.as_json(), "limits": work.endpoint.limits_over_time()}

    async def release() -> None:
        """Nothing is to be given back."""
        return

    return Engine([LocalSite(work.pump)], account, release)


def _clustered(cluster: Cluster, abandon_after_s: float | None) -> Engine:
    """Sites in a cluster."""

    async def account() -> JsonObject:
        """Its pins, and its limits over time."""
        found = await cluster.account()
        limits = [{"site": site, **entry} for site, account in found.items() for entry in account["limits"]]
        return {"pins": together(account["pins"] for account in found.values()), "limits": limits}

    patience = Patience(
        deadline_s=DEADLINE_S, abandon_after_s=abandon_after_s, wait_s=ALL_SILENT_S, empty_s=NONE_LEFT_S
    )
    return Engine(
        sites=list(cluster.sites),
        account=account,
        release=cluster.release,
        joining=cluster.joining(),
        patience=patience,
        facts=cluster.facts,
        adopted=frozenset(cluster.adopted),
    )


def together(pins: Iterable[JsonObject]) -> JsonObject:
    """The pins of several sites as those of one run."""
    found = list(pins)
    names = ("response_models", "system_fingerprints")
    merged = {name: list(dict.fromkeys(value for one in found for value in one[name])) for name in names}
    return {**merged, "moved": any(len(values) > 1 for values in merged.values())}


@asynccontextmanager
async def opened_engine(task: Task, flags: RunFlags, place: Place) -> AsyncIterator[Engine]:
    """The sites of a run for as long as the block runs; what is in flight in this process is cut at its end.

    Raises BadInput where the cluster, or a node of it, cannot take part.
    """
    if place.kind == "local":
        async with drawing(task) as work:
            yield _here(work)
        return
    ray = loaded()
    ray.connect(address_of(place))
    try:
        cluster = ray.Cluster(_outfit(task, flags))
        await cluster.open()
        yield _clustered(cluster, place.abandon_after_s)
    finally:
        ray.disconnect()


def loaded() -> ModuleType:
    """The module of Ray's sites. Raises BadInput, with the line that installs it, where Ray is not there."""
    try:
        return import_module("runner.schedule.sites.ray")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "ray":
            raise
        raise BadInput(
            f"Ray is not installed here: pip install 'assumeprobe[ray]=={version('assumeprobe')}'"
        ) from error


def address_of(place: Place) -> str:
    """Where the cluster is. Raises BadInput where nobody said it."""
    address = place.address or os.environ.get("RAY_ADDRESS")
    if not address:
        raise BadInput(
            "no cluster is named: give --ray-address HOST:PORT or auto (the one on this machine), or set RAY_ADDRESS; "
            "`ray start --head` starts one",
            field="--ray-address",
        )
    return address


def check(flags: RunFlags, place: Place) -> None:
    """Raises BadInput where flags do not fit together, or Ray is asked for and cannot be reached for want of a name."""
    if place.kind == "local" and (place.address or place.abandon_after_s is not None):
        raise BadInput("goes with --engine ray", field="--ray-address" if place.address else "--abandon-after")
    if place.kind == "ray" and flags.simulate is not None:
        raise BadInput(
            "serves this process alone; `assumeprobe serve` serves a simulated model that every node can reach, "
            "name it by --base-url and --model",
            field="--simulate",
        )
    if place.kind == "ray":  # before the first request, which costs something
        loaded()
        address_of(place)


def _outfit(task: Task, flags: RunFlags) -> Outfit:
    from runner.schedule.sites.outfit import Outfit

    base_url = task.endpoint.base_url
    if plain_url(base_url) != base_url:
        raise BadInput(
            "holds a user, a password or a query, which would travel to every node; leave them out and name the "
            "variable of a key by --api-key-env, or of a header by --header",
            field="--base-url",
        )
    named = changed(
        flags,
        base_url=base_url,
        model=task.study.model,
        api_key_env=task.endpoint.key_env,
        concurrency=task.endpoint.concurrency if flags.concurrency != "auto" else "auto",
    )
    config = task.chosen.target.config if task.chosen.target else {}
    return Outfit(
        run_id=task.run_id,
        site="",
        corpus=task.corpus,
        sets=dict(task.sets),
        study=task.study,
        flags=named,
        agent_config=config,
    )
