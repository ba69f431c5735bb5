"""The guard on rows that nobody here wrote: false flags and catches, as scripts/when2call prints them."""

from __future__ import annotations

from tests.scoring.flags_and_catches import counted, held_out, honest


def test_of_the_values_that_a_question_means_a_third_is_said_in_other_words_and_flagged() -> None:
    rows = list(honest())
    assert len({row.row for row in rows}) <= 100
    assert counted(rows)["guard"] == {"rightly passed": 133, "false flags": 62}


def test_an_argument_that_was_taken_out_of_the_question_is_caught() -> None:
    found = counted(list(held_out()))
    assert found["guard"] == {"catches": 92, "rightly passed": 8}
    assert found["substring"] == {"catches": 90, "missed": 2, "rightly passed": 8}
