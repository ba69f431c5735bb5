"""What draws samples at one site: endpoint, agent and sampler round one pump. The same here and elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

from corpora.corpus import Corpus
from corpora.manifests import Study
from corpora.snapshots import AuthoritativeSet
from runner.agents.opening import Chosen, opened
from runner.config import EndpointConfig
from runner.endpoints.http import HttpEndpoint
from runner.endpoints.pool import open_endpoint
from runner.schedule.pump import Pump
from runner.schedule.sampler import Sampler


class Task(NamedTuple):
    """What is sampled, of which model, by whom."""

    corpus: Corpus
    sets: Mapping[str, AuthoritativeSet]
    study: Study
    endpoint: EndpointConfig
    chosen: Chosen
    run_id: str


class Elsewhere(NamedTuple):
    """How a pump answers a coordinator that is not in its own loop."""

    poll_s: float
    receipt_bytes: int
    linger_s: float


class Drawing(NamedTuple):
    """A pump at work, and what it draws with."""

    pump: Pump
    sampler: Sampler
    endpoint: HttpEndpoint


@asynccontextmanager
async def drawing(task: Task, site: str = "local", elsewhere: Elsewhere | None = None) -> AsyncIterator[Drawing]:
    """A pump that draws the task's samples for as long as the block runs; what is in flight at its end is cut."""
    async with (
        open_endpoint(task.endpoint) as endpoint,
        opened(task.chosen, task.corpus, task.sets, task.endpoint) as agent,
    ):
        marks = task.chosen.marks
        sampler = Sampler(task.corpus, task.study, endpoint, agent, run_id=task.run_id, site=site, marks=marks)
        how = {} if elsewhere is None else {**elsewhere._asdict(), "limits": endpoint}
        async with Pump(sampler.draw, **how) as pump:
            yield Drawing(pump, sampler, endpoint)
