"""One fixture's samples: in any order, with gaps, again, in parts; each counted once."""

from __future__ import annotations

from itertools import permutations

import pytest

from corpora.errors import BadInput
from scoring.counting.outcomes import Outcome
from scoring.counting.samples import NO_SAMPLE, FixtureTally

OUTCOMES = [Outcome("errors", ()), Outcome("reached", ()), Outcome("malformed", ())]


def tally(*samples: tuple[int, int, int]) -> FixtureTally:
    found = FixtureTally(OUTCOMES)
    for sample in samples:
        found.add(*sample)
    return found


def facts(found: FixtureTally, most: int = 9) -> tuple[object, ...]:
    there = [sample for sample in range(most) if sample in found]
    return found.outcomes, there, found.independent_draws()


@pytest.mark.parametrize("order", list(permutations([(0, 1, 11), (2, 2, 12), (3, 1, 11), (5, 0, 13)])), ids=str)
def test_the_order_of_samples_does_not_matter(order: tuple[tuple[int, int, int], ...]) -> None:
    counts, there, draws = facts(tally(*order))
    assert counts == {OUTCOMES[1]: 2, OUTCOMES[2]: 1, OUTCOMES[0]: 1}
    assert (there, draws) == ([0, 2, 3, 5], 2)


def test_a_gap_is_no_sample_and_no_draw() -> None:
    found = tally((4, 1, 0))
    assert facts(found) == ({OUTCOMES[1]: 1}, [4], 1)
    assert list(found.parts()[0]) == [NO_SAMPLE] * 4 + [1]
    assert list(found.parts()[1]) == [0] * 5


def test_the_last_line_of_an_only_key_counts_though_it_was_counted_before() -> None:
    found = tally((0, 0, 7))
    assert facts(found) == ({OUTCOMES[0]: 1}, [0], 0)
    found.add(0, 1, 8)
    assert facts(found) == ({OUTCOMES[1]: 1}, [0], 1)
    found.add(0, 0, 8)
    assert facts(found) == ({OUTCOMES[0]: 1}, [0], 0)


@pytest.mark.parametrize(
    ("draws", "different"),
    [([], 0), ([0], 1), ([0, 0, 0], 3), ([5, 0, 5, 0], 3), ([5, 5], 1), ([5, 6, 5], 2), ([1, 0], 2)],
    ids=str,
)
def test_samples_without_a_name_are_draws_each_and_named_ones_by_their_name(draws: list[int], different: int) -> None:
    found = tally(*((sample, 1, draw) for sample, draw in enumerate(draws)))
    assert found.independent_draws() == different
    found.add(len(draws) + 2, 1, 99)
    assert found.independent_draws() == different + 1
    found.add(len(draws) + 3, 0, 98)
    assert found.independent_draws() == different + 1


def test_the_last_line_of_a_key_takes_the_place_of_an_earlier_one() -> None:
    found = tally((0, 0, 7), (1, 1, 8), (0, 1, 9))
    assert facts(found) == ({OUTCOMES[1]: 2}, [0, 1], 2)


@pytest.mark.parametrize("sample", [-1, 10_000_001])
def test_a_number_that_is_none_of_ours_is_bad_input(sample: int) -> None:
    with pytest.raises(BadInput) as caught:
        tally((sample, 1, 0))
    assert (caught.value.what, caught.value.field) == (
        f"sample numbers are counted from 0; {sample} is none",
        "sample",
    )


def test_the_farthest_number_is_still_one() -> None:
    assert 10_000_000 in tally((10_000_000, 1, 0))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([(0, 1, 5), (1, 1, 6)], [(2, 1, 7), (3, 2, 7)]),
        ([], [(0, 1, 5), (1, 2, 5)]),
        ([(0, 1, 5)], []),
        ([(0, 1, 5), (1, 0, 6)], [(1, 1, 7)]),
        ([(0, 1, 5), (3, 1, 6)], [(1, 1, 7), (2, 2, 8)]),
        ([(5, 1, 5)], [(2, 2, 8)]),
        ([(0, 1, 5)], [(3, 1, 6), (5, 2, 7)]),
    ],
)
def test_counted_in_two_parts_it_is_counted_as_in_one(
    first: list[tuple[int, int, int]], second: list[tuple[int, int, int]]
) -> None:
    """The second ledger numbers its outcomes otherwise."""
    other = FixtureTally(OUTCOMES[::-1])
    for sample, number, draw in second:
        other.add(sample, 2 - number, draw)
    found = tally(*first)
    found.absorb(*other.parts(), {NO_SAMPLE: NO_SAMPLE, 0: 2, 1: 1, 2: 0})
    assert facts(found) == facts(tally(*first, *second))


def test_nameless_answers_are_draws_of_their_own_and_repeats_are_not() -> None:
    assert tally((0, 1, 0), (1, 1, 0)).independent_draws() == 2
    assert tally((0, 1, 3), (1, 1, 3), (2, 1, 0)).independent_draws() == 2
    assert tally((0, 0, 3), (1, 1, 3), (2, 0, 4)).independent_draws() == 1
    assert FixtureTally(OUTCOMES).independent_draws() == 0
