"""How scripts/mutants runs tests: in forks, one trial after the other until a mutant is killed or not."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from scripts.mutation.forks import Ended, Job, allow, each
from scripts.mutation.lines import Mutant
from scripts.mutation.reach import Map, failing_unchanged
from scripts.mutation.trials import Queue, Trial, settled

MUTANT = Mutant(name="scoring.near.x_f__mutmut_1", module="scoring.near", function="scoring.near.f", change="-x")
FIRST = Trial(MUTANT, ["a", "b", "c"])
ALONE = FIRST._replace(tests=["b"], otherwise=["a", "c"], before_s=1.0)


@pytest.mark.parametrize(
    ("trial", "end", "then"),
    [
        pytest.param(FIRST, Ended("a", None, 1.0), ("a", 1.0), id="the first test fails"),
        pytest.param(FIRST, Ended("b", None, 1.0), ALONE, id="one behind others fails: it runs alone"),
        pytest.param(ALONE, Ended("b", None, 0.5), ("b", 1.5), id="it fails alone too"),
        pytest.param(
            ALONE,
            Ended(None, None, 0.5),
            FIRST._replace(tests=["a", "c"], before_s=1.5),
            id="alone it passes",
        ),
        pytest.param(FIRST, Ended(None, None, 1.0), (None, 1.0), id="all pass"),
        pytest.param(FIRST._replace(tests=[]), Ended(None, None, 0.1), (None, 0.1), id="no test reaches it"),
        pytest.param(FIRST, Ended(None, "(time limit)", 9.0), ("(time limit)", 9.0), id="one does not end"),
    ],
)
def test_a_mutant_is_killed_by_a_test_that_fails_alone(trial: Trial, end: Ended, then: object) -> None:
    assert settled(trial, end) == then


def test_what_follows_from_a_trial_comes_before_fresh_ones() -> None:
    queue = Queue(iter([FIRST]))
    queue.put(ALONE)
    assert [queue.take(), queue.take(), queue.take()] == [ALONE, FIRST, None]
    queue.put(ALONE)
    assert queue.take() == ALONE


def test_what_is_known_of_tests_is_joined_and_some_are_left_out() -> None:
    known = Map(defaultdict(list, f=["a"]), {"a": 1.0}, {"a": "why"})
    known.join(Map({"f": ["b"], "g": ["b"]}, {"b": 2.0}))
    assert known == Map({"f": ["a", "b"], "g": ["b"]}, {"a": 1.0, "b": 2.0}, {"a": "why"})
    assert known.without({"a"}) == Map({"f": ["b"], "g": ["b"]}, {"b": 2.0})


def test_a_test_that_fails_where_nothing_was_changed_is_named(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("def test_good(): pass\ndef test_bad(): assert False\n", encoding="utf-8")
    assert failing_unchanged(["test_it.py::test_good", "test_it.py::test_bad"], tmp_path) == ["test_it.py::test_bad"]
    assert failing_unchanged(["test_it.py::test_good"], tmp_path) == []
    assert failing_unchanged(["test_it.py::test_gone"], tmp_path) == ["test_it.py::test_gone"]


def crash() -> None:
    os.kill(os.getpid(), signal.SIGUSR1)


def spin() -> None:
    allow(0.5)
    while True:
        pass


WORK = {
    "answer": (lambda: ["x" * 200_000], ["x" * 200_000], None),
    "nothing": (lambda: None, None, None),
    "crash": (crash, None, f"(signal {signal.SIGUSR1:d})"),
    "exit": (lambda: os._exit(3), None, "(exit 3)"),
    "fault": (lambda: 1 / 0, None, "(exit 1)"),
    "for ever": (spin, None, "(time limit)"),
    "asleep": (lambda: time.sleep(60), None, "(time limit)"),
}


def test_forks_answer_or_are_cut_and_leave_nothing(tmp_path: Path) -> None:
    jobs = [Job(name, work, 1.0 if name == "asleep" else 60.0) for name, (work, _, _) in WORK.items()]
    ends = dict(each(partial(next, iter(jobs), None), 3, tmp_path))
    assert {name: (end.answer, end.cut) for name, end in ends.items()} == {
        name: (answer, cut) for name, (_, answer, cut) in WORK.items()
    }


def test_a_job_may_be_made_of_what_came_before(tmp_path: Path) -> None:
    seen: list[int] = []
    jobs = (Job(number, lambda: len(seen), 60) for number in range(4))
    for number, end in each(partial(next, jobs, None), 1, tmp_path):
        seen.append(number)
        assert end.answer == number
    assert seen == [0, 1, 2, 3]


def test_what_is_left_early_ends_its_forks(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    def asleep() -> None:
        begun.write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(60)

    def pid_of_the_other() -> int:
        while not (begun.exists() and (pid := begun.read_text(encoding="utf-8"))):
            time.sleep(0.01)
        return int(pid)

    jobs = [Job("asleep", asleep, 90), Job("awake", pid_of_the_other, 60)]
    with closing(each(partial(next, iter(jobs), None), 2, tmp_path)) as ends:
        name, end = next(ends)
        assert name == "awake"
        os.kill(end.answer, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(end.answer, 0)
