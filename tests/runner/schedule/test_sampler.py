"""A key to a finished line, through the real client and a real server."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from corpora.corpus import load, read_sets
from corpora.jsonl import read_records
from corpora.manifests import Study
from corpora.records import Record
from runner.agents.loop import Loop
from runner.agents.stub import Stub
from runner.config import EndpointConfig
from runner.endpoints.pool import open_endpoint
from runner.schedule.messages import Key
from runner.schedule.sampler import Sampler, seed_of, settings_sent
from runner.secrets import Secret
from runner.simulated.faults import Fault, Faults
from runner.simulated.server import SimulatedServer

pytestmark = pytest.mark.anyio

KEY = "sk-planted-0123456789"


@asynccontextmanager
async def sampling(server: SimulatedServer, corpus: str = "refunds", **settings: Any) -> AsyncIterator[Sampler]:
    loaded = load(corpus)
    study = Study(model=server.model, api="openai-chat", base_url=server.base_url, max_turns=4, **settings)
    config = EndpointConfig(
        base_url=server.base_url, api="openai-chat", model=server.model, key=Secret(KEY), max_attempts=2, backoff_s=0.0
    )
    async with open_endpoint(config) as endpoint:
        loop = Loop(loaded, Stub(loaded, read_sets(loaded)))
        yield Sampler(loaded, study, endpoint, loop, run_id="run-1")


async def drawn(sampler: Sampler, fixture: str, sample: int = 0) -> Record:
    line = await sampler.draw(Key(fixture, sample))
    (record,) = read_records(io.BytesIO(line.data))
    assert line.ok == (record.error is None)
    return record


async def test_a_sample_is_one_whole_line(endpoint: Callable[..., SimulatedServer]) -> None:
    server = endpoint()
    async with sampling(server) as sampler:
        record = await drawn(sampler, "det-001")
    assert (record.fixture_id, record.sample, record.stratum) == ("det-001", 0, "determined")
    assert record.calls[-1].name == "refund_order"
    assert record.response_models == (server.model,)
    assert record.turns[-1].response is not None
    assert record.usage.output_tokens
    assert record.run_id == "run-1"


async def test_every_turn_stands_in_the_record_until_the_tool_that_matters_was_called(
    endpoint: Callable[..., SimulatedServer],
) -> None:
    server = endpoint(profile="perfect")
    async with sampling(server) as sampler:
        records = [await drawn(sampler, fixture.id) for fixture in load("refunds").fixtures]
    several = [record for record in records if len(record.turns) > 1]
    assert several
    for record in several:
        assert {call.turn for call in record.calls} == set(range(len(record.turns)))
        assert all(call.name == "lookup_order" for call in record.calls if call.turn < len(record.turns) - 1)
        assert len(record.effects) == len(record.calls)


async def test_a_request_says_nothing_of_fixture_stratum_truth_or_hidden_values(
    endpoint: Callable[..., SimulatedServer],
) -> None:
    server = endpoint(corpora=["maintenance"], keep=100)
    corpus = load("maintenance")
    async with sampling(server, "maintenance") as sampler:
        for fixture in corpus.fixtures:
            await drawn(sampler, fixture.id)
    sent = b"\n".join(seen.body for seen in server.seen).decode()
    shown = (
        corpus.system + str([(fixture.messages, fixture.visible) for fixture in corpus.fixtures]) + str(corpus.tools)
    )
    for fixture in corpus.fixtures:
        told = [fixture.id, fixture.stratum, *(str(value) for value in fixture.hidden.values())]
        assert not [value for value in told if value in sent and value not in shown]


async def test_a_failure_of_the_service_is_a_record_with_its_attempts(endpoint: Callable[..., SimulatedServer]) -> None:
    server = endpoint(faults=Faults(rates=(Fault(kind="503", rate=1.0),), retry_after_s=0.0))
    async with sampling(server) as sampler:
        record = await drawn(sampler, "det-001")
    assert record.status == "error"
    assert record.error is not None
    assert (record.error.kind, record.error.status) == ("http", 503)
    assert [attempt.status for attempt in record.turns[0].attempts] == [503, 503]
    assert server.stats().requests == 2


@pytest.mark.parametrize(
    ("seed", "same_seed", "expected"),
    [(None, False, [None, None]), (100, False, [100, 101]), (100, True, [100, 100])],
    ids=["no seed", "base and sample index", "one for all, asked for by name"],
)
async def test_the_seed_of_a_sample(seed: int | None, same_seed: bool, expected: list[int | None]) -> None:
    study = Study(model="m", api="openai-chat", base_url="http://h", seed=seed, same_seed=same_seed)
    assert [seed_of(study, sample) for sample in (0, 1)] == expected


@pytest.mark.parametrize(
    ("settings", "params"),
    [
        ({}, {}),
        (
            {"max_tokens": 9, "tool_choice": "auto", "stream": True, "params": {"top_p": 0.5}},
            {"max_tokens": 9, "tool_choice": "auto", "stream": True, "top_p": 0.5},
        ),
    ],
    ids=["none", "all"],
)
def test_the_settings_as_sent_stand_in_the_record(settings: dict[str, Any], params: dict[str, Any]) -> None:
    study = Study(model="m", api="openai-chat", base_url="http://127.0.0.1/v1", **settings)
    assert settings_sent(study) == params
