"""The short look at arguments says what the close one says, or nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judging.arguments import parse
from scoring.judging.strict import plain_object

PIECES = ["", '"', "{", "}", ",", '"a": 1,', '"a":"b",', "\\", "\x01", "NaN", " ", "1e999", "\ufeff", "\ud800"]
texts = st.text(max_size=6)
values = texts | st.integers() | st.floats() | st.booleans() | st.none() | st.lists(texts, max_size=2)
spoiled = st.builds(
    lambda text, place, piece: text[:place] + piece + text[place:],
    st.builds(json.dumps, st.dictionaries(texts, values, max_size=4), ensure_ascii=st.booleans()),
    st.integers(0, 60),
    st.sampled_from(PIECES),
)


@given(spoiled)
def test_where_the_short_look_answers_both_say_the_same(text: str) -> None:
    plain = plain_object(text)
    if plain is not None:
        close = json.loads(text)
        assert plain == close
        assert list(map(type, plain.values())) == list(map(type, close.values()))
        assert json.loads(text, object_pairs_hook=len) == len(plain), "no key stands twice"
        assert parse(text, "string", required=True).value == close


@pytest.mark.parametrize(
    ("text", "malformed"),
    [
        ('{"a": "x", "a": "y"}', "duplicate-key"),
        ('{"a":1,"a":1}', "duplicate-key"),
        ('{"a":1,"a":"1"}', "duplicate-key"),
        ('{"a":1,"\\u0061":1}', "duplicate-key"),
        ('{"a":"\\"","a":1}', "duplicate-key"),
        ('{"a": NaN}', "non-standard-constant"),
    ],
)
def test_what_is_not_plain_is_looked_at_closely(text: str, malformed: str) -> None:
    assert plain_object(text) is None
    assert parse(text, "string", required=True).malformed == malformed


@pytest.mark.parametrize("text", ['{"a": "\\""}', '{"a": "\\ud83d"}', '{"\\ude00": 1}'])
def test_a_quote_or_half_a_character_inside_a_text_is_looked_at_closely(text: str) -> None:
    assert plain_object(text) is None
    assert parse(text, "string", required=True).malformed is None


@pytest.mark.parametrize(
    "text", ['{"a": "x", "b": 1, "c": null, "d": true}', "{}", ' {"a":"x"} ', '{"a\\n": "\\u00e9\\\\."}']
)
def test_plain_objects_need_no_second_look(text: str) -> None:
    assert plain_object(text) == json.loads(text)
