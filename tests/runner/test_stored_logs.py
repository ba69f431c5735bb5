"""Payloads as users stored them, each with what a scan must and must not make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora.jsonl import decode_value
from corpora.sets import SetSpec, read_set
from corpora.shapes.detect import Detector
from corpora.shapes.stored import StoredCall
from runner.scanning import Scan, Target
from runner.streams import records
from scoring.counting.history import History, Probe
from scoring.judging.stored import read_values

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "logs.jsonl").read_text(encoding="utf-8").splitlines()
]
TEXT = {"csv": ".csv", "jsonl": ".jsonl", "json-sequence": ".json"}
REASONS = {"lossy-number": "damaged"}


def stored(case: dict[str, Any], folder: Path) -> Path:
    """The record of a case in a file, as its format would be kept."""
    record, kind = case["input"]["record"], case["input"]["format"]
    path = folder / f"log{TEXT.get(kind, '.jsonl')}"
    if kind in TEXT:
        path.write_bytes(record.encode())
    else:
        lines = record if isinstance(record, list) else [record]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def scanned(case: dict[str, Any], folder: Path) -> tuple[History, list[StoredCall]]:
    probe = case["input"]["probe"]
    members = read_set("set", SetSpec(values=tuple(case["input"]["authoritative_set"])), folder)
    scan = Scan(Target(Probe(tool=probe["tool"], argument=probe["field"]), members))
    path = str(stored(case, folder))
    scan.read(records(path, lambda _: scan.damaged()))
    return scan.history("log"), calls_of(path, probe["tool"])


def calls_of(path: str, tool: str) -> list[StoredCall]:
    """The calls of one tool in a file, as they were stored."""
    detector = Detector()
    found = [
        one
        for record in records(path, lambda _: None)
        for one in detector.read(decode_value(record) if isinstance(record, bytes) else record)
    ]
    found += detector.end()
    return [call for one in found if one is not None for call in one.calls if call.tool in (None, tool)]


def values(calls: list[StoredCall], field: str) -> list[Any]:
    return [value.value for call in calls for value in read_values(call, field, required=True).values]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["input"]["format"] != "summary"], ids=lambda case: case["title"]
)
def test_a_stored_payload_is_read_as_it_must_be(case: dict[str, Any], tmp_path: Path) -> None:
    found, calls = scanned(case, tmp_path)
    expect = {**case["expect"], **case["expect"].get("ambiguous", [{}])[0]}
    field = case["input"]["probe"]["field"]
    skipped = {REASONS.get(entry["reason"], entry["reason"]): 1 for entry in expect.get("skipped", ())}
    assert {reason: found.skipped.get(reason) for reason in skipped} == skipped
    if "calls" in expect and not skipped:
        _same_calls(calls, expect["calls"], field)
        assert found.calls == len(expect["calls"])
        out = sum(value not in case["input"]["authoritative_set"] for value in values(calls, field))
        assert found.out_of_set == out
    if skipped:
        assert (found.calls, found.values) == (0, ())
    if "count" in expect:
        assert found.calls == expect["count"]
    for key in ("independent_draws", "other_tool_calls"):
        if key in expect:
            assert getattr(found, key) == expect[key]
    for flag in set(expect.get("flags", ())):
        assert found.flags[flag] >= 1
    if "order_by_order_id" in expect:
        assert values(calls, "order_id") == expect["order_by_order_id"]
    if "damaged_lines" in expect:
        assert found.skipped.get("damaged", 0) == expect["damaged_lines"]


def _same_calls(calls: list[StoredCall], expected: list[dict[str, Any]], field: str) -> None:
    for call, wanted in zip(calls, expected, strict=True):
        given = {"tool": call.tool or wanted["tool"], "value": values([call], field)[0], "arguments": call.arguments}
        given |= {"id": call.id, "verbatim": call.verbatim and "truncated" not in (call.arguments or "")}
        assert {key: given[key] for key in wanted if key != "in_set"} == {
            key: value for key, value in wanted.items() if key != "in_set"
        }


def test_an_unlabelled_log_gives_a_count_and_no_rate(tmp_path: Path) -> None:
    [case] = [case for case in CASES if case["input"]["format"] == "summary"]
    wanted = case["input"]["record"]
    path = tmp_path / "log.jsonl"
    row = '{{"tool": "refund_order", "arguments": {{"reason_code": "{}"}}}}\n'
    outside = wanted["out_of_set"]
    path.write_text(
        row.format("OTHER") * (wanted["calls"] - outside) + row.format("CUSTOMER_UNHAPPY") * outside, encoding="utf-8"
    )
    members = read_set("set", SetSpec(values=("OTHER",)), tmp_path)
    scan = Scan(Target(Probe(tool="refund_order", argument="reason_code"), members))
    scan.read(records(str(path), lambda _: scan.damaged()))
    found = scan.history("log")
    assert {"calls": found.calls, "out_of_set": found.out_of_set} == case["expect"]["reported"]
    assert not {"rate", "stratum", "strata", "ci95"} & set(History.__struct_fields__)
    assert "no rate of the model" in found.caveats[0]


@pytest.mark.parametrize(
    "record",
    ['{"tool": "refund_order", "arguments": {"reason_code": VALUE}}', '{"tool": "refund_order", "reason_code": VALUE}'],
    ids=["a row", "columns"],
)
def test_what_is_nested_too_deep_is_damaged_whatever_reads_it(record: str, tmp_path: Path) -> None:
    """At some depth the decoder gives up, and a little before it whoever looks into a record or compares its value."""
    values = ["[" * depth + "1" + "]" * depth for depth in range(700, 1000)]
    members = read_set("set", SetSpec(values=("OTHER",)), tmp_path)
    scan = Scan(Target(Probe(tool="refund_order", argument="reason_code", mapped="OTHER"), members))
    scan.read(record.replace("VALUE", value).encode() for value in [*values, '"LATE"'])
    found = scan.history("log")
    assert found.records == found.calls + found.skipped["damaged"] == 301
    assert 1 < found.calls < 301
