from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from corpora.corpus import bundled, load, read
from corpora.duplicates import BOUND, by_hand, grams_of, nearest_pair, too_alike

Plant = Callable[[str, str, str], Path]


def test_conversations_of_their_own_are_not_alike(folder: Path) -> None:
    corpus = load(folder)
    assert list(too_alike(corpus)) == []
    assert nearest_pair(corpus.fixtures) is None


def test_one_changed_word_makes_a_near_duplicate(plant: Plant) -> None:
    """The first fixture over again with 'test' for 'patch'."""
    corpus = read(
        plant(
            "fixtures.jsonl",
            "We sit in Europe/Lisbon and would like the router at noon.",
            "Please book the switch for me at nine, it is only a test.",
        )
    )
    (fault,) = too_alike(corpus)
    assert fault.where == f"{corpus.folder}/fixtures.jsonl:3: messages"
    assert fault.what == "a3 is 0.80 like a1 (line 1), more than 0.5; rewrite one of them"


def test_the_same_shown_twice_is_named_whatever_is_hidden(plant: Plant) -> None:
    corpus = read(
        plant(
            "fixtures.jsonl",
            '"messages": [{"role": "user", "content": "We sit in Europe/Lisbon and would like the router at noon."}]',
            '"visible": {"user": "u_1"}, "messages": '
            '[{"role": "user", "content": "Please book the switch for me at nine, it is only a patch."}]',
        )
    )
    whats = [fault.what for fault in too_alike(corpus)]
    assert whats == [
        "a3 is 1.00 like a1 (line 1), more than 0.5; rewrite one of them",
        "a3 shows the model the same as a1; change what is shown, or drop one",
    ]


def test_scripts_without_spaces_are_compared_by_the_character(plant: Plant) -> None:
    corpus = read(
        plant("fixtures.jsonl", "We sit in Europe/Lisbon and would like the router at noon.", "メンテナンス枠")
    )
    assert len(grams_of(corpus.fixtures[2])) == 3


def test_a_short_message_is_compared_whole(plant: Plant) -> None:
    corpus = read(plant("fixtures.jsonl", "We sit in Europe/Lisbon and would like the router at noon.", "Book it!"))
    assert grams_of(corpus.fixtures[2]) == {("book", "it")}


@pytest.mark.parametrize("name", bundled())
def test_no_two_bundled_conversations_come_from_one_template(name: str) -> None:
    corpus = load(name)
    assert list(too_alike(corpus)) == []
    pair = nearest_pair(by_hand(corpus))
    assert pair is None or pair.likeness <= BOUND
