"""A JSON value that still knows its exact text."""

from __future__ import annotations

import pytest

from corpora.shapes.nodes import Node, Text, mark_lone


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (rb'"plain"', Text("plain", escaped=False)),
        (rb'"\ud83d\ude00"', Text("\U0001f600", escaped=False)),
        (rb'"a \ud83d b"', Text("a \\ud83d b", escaped=True)),
        (rb'"a \uDC00 b"', Text("a \\uDC00 b", escaped=True)),
        (rb'"\ud83d\ud83d\ude00"', Text("\\ud83d\U0001f600", escaped=True)),
        (rb'"\\ud83d"', Text("\\ud83d", escaped=False)),
        (rb'"\\\ud83d"', Text("\\\\ud83d", escaped=True)),
        (rb"12", None),
    ],
    ids=["plain", "pair", "lone high", "lone low", "lone before pair", "written out", "after a backslash", "number"],
)
def test_a_lone_surrogate_is_kept_as_the_escape_that_stood_there(raw: bytes, expected: Text | None) -> None:
    assert Node(mark_lone(raw)).text() == expected


def test_an_object_keeps_its_exact_text() -> None:
    raw = rb'{"a": {"z" : 2512292042121000017,  "z":1.50, "s":"\ud83d"} }'
    assert Node(mark_lone(raw)).get("a").exact() == r'{"z" : 2512292042121000017,  "z":1.50, "s":"\ud83d"}'


@pytest.mark.parametrize("raw", [b"", b"null", b"[]", b"3", b'"x"', b"true"])
def test_what_is_no_object_has_no_fields_and_no_path_fails(raw: bytes) -> None:
    node = Node(raw)
    assert node.fields() == {}
    assert not node.get("a", "b")
    assert node.get("a").string() is None


@pytest.mark.parametrize(
    ("raw", "count"), [(b"12", 12), (b"1.5", None), (b"-1", None), (b'"3"', None), (b"null", None), (b"true", None)]
)
def test_a_count_is_a_whole_number(raw: bytes, count: int | None) -> None:
    assert Node(raw).integer() == count
