"""The own tool loop: the model speaks, the stub answers, until the tool that matters was called or the cap came."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import msgspec

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.manifests import Study
from corpora.records import Call, Effect, Failure, Malformed, Turn
from corpora.shapes.answers import Answer
from runner.agents.facts import prompt_facts
from runner.agents.hearing import hear, turn_of
from runner.agents.services import ServiceError
from runner.agents.stub import Stub, as_text
from runner.endpoints.base import ChatRequest, Endpoint, Reply, Said
from scoring.judging.names import plain_name


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a fixture is played: the study, and the seed and number of this sample."""

    study: Study
    seed: int | None = None
    sample: int = 0


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What came of playing one fixture, before it is a record."""

    text: str | None = None
    calls: tuple[Call, ...] = ()
    effects: tuple[Effect, ...] = ()
    turns: tuple[Turn, ...] = ()
    replies: tuple[Reply, ...] = ()
    malformed: Malformed | None = None
    failure: Failure | None = None
    fatal: str | None = None
    flags: tuple[str, ...] = ()


class Agent(Protocol):
    """Plays a fixture against an endpoint."""

    async def __call__(self, endpoint: Endpoint, fixture: Fixture, settings: Settings) -> Played:
        """One sample; it never raises for what an endpoint does."""


class Loop:
    """Plays the fixtures of one corpus with the stub's tools."""

    def __init__(self, corpus: Corpus, stub: Stub) -> None:
        self._corpus = corpus
        self._stub = stub
        self._clarify = frozenset(tool.name for tool in corpus.tools if tool.clarify)
        self._scenes: dict[str, _Scene] = {}

    async def __call__(self, endpoint: Endpoint, fixture: Fixture, settings: Settings) -> Played:
        """Turn after turn until the fixture's tool or a clarify tool was called, no call is left, or the cap came."""
        played = Played()
        said: tuple[Said, ...] = ()
        scene = self._scene(fixture)
        for number in range(settings.study.max_turns):
            request = self._request(fixture, scene, said, settings)
            reply = await endpoint.complete(request)
            turn = self._turn(number, reply, fixture, settings.sample)
            played = _with(played, reply, turn, prompt_facts(request, reply.answer))
            if reply.answer is None or turn.ends or turn.fault or scene.goal & turn.named:
                break
            said = (*said, turn.said())
        return played

    def _scene(self, fixture: Fixture) -> _Scene:
        found = self._scenes.get(fixture.id)
        if found is None:
            goal = self._clarify | {self._corpus.must_call(fixture)}
            found = self._scenes[fixture.id] = _Scene(self._corpus.system_text(fixture), goal)
        return found

    def _request(self, fixture: Fixture, scene: _Scene, said: tuple[Said, ...], settings: Settings) -> ChatRequest:
        study = settings.study
        return ChatRequest(
            model=study.model,
            system=scene.system,
            messages=fixture.messages,
            said=said,
            tools=self._corpus.tools,
            temperature=study.temperature,
            seed=settings.seed,
            max_tokens=study.max_tokens,
            tool_choice=study.tool_choice,
            params=study.params,
            stream=study.stream,
            drop=study.drop_params,
        )

    def _turn(self, number: int, reply: Reply, fixture: Fixture, sample: int) -> _Turned:
        heard = hear(reply.answer or Answer(), number, self._corpus)
        effects: list[Effect] = []
        fault = None
        for call, tool, value in zip(heard.calls, heard.tools, heard.values, strict=True):
            try:
                if call.malformed is None:
                    effects.append(self._stub.effect(call, tool, value, fixture, sample))
            except ServiceError as error:
                fault = Failure(kind="agent", message=f"--stubs: {error}")
        return _Turned(
            calls=heard.calls,
            effects=tuple(effects),
            flags=heard.flags if reply.answer else (),
            answer=heard.answer,
            ends=not heard.calls or heard.answer.malformed is not None or len(effects) < len(heard.calls),
            fault=fault,
        )


class _Scene(NamedTuple):
    """What is the same in every sample of a fixture."""

    system: str
    goal: frozenset[str]
    """The tools that end it: its own and those that clarify."""


class _Turned(msgspec.Struct, frozen=True, kw_only=True):
    """One turn: what the model said and what the stub made of it."""

    calls: tuple[Call, ...]
    effects: tuple[Effect, ...]
    flags: tuple[str, ...]
    answer: Answer
    ends: bool
    """No call, or one that cannot be answered: it is malformed."""
    fault: Failure | None
    """The user's stand-in for a service does not work."""

    def said(self) -> Said:
        """The turn as the next request tells of it."""
        answers = tuple(as_text(effect.answer) for effect in self.effects)
        return Said(text=self.answer.text, calls=self.answer.calls, answers=answers, raw=self.answer.raw)

    @property
    def named(self) -> frozenset[str]:
        """The tools that were called and did not refuse: after a refusal the model may try again."""
        refused = {effect.index for effect in self.effects if effect.refused}
        return frozenset(plain_name(call.name) for call in self.calls if call.index not in refused)


def _with(played: Played, reply: Reply, turned: _Turned, flags: tuple[str, ...]) -> Played:
    """What was played so far and one turn more; the words are those of the last turn."""
    answer = reply.answer
    return Played(
        text=answer.text if answer else played.text,
        calls=played.calls + turned.calls,
        effects=played.effects + turned.effects,
        turns=(*played.turns, turn_of(reply)),
        replies=(*played.replies, reply),
        malformed=answer.malformed if answer else None,
        failure=reply.failure or turned.fault,
        fatal=reply.fatal,
        flags=(*played.flags, *reply.flags, *(answer.flags if answer else ()), *turned.flags, *flags),
    )
