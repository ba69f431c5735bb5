"""One predicate, asked in three ways: a scored sample, a scanned payload and a guarded call get the same answer.

`vectors/predicate.jsonl` holds three kinds of lines; vectors/README.md says what their fields mean.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora.corpus import load, read_sets
from corpora.jsonl import encode
from corpora.records import Call, Record
from corpora.sets import SetSpec, read_set
from corpora.shapes.stored import stored_call
from runner.scanning import Scan, Target
from scoring import judge
from scoring.counting.history import Probe
from scoring.guard import Guard
from scoring.judging.stored import read_values
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool

ALL = [
    json.loads(line)
    for line in (Path(__file__).parent / "vectors" / "predicate.jsonl").read_text(encoding="utf-8").splitlines()
]
VECTORS = [vector for vector in ALL if "set" in vector]
WORLDS = [vector for vector in ALL if "probe" in vector]
ARGUMENTS = [vector for vector in ALL if "arguments" in vector]

CORPUS = """
name = "vectors"
system = "s"
[strata]
one = 1
[[tools]]
name = "refund_order"
parameters = { type = "object", properties = { reason_code = {} } }
[[probes]]
tool = "refund_order"
argument = "reason_code"
measure = "membership"
set = "codes"
[sets.codes]
file = "codes.json"
"""


def scored(vector: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The verdict on a sample of a corpus whose set is the vector's."""
    facts = f'compare = "{vector["compare"]}"\n'
    facts += 'catch_all = ["OTHER"]\n' if "OTHER" in vector["set"] else ""
    facts += 'former = ["former.json"]\n' if "former" in vector else ""
    (folder / "corpus.toml").write_text(CORPUS + facts, encoding="utf-8")
    (folder / "codes.json").write_text(json.dumps(vector["set"]), encoding="utf-8")
    (folder / "former.json").write_text(json.dumps(vector.get("former", [])), encoding="utf-8")
    (folder / "fixtures.jsonl").write_text(
        '{"id": "f", "stratum": "one", "messages": [{"role": "user", "content": "x"}]}\n', encoding="utf-8"
    )
    corpus = load(folder)
    call = Call(
        turn=0, index=0, id=None, name="refund_order", offered=True, wire_type="string", source="tool_calls",
        arguments=json.dumps({"reason_code": vector["value"]}),
    )  # fmt: skip
    record = Record(
        corpus="vectors", corpus_sha256=corpus.corpus_sha256, fixture_id="f", stratum="one", sample=0, status="ok",
        fixture_sha256=corpus.fixtures[0].sha256, calls=(call,),
    )  # fmt: skip
    [verdict] = judge(record, corpus, read_sets(corpus))
    return {name: getattr(verdict, name) for name in ("in_set", "near", "nearest", "flags")}


def scanned(vector: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The row of a log that holds the value once, in the shape of a chat completion."""
    (folder / "former.json").write_text(json.dumps(vector.get("former", [])), encoding="utf-8")
    spec = SetSpec(values=tuple(vector["set"]), compare=vector["compare"], former=("former.json",))
    scan = Scan(Target(Probe(tool="refund_order", argument="reason_code"), read_set("codes", spec, folder)))
    function = {"name": "refund_order", "arguments": json.dumps({"reason_code": vector["value"]})}
    scan.read([encode({"created": 1_790_000_000, "choices": [{"message": {"tool_calls": [{"function": function}]}}]})])
    [row] = scan.history("log").values
    return {name: getattr(row, name) for name in ("in_set", "near", "nearest", "flags")}


def guarded(vector: dict[str, Any]) -> dict[str, Any]:
    """The decision on a call that holds the value, emitted as a text."""
    members = a_set(vector["set"], compare=vector["compare"], former=vector.get("former", []))
    guard = Guard([a_probe("reason_code", "refund_order", "membership", set="codes")], {"codes": members})
    call = json.dumps({"reason_code": vector["value"]})
    assert guard.check("refund_order", call) == guard.check("refund_order", json.loads(call))
    decision = guard.check("refund_order", call)
    assert decision.allow is guard.allows("refund_order", "reason_code", vector["value"]) is vector["in_set"]
    return {name: getattr(decision, name) for name in ("in_set", "near", "nearest", "flags")}


def titled(vectors: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", vectors, ids=[vector["title"] for vector in vectors])


@titled(VECTORS)
def test_a_sample_a_payload_and_a_call_get_the_answer_of_the_vector(vector: dict[str, Any], tmp_path: Path) -> None:
    score = scored(vector, tmp_path)
    assert scanned(vector, tmp_path) == score
    assert guarded(vector) == score
    assert score == {
        "in_set": vector["in_set"],
        "near": vector["near"],
        "nearest": vector["nearest"],
        "flags": tuple(vector["flags"]),
    }


LABELLED = ("label", "passes", "subtype", "bait", "where", "form")


@titled(WORLDS)
def test_a_sample_and_a_call_get_the_label_of_the_vector(vector: dict[str, Any]) -> None:
    probe = a_probe("value", **vector["probe"])
    shown = vector["shown"]
    fixture = a_fixture(messages=shown.get("messages", []), visible=shown.get("state", {}))
    call = a_call("act", {"value": vector["value"]})
    [verdict] = judge(a_record(fixture, None, [call]), a_corpus([fixture], [a_tool()], [probe]), {})
    decision = Guard([probe], {}, tools=[a_tool()]).check("act", call.arguments, shown)
    for found in (verdict, decision):
        assert {name: getattr(found, name) for name in LABELLED} == {name: vector[name] for name in LABELLED}
    assert (decision.span, decision.flags, decision.stored) == (verdict.span, verdict.flags, verdict.stored)
    assert decision.allow is vector["passes"]


@titled(ARGUMENTS)
def test_a_sample_a_payload_and_a_call_read_arguments_alike(vector: dict[str, Any]) -> None:
    probe = a_probe("reason_code", "refund_order", "membership", set="codes")
    tool = a_tool("refund_order", required=["reason_code"])
    fixture = a_fixture()
    corpus = a_corpus([fixture], [tool], [probe])
    call = a_call("refund_order", vector["arguments"])
    [verdict] = judge(a_record(fixture, None, [call]), corpus, {"codes": a_set()})
    decision = Guard([probe], {"codes": a_set()}, tools=[tool]).check("refund_order", vector["arguments"])
    read = read_values(stored_call("refund_order", vector["arguments"], None), "reason_code", required=True)
    assert verdict.malformed == decision.malformed == vector["malformed"]
    assert decision.allow is (vector["malformed"] is None)
    assert [value.reason is None for value in read.values] == [vector["malformed"] is None]


def test_the_vectors_have_titles_of_their_own() -> None:
    assert len({vector["title"] for vector in ALL}) == len(ALL)
    assert len(VECTORS) >= 80
    assert len(WORLDS) >= 25
    assert len(ARGUMENTS) >= 14
