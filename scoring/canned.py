"""The scorer's own test: stored answers that must get the verdicts written beside them."""

from __future__ import annotations

import msgspec

from corpora.corpus import Corpus
from corpora.fixtures import CannedCall, CannedTrace, Fixture
from corpora.jsonl import encode_text, to_json
from corpora.records import Call, Record, Turn
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from scoring.counting.worst import worst
from scoring.judging.names import plain_name
from scoring.judging.verdicts import Verdict
from scoring.judging.walk import Judge


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """A canned trace whose verdict is another than the expected one."""

    line: int
    """In canned.jsonl, from 1."""
    fixture: str
    argument: str
    expected: Json
    given: Json

    def sentence(self) -> str:
        """The finding in one line."""
        return (
            f"canned trace {self.line} ({self.fixture}): {self.argument} is {encode_text(self.given)}, "
            f"expected {encode_text(self.expected)}"
        )


def flips(corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> list[Flip]:
    """The canned traces whose verdicts flip; empty where all hold."""
    judge = Judge(corpus, sets)
    return [flip for canned in corpus.canned for flip in _flips(judge, canned)]


def _flips(judge: Judge, canned: CannedTrace) -> list[Flip]:
    verdicts = list(judge.verdicts(as_record(canned, judge.corpus, judge.fixtures[canned.fixture])))
    found = []
    for name, expected in canned.expect.items():
        argument, _, measure = name.partition(":")
        own = [v for v in verdicts if v.argument == argument and measure in ("", v.measure)]
        wanted: JsonObject = expected if isinstance(expected, dict) else {"label": expected}
        given = _chosen(worst(own), wanted) if own else None
        if given != _sorted_flags(wanted):
            found.append(
                Flip(
                    line=canned.line,
                    fixture=canned.fixture,
                    argument=name,
                    expected=wanted,
                    given=given or "not probed",
                )
            )
    return found


def _chosen(verdict: Verdict, wanted: JsonObject) -> JsonObject:
    """The fields of a verdict that are asked for; an unknown one is shown as such and never equal."""
    whole = to_json(verdict)
    return _sorted_flags({key: whole.get(key, "no such field") for key in wanted})


def _sorted_flags(fields: JsonObject) -> JsonObject:
    """Fields with their flags in one order, whatever else stands in their place."""
    return {
        key: sorted(value, key=encode_text) if key == "flags" and isinstance(value, list | tuple) else value
        for key, value in fields.items()
    }


def as_record(canned: CannedTrace, corpus: Corpus, fixture: Fixture) -> Record:
    """A canned trace as the record of a sample of one turn; calls in its words are left to who reads the record."""
    trace = canned.trace
    return Record(
        corpus=corpus.name,
        corpus_sha256=corpus.corpus_sha256,
        fixture_id=fixture.id,
        fixture_sha256=fixture.sha256,
        stratum=fixture.stratum,
        sample=0,
        status="ok",
        text=trace.text,
        calls=tuple(_call(call, index, corpus) for index, call in enumerate(trace.calls)),
        turns=(Turn(text=trace.text, response=None, finish_reason=trace.finish_reason),),
    )


def _call(call: CannedCall, index: int, corpus: Corpus) -> Call:
    name = call.name if call.name is not None or len(corpus.tools) > 1 else corpus.tools[0].name
    absent = call.arguments is msgspec.UNSET
    given = call.arguments
    text = None if absent or given is None else given if isinstance(given, str) else encode_text(given)
    return Call(
        turn=0,
        index=index,
        id=None,
        name=name,
        offered=corpus.tool(plain_name(name)) is not None,
        arguments=text,
        wire_type="absent" if absent else "null" if call.arguments is None else "string",
        source="tool_calls",
    )
