from __future__ import annotations

import dataclasses
import datetime
import enum
import json

import pytest

from runner.agents.texts import as_json, plain_text


class Words(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int


class Model:
    def model_dump(self, mode: str) -> dict:
        return {"mode": mode}


@pytest.mark.parametrize(
    ("text", "plain"), [("a", "a"), (Words("b"), "b"), ("\ud83d!", "\\ud83d!")], ids=["text", "subclass", "surrogate"]
)
def test_a_text_is_a_plain_one(text, plain):
    assert plain_text(text) == plain
    assert type(plain_text(text)) is str


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ({"a": Words("b")}, {"a": "b"}),
        (Point(1), {"x": 1}),
        (Colour.RED, "red"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.UTC), "2026-01-02T03:00:00+00:00"),
        ({1}, [1]),
        (Model(), {"mode": "json"}),
        (1j, "1j"),
    ],
    ids=["subclass", "dataclass", "enum", "date", "moment", "set", "model", "anything"],
)
def test_what_frameworks_make_of_json_is_json_again(value, plain):
    text, escaped = as_json(value)
    assert (json.loads(text), escaped) == (plain, False)


def test_a_lone_surrogate_is_an_escape():
    assert as_json({"a": "\ud83d"}) == ('{"a": "\\ud83d"}', True)
