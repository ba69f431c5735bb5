"""One probe over one record: which calls are its own, and what is said of a record that has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from corpora.corpus import Corpus, Probe
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.lean import Sample
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from scoring.judging.arguments import Emitted, extract
from scoring.judging.reading import ReadCall, reply_malformed
from scoring.judging.verdicts import Verdict


class At(NamedTuple):
    """Where a value was emitted."""

    record: Sample
    fixture: Fixture
    call: ReadCall


class ProbeJudge:
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
            yield self.without_call(record, calls, blank)
        for call in own:
            at_call = msgspec.structs.replace(blank, call=call.place, offered=True, flags=call.flags)
            if call.value is None:
                yield msgspec.structs.replace(at_call, malformed=call.malformed)
                continue
            for emitted in extract(call.value, self.probe.argument):
                element = emitted.element or None
                known = {"element": element, "emptiness": emitted.emptiness}
                if emitted.emptiness is None:
                    known["emitted"] = emitted.value
                yield self.value(At(record, fixture, call), emitted, msgspec.structs.replace(at_call, **known))

    def value(self, at: At, emitted: Emitted, blank: Verdict) -> Verdict:
        """The verdict on one emitted value."""
        raise NotImplementedError

    def without_call(self, record: Sample, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
        """The verdict on a sample that made no call of the tool."""
        raise NotImplementedError

    def answer(self, fixture: Fixture) -> Json:
        """The right value of a fixture; None where it has none."""
        if self.probe.argument in fixture.truth:
            return fixture.truth[self.probe.argument]
        return fixture.true_code if self._answers_true_code else None


def uncalled(record: Sample, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
    """What is known of a sample that made no call of the tool."""
    offered = any(call.tool is not None for call in calls) if calls else None
    flags = dict.fromkeys(flag for call in calls for flag in call.flags)
    malformed = reply_malformed(record, calls)
    return msgspec.structs.replace(blank, malformed=malformed, offered=offered, flags=tuple(flags))
