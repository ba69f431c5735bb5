"""A user's agent, a Python callable of any framework: it gets a fixture, tools that record, and where its model is."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.jsonl import decode_value, encode_text
from corpora.records import Failure
from corpora.values import Json, JsonObject
from runner.agents.functions import Catalogue
from runner.agents.hosting import Ending, Host
from runner.agents.loop import Played, Settings
from runner.agents.recorder import Made, Recorder
from runner.agents.stub import Stub
from runner.agents.taps import PLACEHOLDER, Tap, Taps
from runner.agents.texts import plain_text
from runner.agents.wired import explained, put_together
from runner.config import EndpointConfig
from runner.endpoints.base import Endpoint

_LONGEST_TRACEBACK = 8_000
_OURS = str(Path(__file__).parent.parent)


class AgentSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is told beside the conversation and its tools. Nothing of the fixture is in it."""

    base_url: str
    api: str
    api_key: str | None
    model: str
    temperature: float | None
    seed: int | None
    max_tokens: int | None
    timeout_s: float
    """For one request."""
    max_turns: int
    tool_choice: str | None
    params: JsonObject
    """Anything more to send with a request."""

    def __repr__(self) -> str:
        return f"AgentSettings(model={self.model!r}, api={self.api!r})"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """The callable: a function, or a class that is made anew with its configuration for each sample."""

    called: Callable[..., Json]
    config: JsonObject = {}

    @property
    def asynchronous(self) -> bool:
        """Whether it is to be awaited."""
        call: object = getattr(self.called, "__call__", None)  # noqa: B004 - the method of a class or instance
        return inspect.iscoroutinefunction(self.called) or inspect.iscoroutinefunction(call)

    def make(self) -> Callable[..., Json]:
        """What is called with messages, tools and settings."""
        if not isinstance(self.called, type):
            return self.called
        made: Callable[..., Json] = self.called(**decode_value(encode_text(self.config)))
        return made


class FunctionAgent:
    """Plays fixtures by way of a user's callable."""

    def __init__(
        self,
        corpus: Corpus,
        stub: Stub,
        target: Target,
        host: Host,
        config: EndpointConfig,
        taps: Taps | None = None,
        *,
        marks: tuple[str, ...] = (),
    ) -> None:
        self._corpus = corpus
        self._stub = stub
        self._target = target
        self._host = host
        self._config = config
        self._taps = taps
        self._marks = marks
        self._catalogue = Catalogue(corpus.tools)

    async def __call__(self, endpoint: Endpoint, fixture: Fixture, settings: Settings) -> Played:  # noqa: ARG002
        """One sample. The endpoint is the agent's own affair: it was told where it is."""
        tap = self._taps.open() if self._taps else None
        recorder = Recorder(self._corpus, self._stub, fixture, settings.sample, tap.begun if tap else _nobody_knows)
        limit_s = self._config.timeout_s * settings.study.max_turns
        try:
            ending = await self._ending(fixture, recorder, self._told(settings, tap), limit_s)
        finally:
            made = recorder.close()
            passed = self._taps.close(tap) if self._taps and tap else ()
        failure = _failure(ending, recorder, limit_s)
        if self._taps is None:
            return _seen_by_the_agent(made, ending, failure or _wordless(ending), self._marks)
        played = put_together(passed, made, self._taps.api, self._corpus)
        words = played.text or _words(ending)
        played = msgspec.structs.replace(played, text=words, flags=(*played.flags, *_flags(ending)))
        return explained(played, failure) if failure else msgspec.structs.replace(played, failure=None, fatal=None)

    async def _ending(self, fixture: Fixture, recorder: Recorder, told: AgentSettings, limit_s: float) -> Ending:
        target = self._target
        tools = self._catalogue.functions(recorder, asynchronous=target.asynchronous)
        messages = self._messages(fixture)

        def start() -> Json:
            """Call the agent with the conversation, its tools and where its model is."""
            return target.make()(messages, tools, told)

        return await (self._host.run if target.asynchronous else self._host.call)(start, limit_s)

    def _messages(self, fixture: Fixture) -> list[JsonObject]:
        """The conversation as plain JSON values, the agent's own to change."""
        messages: list[JsonObject] = decode_value(encode_text(fixture.messages))
        return [{"role": "system", "content": self._corpus.system_text(fixture)}, *messages]

    def _told(self, settings: Settings, tap: Tap | None) -> AgentSettings:
        study, config = settings.study, self._config
        key = config.key.reveal() if config.key else None
        return AgentSettings(
            base_url=tap.base_url if tap else config.base_url,
            api=study.api,
            api_key=PLACEHOLDER if tap else key,
            model=study.model,
            temperature=study.temperature,
            seed=settings.seed,
            max_tokens=study.max_tokens,
            timeout_s=config.timeout_s,
            max_turns=study.max_turns,
            tool_choice=study.tool_choice,
            params=decode_value(encode_text(study.params)),
        )


def _nobody_knows() -> int:
    return 0


def _seen_by_the_agent(
    made: tuple[Made, ...], ending: Ending, failure: Failure | None, marks: tuple[str, ...]
) -> Played:
    """Without the wire the record holds what the framework made of the calls, and says so in their source."""
    return Played(
        text=_words(ending),
        calls=tuple(one.call for one in made),
        effects=tuple(one.effect for one in made),
        failure=failure,
        flags=(*_flags(ending), *marks),
    )


def _words(ending: Ending) -> str | None:
    return plain_text(ending.value) if isinstance(ending.value, str) else None


def _flags(ending: Ending) -> tuple[str, ...]:
    facts = {
        "unawaited-tasks": ending.left_tasks > 0,
        "returned-no-text": ending.value is not None and not isinstance(ending.value, str),
    }
    return tuple(name for name, holds in facts.items() if holds)


def _failure(ending: Ending, recorder: Recorder, limit_s: float) -> Failure | None:
    if recorder.fault is not None:
        return Failure(kind="agent", message=f"--stubs: {recorder.fault}")
    if ending.timed_out:
        return Failure(kind="timeout", message=f"the agent did not end within {limit_s:g} s")
    return None if ending.error is None else Failure(kind="agent", message=described(ending.error))


def _wordless(ending: Ending) -> Failure | None:
    """What was returned is no text, and without the wire nothing else tells what was said: silence would be a guess."""
    if ending.value is None or isinstance(ending.value, str):
        return None
    kind = type(ending.value).__name__
    return Failure(kind="agent", message=f"the agent returned a {kind}; return the last words as a str, or None")


def described(error: BaseException) -> str:
    """An error with its traceback from where the agent's own code begins; of a long one the end, which says most."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    text = plain_text("".join(traceback.format_exception(type(error), error, trace)).strip())
    return text if len(text) <= _LONGEST_TRACEBACK else f"…{text[-_LONGEST_TRACEBACK:]}"
