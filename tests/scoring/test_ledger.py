"""The ledger: counted in parts or at once, by the tool that was wanted, by draws that differ; what moved is kept."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from corpora.records import SIMULATED_ENDPOINT, Record
from scoring import judge
from scoring.counting.figures import MembershipProbe, Summary
from scoring.counting.ledger import Ledger
from scoring.counting.summary import Tally
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool, an_error
from tests.scoring.test_tally import CORPUS, RECORDS, SETS, A, B, C, refund, tally

MORE = [
    a_record(A, calls=[refund("LATER")], sample=0, response_id="x", response_models=("m-2", "m-3")),
    a_record(B, calls=[refund("OTHER")], sample=5, response_id="x", system_fingerprints=("fp",)),
    a_record(B, calls=[refund("NEW")], sample=4, response_id="x", flags=(SIMULATED_ENDPOINT,)),
    a_record(C, "No.", sample=0, response_id="x", request_model="n"),
]


def as_json(found: Summary) -> bytes:
    return msgspec.json.encode(found)


@pytest.mark.parametrize("at", range(len(RECORDS) + len(MORE) + 1))
def test_counted_in_two_ledgers_it_is_counted_as_in_one(at: int) -> None:
    records = [*RECORDS, *MORE]
    first, second, whole = (
        tally(part, planned=12, samples_per_fixture=4) for part in (records[:at], records[at:], records)
    )
    first.absorb(second.parts())
    assert as_json(first.summary()) == as_json(whole.summary())
    assert (first.simulated, first.drifted) == (True, True)
    assert first.parts().simulated_endpoint is whole.parts().simulated_endpoint is True


def test_the_parts_of_a_ledger_hold_what_has_a_sample_and_nothing_else() -> None:
    parts = tally([RECORDS[6]]).parts()
    assert (list(parts.tallies), [list(part) for part in parts.tallies["c"]]) == (["c"], [[0], [0]])
    assert (list(parts.request_models), list(parts.response_models), list(parts.fingerprints)) == (["m"], [], [])
    assert parts.simulated_endpoint is Ledger(CORPUS, SETS).parts().simulated_endpoint is False


@pytest.mark.parametrize(
    ("flags", "simulated"),
    [
        ([(), ()], False),
        ([(SIMULATED_ENDPOINT,), ()], True),
        ([(), ("odd", SIMULATED_ENDPOINT)], True),
        ([("odd",), ()], False),
    ],
)
def test_one_answer_of_a_simulated_endpoint_makes_all_simulated(flags: list[tuple[str, ...]], simulated: bool) -> None:
    found = tally([a_record(A, "x", sample=n, flags=given) for n, given in enumerate(flags)])
    assert found.simulated is found.summary().simulated is simulated
    halves = [tally([a_record(A, "x", sample=n, flags=given)]) for n, given in enumerate(flags)]
    halves[0].absorb(halves[1].parts())
    assert halves[0].simulated is simulated


def test_the_pins_are_named_once_each_in_the_order_in_which_they_answered() -> None:
    records = [
        a_record(A, "x", sample=0, request_model="m", response_models=("b", "a"), system_fingerprints=("q",)),
        a_record(A, "x", sample=1, request_model="l", response_models=("a", "c"), system_fingerprints=("p", "q")),
    ]
    pins = tally(records).summary().pins
    assert (pins.request_model, pins.response_models, pins.system_fingerprints, pins.moved) == (
        ("m", "l"),
        ("b", "a", "c"),
        ("q", "p"),
        True,
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("plumless", "buckeroo"), ("bcb", "cac"), ("chatcmpl-1", "chatcmpl-2"), ("a", "á")],
    ids=["of one crc32", "of one adler32", "alike", "not of ASCII"],
)
def test_answers_of_two_ids_are_two_draws_and_of_one_id_one(one: str, other: str) -> None:
    records = [a_record(A, "no", sample=n, response_id=name) for n, name in enumerate((one, other, one))]
    assert tally(records).summary().samples.independent_draws == 2


def test_an_answer_without_a_turn_or_a_name_is_a_draw_of_its_own() -> None:
    records = [a_record(A, "no", sample=n, **more) for n, more in enumerate(({"turns": ()}, {"response_id": ""}, {}))]
    assert tally(records).summary().samples.independent_draws == 3


PLAIN = a_fixture("p", "s", must_call="look_up")
LOOK_UP = a_tool("look_up", ["key"], {"key": {}})
OWN = a_corpus([PLAIN], [a_tool("refund", properties={"code": {}}), LOOK_UP], [a_probe("code", "refund")])


@pytest.mark.parametrize(
    ("record", "state"),
    [
        pytest.param(a_record(PLAIN, calls=[a_call("look_up", {"key": 1})]), "reached", id="the tool"),
        pytest.param(
            a_record(PLAIN, calls=[a_call("refund", {}), a_call("look_up", {"key": 1})]), "reached", id="it too"
        ),
        pytest.param(a_record(PLAIN, calls=[a_call("look_up", "{")]), "malformed", id="the tool, unread"),
        pytest.param(a_record(PLAIN, calls=[a_call("refund", "{")]), "malformed", id="another, unread"),
        pytest.param(
            a_record(PLAIN, calls=[a_call("look_up", "{"), a_call("look_up", {"key": 1})]), "reached", id="both"
        ),
        pytest.param(a_record(PLAIN, calls=[a_call("refund", {})]), "not_reached", id="another"),
        pytest.param(a_record(PLAIN, calls=[a_call("fly", {})]), "not_reached", id="none that was offered"),
        pytest.param(a_record(PLAIN, "No."), "not_reached", id="words"),
        pytest.param(a_record(PLAIN, None, malformed="empty-message"), "malformed", id="nothing that can be read"),
        pytest.param(a_record(PLAIN, '<tool_call>{"name": "look_up"}</tool_call>'), "malformed", id="in the text"),
        pytest.param(an_error(PLAIN), "errors", id="an error"),
    ],
)
def test_a_sample_is_counted_by_the_tool_that_its_fixture_is_meant_to_reach(record: Record, state: str) -> None:
    found = Tally(OWN, {})
    found.add(record, judge(record, OWN, {}))
    samples = found.summary().samples
    counts = {name: getattr(samples, name) for name in ("reached", "malformed", "not_reached", "errors")}
    assert counts == {**dict.fromkeys(counts, 0), state: 1}
    assert (samples.recorded, samples.ok) == (1, int(state != "errors"))


@pytest.mark.parametrize(
    ("planned", "each", "wanted"),
    [
        (9, 3, [(9, 9), (9, 9)]),
        (9, None, [(9, None), (9, None)]),
        (None, 3, [(None, None), (None, None)]),
        (None, None, [(None, None), (None, None)]),
        (10, 3, [(10, 9), (10, 9)]),
        (0, 3, [(0, 9), (0, 9)]),
        (9, 4, [(9, 12), (9, 12)]),
    ],
)
@pytest.mark.parametrize("drawn", [0, 4, 9])
def test_what_was_planned_is_held_against_what_was_recorded_and_is_missing(
    planned: int | None, each: int | None, wanted: list[tuple[int | None, int | None]], drawn: int
) -> None:
    found = tally(RECORDS[:drawn], planned=planned, samples_per_fixture=each).summary()
    titles = ("samples = fixtures x samples per fixture", "planned = recorded + missing")
    checks = {check.name: check for check in found.checks}
    assert [(checks[title].left, checks[title].right) for title in titles] == wanted
    same = None if None in wanted[0] else wanted[0][0] == wanted[0][1]
    assert [checks[title].ok for title in titles] == [same, same]


def test_so_many_missing_keys_are_named_as_are_asked_for() -> None:
    ledger = Ledger(CORPUS, SETS, 30, samples_per_fixture=10)
    assert ledger.missing(2) == (("a", 0), ("b", 0))
    assert len(ledger.missing()) == 20
    assert len(ledger.missing(100)) == len(list(ledger.all_missing())) == 30


def test_the_set_of_a_summary_is_the_one_that_was_read() -> None:
    members = a_set(("OTHER",), compare="case-insensitive", flags=("duplicate-entry-in-set",))
    found = Tally(CORPUS, {"codes": members}).summary().probes[0]
    assert isinstance(found, MembershipProbe)
    assert msgspec.to_builtins(found.set) == {
        "name": "codes",
        "size": 1,
        "sha256": members.sha256,
        "source": "values",
        "read_at": "2026-01-01T00:00:00+00:00",
        "compare": "case-insensitive",
        "flags": ("duplicate-entry-in-set",),
    }


def test_a_value_that_the_service_would_have_replaced_is_counted_as_laundered() -> None:
    tool = a_tool("refund", properties={"code": {}}, stores={"unknown": {"code": "OTHER"}})
    corpus = a_corpus([A, B], [tool], [a_probe("code", "refund", "membership", set="codes")])
    found = Tally(corpus, {"codes": a_set()})
    for fixture, sample, codes in (
        (A, 0, ["NEW", "OTHER"]),
        (A, 1, ["LATE_DELIVERY"]),
        (B, 0, ["NEW", "NEWER", "late_delivery"]),
    ):
        record = a_record(fixture, calls=[refund(code) for code in codes], sample=sample)
        found.add(record, judge(record, corpus, {"codes": a_set()}))
    (probe,) = found.summary().probes
    assert isinstance(probe, MembershipProbe)
    stratum = probe.strata["known"]
    figures: dict[str, Any] = {
        name: getattr(stratum, name) for name in ("calls", "out_of_set", "laundered", "near_miss")
    }
    assert figures == {"calls": 6, "out_of_set": 4, "laundered": 4, "near_miss": 1}
    assert {name: share.rate for name, share in stratum.shares.items()} == {
        "out_of_set": 4 / 6,
        "near_miss": 1 / 6,
        "laundered": 4 / 6,
    }
    assert (stratum.fixtures_with_any, stratum.distinct_values, stratum.distinct_per_fixture) == (2, 5, 3.0)
