"""Tools that do nothing but record: every call is answered with success, and every argument is kept as it came.

Success, because an error would tell the model that its value was wrong, and the next value would be another study.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from corpora.corpus import Corpus, Tool
from corpora.fixtures import Fixture
from corpora.records import Call, Effect
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from scoring.judging.membership import Membership


class Stub:
    """The recording tools of one corpus, with what the real service would have written."""

    def __init__(self, corpus: Corpus, sets: Mapping[str, AuthoritativeSet]) -> None:
        self._known = {
            (probe.tool, probe.argument): Membership(sets[probe.set])
            for probe in corpus.probes
            if probe.set is not None and probe.set in sets
        }

    def effect(self, call: Call, tool: Tool | None, arguments: JsonObject | None, fixture: Fixture) -> Effect:
        """What a call is answered in this fixture, and what the service would have written; no tool: there is none."""
        name = tool.name if tool else call.name or ""
        answer = fixture.returns.get(name, tool.returns) if tool else {"error": f"there is no tool {name!r}"}
        stored = self._stored(tool, arguments) if tool and arguments is not None else None
        return Effect(turn=call.turn, index=call.index, tool=name, answer=answer, stored=stored or None)

    def _stored(self, tool: Tool, arguments: JsonObject) -> JsonObject:
        """What the service writes otherwise than it came: what was left out, and values that it does not know."""
        omitted = {name: value for name, value in tool.stores.omitted.items() if _is_empty(arguments.get(name))}
        unknown = {
            name: value
            for name, value in tool.stores.unknown.items()
            if not _is_empty(arguments.get(name)) and self._is_unknown(tool.name, name, arguments[name])
        }
        return {**omitted, **unknown}

    def _is_unknown(self, tool: str, argument: str, value: Json) -> bool:
        known = self._known.get((tool, argument))
        return known is not None and not known.holds(value)


def _is_empty(value: Json) -> bool:
    return value is None or value == ""


def as_text(answer: Json) -> str:
    """A tool's answer as the text that the model reads."""
    return answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
