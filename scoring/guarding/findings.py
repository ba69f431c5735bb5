"""One probe asked of one call: what it finds, whether that lets the call pass, and the sentence that says why."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from corpora.probes import Probe, Tool, required_by, schema_below, steps
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from scoring.guarding.decision import Decision, blank, quoted
from scoring.judging.arguments import Emitted, extract
from scoring.judging.closed_world import Labelled, label
from scoring.judging.membership import Membership, Standing
from scoring.judging.setting import Setting
from scoring.judging.visible import World


class SetCheck:
    """A membership probe with its set, as it is now."""

    def __init__(
        self, probe: Probe, tool: Tool, members: AuthoritativeSet, others: tuple[AuthoritativeSet, ...]
    ) -> None:
        self.probe = probe
        self.members = Membership(members, others)
        self.members.prepare()
        self.texts = frozenset(value for value in members.values if type(value) is str)
        """The members that are texts: what is in here is a member, whatever else the set says."""
        self.exact = members.compare == "exact"
        self.member_reason = f"{probe.argument} is one of the {len(members.values)} values of {members.name}"
        self._blank = msgspec.structs.replace(blank(probe.tool, probe.argument), call=0, offered=True)
        self._mapped = tool.stores.unknown.get(probe.argument)
        self._omitted = tool.stores.omitted.get(probe.argument)
        self._may_lack = may_lack(probe, tool)

    def findings(self, value: JsonObject) -> list[Decision]:
        """What is said of each value that the probe's path leads to."""
        return [self._finding(emitted) for emitted in extract(value, self.probe.argument)]

    def _finding(self, emitted: Emitted) -> Decision:
        if emitted.emptiness is not None:
            return self._left_out(emitted)
        value = emitted.value
        standing = self.members.standing(value)
        laundered = not standing.in_set and self._mapped is not None
        return msgspec.structs.replace(
            self._blank,
            element=emitted.element or None,
            emitted=value,
            form=standing.form,
            flags=(*standing.flags, "laundered") if laundered else standing.flags,
            in_set=standing.in_set,
            nearest=standing.nearest,
            near=standing.near,
            stored=self._mapped if laundered else value,
            allow=standing.in_set,
            reason=self.member_reason if standing.in_set else self._miss(value, standing),
        )

    def _left_out(self, emitted: Emitted) -> Decision:
        """A call without the value."""
        return msgspec.structs.replace(
            self._blank,
            element=emitted.element or None,
            emptiness=emitted.emptiness,
            flags=() if self._omitted is None else ("defaulted",),
            stored=self._omitted,
            allow=self._may_lack is None,
            reason=_omission(self.probe, f"is left out ({emitted.emptiness})", self._may_lack),
        )

    def _miss(self, value: Json, standing: Standing) -> str:
        members = self.members.set
        sentence = (
            f"{self.probe.argument}: {quoted(value)} is not among the {len(members.values)} values of {members.name}"
        )
        if "former-member" in standing.flags:
            sentence += "; it was once"
        if standing.nearest is not None:
            sentence += f"; nearest is {quoted(standing.nearest)} ({standing.near})"
        return sentence


class WorldCheck:
    """A closed-world probe."""

    def __init__(self, probe: Probe, tool: Tool) -> None:
        self.probe = probe
        self.tool = tool
        self._may_lack = may_lack(probe, tool)
        self._blank = msgspec.structs.replace(blank(probe.tool, probe.argument, "closed-world"), call=0, offered=True)

    def findings(self, value: JsonObject, world: World, beside: Mapping[str, Json]) -> list[Decision]:
        """What is said of each value that the probe's path leads to, in what the model was shown."""
        setting = Setting(self.probe, self.tool, world, beside=beside)
        return [self._finding(setting, emitted) for emitted in extract(value, self.probe.argument)]

    def _finding(self, setting: Setting, emitted: Emitted) -> Decision:
        found = label(setting, emitted)
        return msgspec.structs.replace(
            self._blank,
            element=emitted.element or None,
            emptiness=emitted.emptiness,
            emitted=None if emitted.emptiness else emitted.value,
            label=found.label,
            passes=found.passes,
            subtype=found.subtype,
            bait=found.bait,
            where=found.where,
            span=found.span,
            form=found.form,
            flags=found.flags,
            stored=found.stored,
            allow=found.passes and (found.label != "OMIT" or self._may_lack is None),
            reason=_labelled(self.probe, emitted, found, self._may_lack),
        )


def may_lack(probe: Probe, tool: Tool) -> str | None:
    """Why a call without the value may not pass; None where the probe lets OMIT pass and no schema requires it."""
    if "OMIT" not in probe.passing:
        return "the probe does not let that pass"
    return f"the schema of {tool.name} requires it" if _required(tool, probe.argument) else None


def _required(tool: Tool, argument: str) -> bool:
    """Every name of the path is required where it stands."""
    schema: Json = tool.parameters
    for step in steps(argument):
        if not isinstance(schema, dict) or (step != "*" and step not in required_by(schema)):
            return False
        schema = schema_below(schema, step)
    return True


def _omission(probe: Probe, what: str, may_not: str | None) -> str:
    return f"{probe.argument} {what}" if may_not is None else f"{probe.argument} {what}, and {may_not}"


_FROM = {
    "schema": "; it stands in the tool's own description",
    "assistant": "; it stands in the model's own words only",
}
_WHERE = {"state": "the state", "user": "what the user said", "tool": "a tool's result"}


def _labelled(probe: Probe, emitted: Emitted, found: Labelled, may_not: str | None) -> str:
    if found.label == "OMIT":
        what = f"is left out ({emitted.emptiness})" if emitted.emptiness else "holds a placeholder"
        return _omission(probe, what, may_not)
    value = quoted(emitted.value)
    if found.label == "COPY":
        return f"{probe.argument}: {value} stands in {_WHERE[found.where or 'user']} ({found.form})"
    usual = "; it is a usual default" if found.bait else ""
    return f"{probe.argument}: {value} stands nowhere in what was shown{_FROM.get(found.subtype or '', '')}{usual}"
