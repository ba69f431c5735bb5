"""One predicate, asked in two ways: a sample that is scored and a payload that is scanned get the same answer.

`vectors/predicate.jsonl`: a set, how its service compares, a value, and whether it is a member; where it is none, in
which way it misses, as far as a vector says so.
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
from runner.scanning import Scan, Target
from scoring import judge
from scoring.counting.history import Probe

VECTORS = [
    json.loads(line) for line in (Path(__file__).parent / "vectors" / "predicate.jsonl").read_text().splitlines()
]

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
    (folder / "corpus.toml").write_text(CORPUS + facts)
    (folder / "codes.json").write_text(json.dumps(vector["set"]))
    (folder / "former.json").write_text(json.dumps(vector.get("former", [])))
    (folder / "fixtures.jsonl").write_text(
        '{"id": "f", "stratum": "one", "messages": [{"role": "user", "content": "x"}]}\n'
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
    (folder / "former.json").write_text(json.dumps(vector.get("former", [])))
    spec = SetSpec(values=tuple(vector["set"]), compare=vector["compare"], former=("former.json",))
    scan = Scan(Target(Probe(tool="refund_order", argument="reason_code"), read_set("codes", spec, folder)))
    function = {"name": "refund_order", "arguments": json.dumps({"reason_code": vector["value"]})}
    scan.read([encode({"created": 1_790_000_000, "choices": [{"message": {"tool_calls": [{"function": function}]}}]})])
    [row] = scan.history("log").values
    return {name: getattr(row, name) for name in ("in_set", "near", "nearest", "flags")}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["title"])
def test_a_scored_sample_and_a_scanned_payload_get_the_answer_of_the_vector(
    vector: dict[str, Any], tmp_path: Path
) -> None:
    score, scan = scored(vector, tmp_path), scanned(vector, tmp_path)
    assert scan == score
    assert score["in_set"] is vector["in_set"]
    for name in ("near", "nearest"):
        if vector[name] is not None:
            assert score[name] == vector[name]
    assert set(vector.get("flags", ())) <= set(score["flags"])


def test_the_vectors_have_titles_of_their_own() -> None:
    assert len({vector["title"] for vector in VECTORS}) == len(VECTORS) >= 40
