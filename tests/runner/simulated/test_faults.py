from __future__ import annotations

import pytest

from corpora.errors import BadInput
from runner.simulated.faults import Fault, Faults, parse


def test_kinds_and_rates_are_read():
    assert parse(["429:0.1", "cut:0", "html:0.5"]) == (
        Fault(kind="429", rate=0.1),
        Fault(kind="cut", rate=0.0),
        Fault(kind="html", rate=0.5),
    )


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["429"], "expected KIND:RATE, found '429'"),
        (["200:0.1"], "a kind is a status from 400 to 599, cut"),
        (["flood:0.1"], "found 'flood:0.1'"),
        (["cut:often"], "a rate is a number from 0 to 1, found 'often'"),
        (["cut:1.5"], "found '1.5'"),
        (["cut:nan"], "found 'nan'"),
        (["cut:0.6", "slow:0.6"], "add up to more than 1"),
    ],
    ids=["no rate", "no error", "unknown", "word", "above 1", "nan", "together above 1"],
)
def test_a_fault_that_cannot_be_read_is_refused(texts, sentence):
    with pytest.raises(BadInput, match=sentence):
        parse(texts)


def test_a_rate_is_a_share_of_the_requests_and_the_same_each_time():
    faults = Faults(rates=parse(["429:0.25", "cut:0.25"]), seed=3)
    kinds = [faults.kind_for(number) for number in range(2000)]
    assert kinds == [faults.kind_for(number) for number in range(2000)]
    assert 0.2 < kinds.count("429") / 2000 < 0.3
    assert 0.2 < kinds.count("cut") / 2000 < 0.3


def test_a_script_comes_before_chance():
    faults = Faults(rates=parse(["500:1"]), script=("429", None))
    assert [faults.kind_for(number) for number in range(3)] == ["429", None, "500"]
