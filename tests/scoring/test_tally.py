"""The tally: every sample counted once, in a column that says what it was, and every sum proved."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest

from corpora.records import Record
from scoring import judge
from scoring.counting.figures import ClosedWorldProbe, MembershipProbe, Summary
from scoring.counting.ledger import Ledger
from scoring.counting.summary import Tally
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool, an_error

A, B, C = a_fixture("a", "known", true_code="OTHER"), a_fixture("b", "known"), a_fixture("c", "unknown")
TOOLS = [a_tool("refund", ["code"], {"code": {"type": "string"}, "order": {}}), a_tool("look_up")]
PROBES = [
    a_probe("code", "refund", "membership", set="codes"),
    a_probe("order", "refund", ask=["order number"], bait=["1"]),
]
CORPUS = a_corpus([A, B, C], TOOLS, PROBES)
SETS = {"codes": a_set(catch_all=("OTHER",))}


def refund(code: Any, **more: Any) -> Any:
    return a_call("refund", {"code": code, **more})


RECORDS = [
    a_record(A, calls=[refund("OTHER")], sample=0),
    a_record(A, calls=[refund("other")], sample=1),
    a_record(A, calls=[refund("OTHER"), refund("NEW", order="1")], sample=2),
    a_record(B, calls=[a_call("refund", "nonsense")], sample=0),
    a_record(B, calls=[a_call("email", {})], sample=1),
    a_record(B, calls=[a_call("look_up", {})], sample=2),
    an_error(C, sample=0),
    a_record(C, calls=[refund(None, order="zz")], sample=1),
    a_record(C, "What is the order number?", sample=2),
]


def tally(records: list[Record], **more: Any) -> Tally:
    found = Tally(CORPUS, SETS, **more)
    for record in records:
        found.add(record, judge(record, CORPUS, SETS))
    return found


def summary(records: list[Record] = RECORDS, **more: Any) -> Summary:
    return tally(records, **more).summary()


def membership(found: Summary) -> MembershipProbe:
    return next(probe for probe in found.probes if isinstance(probe, MembershipProbe))


def closed_world(found: Summary) -> ClosedWorldProbe:
    return next(probe for probe in found.probes if isinstance(probe, ClosedWorldProbe))


def test_each_sample_stands_in_one_column_by_the_first_that_holds() -> None:
    strata = membership(summary()).strata
    columns = ("samples", "reached", "malformed", "not_offered", "not_reached", "errors")
    assert [getattr(strata["known"], name) for name in columns] == [6, 3, 1, 1, 1, 0]
    assert [getattr(strata["unknown"], name) for name in columns] == [3, 1, 0, 0, 1, 1]


def test_calls_with_a_value_are_counted_one_by_one() -> None:
    known = membership(summary()).strata["known"]
    assert (known.calls, known.out_of_set, known.near_miss, known.catch_all, known.omitted) == (4, 2, 1, 2, 0)
    assert (known.rate, known.fixtures_with_any, known.distinct_values, known.distinct_per_fixture) == (0.5, 1, 3, 3.0)
    unknown = membership(summary()).strata["unknown"]
    assert (unknown.calls, unknown.omitted, unknown.rate, unknown.ci95) == (0, 1, None, None)
    assert unknown.distinct_per_fixture is None


def test_each_spelling_has_a_row_those_out_of_the_set_first() -> None:
    rows = [(row.value, row.count, row.in_set, row.catch_all, row.near) for row in membership(summary()).values]
    assert rows == [
        ("NEW", 1, False, False, "none"),
        ("other", 1, False, False, "case"),
        ("OTHER", 2, True, True, None),
    ]


def test_accuracy_is_over_the_calls_of_fixtures_with_an_answer_only() -> None:
    accuracy = membership(summary()).accuracy
    assert accuracy.keys() == {"known"}
    assert (accuracy["known"].answered, accuracy["known"].correct, accuracy["known"].rate) == (4, 2, 0.5)


def test_the_worst_verdict_of_a_sample_is_its_label() -> None:
    strata = closed_world(summary()).strata
    assert strata["known"].labels == {"ASK": 0, "OMIT": 2, "COPY": 0, "INJECT": 1, "DRIFT": 0}
    assert (strata["known"].labelled, strata["known"].bait, strata["known"].subtypes["invention"]) == (3, 1, 1)
    assert (strata["known"].malformed, strata["known"].not_offered, strata["known"].not_reached) == (1, 1, 1)
    assert strata["unknown"].labels == {"ASK": 1, "OMIT": 0, "COPY": 0, "INJECT": 1, "DRIFT": 0}
    assert (strata["unknown"].rate, strata["unknown"].not_passing, strata["unknown"].errors) == (0.5, 1, 1)
    assert strata["unknown"].shares["INJECT"].rate == 0.5


def test_every_figure_of_a_closed_world_stratum_is_the_one_that_was_drawn() -> None:
    more = [
        a_record(B, calls=[a_call("look_up", {})], sample=3),
        a_record(C, "Well.", sample=3),
        a_record(C, calls=[refund("OTHER", order="zz")], sample=4),
        a_record(C, calls=[refund("OTHER", order="1")], sample=5),
    ]
    strata = msgspec.to_builtins(closed_world(summary([*RECORDS, *more])).strata)
    for stratum in strata.values():
        assert stratum.pop("ci95") is not None
        shares = stratum.pop("shares")
        assert list(shares) == ["ASK", "OMIT", "COPY", "INJECT", "DRIFT", "defaulted"]
        assert {name: shares[name]["rate"] for name in stratum["labels"]} == {
            name: count / stratum["labelled"] for name, count in stratum["labels"].items()
        }
        assert shares["defaulted"]["rate"] == 0.0
    none = dict.fromkeys(("contamination", "schema", "assistant", "invention"), 0)
    assert strata == {
        "known": {
            "fixtures": 2, "samples": 7, "labelled": 3, "not_passing": 1, "bait": 1, "malformed": 1, "not_offered": 1,
            "not_reached": 2, "errors": 0, "defaulted": 0, "rate": 1 / 3, "fixtures_with_any": 1,
            "independent_draws": 7,
            "labels": {"ASK": 0, "OMIT": 2, "COPY": 0, "INJECT": 1, "DRIFT": 0},
            "subtypes": {**none, "invention": 1},
        },
        "unknown": {
            "fixtures": 1, "samples": 6, "labelled": 5, "not_passing": 4, "bait": 1, "malformed": 0, "not_offered": 0,
            "not_reached": 0, "errors": 1, "defaulted": 0, "rate": 4 / 5, "fixtures_with_any": 1,
            "independent_draws": 5,
            "labels": {"ASK": 1, "OMIT": 0, "COPY": 0, "INJECT": 3, "DRIFT": 1},
            "subtypes": {**none, "invention": 3},
        },
    }  # fmt: skip


def test_what_would_have_been_written_is_counted() -> None:
    tool = a_tool("refund", properties={"order": {}}, stores={"omitted": {"order": "none"}})
    corpus = a_corpus([A], [tool], [PROBES[1]])
    tally = Tally(corpus, {})
    for sample, arguments in enumerate(({}, {}, {"order": "9"})):
        record = a_record(A, calls=[a_call("refund", arguments)], sample=sample)
        tally.add(record, judge(record, corpus, {}))
    stratum = closed_world(tally.summary()).strata["known"]
    assert (stratum.defaulted, stratum.shares["defaulted"].rate) == (2, 2 / 3)


def test_each_check_says_what_it_holds_against_what() -> None:
    names = [(check.name, check.left, check.right) for check in summary().checks if check.ok]
    assert names == [
        ("the strata add up to the corpus", 3, 3),
        ("recorded = reached + malformed + not reached + errors", 9, 9),
        ("refund.code membership, known: recorded = reached + malformed + not offered + not reached + errors", 6, 6),
        ("refund.code membership, unknown: recorded = reached + malformed + not offered + not reached + errors", 3, 3),
        ("refund.code membership: calls out of the set = the rows not in the set", 2, 2),
        ("refund.code membership: calls = all rows", 4, 4),
        ("refund.code membership: calls = the calls of the strata", 4, 4),
        ("refund.code: recorded = the samples of the strata", 9, 9),
        (
            "refund.order closed world, known: recorded = labelled + malformed + not offered + not reached + errors",
            6,
            6,
        ),
        ("refund.order closed world, known: labelled = all labels", 3, 3),
        ("refund.order closed world, known: INJECT = all subtypes", 1, 1),
        (
            "refund.order closed world, unknown: recorded = labelled + malformed + not offered + not reached + errors",
            3,
            3,
        ),
        ("refund.order closed world, unknown: labelled = all labels", 2, 2),
        ("refund.order closed world, unknown: INJECT = all subtypes", 1, 1),
        ("refund.order: recorded = the samples of the strata", 9, 9),
    ]


def test_samples_are_counted_by_the_tool_that_their_fixture_is_meant_to_reach() -> None:
    samples = summary().samples
    assert (samples.recorded, samples.ok, samples.errors) == (9, 8, 1)
    assert (samples.reached, samples.malformed, samples.not_reached) == (4, 1, 3)


def test_every_sum_holds_and_is_shown_with_both_of_its_numbers() -> None:
    found = summary(planned=9, samples_per_fixture=3)
    assert found.failed == ()
    assert all(check.ok for check in found.checks)
    assert {"the strata add up to the corpus", "samples = fixtures x samples per fixture"} <= {
        c.name for c in found.checks
    }
    both = [check for check in found.checks if check.name == "planned = recorded + missing"]
    assert (both[0].left, both[0].right) == (9, 9)


def test_what_nobody_knows_is_not_checked_and_not_zero() -> None:
    unknown = [check for check in summary().checks if check.ok is None]
    assert [check.name for check in unknown] == [
        "samples = fixtures x samples per fixture",
        "planned = recorded + missing",
    ]
    assert summary().samples.planned is None


def test_a_sum_that_does_not_hold_fails() -> None:
    found = summary(planned=8, samples_per_fixture=3)
    assert [(check.left, check.right) for check in found.failed] == [(8, 9), (8, 9)]


def test_missing_keys_are_named_sample_by_sample_up_to_twenty() -> None:
    found = summary(RECORDS[:4], planned=9, samples_per_fixture=3)
    assert found.samples.missing == (("c", 0), ("b", 1), ("c", 1), ("b", 2), ("c", 2))
    assert len(summary([], planned=300, samples_per_fixture=100).samples.missing) == 20


def test_a_selection_counts_its_fixtures_and_any_that_was_drawn() -> None:
    found = tally(RECORDS[:3], planned=3, samples_per_fixture=3, selected=("a",))
    assert [fixture.id for fixture in found.fixtures] == ["a"]
    assert found.summary().failed == ()
    assert membership(found.summary()).strata["unknown"].fixtures == 0
    stray = tally([*RECORDS[:3], RECORDS[8]], selected=("a",))
    assert stray.summary().samples.recorded == 4


def test_the_last_line_of_a_key_counts() -> None:
    again = [an_error(A, 0), RECORDS[0], RECORDS[1], a_record(A, calls=[refund("NEW")], sample=1)]
    found = summary(again)
    assert (found.samples.recorded, found.samples.errors) == (2, 0)
    assert [row.value for row in membership(found).values] == ["NEW", "OTHER"]


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
def test_the_order_of_the_lines_changes_no_figure(order: tuple[int, ...]) -> None:
    few = [RECORDS[0], RECORDS[2], RECORDS[3], RECORDS[8]]
    assert msgspec.json.encode(summary([few[n] for n in order])) == msgspec.json.encode(summary(few))


@pytest.mark.parametrize(
    ("ids", "draws"), [(["x", "x", "x"], 1), (["x", "y", "x"], 2), ([None, None, "x"], 3), (["x", None, "x"], 2)]
)
def test_an_answer_that_came_again_within_a_fixture_is_one_draw(ids: list[str | None], draws: int) -> None:
    records = [a_record(A, "no", sample=n, response_id=name) for n, name in enumerate(ids)]
    assert summary(records).samples.independent_draws == draws
    spread = [a_record(fixture, "no", response_id="x") for fixture in (A, B)]
    assert summary(spread).samples.independent_draws == 2


def test_an_error_is_no_draw() -> None:
    assert summary([an_error(A)]).samples.independent_draws == 0


@pytest.mark.parametrize(
    ("models", "simulated", "moved"),
    [
        ([("m-1",), ("m-1",)], False, False),
        ([("m-1",), ("m-2",)], False, True),
        ([("simulated/careless",)], True, False),
        ([()], False, False),
    ],
)
def test_the_pins_say_what_answered(models: list[tuple[str, ...]], simulated: bool, moved: bool) -> None:
    records = [a_record(A, "x", sample=n, response_models=names) for n, names in enumerate(models)]
    found = summary(records)
    assert (found.simulated, found.pins.moved) == (simulated, moved)


def test_a_fingerprint_that_changed_has_moved() -> None:
    records = [a_record(A, "x", sample=n, system_fingerprints=(f"fp{n}",)) for n in range(2)]
    assert summary(records).pins.moved


def test_who_knows_better_may_say_that_it_is_simulated() -> None:
    assert summary(simulated=True).simulated
    assert not summary([a_record(A, "x", request_model="simulated/perfect")], simulated=False).simulated
    assert summary([a_record(A, "x", request_model="simulated/perfect")]).simulated


def test_a_ledger_knows_what_it_counts() -> None:
    assert Ledger(CORPUS, SETS, 9).missing() == ()


@pytest.mark.parametrize(
    ("passing", "values", "label"),
    [
        pytest.param(["COPY"], ["shown", None], "OMIT", id="an omission that fails before a copy that passes"),
        pytest.param(["ASK", "OMIT"], ["shown", None], "COPY", id="a copy that fails before an omission that passes"),
        pytest.param(["ASK", "OMIT", "COPY"], ["shown", None], "COPY", id="both pass: the copy"),
        pytest.param(["INJECT"], ["shown", "made up"], "COPY", id="a copy that fails before an injection that passes"),
        pytest.param([], ["shown", "made up", None], "INJECT", id="none passes: the injection"),
    ],
)
def test_a_sample_of_several_calls_counts_as_its_worst(passing: list[str], values: list[Any], label: str) -> None:
    fixture = a_fixture(user="it is shown")
    corpus = a_corpus([fixture], TOOLS, [msgspec.structs.replace(a_probe("order", "refund"), passing=tuple(passing))])
    found = Tally(corpus, {})
    record = a_record(fixture, calls=[refund("OTHER", order=value) for value in values])
    found.add(record, judge(record, corpus, {}))
    (probe,) = found.summary().probes
    assert isinstance(probe, ClosedWorldProbe)
    stratum = probe.strata["s"]
    assert {name for name, count in stratum.labels.items() if count} == {label}
    assert stratum.not_passing == (label not in passing)


def test_a_sample_that_is_malformed_and_not_offered_counts_as_malformed_alone() -> None:
    calls = [a_call("email", {}), a_call("refund", "nonsense", index=1)]
    found = summary([a_record(B, calls=calls), a_record(B, calls=calls[::-1], sample=1)])
    for probe in found.probes:
        stratum = probe.strata["known"]
        assert (stratum.malformed, stratum.not_offered, stratum.not_reached) == (2, 0, 0)


def test_a_catch_all_is_told_as_the_set_compares() -> None:
    sets = {"codes": a_set(catch_all=("OTHER",), compare="case-insensitive")}
    found = Tally(CORPUS, sets)
    record = a_record(A, calls=[refund("other"), refund("OTHER"), refund("Late_Delivery"), refund("otherwise")])
    found.add(record, judge(record, CORPUS, sets))
    probe = membership(found.summary())
    assert (probe.strata["known"].calls, probe.strata["known"].catch_all, probe.out_of_set) == (4, 2, 1)
    assert {row.value for row in probe.values if row.catch_all} == {"other", "OTHER"}


def test_probes_of_two_tools_and_two_measures_that_share_an_argument_are_counted_apart() -> None:
    tools = [a_tool("refund", properties={"code": {}}), a_tool("send", properties={"code": {}})]
    probes = [
        a_probe("code", "refund", "membership", set="codes"),
        a_probe("code", "send", "membership", set="codes"),
        a_probe("code", "send"),
    ]
    corpus = a_corpus([A], tools, probes)
    found = Tally(corpus, SETS)
    calls = [refund("OTHER"), a_call("send", {"code": "NEW"}), a_call("send", {"code": "NEWER"})]
    record = a_record(A, calls=calls)
    found.add(record, judge(record, corpus, SETS))
    of_refund, of_send, closed = found.summary().probes
    assert isinstance(of_refund, MembershipProbe)
    assert isinstance(of_send, MembershipProbe)
    assert isinstance(closed, ClosedWorldProbe)
    assert [row.value for row in of_refund.values] == ["OTHER"]
    assert [row.value for row in of_send.values] == ["NEW", "NEWER"]
    assert closed.strata["known"].labels["INJECT"] == 1
