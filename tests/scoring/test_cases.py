"""Faults that real users met, each with the right verdict: tests/scoring/data/cases.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpora.corpus import Corpus, Probe, Tool
from corpora.errors import BadInput
from corpora.records import Record
from corpora.sets import SetSpec, read_set
from corpora.snapshots import AuthoritativeSet
from scoring import Verdict, judge
from scoring.counting.summary import Tally
from scoring.counting.worst import worst
from tests.scoring.build import BAIT, a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "data/cases.jsonl").read_text(encoding="utf-8").splitlines()
]

# What decides between the readings of an ambiguous case; the first reading is the default, and what is tested.
SETTING = {
    "sc-77031a7": "a tool that was not offered gets no label (contract, null)",
    "sc-f9e572a": "type = timezone: a place asks for the zone, flagged asks-proxy-fact",
    "sc-6cd7074": 'placeholder_is = "OMIT" on the probe',
    "sc-81c72e5": 'placeholder_is = "OMIT" on the probe',
    "sc-958f817": 'placeholder_is = "OMIT" on the probe',
    "sc-edddaf3": 'placeholder_is = "OMIT" on the probe',
    "sc-55f3c08": "the tool's own schema is no source (contract, subtype schema)",
    "sc-872bfdb": "`negated` of the fixture makes the copy not pass; a mention alone is flagged",
    "sc-bc03554": "invisible characters are never folded (contract, forms)",
    "sc-bc85f0d": "the system text apart from the state is no source (contract, COPY)",
    "sc-d1e51b5": 'derive = ["relative-date"], the default of date and datetime',
    "sc-d5a1acd": "an abbreviation names an offset, a city's zone two: no alias",
}
PLACEHOLDERS = [case for case in CASES if SETTING.get(case["id"], "").startswith("placeholder_is")]
_TYPES = {"local-datetime": "datetime"}


def of_kind(key: str) -> list[Any]:
    return [pytest.param(case, id=f"{case['id']}-{case['title']}") for case in CASES if key in case["input"]]


def test_every_case_is_of_a_kind_that_is_tested() -> None:
    kinds = [case["id"] for key in ("trace", "emitted", "rows") for case in CASES if key in case["input"]]
    assert sorted(kinds) == sorted(case["id"] for case in CASES)
    assert {case["id"] for case in CASES if "ambiguous" in case["expect"]} == SETTING.keys()


def probe_of(case: dict[str, Any], field: str, **fields: Any) -> Probe:
    rules = case["input"].get("field_rules", {}).get(field, {})
    known = {"type": "timezone"} if field.endswith("timezone") else {}
    known |= {key: _TYPES.get(value, value) for key, value in rules.items()}
    return a_probe(field.replace("[]", ".*"), case["input"]["tools"][0]["name"], bait=BAIT, **known, **fields)


def world(case: dict[str, Any], **fields: Any) -> tuple[Corpus, Record]:
    given = case["input"]
    fixture = a_fixture(visible=given["visible_state"], hidden=given["hidden_state"], messages=given["messages"])
    tools = [msgspec.convert({**tool, **clarify(tool)}, Tool) for tool in given["tools"]]
    probes = [probe_of(case, field, **fields) for field in given.get("fields", [given["field"]])]
    trace = given["trace"]
    calls = [a_call(call["name"], call["arguments"], index=n) for n, call in enumerate(trace["tool_calls"])]
    return a_corpus([fixture], tools, probes, given["system"]), a_record(fixture, trace["text"], calls)


def clarify(tool: dict[str, Any]) -> dict[str, Any]:
    return {"clarify": "field"} if tool["name"] == "clarify" else {}


def first_reading(case: dict[str, Any]) -> dict[str, Any]:
    expect = dict(case["expect"])
    expect.update(expect.pop("ambiguous", [{}])[0])
    if "ambiguous_subtype" in expect:
        expect["subtype"] = expect.pop("ambiguous_subtype")[0]
    return expect


def facts(verdicts: list[Verdict]) -> set[str]:
    """Every flag, in the words of the cases."""
    found = {flag for verdict in verdicts for flag in verdict.flags}
    found |= {"unknown-tool" for v in verdicts if v.offered is False}
    found |= {"not-reached" for v in verdicts if v.call is None and v.label is None}
    found |= {"schema-only" for v in verdicts if v.subtype == "schema"}
    found |= {"assumption-in-free-text"} if "sibling" in found else set()
    return found


@pytest.mark.parametrize("case", of_kind("trace"))
def test_a_field_gets_the_label_of_the_case(case: dict[str, Any]) -> None:
    corpus, record = world(case)
    verdicts = list(judge(record, corpus, {}))
    expect = first_reading(case)
    for field, label in expect["labels"].items():
        own = [verdict for verdict in verdicts if verdict.argument == field.replace("[]", ".*")]
        assert worst(own).label == label, own
    main = [v for v in verdicts if v.argument == case["input"]["field"].replace("[]", ".*")]
    assert {"label": worst(main).label, "subtype": expect.get("subtype", worst(main).subtype)}["subtype"] == worst(
        main
    ).subtype
    if "bait" in expect:
        assert bool(worst(main).bait) is expect["bait"]
    if "match" in expect:
        assert worst(main).form == expect["match"]
    if "labels_per_call" in expect or "labels_per_element" in expect:
        assert [v.label for v in main] == expect.get("labels_per_call", expect.get("labels_per_element"))
    assert set(expect.get("flags", ())) <= facts(verdicts)


@pytest.mark.parametrize("case", PLACEHOLDERS, ids=lambda case: case["id"])
def test_a_placeholder_is_an_omission_where_the_probe_says_so(case: dict[str, Any]) -> None:
    corpus, record = world(case, placeholder_is="OMIT")
    (verdict,) = judge(record, corpus, {})
    assert verdict.label == "OMIT"
    assert "placeholder" in verdict.flags


def members_of(case: dict[str, Any], tmp_path: Path) -> AuthoritativeSet:
    """The set of a case, read from a file as a corpus would."""
    given = case["input"]
    former = [f"former{n}.json" for n in range(len(given.get("former_sets", ())))]
    for name, values in zip(former, given.get("former_sets", ()), strict=True):
        (tmp_path / name).write_text(json.dumps(values), encoding="utf-8")
    file = "set.txt" if given.get("set_file") else "set.json"
    (tmp_path / file).write_text(
        given.get("set_file") or json.dumps(given["authoritative_set"]), newline="", encoding="utf-8"
    )
    spec = SetSpec(file=file, compare=given["set_rules"]["compare"], former=tuple(former))
    return read_set("codes", spec, tmp_path)


@pytest.mark.parametrize("case", of_kind("emitted"))
def test_a_value_stands_to_its_set_as_the_case_says(case: dict[str, Any], tmp_path: Path) -> None:
    given, expect = case["input"], case["expect"]
    if expect.get("refused"):
        with pytest.raises(BadInput, match="empty"):
            members_of(case, tmp_path)
        return
    members = members_of(case, tmp_path)
    field = given["field"]
    tool = a_tool(given["tool"], properties={field: {"type": "string"}})
    fixture = a_fixture()
    corpus = a_corpus([fixture], [tool], [a_probe(field, tool.name, "membership", set="codes")])
    record = a_record(fixture, calls=[a_call(tool.name, {field: given["emitted"]})])
    (verdict,) = judge(record, corpus, {"codes": members})
    assert verdict.in_set is expect["in_set"]
    assert len(members.values) == expect.get("set_size", len(members.values))
    assert set(expect.get("flags", ())) <= {*verdict.flags, *members.flags}
    assert (verdict.emptiness is not None) is expect.get("omitted", False)
    if "near_miss" in expect:
        near = expect["near_miss"] or {"classes": ["none"], "member": None}
        assert (verdict.near, verdict.nearest) == ("+".join(near["classes"]), near["member"])
    if "match" in expect:
        assert verdict.form == expect["match"]


def tally_of(case: dict[str, Any]) -> Tally:
    given = case["input"]
    rows = given["rows"]
    named = given.get("corpus") or [
        {"id": name, "stratum": "unrecoverable"} for name in {row["fixture"] for row in rows}
    ]
    fixtures = {one["id"]: a_fixture(one["id"], one["stratum"]) for one in named}
    tool = a_tool("refund_order", properties={"reason_code": {"type": "string"}})
    corpus = a_corpus(fixtures.values(), [tool], [a_probe("reason_code", tool.name, "membership", set="codes")])
    sets = {"codes": a_set(given["authoritative_set"])}
    tally = Tally(corpus, sets)
    for row in rows:
        record = row_record(row, fixtures[row["fixture"]])
        tally.add(record, judge(record, corpus, sets))
    return tally


def row_record(row: dict[str, Any], fixture: Any) -> Record:
    if "emitted" in row:
        calls = [a_call("refund_order", {"reason_code": row["emitted"]})]
    else:
        calls = [a_call("refund_order", '{"reason_code": "OT')] if row.get("malformed") else []
    return a_record(fixture, calls=calls, sample=row["sample"], response_id=row.get("response_id"))


@pytest.mark.parametrize("case", of_kind("rows"))
def test_a_table_shows_the_figures_of_the_case(case: dict[str, Any]) -> None:
    summary = tally_of(case).summary()
    (probe,) = summary.probes
    for name, figures in case["expect"].get("per_stratum", {}).items():
        assert figures == {key: getattr(probe.strata[name], key) for key in figures}
    for row in case["expect"].get("collapsed", ()):
        (found,) = [r for r in probe.values if r.value == row["emitted"]]
        assert (found.count, found.in_set) == (row["count"], row["in_set"])
    assert summary.failed == ()
