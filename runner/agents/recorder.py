"""What a user's agent did with its tools in one sample: each call kept as it came, each answered by the stub."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from msgspec.structs import replace

from corpora.corpus import Corpus, Tool
from corpora.fixtures import Fixture
from corpora.records import Call, Effect
from corpora.values import Json, JsonObject
from runner.agents.services import ServiceError
from runner.agents.stub import Stub
from runner.agents.texts import as_json
from scoring.judging.reading import read_call


class SampleEnded(RuntimeError):
    """A tool was called after its sample had ended: by a task or thread that outlived it."""


class Made(NamedTuple):
    """One call that an agent made, and what came of it."""

    call: Call
    effect: Effect
    after: int
    """How many replies of the model had come before it."""


class Recorder:
    """The calls of one sample. It may be used from several threads; after `close` no call is taken any more.

    An agent does not say in which turn of its model it calls. Calls that overlap are one turn; a call that begins when
    those before it have ended is a turn of its own, since the model may have read their answers.
    """

    def __init__(self, corpus: Corpus, stub: Stub, fixture: Fixture, sample: int, replies: Callable[[], int]) -> None:
        self._corpus = corpus
        self._stub = stub
        self._fixture = fixture
        self._sample = sample
        self._replies = replies
        self._lock = threading.Lock()
        self._made: list[Made] = []
        self._turn = -1
        self._index = 0
        self._running = 0
        self._open = True
        self.fault: ServiceError | None = None
        """Why the stub could not answer: the user's stand-in for a service raised."""

    @contextmanager
    def call(self, tool: Tool, arguments: JsonObject) -> Iterator[Json]:
        """Keep a call, and give its answer, which the caller may change. Raises SampleEnded, ServiceError."""
        text, escaped = as_json(arguments)
        with self._lock:
            answer = self._begin(tool, text, escaped=escaped)
            self._running += 1
        try:
            yield answer
        finally:
            with self._lock:
                self._running -= 1

    def _begin(self, tool: Tool, text: str, *, escaped: bool) -> Json:
        if not self._open:
            raise SampleEnded(f"{tool.name} was called after its sample had ended; the call is not recorded")
        self._next_place()
        return self._keep(
            Call(
                turn=self._turn,
                index=self._index,
                id=None,
                name=tool.name,
                offered=True,
                arguments=text,
                escaped=escaped,
                wire_type="object",
                source="agent",
            )
        )

    def close(self) -> tuple[Made, ...]:
        """The calls of the sample, in their order; nothing is recorded after this."""
        with self._lock:
            self._open = False
            return tuple(self._made)

    def _next_place(self) -> None:
        if self._running:
            self._index += 1
        else:
            self._turn, self._index = self._turn + 1, 0

    def _keep(self, call: Call) -> Json:
        found = read_call(call, call.index, self._corpus, cut=False)
        try:
            effect = self._stub.effect(call, found.tool, found.value, self._fixture, self._sample)
        except ServiceError as error:
            self.fault = error
            raise
        self._made.append(Made(replace(call, malformed=found.malformed), effect, self._replies()))
        return copy.deepcopy(effect.answer)
