"""Which agent a run has: the own loop or a user's callable, with which stand-in for the services, on which wire."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec

from corpora.canonical import canonical
from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.records import SIMULATED_ENDPOINT, STUB_ERRORS, USER_STUBS
from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject
from runner.agents.loading import load_object, read_config
from runner.agents.loop import Agent, Loop
from runner.agents.services import UserServices
from runner.agents.stdout import kept_for_results
from runner.agents.stub import Stub
from runner.config import EndpointConfig
from runner.flags import RunFlags

if TYPE_CHECKING:
    from runner.agents.function import Target
    from runner.endpoints.relay import Relay


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The user's own code for a run, imported, and how it is to be driven."""

    target: Target | None = None
    """None for the own loop."""
    services: UserServices | None = None
    record_wire: bool = False
    refused: float = 0.0
    name: str | None = None
    """What a resume compares: the callable, and a hash of its configuration."""

    @property
    def marks(self) -> tuple[str, ...]:
        """The flags of every record of such a run."""
        facts = {STUB_ERRORS: self.refused > 0, USER_STUBS: self.services is not None}
        return tuple(flag for flag, holds in facts.items() if holds)


def choose(flags: RunFlags, config: JsonObject | None = None) -> Chosen:
    """Import what the flags name. Raises BadInput where it cannot be, or where flags do not fit together.

    `config`: the agent's configuration where it was read already; its file may not be on this machine.
    """
    if flags.agent is None and (flags.record_wire or flags.agent_config):
        flag = "--record-wire" if flags.record_wire else "--agent-config"
        raise BadInput("goes with --agent; the own loop records every body and needs no configuration", field=flag)
    if flags.agent is None and flags.stubs is None:
        return Chosen(refused=flags.stub_errors)
    with kept_for_results():  # importing runs the user's code
        return _imported(flags, config)


def _imported(flags: RunFlags, config: JsonObject | None) -> Chosen:
    services = None
    if flags.stubs is not None:
        services = UserServices(load_object(flags.stubs, "--stubs"), flags.stubs)
    if flags.agent is None:
        return Chosen(services=services, refused=flags.stub_errors)
    from runner.agents.function import Target

    reference = flags.agent.partition("#")[0]
    called = load_object(reference, "--agent")
    if config is None:
        config = read_config(flags.agent_config, called, "--agent-config")
    if isinstance(called, type) and not any("__call__" in base.__dict__ for base in called.__mro__):
        raise BadInput(f"{reference} has no method __call__", field="--agent")
    digest = f"#{hashlib.sha256(canonical(config)).hexdigest()[:16]}" if config else ""
    return Chosen(
        target=Target(called=called, config=config),
        services=services,
        record_wire=flags.record_wire,
        refused=flags.stub_errors,
        name=f"{reference}{digest}",
    )


@asynccontextmanager
async def opened(
    chosen: Chosen, corpus: Corpus, sets: Mapping[str, AuthoritativeSet], config: EndpointConfig
) -> AsyncIterator[Agent]:
    """The agent of a run, with what it needs for as long as the block runs."""
    stub = Stub(corpus, sets, services=chosen.services, refused=chosen.refused)
    if chosen.target is None:
        yield Loop(corpus, stub)
        return
    from runner.agents.function import FunctionAgent  # loaded where there is such an agent
    from runner.agents.hosting import Host
    from runner.endpoints.relay import open_relay

    with Host() as host:
        async with open_relay(config) as relay:
            if not chosen.record_wire:
                yield FunctionAgent(corpus, stub, chosen.target, host, config, marks=await _marks(relay))
                return
            from runner.agents.wire import recording  # the server library is loaded when it serves

            async with recording(relay, config.base_url) as taps:
                yield FunctionAgent(corpus, stub, chosen.target, host, config, taps)


async def _marks(relay: Relay) -> tuple[str, ...]:
    """Whether a simulated model answers there: no reply will be seen that says so."""
    simulated = any(name.startswith("simulated/") for name in await relay.models())
    return (SIMULATED_ENDPOINT,) if simulated else ()
