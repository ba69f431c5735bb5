"""A closed-world probe over one record."""

from __future__ import annotations

import msgspec

from corpora.fixtures import Fixture
from corpora.lean import Sample
from scoring.judging import asking
from scoring.judging.arguments import Emitted
from scoring.judging.closed_world import label
from scoring.judging.fieldnames import field_names
from scoring.judging.memo import Memo
from scoring.judging.probing import At, ProbeJudge, uncalled
from scoring.judging.reading import ReadCall, read_calls
from scoring.judging.setting import Setting
from scoring.judging.sightings import stands_in
from scoring.judging.texts import Source
from scoring.judging.verdicts import Verdict
from scoring.judging.visible import World


class WorldProbe(ProbeJudge):
    """A closed-world probe."""

    def setup(self) -> None:
        """What the measure needs beside."""
        self._names = field_names(self.probe, self.tool)
        self._worlds: Memo[World] = Memo(2_000)
        self._clarify = {tool.name: tool.clarify for tool in self.corpus.tools if tool.clarify}

    def value(self, at: At, emitted: Emitted, blank: Verdict) -> Verdict:
        """The verdict on one emitted value."""
        record, fixture, call = at
        setting = self._setting(record, fixture, call)
        found = label(setting, emitted)
        asked = self._asks(record, ())
        flags = (*blank.flags, *found.flags, *(("asked-and-called",) if asked.asked else ()))
        answer = self.answer(fixture)
        return msgspec.structs.replace(
            blank,
            label=found.label,
            passes=found.passes,
            subtype=found.subtype,
            bait=found.bait,
            asked=asked.asked,
            where=found.where,
            span=found.span,
            form=found.form,
            flags=flags,
            correct=None if answer is None or emitted.emptiness else answer == emitted.value,
            stored=found.stored,
        )

    def without_call(self, record: Sample, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
        """The verdict on a sample that made no call of the tool."""
        plain = uncalled(record, calls, blank)
        if plain.malformed is not None:
            return plain
        asked = self._asks(record, calls)
        empty = not calls and not (record.text or "").strip()
        said = self._baits(record, asked)
        flags = (*plain.flags, *asked.flags, *said, *(("empty-reply",) if empty else ()))
        found = "ASK" if asked.asked else None if self._not_reached(record, calls) else "DRIFT"
        passes = None if found is None else found in self.probe.passes_in(blank.stratum)
        return msgspec.structs.replace(plain, asked=asked.asked, label=found, passes=passes, flags=flags)

    def _baits(self, record: Sample, asked: asking.Asked) -> list[str]:
        """A cultural default that is talked about; in an ask it is a proposal."""
        reply = [Source(record.text or "")]
        if not any(stands_in(self.probe, bait, reply) for bait in self.probe.bait):
            return []
        return ["proposes-value", "bait-in-text"] if asked.asked else ["bait-in-text"]

    def _not_reached(self, record: Sample, calls: tuple[ReadCall, ...]) -> bool:
        """The sample ended on a call of something else: a tool that was not offered, or the turn cap came."""
        if not calls:
            return False
        last = max(call.turn for call in calls)
        ended = [call for call in calls if call.turn == last]
        clarified = any(call.tool is not None and call.tool.clarify for call in ended)
        return last + 1 >= len(record.turns) and not clarified

    def _asks(self, record: Sample, calls: tuple[ReadCall, ...]) -> asking.Asked:
        """Whether any turn, or a clarify tool, asks for this field."""
        texts = [turn.text for turn in record.turns] or [record.text]
        replies = [asking.asks(text, self._names) for text in dict.fromkeys((*texts, record.text)) if text]
        clarified = any(self._clarifies(call) for call in (calls or read_calls(record, self.corpus)))
        flags = dict.fromkeys(flag for reply in replies for flag in reply.flags)
        return asking.Asked(clarified or any(reply.asked for reply in replies), tuple(flags))

    def _clarifies(self, call: ReadCall) -> bool:
        """A clarify tool was called for this field."""
        if call.tool is None or call.value is None or call.tool.name not in self._clarify:
            return False
        named = call.value.get(self._clarify[call.tool.name])
        return isinstance(named, str) and self._names.found(named) is not None

    def _setting(self, record: Sample, fixture: Fixture, call: ReadCall) -> Setting:
        world: World = self._worlds.get(fixture.id, lambda: World.of(self.corpus, fixture, self.tool))
        answers = tuple(effect.answer for effect in record.effects if effect.turn < call.turn)
        said = tuple(t.text for t in record.turns[: call.turn] if t.text)
        return Setting(self.probe, self.tool, world, world.results(answers), said, call.value or {})
