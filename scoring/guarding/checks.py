"""Everything that is asked of a call of one tool, made ready for one state of the sets; and the short way through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter, itemgetter
from typing import TypeAlias

import msgspec

from corpora.errors import BadInput
from corpora.probes import Probe, Tool, steps
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from scoring.guarding.arguments import NO_JSON, NotJson, read
from scoring.guarding.decision import Decision, blank, flagged, malformed_reason, refusal
from scoring.guarding.findings import SetCheck, WorldCheck
from scoring.guarding.shapes import Decode, Shapes, decode_unique
from scoring.guarding.shown import world
from scoring.judging.arguments import Parsed
from scoring.judging.visible import schema_sources

_MOST_KNOWN = 5_000
"""So many decisions on values are kept; when there are more, all are forgotten."""
_LONGEST_KNOWN = 200
"""No value of more characters is kept."""
_MOST_REASONS = 20
"""So many findings are told in words."""
UNREADABLE = (msgspec.MsgspecError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
"""What the short way meets in a call that has to be looked at closely."""


Short: TypeAlias = tuple[
    Callable[[int], Decode | None],
    Callable[[object], Json],
    frozenset[str],
    Decision,
    Callable[[Json], Decision | None],
]
"""The short way through for a text in a shape that is known, a bare tuple since that is the quickest to unpack.

Its decoder by the number of quotes; what picks the values; the members, where they are too many for a decision on each
to be kept; what is said of a member, but for the value; the decisions that are kept.
"""


class ToolChecks:
    """The probes of one tool."""

    def __init__(self, tool: Tool, sets: list[SetCheck], worlds: list[WorldCheck]) -> None:
        self.tool = tool
        self.sets = sets
        self.worlds = worlds
        self._schema = schema_sources(tool) if worlds else []
        self._required = bool(tool.required)
        probes = [check.probe for check in sets] + [check.probe for check in worlds]
        names = [steps(probe.argument)[0] for probe in probes]
        self._wanted = tuple(dict.fromkeys(names))
        self.short = bool(sets) and all(check.exact and _is_name(check.probe.argument) for check in sets)
        """Whether a call can be decided by looking texts up: plain names and sets that compare exactly."""
        self.pairs = tuple((check.probe.argument, check.texts) for check in sets)
        self.pick: Callable[[JsonObject], Json] = itemgetter(*(name for name, _ in self.pairs)) if sets else len
        self.known: dict[Json, Decision] = {}
        """Decisions on the values of `pick`, all of them texts."""
        argument = sets[0].probe.argument if sets else ""
        verdict = msgspec.structs.replace(blank(tool.name, argument), call=0, offered=True, in_set=True, form="exact")
        reasons = [check.member_reason for check in sets] + self._unchecked()
        self._passed = msgspec.structs.replace(verdict, allow=True, reason="; ".join(reasons))
        """What is said of a call whose texts are all members, but for the value."""
        self._shapes = Shapes(tuple(name for name, _ in self.pairs))

    def shortly(self) -> Short:
        """What a guard needs to go the short way by itself: one call more would be felt."""
        many = len(self.pairs) == 1 and len(self.pairs[0][1]) > _MOST_KNOWN
        members = self.pairs[0][1] if many else frozenset[str]()
        pick = attrgetter(*self._shapes.fields())
        return self._shapes.by_quotes.get, pick, members, self._passed, self.known.get

    def quickly(self, arguments: object) -> Decision | None:
        """The decision on an object in any shape, where its texts are members or known; None: look closely."""
        try:
            if type(arguments) is str:
                value = decode_unique(arguments)
                self._shapes.learn(value)
            elif type(arguments) is dict:
                value = arguments
            else:
                return None
            return self.known.get(self.pick(value)) or self._looked_up(value)
        except UNREADABLE:
            return None

    def _unchecked(self) -> list[str]:
        return [f"{check.probe.argument} is not checked, since nothing shown was given" for check in self.worlds]

    def _looked_up(self, value: JsonObject) -> Decision:
        """The decision on arguments whose texts are all members. Raises KeyError or TypeError: look closely."""
        for name, texts in self.pairs:
            if type(value[name]) is not str or value[name] not in texts:
                raise KeyError(name)
        first = value[self.pairs[0][0]]
        found = msgspec.structs.replace(self._passed, emitted=first, stored=first)
        if len(self.known) < _MOST_KNOWN:  # the first stay: to make room costs more than it gives
            self.remember(self.pick(value), found)
        return found

    def remember(self, key: Json, decision: Decision) -> None:
        """Keep a decision for the next call with the same values."""
        texts = key if isinstance(key, tuple) else (key,)
        if all(type(text) is str and len(text) <= _LONGEST_KNOWN for text in texts):
            if len(self.known) >= _MOST_KNOWN:
                self.known.clear()
            self.known[key] = decision

    def closely(self, arguments: object, shown: Json, flags: tuple[str, ...] = ()) -> Decision:
        """The decision on any arguments, with all that the scorer would look at."""
        try:
            parsed = read(arguments, self._wanted, required=self._required)
        except NotJson as error:
            return self._refused(f"an argument of {self.tool.name}: {error}", None, NO_JSON)
        if parsed.value is None:
            malformed = parsed.malformed or "not-json"
            return self._refused(malformed_reason(self.tool.name, malformed), malformed)
        whole = parsed if shown is None or isinstance(arguments, str) else read(arguments, None, required=False)
        decision = self._decide(parsed.value, shown, whole)
        if shown is None and self.short and all(name in parsed.value for name, _ in self.pairs):
            self.remember(self.pick(parsed.value), decision)
        return flagged(decision, *flags) if flags else decision

    def _decide(self, value: JsonObject, shown: Json, whole: Parsed) -> Decision:
        findings = self._findings(value, shown, whole)
        refusing = [finding for finding in findings if not finding.allow]
        if refusing:
            reason = "; ".join([finding.reason for finding in refusing[:_MOST_REASONS]])
            return msgspec.structs.replace(refusing[0], reason=reason, refused=tuple(refusing))
        unchecked = self._unchecked() if shown is None else []
        reason = "; ".join([finding.reason for finding in findings[:_MOST_REASONS]] + unchecked)
        if findings:
            return msgspec.structs.replace(findings[0], reason=reason)
        plainly = msgspec.structs.replace(blank(self.tool.name), call=0, offered=True, allow=True)
        return msgspec.structs.replace(plainly, reason=reason or f"no argument of {self.tool.name} is measured")

    def _findings(self, value: JsonObject, shown: Json, whole: Parsed) -> list[Decision]:
        found = [finding for check in self.sets for finding in check.findings(value)]
        if shown is not None and self.worlds:
            seen = world(shown, self._schema)
            for one in self.worlds:
                found += one.findings(value, seen, whole.value or value)
        return found

    def _refused(self, reason: str, malformed: str | None, *flags: str) -> Decision:
        verdict = msgspec.structs.replace(
            blank(self.tool.name), call=0, offered=True, malformed=malformed, flags=tuple(flags)
        )
        return refusal(verdict, reason)


def _is_name(argument: str) -> bool:
    """A plain name, no path."""
    return not any(mark in argument for mark in ".*[")


def made_ready(
    tools: Mapping[str, Tool], probes: tuple[Probe, ...], sets: Mapping[str, AuthoritativeSet]
) -> dict[str, ToolChecks]:
    """The checks of every tool. Raises BadInput where a probe's set is not there."""
    found = {}
    for name, tool in tools.items():
        own = [probe for probe in probes if probe.tool == name]
        members = [_set_check(probe, tool, sets) for probe in own if probe.measure == "membership"]
        found[name] = ToolChecks(tool, members, [WorldCheck(p, tool) for p in own if p.measure == "closed-world"])
    return found


def _set_check(probe: Probe, tool: Tool, sets: Mapping[str, AuthoritativeSet]) -> SetCheck:
    if probe.set is None or probe.set not in sets:
        raise BadInput(f"the values of the set {probe.set!r} are not known", field="probes.set")
    others = tuple(members for name, members in sets.items() if name != probe.set)
    return SetCheck(probe, tool, sets[probe.set], others)
