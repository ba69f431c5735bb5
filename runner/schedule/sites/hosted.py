"""A site inside an actor: the pump with its endpoint and agent, and its end where no coordinator ever comes back.

A site without a coordinator finishes what is in flight and keeps the lines. It sends nothing new after half a minute,
and ends after an hour.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable

import anyio

from corpora.errors import ProbeError
from corpora.jsonl import changed
from corpora.values import JsonObject
from runner.agents.opening import choose
from runner.config import resolve
from runner.log import configure
from runner.schedule.drawing import Drawing, Elsewhere, Task, drawing
from runner.schedule.messages import Share
from runner.schedule.pump import Fenced
from runner.schedule.sites.outfit import Fence, Outfit, Took, pack, unpack_order, unpack_outfit

ELSEWHERE = Elsewhere(poll_s=0.25, receipt_bytes=64 * 1024, linger_s=0.02)
"""Receipts that small travel with the message itself, past the object store."""
_LOOK_S = 1.0
_SWITCH_S = 0.0005
"""A thread that computes keeps the interpreter for so long: with Python's own 5 ms an agent starves exchanges."""


def prepared(outfit: Outfit) -> Task:
    """The task of an outfit, with this node's own environment. Raises BadInput where something is not here."""
    chosen = choose(changed(outfit.flags, agent_config=None), outfit.agent_config)
    config = resolve(outfit.corpus, outfit.flags, os.environ)
    configure("json", [secret.reveal() for secret in config.endpoint.secrets], quiet=True)
    return Task(outfit.corpus, outfit.sets, outfit.study, config.endpoint, chosen, outfit.run_id)


class Hosted:
    """What the shell of the actor holds."""

    def __init__(self, outfit: bytes, *, leave: Callable[[], None] = lambda: os._exit(0)) -> None:
        self._outfit = unpack_outfit(outfit)
        self._leave = leave
        self._drawing: Drawing | None = None
        self._ready = asyncio.Event()
        self._fault: str | None = None
        self.held = False
        self._share: Share | None = None
        self._heard_at = time.monotonic()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> str | None:
        """Open everything; a sentence where that cannot be."""
        try:
            task = prepared(self._outfit)
        except ProbeError as error:
            return str(error)
        if task.chosen.target is not None:
            sys.setswitchinterval(_SWITCH_S)
        self._running = asyncio.create_task(self._run(task))
        await self._ready.wait()
        return self._fault

    async def _run(self, task: Task) -> None:
        try:
            async with drawing(task, self._outfit.site, ELSEWHERE) as work:
                self._drawing = work
                self._ready.set()
                await self._watch(work)
        except Exception as error:  # noqa: BLE001 - told to the coordinator at its next word
            self._fault = f"{type(error).__name__}: {error}"
            self._drawing = None
            self._ready.set()

    async def _watch(self, work: Drawing) -> None:
        """See that a coordinator lives."""
        outfit = self._outfit
        while (alone_s := time.monotonic() - self._heard_at) < outfit.exit_after_s:
            if alone_s >= outfit.hold_after_s and not self.held:
                self.held = True
                work.endpoint.share(Share(concurrency=0))
            await anyio.sleep(min(_LOOK_S, outfit.hold_after_s))
        self._leave()

    def heard(self) -> None:
        """A coordinator lives."""
        self._heard_at = time.monotonic()
        if self.held and self._drawing is not None and self._share is not None:
            self.held = False
            self._drawing.endpoint.share(self._share)

    async def exchange(self, data: bytes) -> bytes:
        """One order. Raises where the site has broken down: what was in flight was cut."""
        if self._drawing is None:
            raise RuntimeError(self._fault or "the site has ended")
        order = unpack_order(data)
        try:
            self._share = self._drawing.pump.share_by(order)
            self.heard()
            return pack(Took(receipt=await self._drawing.pump.exchange(order)))
        except Fenced as error:
            return pack(Fence(why=str(error)))

    def about(self) -> JsonObject:
        """For a list of sites."""
        alone_s = round(time.monotonic() - self._heard_at, 1)
        return {"run_id": self._outfit.run_id, "site": self._outfit.site, "silent_s": alone_s, **self._hand()}

    def _hand(self) -> JsonObject:
        return {} if self._drawing is None else {"in_hand": self._drawing.pump.in_hand}

    def account(self) -> JsonObject:
        """For the manifest: what answered, and how the limit moved."""
        work = self._drawing
        if work is None:
            raise RuntimeError(self._fault or "the site has ended")
        return {"pins": work.sampler.pins.as_json(), "limits": list(work.endpoint.limits_over_time())}
