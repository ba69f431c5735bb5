"""A site inside an actor, without the actor: orders and receipts as bytes, and its end where nobody comes back."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from itertools import count

import anyio
import pytest

from corpora.corpus import load, read_sets
from corpora.jsonl import changed
from runner.agents.opening import choose
from runner.config import resolve
from runner.flags import RunFlags
from runner.schedule.drive import drive
from runner.schedule.messages import Key, Order, Receipt, Share
from runner.schedule.outcome import Outcome
from runner.schedule.plan import plan
from runner.schedule.sites.hosted import Hosted
from runner.schedule.sites.outfit import Fence, Outfit, Took, pack, unpack_reply
from runner.schedule.sites.seats import seats
from runner.schedule.sites.shell import shell
from runner.simulated.server import SimulatedServer, serving
from tests.runner.schedule.test_drive import Memory

CORPUS = load("maintenance")


def outfit(server: SimulatedServer, **flags: object) -> Outfit:
    named = RunFlags(base_url=server.base_url, model=server.model, max_turns=1, samples=1, **flags)  # type: ignore[arg-type]
    study = resolve(CORPUS, named, {"NO_SUCH_KEY": "sk-here"}).study
    return Outfit(run_id="r", site="s", corpus=CORPUS, sets=read_sets(CORPUS), study=study, flags=named)


TURNS = count(1)


def order(*keys: Key, epoch: int = 1, rate: float | None = None, concurrency: int = 4) -> bytes:
    share = Share(concurrency=concurrency, requests_per_s=rate)
    return pack(Order(run_id="r", epoch=epoch, turn=next(TURNS), keys=keys, ack=0, share=share))


async def drawn(hosted: Hosted, wanted: bytes) -> None:
    """Ask until the first line comes."""
    while True:
        reply = unpack_reply.decode(await hosted.exchange(wanted))
        assert isinstance(reply, Took)
        if reply.receipt.lines:
            return


def with_server(body: Callable[[SimulatedServer], Awaitable[None]], latency_s: float = 0.0) -> None:
    async def main() -> None:
        with anyio.fail_after(15):
            async with serving(corpora=[CORPUS], latency_s=latency_s) as server:
                await body(server)

    anyio.run(main)


class Through:
    """A site that is reached by bytes alone."""

    id = "s"

    def __init__(self, hosted: Hosted) -> None:
        self.hosted = hosted

    def abandon(self) -> None:
        raise AssertionError

    async def exchange(self, order: Order) -> Receipt:
        reply = unpack_reply.decode(await self.hosted.exchange(pack(order)))
        assert isinstance(reply, Took)
        return reply.receipt


def test_a_plan_is_drawn_through_bytes_alone() -> None:
    async def body(server: SimulatedServer) -> None:
        hosted = Hosted(pack(outfit(server)))
        assert await hosted.start() is None
        journal = Memory()
        keys = plan(CORPUS, 1, (), order="file")  # type: ignore[arg-type]
        outcome = await drive([Through(hosted)], keys, journal, Share(concurrency=16))
        assert outcome == Outcome(
            recorded=len(CORPUS.fixtures), errors=0, malformed=outcome.malformed, fatal=None, left=0
        )
        assert all(b'"site":"s"' in line.data for line in journal.lines)
        assert hosted.about()["run_id"] == "r"
        assert hosted.account()["pins"]["response_models"] == [server.model]

    with_server(body)


def test_an_older_coordinator_is_told_so() -> None:
    async def body(server: SimulatedServer) -> None:
        hosted = Hosted(pack(outfit(server)))
        await hosted.start()
        await hosted.exchange(order(epoch=2))
        refused = unpack_reply.decode(await hosted.exchange(order(epoch=1)))
        assert isinstance(refused, Fence)
        assert "a newer run drives this site" in refused.why

    with_server(body)


def test_a_variable_that_is_not_in_this_environment_is_named() -> None:
    async def body(server: SimulatedServer) -> None:
        fault = await Hosted(pack(outfit(server, api_key_env="NO_SUCH_KEY"))).start()
        assert fault is not None
        assert "the environment has no NO_SUCH_KEY" in fault

    with_server(body)


def test_without_a_coordinator_nothing_new_is_sent_until_one_comes_and_then_the_site_ends() -> None:
    first, second = Key(CORPUS.fixtures[0].id, 0), Key(CORPUS.fixtures[1].id, 0)

    async def body(server: SimulatedServer) -> None:
        left = anyio.Event()
        wanted = changed(outfit(server), hold_after_s=0.05, exit_after_s=1.5)
        hosted = Hosted(pack(wanted), leave=left.set)
        await hosted.start()
        await hosted.exchange(order(first, second, rate=2.0))  # the turn of the second comes in half a second
        await left.wait()
        assert server.stats().requests == 1
        assert hosted.about()["in_hand"] == 2

    with_server(body)


def test_a_coordinator_that_comes_back_lets_a_site_go_on() -> None:
    key = Key(CORPUS.fixtures[0].id, 0)

    async def body(server: SimulatedServer) -> None:
        hosted = Hosted(pack(changed(outfit(server), hold_after_s=0.02)))
        await hosted.start()
        await hosted.exchange(order())
        while not hosted.held:
            await anyio.sleep(0.01)
        await drawn(hosted, order(key))
        assert server.stats().requests == 1

    with_server(body)


@pytest.mark.parametrize("epoch", [1, 2], ids=["of an older coordinator", "that comes again"])
def test_an_order_that_is_not_obeyed_leaves_a_site_its_share(epoch: int) -> None:
    key = Key(CORPUS.fixtures[0].id, 0)

    async def body(server: SimulatedServer) -> None:
        hosted = Hosted(pack(changed(outfit(server), hold_after_s=0.05)))
        await hosted.start()
        late = order(epoch=epoch, concurrency=0)
        await drawn(hosted, order(key, epoch=2))
        while not hosted.held:
            await anyio.sleep(0.01)
        reply = unpack_reply.decode(await hosted.exchange(late))
        assert isinstance(reply, Fence) == hosted.held == (epoch == 1)  # who is refused is no coordinator that lives
        hosted.heard()
        assert [entry["concurrency"] for entry in hosted.account()["limits"]] == [4, 0, 4]

    with_server(body)


def test_the_shell_answers_before_it_is_opened_and_refuses_orders() -> None:
    async def body(server: SimulatedServer) -> None:
        site = shell()()
        about = await site.about()
        assert about["pid"] == os.getpid()
        assert "fault" not in about
        with pytest.raises(RuntimeError, match="never opened"):
            await site.exchange(order())
        assert await site.open(pack(outfit(server))) is None
        assert await site.open(b"not looked at again") is None
        await site.beat()
        assert isinstance(unpack_reply.decode(await site.exchange(order())), Took)
        assert (await site.about())["in_hand"] == 0
        assert (await site.account())["limits"] == []

    with_server(body)


def test_no_secret_of_the_coordinator_is_in_an_outfit() -> None:
    flags = RunFlags(base_url="http://127.0.0.1:1/v1", model="m", api_key_env="PLANTED", headers=("x=env:PLANTED",))
    config = resolve(CORPUS, flags, {"PLANTED": "sk-planted"})
    assert config.endpoint.key_env == "PLANTED"
    named = changed(flags, api_key_env=config.endpoint.key_env)
    packed = pack(Outfit(run_id="r", site="s", corpus=CORPUS, sets={}, study=config.study, flags=named))
    assert b"PLANTED" in packed
    assert b"sk-planted" not in packed


def node(name: str, alive: bool = True, **resources: float) -> dict:
    return {"NodeID": name, "NodeManagerAddress": f"10.0.0.{name}", "Alive": alive, "Resources": resources}


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ([node("1", CPU=4), node("2", CPU=1)], [("1", 0), ("2", 0)]),
        ([node("1"), node("2", CPU=1)], [("2", 0)]),
        ([node("2", CPU=1), node("1", alive=False, CPU=8)], [("2", 0)]),
        ([node("1", CPU=4), node("2", CPU=2, assumeprobe=2)], [("2", 0), ("2", 1)]),
        ([node("1", CPU=0)], []),
    ],
    ids=["one on each", "a head without a CPU has none", "a dead one has none", "marked nodes alone", "none"],
)
def test_sites_go_where_the_cluster_says(nodes: list[dict], expected: list[tuple[str, int]]) -> None:
    assert [(seat.node, seat.slot) for seat in seats(nodes)] == expected


def test_an_agent_is_imported_again_with_the_configuration_that_was_read() -> None:
    flags = RunFlags(agent="tests.runner.schedule.test_hosted:Agent")
    first = choose(flags, {"depth": 3})
    again = choose(changed(flags, agent=first.name), {"depth": 3})
    assert again.name == first.name
    assert again.target == first.target


class Agent:
    def __init__(self, depth: int) -> None:
        self.depth = depth

    def __call__(self, messages: list, tools: dict, settings: object) -> None:
        return None
