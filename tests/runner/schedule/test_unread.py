"""One rule says whether a sample is malformed: of a whole record, and of what a resume reads of its line."""

from __future__ import annotations

import pytest

from corpora.heads import head
from corpora.jsonl import encode
from corpora.records import Call, Malformed, Record
from runner.schedule.unread import is_unread


def record(*calls: tuple[str, Malformed | None], malformed: Malformed | None = None) -> Record:
    facts = {"corpus": "c", "corpus_sha256": "", "fixture_sha256": "", "stratum": "s", "status": "ok"}
    return Record(
        **facts,
        fixture_id="f",
        sample=0,
        malformed=malformed,
        calls=tuple(
            Call(
                turn=0,
                index=index,
                id=None,
                name=name,
                offered=True,
                arguments="{}",
                wire_type="string",
                source="tool_calls",
                malformed=fault,
            )
            for index, (name, fault) in enumerate(calls)
        ),
    )


@pytest.mark.parametrize(
    ("sample", "goal", "unread"),
    [
        pytest.param(record(), "refund", False, id="words alone"),
        pytest.param(record(malformed="no-choices"), "refund", True, id="a reply that is none"),
        pytest.param(record(("refund", None)), "refund", False, id="the tool, read"),
        pytest.param(record(("refund", "truncated")), "refund", True, id="the tool, cut"),
        pytest.param(record(("refund", "truncated"), ("refund", None)), "refund", False, id="one of two calls read"),
        pytest.param(record(("look_up", None), ("refund", "fenced")), "refund", True, id="another tool read"),
        pytest.param(record(("look_up", None), ("refund", "fenced")), None, False, id="no tool is named"),
        pytest.param(record((" refund", None), ("refund", "fenced")), "refund", False, id="white space round the name"),
        pytest.param(record(("look_up", None)), "refund", False, id="another tool, nothing unread"),
    ],
)
def test_a_sample_is_malformed_where_something_is_unread_and_its_tool_was_not_reached(
    sample: Record, goal: str | None, unread: bool
) -> None:
    found = head(encode(sample))
    assert found is not None
    assert (is_unread(sample, goal), is_unread(found, goal)) == (unread, unread)
