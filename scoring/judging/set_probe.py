"""A membership probe over one record."""

from __future__ import annotations

import msgspec

from corpora.errors import BadInput
from corpora.jsonl import encode_text
from corpora.lean import Sample
from scoring.judging.arguments import Emitted
from scoring.judging.membership import Membership, Standing
from scoring.judging.memo import Memo
from scoring.judging.probing import At, ProbeJudge, uncalled
from scoring.judging.reading import ReadCall
from scoring.judging.verdicts import Verdict


class SetProbe(ProbeJudge):
    """A membership probe."""

    def setup(self) -> None:
        """What the measure needs beside."""
        name = self.probe.set
        if name is None or name not in self.sets:
            raise BadInput(f"the values of the set {name!r} are not known", field="probes.set")
        self.members = Membership(self.sets[name], tuple(s for key, s in self.sets.items() if key != name))
        self._memo: Memo[Standing] = Memo()

    def value(self, at: At, emitted: Emitted, blank: Verdict) -> Verdict:
        """The verdict on one emitted value."""
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

    def without_call(self, record: Sample, calls: tuple[ReadCall, ...], blank: Verdict) -> Verdict:
        """The verdict on a sample that made no call of the tool."""
        return uncalled(record, calls, blank)

    def _omitted(self, blank: Verdict) -> Verdict:
        stored = self.tool.stores.omitted.get(self.probe.argument)
        flags = blank.flags if stored is None else (*blank.flags, "defaulted")
        return msgspec.structs.replace(blank, stored=stored, flags=flags)
