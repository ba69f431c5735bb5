"""What a probe finds in a record: values of other sets, sets that nobody knows, and no name of a sample."""

from __future__ import annotations

from typing import Any

import pytest

from corpora.errors import BadInput
from corpora.shapes.stored import StoredCall
from scoring import judge
from scoring.judging.setting import parts
from scoring.judging.stored import Arguments, Value, read_values
from scoring.judging.walk import Judge
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool

FIXTURE = a_fixture()
TOOL = a_tool(properties={"value": {}})
CODES = a_probe(measure="membership", set="codes")
SETS = {"codes": a_set(), "kinds": a_set(("REFUND", 7, "OTHER"), name="kinds"), "more": a_set((True,), name="more")}


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("REFUND", "other-set"), (7, "other-set"), (True, "other-set"), ("7", "none"), (8, "none"), (1, "none"),
        ("OTHER", None), ("others", "case+plural"), (["REFUND"], "none"),
    ],
)  # fmt: skip
def test_a_value_of_another_set_of_the_corpus_is_told(value: Any, near: str | None) -> None:
    record = a_record(FIXTURE, calls=[a_call("act", {"value": value})])
    (verdict,) = judge(record, a_corpus([FIXTURE], [TOOL], [CODES]), SETS)
    assert verdict.near == near


@pytest.mark.parametrize("name", [None, "codec"])
def test_a_set_that_nobody_knows_is_bad_input(name: str | None) -> None:
    probe = a_probe(measure="membership", set=name)
    with pytest.raises(BadInput, match=f"^probes.set: the values of the set {name!r} are not known$"):
        Judge(a_corpus([FIXTURE], [TOOL], [probe]), SETS)


def test_a_finding_names_no_sample_until_it_is_named() -> None:
    judges = Judge(a_corpus([FIXTURE], [TOOL], [CODES, a_probe()]), SETS)
    record = a_record(FIXTURE, calls=[a_call("act", {"value": 1})], sample=4, run_id="r", request_model="m")
    findings = judges.findings(record)
    assert {(one.run_id, one.model, one.sample) for one in findings} == {("", "", 0)}
    assert {(one.run_id, one.model, one.sample) for one in judges.named(record, findings)} == {("r", "m", 4)}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (5, [5]), ("a", ["a"]), (None, [None]), (True, [True]), ({}, [{}]), ([], [[]]), ([None], [[None]]),
        ({"a": [1, {"b": "x"}], "c": None}, [1, "x"]), (["a", 0, ""], ["a", 0, ""]),
    ],
)  # fmt: skip
def test_a_container_is_judged_by_its_leaves(value: Any, found: list[Any]) -> None:
    assert parts(value) == found


@pytest.mark.parametrize("kind", ["null", "absent"])
def test_a_stored_call_without_arguments_has_none_whatever_its_text(kind: Any) -> None:
    call = StoredCall(tool="t", arguments='{"code": "X"}', wire_type=kind)
    assert read_values(call, "code", required=True) == Arguments((Value(None, "malformed"),))
    assert read_values(call, "code", required=False) == Arguments((Value(None, "no-argument"),))
