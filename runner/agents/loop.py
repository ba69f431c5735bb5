"""The own tool loop: the model speaks, the stub answers, until the tool that matters was called or the cap came."""

from __future__ import annotations

from typing import Protocol

import msgspec

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.jsonl import text_or_base64
from corpora.records import Call, Effect, Failure, Malformed, Study, Turn
from corpora.shapes.answers import Answer, Emitted
from corpora.shapes.dialects import calls_in
from corpora.shapes.finish import is_truncated
from corpora.values import JsonObject
from runner.agents.facts import facts, prompt_facts
from runner.agents.stub import Stub, as_text
from runner.endpoints.base import ChatRequest, Endpoint, Reply, Said
from scoring.judging.names import plain_name
from scoring.judging.reading import read_call


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a fixture is played: the study, and the seed of this sample."""

    study: Study
    seed: int | None = None


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
        self._offered = frozenset(tool.name for tool in corpus.tools)
        self._clarify = frozenset(tool.name for tool in corpus.tools if tool.clarify)

    async def __call__(self, endpoint: Endpoint, fixture: Fixture, settings: Settings) -> Played:
        """Turn after turn until the fixture's tool or a clarify tool was called, no call is left, or the cap came."""
        played = Played()
        said: tuple[Said, ...] = ()
        goal = self._clarify | {self._corpus.must_call(fixture)}
        for number in range(settings.study.max_turns):
            request = self._request(fixture, said, settings)
            reply = await endpoint.complete(request)
            turn = self._turn(number, reply, fixture)
            played = _with(played, reply, turn, prompt_facts(request, reply.answer))
            if reply.answer is None or turn.ends or goal & turn.named:
                break
            said = (*said, turn.said)
        return played

    def _request(self, fixture: Fixture, said: tuple[Said, ...], settings: Settings) -> ChatRequest:
        study = settings.study
        return ChatRequest(
            model=study.model,
            system=self._corpus.system_text(fixture),
            messages=fixture.messages,
            said=said,
            tools=self._corpus.tools,
            temperature=study.temperature,
            seed=settings.seed,
            max_tokens=study.max_tokens,
            tool_choice=study.tool_choice,
            params=study.params,
            stream=study.stream,
        )

    def _turn(self, number: int, reply: Reply, fixture: Fixture) -> _Turned:
        answer = self._with_calls_in_text(reply.answer or Answer())
        cut = is_truncated(answer.finish_reason)
        calls: list[Call] = []
        effects: list[Effect] = []
        values: list[JsonObject | None] = []
        for index, emitted in enumerate(answer.calls):
            unread = self._call(number, index, emitted)
            found = read_call(unread, index, self._corpus, cut=cut)
            calls.append(msgspec.structs.replace(unread, malformed=found.malformed, offered=found.tool is not None))
            values.append(found.value)
            if found.malformed is None:
                effects.append(self._stub.effect(unread, found.tool, found.value, fixture))
        return _Turned(
            text=answer.text,
            calls=tuple(calls),
            effects=tuple(effects),
            flags=facts(answer.text, calls, values),
            said=Said(
                text=answer.text,
                calls=answer.calls,
                answers=tuple(as_text(effect.answer) for effect in effects),
                raw=answer.raw,
            ),
            ends=not calls or answer.malformed is not None or len(effects) < len(calls),
        )

    def _with_calls_in_text(self, answer: Answer) -> Answer:
        """An answer without a call may hold one that the server left in the words."""
        found = calls_in(answer.text, self._offered) if answer.text and not answer.calls else ()
        return msgspec.structs.replace(answer, calls=found) if found else answer

    def _call(self, number: int, index: int, call: Emitted) -> Call:
        return Call(
            turn=number,
            index=index,
            id=call.id,
            name=call.name,
            offered=False,
            arguments=call.arguments,
            escaped=call.escaped,
            wire_type=call.wire_type,
            source=call.source,
        )


class _Turned(msgspec.Struct, frozen=True, kw_only=True):
    """One turn: what the model said and what the stub made of it."""

    text: str | None
    calls: tuple[Call, ...]
    effects: tuple[Effect, ...]
    flags: tuple[str, ...]
    said: Said
    ends: bool
    """No call, or one that cannot be answered: it is malformed."""

    @property
    def named(self) -> frozenset[str]:
        return frozenset(plain_name(call.name) for call in self.calls)


def _with(played: Played, reply: Reply, turned: _Turned, flags: tuple[str, ...]) -> Played:
    """What was played so far and one turn more; the words are those of the last turn."""
    answer = reply.answer
    return Played(
        text=turned.text if answer else played.text,
        calls=played.calls + turned.calls,
        effects=played.effects + turned.effects,
        turns=(*played.turns, _recorded(reply, turned.text)),
        replies=(*played.replies, reply),
        malformed=answer.malformed if answer else None,
        failure=reply.failure,
        fatal=reply.fatal,
        flags=(*played.flags, *reply.flags, *(answer.flags if answer else ()), *turned.flags, *flags),
    )


def _recorded(reply: Reply, text: str | None) -> Turn:
    answer = reply.answer
    body = text_or_base64(reply.body) if answer else (None, None)  # a failed one stands among the attempts
    return Turn(
        text=text,
        response=body[0],
        response_base64=body[1],
        status=reply.status,
        finish_reason=answer.finish_reason if answer else None,
        response_id=answer.response_id if answer else None,
        request_sha256=reply.request_sha256,
        attempts=reply.attempts,
        ttfb_s=reply.ttfb_s,
        latency_s=reply.latency_s,
        first_call_s=reply.first_call_s,
    )
