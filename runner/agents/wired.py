"""What went over the wire and what the tools were given, put together: the calls as they were emitted, with effects.

Frameworks stand between the two: they parse, fill defaults, coerce, reject and ask again. The record holds the calls of
the wire; where a tool was given something else, or nothing, flags say so. Calls of tools that a framework brought for
itself, to end with, are no part of the study; they stand in the bodies.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.records import Attempt, Call, Effect, Failure, Turn
from corpora.values import Json
from runner.agents.hearing import hear, turn_of
from runner.agents.loop import Played
from runner.agents.recorder import Made
from runner.agents.taps import Passed
from runner.endpoints.base import KEY_ECHOED, Api, Reply
from runner.endpoints.outcomes import sort
from runner.endpoints.results import Outcome
from runner.endpoints.transport import Exchange
from runner.endpoints.tried import Tried
from scoring.judging.names import plain_name


def put_together(passed: Sequence[Passed | None], made: Sequence[Made], api: Api, corpus: Corpus) -> Played:
    """The sample as far as the wire and the tools tell it; a failure of the agent itself is not in it."""
    story = _Story(api, corpus)
    for one in passed:
        story.add(one)
    met = _Meeting(story.calls, made, story.turns_after)
    answer = story.replies[-1].answer if story.replies else None
    last = story.last
    return Played(
        text=answer.text if answer else None,
        calls=(*story.calls, *met.extra),
        effects=tuple(met.effects),
        turns=story.turns,
        replies=tuple(story.replies),
        malformed=answer.malformed if answer else None,
        failure=last.failure if last else None,
        fatal=_fatal(last),
        flags=(*met.flags, *story.flags),
    )


class _Story:
    """The turns of the model, read from the exchanges of one sample in the order in which they began."""

    def __init__(self, api: Api, corpus: Corpus) -> None:
        self._api = api
        self._corpus = corpus
        self._attempts: list[Attempt] = []
        self.calls: list[Call] = []
        self.replies: list[Reply] = []
        self.flags: list[str] = []
        self.turns_after = [0]
        """How many turns there were after each exchange, none at first."""
        self.last: Outcome | None = None

    def add(self, one: Passed | None) -> None:
        """One exchange. One that did not end, and one of another API, is no turn."""
        if one is not None and one.path.endswith(self._api.path):
            self._read(one)
        self.turns_after.append(len(self.replies))

    def _read(self, one: Passed) -> None:
        self.last = outcome = sort(one.exchange, self._api, answered_before=True)
        self.flags += [KEY_ECHOED] if one.exchange.echoed else []
        if outcome.answer is None:
            self._attempts.append(_attempt(one.exchange, outcome))
            return
        heard = hear(outcome.answer, len(self.replies), self._corpus)
        self.calls += [call for call in heard.calls if call.offered or plain_name(call.name) not in one.offered]
        self.flags += (*outcome.answer.flags, *heard.flags)
        self.replies.append(
            Reply(
                answer=outcome.answer,
                body=one.exchange.body,
                status=one.exchange.status,
                request_sha256=one.request_sha256,
                attempts=tuple(self._attempts),
                ttfb_s=one.exchange.ttfb_s,
                latency_s=one.exchange.latency_s,
            )
        )
        self._attempts = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        """With the attempts after which none succeeded as a turn of their own."""
        failed_last = [Turn(text=None, response=None, attempts=tuple(self._attempts))] if self._attempts else []
        return (*map(turn_of, self.replies), *failed_last)


def _attempt(received: Exchange, outcome: Outcome) -> Attempt:
    from runner.endpoints.retry import failed  # loaded at the first failure

    return failed(Tried(received=received, outcome=outcome))


def _fatal(last: Outcome | None) -> str | None:
    failure = last.failure if last and last.action == "run" else None
    return f"{failure.kind}: {failure.message}" if failure else None


class _Meeting:
    """The calls that were emitted and those that reached a tool, each of the one with at most one of the other."""

    def __init__(self, calls: Sequence[Call], made: Sequence[Made], turns_after: Sequence[int]) -> None:
        self.effects: list[Effect] = []
        self.extra: list[Call] = []
        self._flags: dict[str, None] = {}
        self._calls = calls
        waiting = list(calls)
        for one in made:
            turns = turns_after[min(one.after, len(turns_after) - 1)]
            met = _first(waiting, one, turns)
            if met is None:
                self._unasked(one, max(0, turns - 1))
            else:
                waiting.remove(met)
                self._met(met, one)
        if any(call.offered for call in waiting):
            self._flags["call-not-made"] = None

    @property
    def flags(self) -> tuple[str, ...]:
        """What was noticed, each once, in order of first sight."""
        return tuple(self._flags)

    def _met(self, call: Call, one: Made) -> None:
        changed = _value(call.arguments) != _value(one.call.arguments)
        given = one.call.arguments if changed else None
        self.effects.append(msgspec.structs.replace(one.effect, turn=call.turn, index=call.index, given=given))
        if changed:
            self._flags["arguments-changed"] = None

    def _unasked(self, one: Made, turn: int) -> None:
        """A call that no reply of the model holds: the agent made it by itself."""
        index = sum(call.turn == turn for call in (*self._calls, *self.extra))
        self.extra.append(msgspec.structs.replace(one.call, turn=turn, index=index))
        self.effects.append(msgspec.structs.replace(one.effect, turn=turn, index=index))
        self._flags["call-of-the-agent"] = None


def _first(waiting: Sequence[Call], one: Made, before: int) -> Call | None:
    """The earliest emitted call of that tool, among the turns that had come."""
    named = (call for call in waiting if call.turn < before and plain_name(call.name) == one.call.name)
    return next(named, None)


def _value(text: str | None) -> Json:
    """What the arguments say; the text itself where it is no JSON."""
    try:
        return decode_value(text or "")
    except BadInput:
        return [text]


def explained(played: Played, failure: Failure) -> Played:
    """An agent that failed after its endpoint did: the endpoint's failure is the reason, and its kind the kind."""
    cause = played.failure
    if cause is None:
        return msgspec.structs.replace(played, failure=failure, fatal=None)
    message = f"{cause.message}; the agent ended with: {failure.message}"
    return msgspec.structs.replace(played, failure=Failure(kind=cause.kind, message=message, status=cause.status))
