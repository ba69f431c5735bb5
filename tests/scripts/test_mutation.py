"""The plain parts of scripts/mutants: what is run, in which order, and what is made of what came out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from scripts.mutation import report
from scripts.mutation.lines import Log, Mutant, Reason, Recorded, Result, Spoilt, read
from scripts.mutation.making import change, files_of, module_of, readable
from scripts.mutation.ordering import Likely, chosen, left, ordered
from scripts.mutation.progress import words

CHANGE = "-    return 1\n+    return 2"
MUTANTS = [
    Mutant(name=f"scoring.{module}.x_f__mutmut_{number}", module=f"scoring.{module}", function="f", change=CHANGE)
    for module in ("gate", "gates.in", "near")
    for number in (1, 2)
]


def a_result(number: int = 1, killer: str | None = None, **fields: str) -> Result:
    known = {"mutant": f"scoring.near.x_f__mutmut_{number}", "module": "scoring.near", "function": "scoring.near.f"}
    return Result(**{**known, "change": CHANGE, **fields}, killer=killer, seconds=0.1)


def names(mutants: list[Mutant]) -> set[str]:
    return {mutant.name for mutant in mutants}


@pytest.mark.parametrize(
    ("prefixes", "given", "sample", "count"),
    [
        pytest.param(["scoring"], None, None, 6, id="all"),
        pytest.param(["scoring.gate"], None, None, 4, id="a prefix of names"),
        pytest.param(["scoring.gate.", "scoring.near"], None, None, 4, id="several"),
        pytest.param(["scoring"], {"scoring.near.x_f__mutmut_2"}, None, 1, id="named"),
        pytest.param(["scoring"], None, 2, 2, id="a sample"),
        pytest.param(["scoring"], None, 9, 6, id="a sample larger than all"),
    ],
)
def test_mutants_are_chosen_by_name_and_drawn(prefixes: Any, given: Any, sample: Any, count: int) -> None:
    found = chosen(MUTANTS, prefixes, given, sample, seed=1)
    assert len(names(found)) == len(found) == count
    assert found == chosen(MUTANTS, prefixes, given, sample, seed=1)


def test_what_names_no_mutant_is_said() -> None:
    with pytest.raises(Spoilt, match=r"^no mutant's name begins with scoring\.x or y$"):
        chosen(MUTANTS, ["scoring.x", "y"], None, None, 1)
    with pytest.raises(Spoilt, match=r"^there is no mutant 'z', nor 1 more of those named$"):
        chosen(MUTANTS, ["scoring"], ["z", "scoring.near.x_f__mutmut_1", "y"], None, 1)


def test_a_mutant_that_is_in_the_file_is_not_run_again_unless_its_number_means_another_change() -> None:
    first, second, third = MUTANTS[:3]
    earlier = [a_result(mutant=first.name), a_result(mutant=second.name, change="-x"), a_result(mutant="gone")]
    todo, kept = left([first, second, third], earlier)
    assert todo == [second, third]
    assert kept == earlier[:1]


def test_the_killer_of_an_earlier_run_comes_first_then_those_of_its_siblings_then_the_quickest() -> None:
    one, other = MUTANTS[:2]
    likely = Likely([Recorded(one.name, "own"), Recorded(other.name, "sibling"), Recorded(other.name, "(time limit)")])
    took_s = {"own": 9.0, "sibling": 5.0, "slow": 2.0, "quick": 1.0}
    assert ordered(["slow", "quick", "own"], took_s, likely.first(one)) == ["own", "sibling", "quick", "slow"]
    likely.learn(one.key, "gone")
    assert likely.first(other) == ["sibling", "gone", "sibling", "own"]
    assert ordered(["slow"], took_s, likely.first(other)) == ["sibling", "own", "slow"]
    assert ordered(["slow", "quick"], took_s, ["own"], longest_s=1.5) == ["own", "quick"]


def test_a_killer_is_known_by_the_change_where_the_number_moved() -> None:
    likely = Likely([Recorded("scoring.gate.x_f__mutmut_7", "own", "f", CHANGE), Recorded(MUTANTS[0].name, "wrong")])
    assert likely.first(MUTANTS[0])[0] == "own"


def test_a_change_is_named_by_its_lines_alone() -> None:
    before = ["def f(x):", "    a = 1", "    return x"]
    assert change(before, ["def f(x):", "    a = 1", "    return None"]) == "-    return x\n+    return None"
    assert change(before, ["def f(x):", "    return x"]) == "-    a = 1"


def test_names_of_functions_and_modules_are_read() -> None:
    assert readable("x__judged") == ["_judged"]
    assert readable("xǁGuardǁ__init__") == ["Guard", "__init__"]
    assert module_of(Path("scoring/judging/near.py")) == "scoring.judging.near"
    assert module_of(Path("scoring/judging/__init__.py")) == "scoring.judging"


def test_only_files_that_can_hold_what_is_asked_are_changed(tmp_path: Path) -> None:
    for name in ("gate.py", "guard.py", "guarding/log.py"):
        file = tmp_path / "scoring" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()

    def found(*prefixes: str) -> list[str]:
        return [file.name for file in files_of(tmp_path, prefixes)]

    assert found("scoring") == ["gate.py", "guard.py", "log.py"]
    assert found("scoring.guard.x_f__mutmut_1") == ["guard.py"]
    assert found("scoring.gate", "scoring.guarding") == ["gate.py", "log.py"]


def test_results_are_kept_line_by_line_and_a_cut_line_is_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with Log(file) as log:
        log.add(a_result(1))
    with file.open("ab") as end:
        end.write(b'{"mutant": "scoring.ne')
    with Log(file) as log:
        assert log.before == [a_result(1)]
        log.add(a_result(2, "a test"))
    assert read(file, Result) == [a_result(1), a_result(2, "a test")]


def test_a_file_that_is_none_of_ours_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "reasons.jsonl"
    file.write_bytes(msgspec.json.encode(Reason("f", "-x", "why")) + b"\n[]\n")
    with pytest.raises(Spoilt, match=r"reasons\.jsonl:2: Expected `object`, got `array`$"):
        read(file, Reason)
    with pytest.raises(Spoilt, match=r"none: cannot be read: No such file or directory$"):
        read(tmp_path / "none", Reason)


def test_the_table_counts_by_module_and_in_all() -> None:
    results = [a_result(1, "a"), a_result(2), a_result(3, "(time limit)"), a_result(1, "a", module="scoring.gate")]
    assert report.table(results).splitlines() == [
        "module        killed  survived   share",
        "scoring.gate       1         0  100.0%",
        "scoring.near       2         1   66.7%",
        "all                3         1   75.0%",
    ]
    assert report.limits(results).startswith("1 of the killed ")


def test_a_survivor_is_listed_with_the_reason_given_for_its_change() -> None:
    results = [a_result(7), a_result(8, change="-x"), a_result(9, "a", change="-y")]
    reasons = [Reason("scoring.near.f", CHANGE, "the same\nvalue"), Reason("scoring.near.f", "-y", "gone")]
    alive = report.survivors(results, reasons)
    assert [(result.mutant[-1], why) for result, why in alive] == [("7", "the same\nvalue"), ("8", report.UNKNOWN)]
    assert report.listed(alive[1:]) == f"scoring.near.f (8): {report.UNKNOWN}\n    -x"
    assert report.kinds(alive) == f"1 the same\nvalue, 1 {report.UNKNOWN}"


def test_a_reason_knows_its_module() -> None:
    assert Reason("scoring.judging.near._f", "", "").module == "scoring.judging.near"
    assert Reason("scoring.guarding.keeper._Alarm.ring", "", "").module == "scoring.guarding.keeper"


def test_a_reason_can_go_where_its_change_is_killed_or_is_made_no_more() -> None:
    near, gate = "scoring.near.f", "scoring.gate.f"
    reasons = [Reason(near, CHANGE, ""), Reason(near, "-y", ""), Reason(near, "-z", ""), Reason(gate, "-z", "")]
    mutants = [Mutant(name="", module="scoring.near", function=near, change=change) for change in (CHANGE, "-y")]
    assert report.spent(mutants, [a_result(1), a_result(2, "a", change="-y")], reasons) == reasons[1:3]
    assert report.spent(mutants, [], reasons) == reasons[2:3]


@pytest.mark.parametrize(
    ("killed", "why", "wrong"),
    [
        pytest.param(9, "because", [], id="nine of ten"),
        pytest.param(8, "because", ["88.9% killed: at least 90% must be"], id="eight of nine"),
        pytest.param(9, report.UNKNOWN, ["1 survivors without a reason in the survivors file"], id="no reason"),
    ],
)
def test_a_run_passes_where_nine_of_ten_die_and_the_rest_have_reasons(killed: int, why: str, wrong: list[str]) -> None:
    results = [a_result(number, "a") for number in range(killed)]
    assert report.verdict([*results, a_result(99)], [(a_result(99), why)]) == wrong


def test_progress_says_how_long_the_rest_takes() -> None:
    assert words(1, 2000, 1, 0.0) == "1 of 2,000 mutants, 1 killed"
    assert words(601, 1801, 500, 60.0) == "601 of 1,801 mutants, 500 killed, 10.0/s, 2 min left"
