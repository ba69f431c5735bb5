"""The walk of a record: each probe against each call of its tool, every distinct question asked once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Self, TypeVar

import msgspec

from corpora.corpus import Corpus, Probe
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.jsonl import encode_text
from corpora.lean import Sample
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from scoring.judging import asking
from scoring.judging.arguments import Emitted, extract
from scoring.judging.closed_world import Setting, label
from scoring.judging.fieldnames import field_names
from scoring.judging.forms import Source
from scoring.judging.membership import Membership
from scoring.judging.reading import ReadCall, read_calls, reply_malformed
from scoring.judging.verdicts import Verdict
from scoring.judging.visible import World, stands_in

_T = TypeVar("_T")
_MEMO_SIZE = 8_000


class Memo:
    """A bounded memory of answers: when it is full it is emptied, which costs time and never changes an answer."""

    def __init__(self, size: int = _MEMO_SIZE) -> None:
        self._size = size
        self._known: dict[object, object] = {}

    def get(self, key: object, make: Callable[[], _T]) -> _T:
        """The answer for a key, made at the first time."""
        found = self._known.get(key)
        if found is None:
            found = make()
            if len(self._known) >= self._size:
                self._known.clear()
            self._known[key] = found
        return found  # type: ignore[return-value]  # a key is used with one maker


class Judge:
    """A corpus and its sets made ready to judge records."""

    _last: Self | None = None

    def __init__(self, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> None:
        self.corpus = corpus
        self.sets = sets
        self.fixtures = corpus.by_id()
        self._memo = Memo()
        self._words = any(probe.measure == "closed-world" for probe in corpus.probes)
        self._probes = [_probe_judge(number, corpus, sets) for number in range(len(corpus.probes))]

    @classmethod
    def of(cls, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> Self:
        """The judge of this corpus and these sets: the last one made, where it is theirs."""
        if cls._last is None or cls._last.corpus is not corpus or cls._last.sets is not sets:
            cls._last = cls(corpus, sets)
        return cls._last

    def verdicts(self, record: Sample) -> Iterator[Verdict]:
        """The verdicts of one record; none where it holds an error."""
        return self.named(record, self.findings(record))

    def named(self, record: Sample, findings: tuple[Verdict, ...]) -> Iterator[Verdict]:
        """Findings with the name of the sample that they were made for."""
        model = record.response_models[0] if record.response_models else record.request_model
        for finding in findings:
            yield msgspec.structs.replace(finding, run_id=record.run_id, model=model, sample=record.sample)

    def findings(self, record: Sample) -> tuple[Verdict, ...]:
        """Verdicts without the name of the sample, shared by all samples that say the same; none for an error."""
        if record.status != "ok":
            return ()
        return self._memo.get(_said(record, words=self._words), lambda: tuple(self._walk(record)))

    def fixture(self, record: Sample) -> Fixture:
        """The fixture of a record; raises BadInput where the corpus has none of that id."""
        fixture = self.fixtures.get(record.fixture_id)
        if fixture is None:
            raise BadInput(
                f"there is no fixture {record.fixture_id!r} in {self.corpus.name}; "
                "score it with the corpus it was run with"
            )
        return fixture

    def _walk(self, record: Sample) -> Iterator[Verdict]:
        fixture = self.fixture(record)
        calls = read_calls(record, self.corpus)
        for probe in self._probes:
            yield from probe.judge(record, fixture, calls)


def _said(record: Sample, *, words: bool) -> tuple[object, ...]:
    """Everything of a record that a finding depends on; `words`: also what was said beside the calls."""
    calls = record.calls
    turns = record.turns
    if len(turns) == 1 and len(calls) == 1:  # by far the most records: the same key, made in a third of the time
        call = calls[0]
        said = record.text if words else None
        spoken = turns[0].text if words else None
        return (
            record.fixture_id, call.name, call.arguments, call.wire_type, call.source, turns[0].finish_reason,
            record.malformed, said, spoken,
        )  # fmt: skip
    called = tuple((c.turn, c.name, c.arguments, c.wire_type, c.source) for c in calls)
    took = tuple((turn.text if words else None, turn.finish_reason) for turn in turns)
    effects = tuple((e.turn, e.tool, encode_text(e.answer)) for e in record.effects) if len(turns) > 1 and words else ()
    return record.fixture_id, record.malformed, record.text if words else None, called, took, effects


def _probe_judge(number: int, corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> _ProbeJudge:
    kind = _SetProbe if corpus.probes[number].measure == "membership" else _WorldProbe
    return kind(corpus, corpus.probes[number], sets)


class _At(NamedTuple):
    """Where a value was emitted."""

    record: Sample
    fixture: Fixture
    call: ReadCall


class _ProbeJudge:
    """What the two measures have in common: which calls are the probe's, and what is said of the others."""

    def __init__(self, corpus: Corpus, probe: Probe, sets: dict[str, AuthoritativeSet]) -> None:
        tool = corpus.tool(probe.tool)
        if tool is None:
            raise BadInput(f"there is no tool {probe.tool!r}", field="probes.tool")
        self.corpus, self.probe, self.tool, self.sets = corpus, probe, tool, sets
        first = next((p for p in corpus.probes if p.measure == "membership"), None)
        self._answers_true_code = probe is first
        self.setup()

    def setup(self) -> None:
        """What the measure needs beside."""

    def judge(self, record: Sample, fixture: Fixture, calls: tuple[ReadCall, ...]) -> Iterator[Verdict]:
        """The verdicts of one probe."""
        own = [call for call in calls if call.tool is self.tool]
        blank = Verdict(
            run_id="",
            model="",
            fixture_id=fixture.id,
            sample=0,
            stratum=fixture.stratum,
            tool=self.probe.tool,
            argument=self.probe.argument,
            measure=self.probe.measure,
        )
        if not own:
            yield self.without_call(record, fixture, calls, blank)
        for call in own:
            at_call = msgspec.structs.replace(blank, call=call.place, offered=True, flags=call.flags)
            if call.malformed is not None or call.value is None:
                yield msgspec.structs.replace(at_call, malformed=call.malformed)
                continue
            for emitted in extract(call.value, self.probe.argument):
                element = emitted.element or None
                known = {"element": element, "emptiness": emitted.emptiness}
                if emitted.emptiness is None:
                    known["emitted"] = emitted.value
                yield self.value(_At(record, fixture, call), emitted, msgspec.structs.replace(at_call, **known))

    def value(self, at: _At, emitted: Emitted, blank: Verdict) -> Verdict:
        """The verdict on one emitted value."""
        raise NotImplementedError

    def without_call(self, record: Sample, fixture: Fixture, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
        """The verdict on a sample that made no call of the tool."""
        raise NotImplementedError

    def answer(self, fixture: Fixture) -> Json:
        """The right value of a fixture; None where it has none."""
        if self.probe.argument in fixture.truth:
            return fixture.truth[self.probe.argument]
        return fixture.true_code if self._answers_true_code else None


def _uncalled(record: Sample, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
    """What is known of a sample that made no call of the tool."""
    offered = any(call.tool is not None for call in calls) if calls else None
    flags = dict.fromkeys(flag for call in calls for flag in call.flags)
    malformed = reply_malformed(record, calls)
    return msgspec.structs.replace(blank, malformed=malformed, offered=offered, flags=tuple(flags))


class _SetProbe(_ProbeJudge):
    """A membership probe."""

    def setup(self) -> None:
        name = self.probe.set or ""
        if name not in self.sets:
            raise BadInput(f"the values of the set {name!r} are not known", field="probes.set")
        self.members = Membership(self.sets[name], tuple(s for key, s in self.sets.items() if key != name))
        self._memo = Memo()

    def value(self, at: _At, emitted: Emitted, blank: Verdict) -> Verdict:
        if emitted.emptiness is not None:
            return self._omitted(blank)
        value = emitted.value
        standing = self._memo.get(
            value if isinstance(value, str) else encode_text(value).encode(), lambda: self.members.standing(value)
        )
        answer = self.answer(at.fixture)
        mapped = None if standing.in_set else self.tool.stores.unknown.get(self.probe.argument)
        flags = (*blank.flags, *standing.flags, *(("laundered",) if mapped is not None else ()))
        return msgspec.structs.replace(
            blank,
            flags=flags,
            form=standing.form,
            in_set=standing.in_set,
            nearest=standing.nearest,
            near=standing.near,
            correct=None if answer is None else self.members.equal(value, answer),
            stored=value if mapped is None else mapped,
        )

    def without_call(self, record: Sample, fixture: Fixture, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
        del fixture
        return _uncalled(record, calls, blank)

    def _omitted(self, blank: Verdict) -> Verdict:
        stored = self.tool.stores.omitted.get(self.probe.argument)
        flags = blank.flags if stored is None else (*blank.flags, "defaulted")
        return msgspec.structs.replace(blank, stored=stored, flags=flags)


class _WorldProbe(_ProbeJudge):
    """A closed-world probe."""

    def setup(self) -> None:
        self._names = field_names(self.probe, self.tool)
        self._worlds = Memo(2_000)
        self._clarify = {tool.name: tool.clarify for tool in self.corpus.tools if tool.clarify}

    def value(self, at: _At, emitted: Emitted, blank: Verdict) -> Verdict:
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

    def without_call(self, record: Sample, fixture: Fixture, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
        plain = _uncalled(record, calls, blank)
        if plain.malformed is not None:
            return plain
        asked = self._asks(record, calls)
        empty = not calls and not (record.text or "").strip()
        said = self._baits(record, asked)
        flags = (*plain.flags, *asked.flags, *said, *(("empty-reply",) if empty else ()))
        found = "ASK" if asked.asked else None if self._not_reached(record, calls) else "DRIFT"
        passes = None if found is None else found in self.probe.passes_in(fixture.stratum)
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
        world: World = self._worlds.get(fixture.id, lambda: World(self.corpus, fixture, self.tool))
        answers = tuple(effect.answer for effect in record.effects if effect.turn < call.turn)
        said = tuple(t.text for t in record.turns[: call.turn] if t.text)
        return Setting(self.probe, self.tool, world, world.results(answers), said, call.value or {})
