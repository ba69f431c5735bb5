"""What is read of a record's line has the names and the defaults that it has in the record."""

from __future__ import annotations

import msgspec
import pytest

from corpora.heads import Head, HeadCall, HeadFailure
from corpora.lean import LeanCall, LeanEffect, LeanRecord, LeanTurn
from corpora.records import Call, Effect, Failure, Record, Turn


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
        assert field.name in fields
        if not fields[field.name].required:
            assert (field.default, field.default_factory) == (
                fields[field.name].default,
                fields[field.name].default_factory,
            ) or field.default_factory is not msgspec.NODEFAULT
