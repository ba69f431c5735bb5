"""Responses that real users met, sent as exact bytes to the real client: each must be recorded as what it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora.corpus import Corpus, read_sets
from corpora.records import Call, Record
from runner.schedule.messages import Line
from scoring import judge
from scoring.counting.worst import worst
from scoring.judging.arguments import parse

pytestmark = pytest.mark.anyio

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "wire.jsonl").read_text(encoding="utf-8").splitlines()
]

MALFORMED = {
    "call-in-text": "in-text",
    "upstream-malformed-call": "upstream-malformed",
    "upstream-rejected-call": "upstream-rejected",
}


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
async def test_a_response_is_recorded_as_what_it_was(case: dict[str, Any], wire: Any) -> None:
    request, expect = case["input"]["request"], case["expect"]
    corpus = wire.world(request["world"], request["tools"])
    study = {"max_tokens": request["max_tokens"], "stream": request["stream"]}
    record, line, server = await wire.sampled(
        wire.case_response(case), corpus=corpus, study=study, api=case["input"]["api"], model=request["model"]
    )
    seen = Seen(corpus, record, line, len(server.requests))
    wanted = (
        expect["ambiguous"][0] | {k: v for k, v in expect.items() if k != "ambiguous"}
        if "ambiguous" in expect
        else expect
    )
    seen.is_of_class(wanted["class"], wanted.get("scope"))
    seen.has_not(expect["must_not"])
    if wanted["class"] not in {"retry", "fatal"}:
        seen.says(wanted)
    assert record.turns[0].response or record.turns[0].attempts


class Seen:
    def __init__(self, corpus: Corpus, record: Record, line: Line, requests: int) -> None:
        self.corpus, self.record, self.line, self.requests = corpus, record, line, requests
        self.calls = [call for call in record.calls if call.source != "content"]
        self.verdicts = list(judge(record, corpus, read_sets(corpus)))

    def is_of_class(self, name: str, scope: str | None) -> None:
        malformed = self.record.malformed or next(
            (call.malformed for call in self.record.calls if call.malformed), None
        )
        match name:
            case "ok":
                assert (self.record.status, malformed) == ("ok", None)
            case "record-as-malformed":
                assert self.record.status == "ok"
                assert malformed
                assert self.line.malformed
            case "retry":
                assert (self.record.status, self.requests) == ("error", 2)
            case "fatal":
                assert (self.record.status, self.requests) == ("error", 1)
                assert bool(self.line.fatal) == (scope == "run")

    def says(self, wanted: dict[str, Any]) -> None:
        if "malformed_kind" in wanted:
            kinds = {self.record.malformed, *(call.malformed for call in self.record.calls)}
            assert MALFORMED.get(wanted["malformed_kind"], wanted["malformed_kind"]) in kinds
        if "calls" in wanted:
            assert len(self.calls) == len(wanted["calls"])
            for call, told in zip(self.calls, wanted["calls"], strict=True):
                self._is_call(call, told)
        if "text" in wanted:
            assert (self.record.text or "") == wanted["text"]
        if "usage" in wanted:
            assert (self.record.usage.input_tokens, self.record.usage.output_tokens) == (None, None)
        if wanted["class"] == "record-as-malformed":
            assert {verdict.label for verdict in self.verdicts} == {None}
            self._recovers(wanted.get("recoverable", []))
        for argument, label in wanted.get("labels", {}).items():
            own = [v for v in self.verdicts if v.argument == argument]
            assert not own or worst(own).label == label
            assert not own or "bait" not in wanted or worst(own).bait is wanted["bait"]
        for number, labels in enumerate(wanted.get("labels_per_call", [])):
            assert {v.argument: v.label for v in self.verdicts if v.call == number}.items() >= labels.items()
        for flag in wanted.get("flags", []):
            self._carries(flag)

    def _is_call(self, call: Call, told: dict[str, Any]) -> None:
        assert call.name == told["name"]
        assert call.wire_type == told["wire_type"]
        if told["wire_type"] == "string":
            assert call.arguments == told["arguments"]
        if told["parse"] == "ok":
            assert parse(call.arguments, call.wire_type, required=False).value == told["args"]

    def _recovers(self, recoverable: list[dict[str, Any]]) -> None:
        found = [call for call in self.record.calls if call.source == "content"]
        if found:
            assert [call.name for call in found] == [told["name"] for told in recoverable]
        for call, told in zip(found, recoverable, strict=False):
            assert call.arguments is not None
            assert all(str(value) in call.arguments for value in told["args"].values())
            if call.wire_type == "object":
                assert json.loads(call.arguments) == told["args"]

    def _carries(self, flag: str) -> None:
        verdict_flags = {flag for verdict in self.verdicts for flag in verdict.flags}
        held = {*self.record.flags, *verdict_flags, self.record.malformed}
        if flag == "unknown-tool":
            assert any(not call.offered for call in self.calls)
        elif flag == "not-reached":
            assert {verdict.label for verdict in self.verdicts} == {None}
        else:
            assert flag in held

    def has_not(self, must_not: list[str]) -> None:
        labels = {verdict.label for verdict in self.verdicts}
        for deed in must_not:
            match deed.partition(":"):
                case ("label", _, label):
                    assert label not in labels
                case ("flag", _, flag):
                    assert flag not in self.record.flags
                case ("retry", *_):
                    assert self.requests == 1
                case ("write-sample", *_):
                    assert self.record.status != "ok"
                case ("drop-sample", *_):
                    assert self.record.status == "ok"
                case ("empty-args", *_):
                    assert all(call.arguments != "{}" for call in self.record.calls)
                case ("count-ghost" | "merge-calls" | "recover-call-from-reasoning", *_):
                    pass  # the number of calls is asserted
                case ("record-as-malformed", *_):
                    assert not self.line.malformed
