"""What is read of a record's line has the names and the defaults that it has in the record."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from corpora.errors import BadInput
from corpora.heads import Head, HeadCall, HeadFailure
from corpora.jsonl import decode, read_records
from corpora.lean import LeanCall, LeanEffect, LeanRecord, LeanTurn
from corpora.records import Call, Effect, Failure, Record, Turn

RESULTS = Path(__file__).parents[2] / "results/refunds-simulated-careless.jsonl"


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        (LeanRecord, Record),
        (LeanCall, Call),
        (LeanEffect, Effect),
        (LeanTurn, Turn),
        (Head, Record),
        (HeadCall, Call),
        (HeadFailure, Failure),
    ],
    ids=lambda kind: kind.__name__,
)
def test_what_is_read_of_a_line_is_named_as_in_the_whole(part: type, whole: type) -> None:
    fields = {field.name: field for field in msgspec.structs.fields(whole)}
    for field in msgspec.structs.fields(part):
        assert field.encode_name in fields
        whole_one = fields[field.encode_name]
        if not whole_one.required and field.type is not msgspec.Raw:
            assert (field.default, field.default_factory) == (
                whole_one.default,
                whole_one.default_factory,
            ) or field.default_factory is not msgspec.NODEFAULT


def test_effects_are_those_of_the_whole_record() -> None:
    with RESULTS.open("rb") as stream:
        lean = [record.effects for record in decode(stream, LeanRecord, path="")]
    whole = [record.effects for record in read_records(RESULTS)]
    facts = [[(e.turn, e.index, e.tool, e.answer, e.stored) for e in effects] for effects in whole]
    assert [[(e.turn, e.index, e.tool, e.answer, e.stored) for e in effects] for effects in lean] == facts
    assert any(facts)


def test_effects_that_are_none_are_bad_input_of_their_field() -> None:
    line = {
        "corpus": "c",
        "corpus_sha256": "",
        "fixture_id": "f",
        "sample": 0,
        "status": "ok",
        "effects": [{"turn": "x"}],
    }
    record = msgspec.json.decode(msgspec.json.encode(line), type=LeanRecord)
    with pytest.raises(BadInput, match="these are no effects") as caught:
        _ = record.effects
    assert caught.value.field == "effects"
    del line["effects"]
    assert msgspec.json.decode(msgspec.json.encode(line), type=LeanRecord).effects == ()
