"""Tools that do nothing but record: every call is answered with success, and every argument is kept as it came.

Success, because an error would tell the model that its value was wrong, and the next value would be another study. That
study is there to be made on purpose: with a share of refusals, every record is marked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec

from corpora.corpus import Corpus, Tool
from corpora.fixtures import Fixture
from corpora.records import Call, Effect
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from runner.agents.services import NoServices, Services
from scoring.judging.arguments import extract
from scoring.judging.membership import Membership

REFUSAL: JsonObject = {"error": "the service refused this request"}
"""It says nothing of which argument, so that a change of any of them is the model's own idea."""


class Stub:
    """The recording tools of one corpus, with what the real service would have written.

    `services` is the user's own stand-in for it, where there is one. `refused` is the share of calls that are refused.
    """

    def __init__(
        self,
        corpus: Corpus,
        sets: Mapping[str, AuthoritativeSet],
        *,
        services: Services | None = None,
        refused: float = 0.0,
    ) -> None:
        self._services = services or NoServices()
        self._refused = refused
        self._known = {
            (probe.tool, probe.argument): Membership(sets[probe.set])
            for probe in corpus.probes
            if probe.set is not None and probe.set in sets
        }

    def effect(
        self, call: Call, tool: Tool | None, arguments: JsonObject | None, fixture: Fixture, sample: int = 0
    ) -> Effect:
        """What a call is answered in this fixture, and what the service would have written; no tool: there is none.

        Raises ServiceError where the user's own stand-in does not work.
        """
        name = tool.name if tool else call.name or ""
        if tool is None:
            return Effect(turn=call.turn, index=call.index, tool=name, answer={"error": f"there is no tool {name!r}"})
        if self._is_refused(call, fixture, sample):
            return Effect(turn=call.turn, index=call.index, tool=name, answer=REFUSAL, refused=True)
        given = arguments or {}
        answer = self._services.answer(name, given, default=fixture.returns.get(name, tool.returns))
        stored = self._services.stored(name, given, default=self._stored(tool, given) if arguments is not None else {})
        return Effect(turn=call.turn, index=call.index, tool=name, answer=answer, stored=stored or None)

    def _is_refused(self, call: Call, fixture: Fixture, sample: int) -> bool:
        """Decided by the call's place, so that a run can be repeated."""
        if not self._refused:
            return False
        place = f"{fixture.sha256}/{sample}/{call.turn}/{call.index}"
        return random.Random(place).random() < self._refused  # noqa: S311 - a study, no secret

    def _stored(self, tool: Tool, arguments: JsonObject) -> JsonObject:
        """What the service writes otherwise than it came: what was left out, and values that it does not know."""
        found = {name: list(extract(arguments, name)) for name in (*tool.stores.omitted, *tool.stores.unknown)}
        omitted = {
            name: value
            for name, value in tool.stores.omitted.items()
            if all(one.emptiness is not None for one in found[name])
        }
        unknown = {
            name: value
            for name, value in tool.stores.unknown.items()
            if any(one.emptiness is None and self._is_unknown(tool.name, name, one.value) for one in found[name])
        }
        return {**omitted, **unknown}

    def _is_unknown(self, tool: str, argument: str, value: Json) -> bool:
        known = self._known.get((tool, argument))
        return known is not None and not known.holds(value)


def as_text(answer: Json) -> str:
    """A tool's answer as the text that the model reads."""
    return answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
