"""A world of state, turns and answers: which of the places of a value is its evidence, and where that is."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import pytest

from corpora.values import Json
from scoring.judging.forms import find, same
from scoring.judging.leaves import Leaf, json_leaves, leaves
from scoring.judging.sightings import look, look_closely
from scoring.judging.texts import Source
from scoring.judging.view import SEPARATOR, Tree, View
from tests.scoring.build import a_probe
from tests.scoring.judging.sights import a_world, characters, seen

MESSAGES = [
    {"role": "user", "content": "The RED one, on 4 March 2027."},
    {"role": "tool", "tool_call_id": "1", "content": '{"when": "5 March 2027", "colours": ["Green", 12.5]}'},
    {"role": "tool", "tool_call_id": "2", "content": "plain green words"},
    {"role": "tool", "tool_call_id": "3", "content": '"a text alone"'},
    {"role": "user", "content": "Or blue?"},
]
STATE = {"today": "2027-03-10", "zone": "UTC", "nested": {"list": [["deep"], 7]}}


@pytest.mark.parametrize(
    ("kind", "value", "place", "piece"),
    [
        ("text", "red", ("user", 0, None), "RED"),
        ("text", "Green", ("tool", 1, "colours[0]"), "Green"),
        ("text", "green", ("tool", 2, None), "green"),
        ("text", "alone", ("tool", 3, None), "alone"),
        ("text", "blue", ("user", 4, None), "blue"),
        ("text", "deep", ("state", None, "nested.list[0][0]"), "deep"),
        ("number", 7, ("state", None, "nested.list[1]"), "7"),
        ("number", 12.5, ("tool", 1, "colours[1]"), "12.5"),
        ("timezone", "Etc/UTC", ("state", None, "zone"), "UTC"),
        ("date", "2027-03-04", ("user", 0, None), "4 March 2027"),
        ("date", "2027-03-05", ("tool", 1, "when"), "5 March 2027"),
        ("date", "2027-03-10", ("state", None, "today"), "2027-03-10"),
    ],
)
def test_the_evidence_is_where_the_value_stands(kind: str, value: Json, place: Any, piece: str) -> None:
    world = a_world(messages=MESSAGES, visible=STATE)
    found = world.sighting(a_probe(type=kind), value)
    assert found is not None
    assert (found.where, found.span.message, found.span.path) == place
    assert characters(world, found) == piece


@pytest.mark.parametrize(
    ("kind", "value", "answers", "place", "form"),
    [
        ("text", "RED", ({"a": "red"},), ("user", 0, None), "exact"),
        ("text", "red", ({"a": "red"},), ("tool", 5, "a"), "exact"),
        ("text", "red", ({"a": "Red"},), ("user", 0, None), "case-fold"),
        ("text", "x", ({"a": "b"}, ["y", "x"]), ("tool", 6, "[1]"), "exact"),
        ("text", "x", ("x",), ("tool", 5, None), "exact"),
        ("text", "8", (8,), ("tool", 5, None), "equivalent-format"),
        ("number", 5, (None, {"n": 5}), ("tool", 6, "n"), "exact"),
        ("date", "2027-03-06", ({"a": "6.3.2027"},), ("tool", 5, "a"), "equivalent-format"),
        ("date", "2027-03-11", ({"a": "tomorrow"},), ("tool", 5, "a"), "derived"),
        ("date", "2027-03-04", ({"a": "x"},), ("user", 0, None), "equivalent-format"),
        ("date", "2027-03-06", ({"a": 20270306},), None, None),
        ("text", "violet", ({"a": "x"},), None, None),
        ("text", "violet", (), None, None),
    ],
)
def test_what_a_tool_answered_later_is_seen_behind_what_the_fixture_shows(
    kind: str, value: Json, answers: tuple[Json, ...], place: Any, form: str | None
) -> None:
    world = a_world(messages=MESSAGES, visible=STATE)
    found = world.sighting(a_probe(type=kind), value, world.results(answers))
    assert (found and (found.where, found.span.message, found.span.path)) == place
    assert (found and found.form) == form


def test_a_day_that_only_a_later_answer_shows_is_seen_there_and_with_its_zone() -> None:
    world, probe = a_world("9:00"), a_probe(type="datetime")
    later = world.results(({"day": "6 March 2027"},))
    assert world.day(probe, "2027-03-06T09:00:00Z", later) is None
    assert world.day(probe, "2027-03-06T09:00:00Z", later, zone_too=False) is not None
    assert world.day(probe, 20270306, later) is None
    assert world.day(probe, "2027-03-06T09:00:00") is None
    found = world.day(probe, "2027-03-06T09:00:00", later)
    assert found is not None
    assert (found.leaf.path, found.start, found.end) == ("day", 0, 12)


ODD = "\n\x00\n"
WORLDS: list[Any] = [
    # state, value, path, characters (start, end); None where it is not seen
    ({"a": "", "b": "red"}, "red", "b", (0, 3)),
    ({"a": "", "b": "", "c": "a red"}, "red", "c", (2, 5)),
    ({"a": "x", "b": "red"}, "red", "b", (0, 3)),
    ({"a": 5, "b": "red"}, "red", "b", (0, 3)),
    ({"a": "red", "b": "red"}, "red", "a", (0, 3)),
    ({"a": "Red", "b": "red"}, "red", "b", (0, 3)),
    ({"a": f"x{ODD}red"}, "red", "a", (4, 7)),
    ({"a": f"x{ODD}Red", "b": "red"}, "red", "b", (0, 3)),
    ({"a": f"x{ODD}Red", "b": "y"}, "red", "a", (4, 7)),
    ({"a": "x\x00", "b": "red"}, "red", "b", (0, 3)),
    ({"a": "\x00\x00", "b": "a red"}, "red", "b", (2, 5)),
    ({"a": "one", "b": "two"}, f"one{ODD}two", None, None),
    ({"a": f"one{ODD}two"}, f"one{ODD}two", "a", (0, 9)),
    ({"a": "one", "b": "two"}, "one\n", None, None),
    ({}, "red", None, None),
    ({"a": None}, "red", None, None),
    ({"a": []}, "red", None, None),
]


@pytest.mark.parametrize(("state", "value", "path", "at"), WORLDS, ids=[ascii((s, v)) for s, v, *_ in WORLDS])
def test_a_value_is_seen_in_the_leaf_that_holds_it_whatever_stands_between_two(
    state: dict[str, Json], value: str, path: str | None, at: tuple[int, int] | None
) -> None:
    view, probe = View([Tree("state", None, state)]), a_probe()
    found = look(probe, value, view)
    assert (found and found.span.path) == path
    assert (found and (found.span.start, found.span.end)) == at
    assert look_closely(probe, value, view.leaves) == found


class Words(str):
    """A text of a kind of its own."""


class Many(list[Any]):
    """A list of a kind of its own."""


PARTS: list[Leaf | Tree] = [
    Tree("state", None, OrderedDict(a=("x", 5), b=Many(["y", None, [True, [2.5]]]), c=Words("z"))),
    Leaf("user", 0, None, "u", Source("u")),
    Tree("tool", 1, "alone"),
    Tree("tool", 2, 7),
    Tree("tool", 3, ["first", {"k": {"l": "last"}}]),
    Tree("tool", 4, None),
    Tree("tool", 5, {"a": {}, "b": [[]], "c": "end"}),
]
LEAVES = [
    ("state", None, "a[0]", "x"),
    ("state", None, "a[1]", 5),
    ("state", None, "b[0]", "y"),
    ("state", None, "b[2][0]", True),
    ("state", None, "b[2][1][0]", 2.5),
    ("state", None, "c", "z"),
    ("user", 0, None, "u"),
    ("tool", 1, None, "alone"),
    ("tool", 2, None, 7),
    ("tool", 3, "[0]", "first"),
    ("tool", 3, "[1].k.l", "last"),
    ("tool", 5, "c", "end"),
]


def test_every_leaf_has_its_place_whether_it_is_made_alone_or_with_all() -> None:
    alone, together = View(PARTS), View(PARTS)
    assert [leaf[:4] for leaf in together.leaves] == LEAVES
    assert [together.leaf(number)[:4] for number in range(len(LEAVES))] == LEAVES
    assert [alone.leaf(number)[:4] for number in range(len(LEAVES))] == LEAVES
    assert alone.values == [value for *_, value in LEAVES]
    assert alone.others == [1, 3, 4, 8]
    for number in (12, 99):
        with pytest.raises(IndexError, match=str(number)):
            View(PARTS).leaf(number)


def test_all_that_was_shown_is_one_text_in_which_a_place_says_its_leaf() -> None:
    view = View(PARTS)
    assert view.source.text == SEPARATOR.join(["x", "", "y", "", "", "z", "u", "alone", "", "first", "last", "end"])
    assert [(source.text, number) for source, number in view.sources()] == [(view.source.text, None)]
    assert [view.leaf_at(view.source.text.index(word))[0] for word in ("x", "y", "alone", "last")] == [0, 2, 7, 10]
    assert view.leaf_at(0) == (0, 0)
    unclear = View([Tree("state", None, {"a": "x\x00", "b": "y", "c": 5})])
    assert [(source.text, number) for source, number in unclear.sources()] == [("x\x00", 0), ("y", 1), ("5", 2)]


def test_a_leaf_that_is_shown_alone_keeps_its_own_text() -> None:
    leaf = Leaf("user", 0, None, "u", Source("u"))
    assert View([leaf]).source is leaf.source
    assert View([leaf, leaf]).source.text == f"u{SEPARATOR}u"
    assert View(list(json_leaves("tool", 1, 5))).source.text == ""
    assert View([]).source.text == ""


def test_the_names_are_those_of_the_state_object_by_object() -> None:
    def names(parts: Sequence[Leaf | Tree]) -> list[list[object]]:
        return [[*found] for found in View(parts).names()]

    state = {"a": {"b": [{"c": 1}, "text", {"d": None}], "e": ({"f": "x"},)}, "g": 2}
    assert names([Tree("state", None, state)]) == [["a", "g"], ["b", "e"], ["c"], ["d"], ["f"]]
    assert names([Tree("tool", 1, state), Leaf("user", 0, "p", "x", Source("x"))]) == []
    assert names([*json_leaves("state", None, {"a": {"b": "x"}})]) == [["a.b"]]
    assert names([*json_leaves("state", None, "x")]) == [[""]]
    assert names([Tree("state", None, {1: "a", "b": "c"})]) == [[1, "b"]]


def test_the_values_of_a_tree_have_a_path_each_and_null_is_none() -> None:
    tree = {"a": [1, [2, None], {"b": "x"}], "c": (True,), 5: {"d": 0}, "e": {}, "f": []}
    assert list(leaves(tree)) == [("a[0]", 1), ("a[1][0]", 2), ("a[2].b", "x"), ("c[0]", True), ("5.d", 0)]
    assert list(leaves([["x"]])) == [("[0][0]", "x")]
    assert list(leaves("x")) == [("", "x")]
    assert list(leaves(None)) == []
    made = [(leaf.path, leaf.source.text) for leaf in json_leaves("tool", 1, {"a": 12.50, "b": True, "c": "x"})]
    assert made == [("a", "12.5"), ("b", "true"), ("c", "x")]


def test_a_text_is_folded_once_in_each_way() -> None:
    source = Source("AbC \ufb01 Stra\u00dfe")
    assert source.plain().text == "AbC fi Stra\u00dfe"
    assert source.both().text == "abc fi strasse"
    assert source.cased().text == "abc fi strasse"
    plain = Source("AbC Stra\u00dfe")
    assert plain.both().text == "abc strasse"
    assert plain.plain().text == "AbC Stra\u00dfe"
    assert plain.plain() is plain.plain()


LONG = "a" * 9_999


@pytest.mark.parametrize(
    ("value", "text", "form"),
    [
        (f"{LONG}B", f"{LONG}b", "case-fold"),
        (f"{LONG}BB", f"{LONG}bb", None),
        (f"{LONG}BB", f"{LONG}BB", "exact"),
        (f"{LONG}BB", "nothing", None),
    ],
    ids=["10,000 characters", "one more", "one more, as it stands", "absent"],
)
def test_a_very_long_value_is_compared_as_it_stands_only(value: str, text: str, form: str | None) -> None:
    probe = a_probe(type="text")
    hit = find(probe, value, Source(f"x {text}"))
    assert (hit and hit.form) == form
    assert same(probe, value, text) == form


@pytest.mark.parametrize(
    ("value", "text", "seen"),
    [
        (718, "AC-718", False),
        (718, "order 718", True),
        (1200, "1,200", False),
        (718, "718.0", False),
        ("718", "AC=718", False),
        ("ab12", "\uff21B12", True),
        ("ab12", "\uff21B12=7", False),
    ],
)
def test_an_id_is_seen_as_it_is_written_only(value: Json, text: str, seen: bool) -> None:
    assert (a_world(text).sighting(a_probe(type="id"), value) is not None) is seen


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("\uff21cme", "\uff21cme"),
        ("Stra\u00dfe \uff21cme", "\uff21cme"),
        ("e\u0301 \ufb01 \uff21cme", "\uff21cme"),
        ("e\u0301 \uff21cme \ufb01", "\uff21cme"),
        ("a\u030a Stra\u00dfe \uff21cme", "\uff21cme"),
    ],
    ids=["alone", "behind a longer case", "behind two that make one", "between the two", "behind one of each"],
)
def test_another_spelling_leads_back_to_its_very_characters(text: str, piece: str) -> None:
    assert seen("text", "acme", text) == piece


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("0904-abc", 0),
        ("on 0904-abc", 3),
        ("0904-abc, 0904-xyz", 0),
        ("0904-xyz, 0904-abc", 10),
        ("0904-x, 0904-abc, 0904-y", 8),
        ("0904-x, " * 9 + "0904-abc", 72),
        ("0904-", None),
        ("0904-abd, abc", None),
        ("0904-x, " * 9, None),
    ],
    ids=lambda one: ascii(one)[:30],
)
def test_a_value_that_begins_with_digits_is_seen_in_another_case(text: str, start: int | None) -> None:
    hit = find(a_probe(type="text"), "0904-ABC", Source(text))
    assert hit == (None if start is None else (start, start + 8, "case-fold"))


def test_a_truth_that_a_tool_answered_under_the_name_of_the_field_is_seen() -> None:
    for parts in ([*json_leaves("tool", 1, {"value": True})], [Tree("tool", 1, {"value": True})]):
        seen = look(a_probe(type="boolean"), True, View(parts))
        assert seen is not None
        assert seen.span.path == "value"


def test_a_locale_says_what_a_known_text_is() -> None:
    assert same(a_probe(type="number", locale="de"), 1234.5, "1.234,5") == "equivalent-format"
    assert same(a_probe(type="text", locale="de"), 1234.5, "1.234,5") == "equivalent-format"
    assert same(a_probe(type="number", locale="en"), 1234.5, "1.234,5") is None
    assert same(a_probe(type="number"), 1234.5, "1.234,5") is None
