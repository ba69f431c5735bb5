"""The books of a simulated endpoint: which sample of a conversation is next, how many requests came and met."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from corpora.values import Json, JsonObject
from runner.simulated.faults import Faults
from runner.simulated.model import SimulatedModel


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """What the server has counted."""

    requests: int
    peak_in_flight: int


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it came."""

    headers: dict[str, str]
    """Names in lower case."""
    body: bytes


class Desk:
    """Counts requests and numbers the samples of each conversation."""

    def __init__(self, model: SimulatedModel, faults: Faults, keep: int = 0) -> None:
        self.model = model
        self.faults = faults
        self.seen: deque[Seen] = deque(maxlen=keep)
        """The last `keep` requests."""
        self._requests = 0
        self._in_flight = 0
        self._peak = 0
        self._samples: Counter[tuple[str, int]] = Counter()
        self._nonce = secrets.token_hex(4)

    def stats(self) -> Stats:
        """The counts so far."""
        return Stats(requests=self._requests, peak_in_flight=self._peak)

    @contextmanager
    def counted(self) -> Iterator[int]:
        """One request in flight; gives its number, from 0."""
        number = self._requests
        self._requests += 1
        self._in_flight += 1
        self._peak = max(self._peak, self._in_flight)
        try:
            yield number
        finally:
            self._in_flight -= 1

    def answer(self, request: Json, number: int, created: int, *, counts: bool) -> JsonObject:
        """The reply to request `number`. With `counts` false it is not delivered whole, and its sample comes again."""
        asked = self.model.read(request)
        place = (asked.scene.fixture.sha256, asked.turn)
        sample = self._samples[place] if asked.number is None else asked.number
        if counts:
            self._samples[place] += 1
        return self.model.reply(asked, sample, response_id=f"chatcmpl-{self._nonce}{number:08x}", created=created)
