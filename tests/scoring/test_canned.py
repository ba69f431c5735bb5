"""Every bundled canned trace holds, and one that is flipped on purpose is named."""

from __future__ import annotations

import msgspec
import pytest

from corpora.corpus import bundled, load, read_sets
from scoring.canned import flips


@pytest.mark.parametrize("name", bundled())
def test_every_canned_trace_of_a_bundled_corpus_holds(name: str) -> None:
    corpus = load(name)
    assert corpus.canned
    assert flips(corpus, read_sets(corpus)) == []


def test_a_flipped_trace_is_named_with_the_expected_and_the_given_verdict() -> None:
    corpus = load("refunds")
    wrong = msgspec.structs.replace(corpus.canned[0], expect={"reason_code": {"in_set": False}})
    flipped = msgspec.structs.replace(corpus, canned=(wrong, *corpus.canned[1:]))
    (flip,) = flips(flipped, read_sets(corpus))
    assert flip.sentence() == ('canned trace 1 (det-001): reason_code is {"in_set":true}, expected {"in_set":false}')


def test_an_expectation_of_an_argument_that_is_not_probed_is_a_flip() -> None:
    corpus = load("refunds")
    odd = msgspec.structs.replace(corpus.canned[0], expect={"order_id": "COPY"})
    (flip,) = flips(msgspec.structs.replace(corpus, canned=(odd,)), read_sets(corpus))
    assert flip.given == "not probed"
