"""Comparisons: paired by fixture, honest about chance, about what else moved, and about what cannot be seen."""

from __future__ import annotations

import io
import itertools
import json
from fractions import Fraction
from statistics import fmean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from scoring import judge
from scoring.counting.clusters import values
from scoring.counting.compare import Run, compare
from scoring.counting.comparison import Comparison
from scoring.counting.permutation import benjamini_hochberg, holm, paired
from scoring.counting.summary import Tally
from scoring.report.compared import render
from scoring.report.formats import as_json
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool
from tests.scoring.simulate import AGREEMENTS, Design, alarms, coverage

TOOL = a_tool("refund", properties={"code": {"type": "string"}, "note": {}})
PROBES = [a_probe("code", "refund", "membership", set="codes"), a_probe("note", "refund")]
SETS = {"codes": a_set()}


def a_run(codes: list[list[Any]], name: str = "a.jsonl", pins: dict[str, Any] | None = None, **more: Any) -> Run:
    """A run in which fixture n drew these codes; strata alternate."""
    fixtures = [a_fixture(f"f{n}", "even" if n % 2 == 0 else "odd", user=f"case {n}") for n in range(len(codes))]
    corpus = a_corpus(fixtures, [TOOL], PROBES)
    tally = Tally(corpus, SETS)
    for fixture, drawn in zip(fixtures, codes, strict=True):
        for sample, code in enumerate(drawn):
            record = a_record(fixture, calls=[a_call("refund", {"code": code})], sample=sample, **more)
            tally.add(record, judge(record, corpus, SETS))
    return Run(name, name, tally, pins or {})


GOOD, BAD = ["OTHER"] * 3, ["NEW", "NEW", "OLD"]


def test_a_rate_that_rose_in_one_stratum_only_is_said_to_have() -> None:
    found = compare(a_run([GOOD] * 24), a_run([BAD, GOOD] * 12))
    changes = {(change.argument, change.stratum): change for change in found.changes}
    even, odd = changes["code", "even"], changes["code", "odd"]
    assert (even.before, even.after, even.difference, even.fixtures) == (0.0, 1.0, 1.0, 12)
    assert (even.verdict, odd.verdict) == ("rose", "no change seen")
    assert odd.p == odd.p_adjusted == 1.0
    assert [change.stratum for change in found.worse] == ["even"]
    assert even.p is not None
    assert even.p_adjusted == pytest.approx(4 * even.p)


def test_a_rate_that_fell_is_not_worse() -> None:
    found = compare(a_run([BAD] * 24), a_run([GOOD] * 24))
    assert {change.verdict for change in found.changes if change.argument == "code"} == {"fell"}
    assert found.worse == ()


def test_few_fixtures_cannot_show_a_change_and_that_is_said() -> None:
    found = compare(a_run([GOOD] * 6), a_run([BAD] * 6))
    assert {change.verdict for change in found.changes if change.argument == "code"} == {"too few fixtures to see one"}
    assert found.changes[0].floor == 0.5**3


def test_fixtures_are_paired_by_what_they_say_and_not_by_their_place() -> None:
    fixtures = [a_fixture("x", "s", user="one"), a_fixture("y", "s", user="two")]
    runs = []
    for order, codes in ((fixtures, ["OTHER", "NEW"]), (fixtures[::-1], ["NEW", "OTHER"])):
        corpus = a_corpus(order, [TOOL], PROBES)
        tally = Tally(corpus, SETS)
        for fixture, code in zip(order, codes, strict=True):
            record = a_record(fixture, calls=[a_call("refund", {"code": code})])
            tally.add(record, judge(record, corpus, SETS))
        runs.append(Run("r", "r", tally, {}))
    found = compare(*runs)
    assert (found.paired, found.changes[0].difference, found.unpaired) == (2, 0.0, ())


def test_a_fixture_that_only_one_run_has_is_named_and_left_out() -> None:
    found = compare(a_run([GOOD] * 4), a_run([GOOD] * 5))
    assert (found.paired, found.unpaired) == (4, ("f4",))
    other = compare(a_run([GOOD] * 5), a_run([GOOD] * 4))
    assert (other.paired, other.unpaired) == (4, ("f4",))
    assert compare(a_run([GOOD, []]), a_run([GOOD, []])).paired == 1


def test_a_stratum_without_figures_in_both_has_nothing_to_compare() -> None:
    found = compare(a_run([GOOD, GOOD]), a_run([GOOD, [None]]))
    change = next(c for c in found.changes if (c.argument, c.stratum) == ("code", "odd"))
    assert (change.verdict, change.fixtures, change.p, change.difference) == ("nothing to compare", 0, None, None)


def test_values_that_came_and_went_are_listed() -> None:
    (values,) = compare(a_run([["OTHER", "A"]]), a_run([["OTHER", "B", 7]])).values
    assert (values.appeared, values.vanished) == (("B", 7), ("A",))


def test_fixtures_without_a_partner_are_named_up_to_twenty() -> None:
    found = compare(a_run([GOOD]), a_run([GOOD] * 26))
    assert found.unpaired == tuple(f"f{n}" for n in range(1, 21))


def test_a_fixture_that_the_later_run_did_not_draw_keeps_no_other_from_its_partner() -> None:
    found = compare(a_run([GOOD] * 3), a_run([[], GOOD, GOOD]))
    assert (found.paired, found.unpaired) == (2, ("f0",))


def test_a_probe_that_the_earlier_run_did_not_have_has_nothing_to_compare() -> None:
    """Whatever its place: the others are held against their own kind."""
    fixture = a_fixture("f", "s")
    runs = []
    for probes, code in ((PROBES[:1], "OLD"), (PROBES[::-1], "NEW")):
        corpus = a_corpus([fixture], [TOOL], probes)
        tally = Tally(corpus, SETS)
        record = a_record(fixture, calls=[a_call("refund", {"code": code})])
        tally.add(record, judge(record, corpus, SETS))
        runs.append(Run("r", "r", tally, {}))
    found = compare(*runs)
    assert [(change.argument, change.fixtures, change.verdict) for change in found.changes] == [
        ("note", 0, "nothing to compare"),
        ("code", 1, "too few fixtures to see one"),
    ]
    assert [(one.argument, one.appeared, one.vanished) for one in found.values] == [("code", ("NEW",), ("OLD",))]
    back = compare(*runs[::-1])
    assert [change.argument for change in back.changes] == ["code"]
    assert [(one.appeared, one.vanished) for one in back.values] == [(("OLD",), ("NEW",))]


T95 = {2: 12.7062, 3: 4.3027, 4: 3.1824}
"""Student's t by the number of fixtures."""


@pytest.mark.parametrize(
    ("before", "after", "differences"),
    [
        ([GOOD, GOOD, BAD, GOOD], [BAD, GOOD, BAD, ["OTHER", "NEW"]], [1, 0, 0, 0.5]),
        ([BAD, GOOD, GOOD], [["OTHER"] * 9 + ["NEW"], GOOD, ["OTHER"] * 9 + ["NEW"]], [-0.9, 0, 0.1]),
        ([BAD, GOOD], [GOOD, BAD], [-1, 1]),
        ([BAD] * 2, [GOOD] * 2, [-1, -1]),
        ([["NEW", "OTHER"], ["OTHER"] * 4], [["NEW", "OTHER"] * 2, ["NEW"] + ["OTHER"] * 99], [0, 0.01]),
        ([GOOD], [BAD], [1]),
    ],
    ids=["four", "three", "up and down", "alike", "by half a hundredth", "one"],
)
def test_the_interval_of_a_difference_is_that_of_a_mean_of_paired_differences(
    before: list[list[Any]], after: list[list[Any]], differences: list[float]
) -> None:
    """Miller 2024, section 4: the mean, and t times its standard error, from -1 to 1."""
    even = [codes for pair in zip(before, [[]] * len(before), strict=True) for codes in pair]
    odd = [codes for pair in zip(after, [[]] * len(after), strict=True) for codes in pair]
    change = next(c for c in compare(a_run(even), a_run(odd)).changes if (c.argument, c.stratum) == ("code", "even"))
    count, mean = len(differences), fmean(differences)
    assert (change.fixtures, change.difference) == (count, pytest.approx(mean))
    if count == 1:
        assert change.ci95 is None
    else:
        reach = T95[count] * stdev(differences) / count**0.5
        assert change.ci95 == pytest.approx((max(-1, mean - reach), min(1, mean + reach)))


def test_labels_that_do_not_pass_are_compared_as_calls_out_of_the_set_are() -> None:
    runs = []
    for notes in ([[None, "made up", "made up"], [None, None]], [["new", "newer", None, "new"], [None, "new"]]):
        fixtures = [a_fixture(f"f{n}", "s", user=f"case {n}") for n in range(2)]
        corpus = a_corpus(fixtures, [TOOL], PROBES)
        tally = Tally(corpus, SETS)
        for fixture, drawn in zip(fixtures, notes, strict=True):
            for sample, note in enumerate(drawn):
                record = a_record(fixture, calls=[a_call("refund", {"note": note})], sample=sample)
                tally.add(record, judge(record, corpus, SETS))
        runs.append(Run("r", "r", tally, {}))
    change = next(change for change in compare(*runs).changes if change.argument == "note")
    assert (change.measure, change.stratum, change.fixtures) == ("closed-world", "s", 2)
    assert (change.before, change.after) == (2 / 5, 4 / 6)
    assert change.difference == pytest.approx(((3 / 4 - 2 / 3) + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("before", "after", "moved", "cause"),
    [
        ({"model": "a"}, {"model": "a"}, [], "Nothing that is recorded moved"),
        ({"model": "a"}, {"model": "b"}, ["model"], "Only model moved."),
        (
            {"model": "a", "model that answered": ["a1"], "fingerprint": ["x"], "endpoint": "h"},
            {"model": "b", "model that answered": ["b1"], "fingerprint": ["y"], "endpoint": "i"},
            ["model"],
            "Only model moved.",
        ),
        (
            {"model": "a", "model that answered": ["a1"], "fingerprint": ["x"]},
            {"model": "a", "model that answered": ["a2"], "fingerprint": ["y"]},
            ["model that answered"],
            "Only model that answered moved.",
        ),
        ({"fingerprint": ["x"]}, {"fingerprint": ["y"]}, ["fingerprint"], "Only fingerprint moved."),
        (
            {"model": "a", "system text": "1", "temperature": 0},
            {"model": "b", "system text": "2", "temperature": 0},
            ["model", "system text"],
            "model, system text moved together: from these runs nobody can tell which of them made a difference.",
        ),
        ({}, {"set codes": "1"}, ["set codes"], "Only set codes moved."),
    ],
)
def test_what_else_moved_is_named(before: dict[str, Any], after: dict[str, Any], moved: list[str], cause: str) -> None:
    found = compare(a_run([GOOD], pins=before), a_run([GOOD], pins=after))
    assert list(found.moved) == moved
    assert found.cause.startswith(cause)


def test_a_p_of_exactly_the_level_is_no_finding() -> None:
    """Five of eight strata have p = 1/32, which is 0.05 as a false discovery rate, neither more nor less."""
    fixtures = [a_fixture(f"{s}-{n}", f"s{s}", user=f"case {s} {n}") for s in range(8) for n in range(5)]
    corpus = a_corpus(fixtures, [TOOL], PROBES[:1])
    runs = []
    for moved in ((), ("s0", "s1", "s2", "s3", "s4")):
        tally = Tally(corpus, SETS)
        for fixture in fixtures:
            code = "NEW" if fixture.stratum in moved else "OTHER"
            record = a_record(fixture, calls=[a_call("refund", {"code": code})])
            tally.add(record, judge(record, corpus, SETS))
        runs.append(Run("r", "r", tally, {}))
    found = compare(*runs, adjust="bh")
    assert [(change.p, change.p_adjusted) for change in found.changes] == [(1 / 32, 0.05)] * 5 + [(1.0, 1.0)] * 3
    assert {change.verdict for change in found.changes} == {"too few fixtures to see one"}
    assert found.worse == ()


def test_the_false_discovery_rate_is_the_milder_family() -> None:
    before, after = a_run([GOOD] * 40), a_run([BAD, GOOD] * 20)
    strict, mild = compare(before, after, "holm"), compare(before, after, "bh")
    assert [c.p for c in strict.changes] == [c.p for c in mild.changes]
    pairs = [(m.p_adjusted, s.p_adjusted) for m, s in zip(mild.changes, strict.changes, strict=True)]
    assert all(m <= s for m, s in pairs if m is not None and s is not None)


def test_adjusted_values_are_those_of_a_worked_example() -> None:
    """p = 0.01, 0.04, 0.03, 0.005: Holm 0.03, 0.06, 0.06, 0.02; Benjamini and Hochberg 0.02, 0.04, 0.04, 0.02."""
    values = [0.01, 0.04, 0.03, 0.005]
    assert holm(values) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(values) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert benjamini_hochberg([0.9, 0.99]) == pytest.approx([0.99, 0.99])
    assert holm([0.01, 0.01, 0.9]) == pytest.approx([0.03, 0.03, 0.9])
    assert benjamini_hochberg([0.02, 0.01, 0.01, 0.5]) == pytest.approx([0.08 / 3, 0.02, 0.02, 0.5])
    assert holm([]) == benjamini_hochberg([]) == []


def by_enumeration(differences: list[Fraction]) -> float:
    seen = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in itertools.product((1, -1), repeat=len(differences))]  # fmt: skip
    return (sum(s > seen for s in sums) + sum(s == seen for s in sums) / 2) / len(sums)


@given(st.lists(st.fractions(-1, 1, max_denominator=10), min_size=1, max_size=9))
def test_the_test_is_the_enumeration_of_all_sign_changes(differences: list[Fraction]) -> None:
    expected = by_enumeration(differences) if any(differences) else 1.0
    assert paired(differences).p == pytest.approx(expected)


@pytest.mark.parametrize(
    ("up", "down", "still", "p"),
    [
        (4, 0, 6, 0.0455),  # the square root of 4 is 2 standard deviations
        (0, 4, 6, 0.0455),
        (8, 2, 0, 0.0578),
        (5, 5, 30, 1.0),
        (4, 0, 5, 0.0625),  # nine fixtures: mid-p
        (8, 1, 0, 0.0215),
        (1, 0, 9, 0.3173),  # one standard deviation
    ],
)
@pytest.mark.parametrize("step", [1, Fraction(1, 3)])
def test_where_all_moved_by_one_size_it_is_the_test_of_mcnemar(
    up: int, down: int, still: int, p: float, step: Fraction
) -> None:
    differences = [step * way for way in (1,) * up + (-1,) * down + (0,) * still]
    assert paired(list(map(Fraction, differences))).p == pytest.approx(p, abs=5e-5)


def test_where_the_differences_have_no_small_denominator_signs_are_drawn_with_a_seed() -> None:
    primes = [101, 103, 107, 109, 113, 127, 131, 137]
    differences = [Fraction(prime // 3, prime) for prime in primes]
    assert paired(differences) == paired(differences)
    assert paired(differences).p == pytest.approx(by_enumeration(differences), abs=0.004)
    mixed = [difference * (-1) ** at for at, difference in enumerate(differences)]
    assert paired(mixed).p == pytest.approx(by_enumeration(mixed), abs=0.015)


@pytest.mark.parametrize("denominators", [(100_003,), (100_003, 100_019), (1_009, 1_013, 1_019)], ids=len)
def test_a_drawn_p_has_half_of_the_draws_that_equal_what_was_seen(denominators: tuple[int, ...]) -> None:
    differences = [Fraction(denominator - 1, denominator) for denominator in denominators]
    assert by_enumeration(differences) == 0.5 ** len(denominators)
    assert paired(differences).p == pytest.approx(0.5 ** len(denominators), abs=0.01)


def test_a_drawn_p_is_never_nothing() -> None:
    """What was seen counts as one of 20,001 draws, and half of it for being equal."""
    primes = [one for one in range(101, 400) if all(one % d for d in range(2, 20))][:40]
    differences = [Fraction(prime - 1, prime) for prime in primes]
    assert paired(differences).p == 0.5 / 20_001


def test_up_to_a_sum_of_sixty_thousand_steps_nothing_is_drawn() -> None:
    assert paired([Fraction(29_999, 60_001), Fraction(30_001, 60_001)]).p == 0.25
    assert paired([Fraction(29_999, 60_007), Fraction(30_002, 60_007)]).p == pytest.approx(0.25, abs=0.01)


def test_a_drawn_p_comes_out_the_same_on_every_machine() -> None:
    """The seed is fixed, and Python's generator is the same everywhere; of all sign changes it is 10,704."""
    primes = [101, 103, 107, 109, 113, 127, 131, 137]
    differences = [Fraction(prime // 3, prime) * (-1) ** (at % 3) for at, prime in enumerate(primes)]
    assert paired(differences).p * 20_001 == pytest.approx(10_651)


@pytest.mark.parametrize("fixtures", [1, 9, 10, 40])
def test_the_smallest_p_is_told_for_so_many_fixtures(fixtures: int) -> None:
    assert paired([Fraction(1, 3)] * fixtures).floor == 0.5**fixtures
    assert paired([Fraction(1, n + 2) for n in range(fixtures)]).floor == 0.5**fixtures


def test_no_pair_says_nothing() -> None:
    assert paired([]) == (1.0, 1.0)
    assert paired([Fraction(0)] * 3) == (1.0, 0.125)


def printed(comparison: Comparison, width: int = 80) -> str:
    out = io.StringIO()
    render(comparison, Console(file=out, width=width, color_system=None))
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 120])
def test_a_comparison_fits_and_says_method_moves_and_floor(width: int) -> None:
    hostile = [["\x1b[31mX\u202e"] * 3] * 20
    found = compare(a_run([GOOD] * 20, pins={"model": "a"}), a_run(hostile, "b\x1b.jsonl", pins={"model": "\x1bb"}))
    text = printed(found, width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "\x1b" not in text
    for words in (
        "ROSE",
        "What moved: Only model moved.",
        "exact permutation",
        "Holm",
        "values that appeared",
        "smallest",
    ):
        assert words in text.replace("\n", " ")


def test_a_comparison_warns_of_simulation_drift_and_fixtures_without_a_partner() -> None:
    drifting = a_run([["OTHER", "OTHER"]] * 3, system_fingerprints=("x",))
    record = a_record(drifting.ledger.corpus.fixtures[0], "x", sample=5, response_models=("simulated/perfect",))
    for model in ("simulated/perfect", "n"):
        moved = a_record(drifting.ledger.corpus.fixtures[0], "x", sample=6, response_models=(model,))
        drifting.ledger.add(moved, judge(moved, drifting.ledger.corpus, SETS))
    assert record.response_models == ("simulated/perfect",)
    text = printed(compare(a_run([GOOD] * 4), drifting)).replace("\n", " ")
    for words in ("SIMULATED MODEL", "DRIFT: more than one model", "UNPAIRED: 3 fixtures are in both runs", "f3"):
        assert words in text


def test_values_are_counted_over_the_named_fixtures_only() -> None:
    ledger = a_run([["OTHER", "OTHER"], ["NEW"], ["OTHER", 7]]).ledger
    assert values(ledger, ["f0", "f2"], 0) == {'"OTHER"': 3, "7": 1}
    assert values(ledger, ["f0"], 1) == {}


def test_many_values_are_listed_in_part() -> None:
    text = printed(compare(a_run([["OTHER"]]), a_run([[f"V{n}" for n in range(20)]])))
    assert "and 8 more" in text


def test_as_json_it_has_everything() -> None:
    found = json.loads(as_json(compare(a_run([GOOD] * 4), a_run([BAD] * 4))))
    assert {"before", "after", "moved", "cause", "changes", "values", "method", "adjust"} <= found.keys()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_intervals_cover_and_comparisons_do_not_cry_wolf() -> None:
    """A small version of scripts/simulate-statistics, with room for the chance in it."""
    from random import Random

    random = Random(7)
    for agreement in AGREEMENTS:
        for samples in (1, 3):
            assert coverage(Design(40, samples, agreement), 40, random) >= 0.93
    assert 0.02 <= alarms(Design(40, 3, 0.3), 0.3, 0.3, 1000, random) <= 0.07
    assert alarms(Design(40, 3, 0.3), 0.3, 0.7, 100, random) == 1.0
