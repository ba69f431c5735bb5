"""Stored payloads counted by value: each figure, the short way and the long way, and where counting apart ends."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from corpora.shapes.chat_lines import PlainCall, PlainFunction
from corpora.shapes.stored import Stored, StoredCall
from scoring.counting.cells import key_of
from scoring.counting.figures import SetFigures
from scoring.counting.history import MOST_VALUES, PRODUCT, History, Probe, caveats
from scoring.counting.stored import Tally, keys_of
from tests.scoring.build import a_set

MAY_1, MAY_2, MAY_31, JUNE_1 = 1_777_593_600.0, 1_777_680_000.0, 1_780_271_999.0, 1_780_272_000.0
"""2026-05-01T00:00:00Z, the midnight after it, the last second of that month, and the one after that."""


def a_tally(argument: str = "code", values: Iterable[Any] = ("OTHER", "LATE"), **probe: Any) -> Tally:
    return Tally(Probe(tool="refund", argument=argument, **probe), a_set(values))


def text(arguments: Any, tool: str | None = "refund") -> StoredCall:
    """A call whose emitted string was stored."""
    return StoredCall(tool=tool, arguments=arguments if isinstance(arguments, str) else json.dumps(arguments))


def row(code: Any, tool: str | None = "refund") -> StoredCall:
    """A call of which an object survived."""
    return StoredCall(tool=tool, value={"code": code}, wire_type="object")


def stored(*calls: StoredCall, at: float | None = None, shape: str = "chat", **more: Any) -> Stored:
    return Stored(shape=shape, calls=calls, at=at, **more)


def history(tally: Tally, *records: Stored) -> History:
    for record in records:
        tally.add(record)
    return tally.history("log.jsonl")


def deep(levels: int = 5_000) -> list[Any]:
    """A list in a list in a list: deeper than anything of ours can be."""
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


def counts(found: History) -> dict[Any, int]:
    return {value.value: value.count for value in found.values}


@pytest.mark.parametrize(
    ("record", "reason", "required"),
    [
        pytest.param(stored(text('{"code": "LA')), "truncated", False, id="text that ends early"),
        pytest.param(stored(text("nonsense")), "malformed", False, id="no JSON"),
        pytest.param(stored(text("")), "malformed", True, id="nothing, where something is required"),
        pytest.param(stored(text("")), "no-argument", False, id="nothing, where nothing is required"),
        pytest.param(stored(text({})), "no-argument", True, id="without the argument"),
        pytest.param(stored(row(None)), "no-argument", False, id="null"),
        pytest.param(stored(row("[redacted]")), "redacted", False, id="masked"),
        pytest.param(stored(row("LA... [truncated]")), "truncated", False, id="a value that was cut"),
        pytest.param(stored(row(2.0**60)), "damaged", False, id="a number that floating point may have changed"),
        pytest.param(stored(row("1E+9"), shape="columns"), "damaged", False, id="a cell of a spreadsheet"),
        pytest.param(stored(row("1E+9"), shape="row columns"), "damaged", False, id="a cell in a row of columns"),
        pytest.param(stored(row(deep())), "damaged", False, id="nested too deep to be compared"),
        pytest.param(stored(row(deep()), shape="columns"), "damaged", False, id="nested too deep, in columns"),
        pytest.param(stored(row("OTHER"), shape="columns"), "mapped", False, id="what the service writes itself"),
        pytest.param(stored(skipped=("unknown-shape",)), "unknown-shape", False, id="a part that cannot be read"),
    ],
)
def test_what_cannot_be_judged_is_counted_by_its_reason_and_nowhere_else(
    record: Stored, reason: str, required: bool
) -> None:
    tally = a_tally(required=required, mapped="OTHER")
    tally.skip("damaged")
    found = history(tally, record, stored(text({"code": "LATE"}), text({"code": "NEW"})), record, record)
    assert found.skipped == ({"damaged": 4} if reason == "damaged" else {reason: 3, "damaged": 1})
    assert (found.records, found.calls, found.out_of_set, found.independent_draws) == (5, 2, 1, 2)
    assert (counts(found), found.flags, found.other_tool_calls) == ({"NEW": 1, "LATE": 1}, {}, 0)


def test_a_value_too_deep_takes_no_other_of_its_call_with_it() -> None:
    call = StoredCall(tool="refund", value={"codes": [deep(), "LATE"]}, wire_type="object")
    found = history(a_tally("codes.*"), stored(call))
    assert (counts(found), found.skipped) == ({"LATE": 1}, {"damaged": 1})


@pytest.mark.parametrize(
    ("record", "value"),
    [
        (stored(row("OTHER"), shape="spans"), "OTHER"),
        (stored(row("1E+9"), shape="spans"), "1E+9"),
        (stored(row("LATE"), shape="columns"), "LATE"),
        (stored(row("#NAME?"), shape="columns of cells"), "#NAME?"),
    ],
    ids=["a text that the service may write", "a text like a number", "a member in a column", "a name that goes on"],
)
def test_only_what_the_service_itself_wrote_may_be_mapped_or_a_cell(record: Stored, value: str) -> None:
    found = history(a_tally(mapped="OTHER"), record, record)
    assert (counts(found), found.skipped) == ({value: 2}, {})


def test_a_service_that_maps_nothing_wrote_what_was_emitted() -> None:
    found = history(a_tally(), stored(row("OTHER"), shape="columns"))
    assert (counts(found), found.skipped) == ({"OTHER": 1}, {})


@pytest.mark.parametrize(
    ("record", "flags", "draws"),
    [
        pytest.param(stored(row("LATE"), row("NEW")), {"not-verbatim": 6}, 6, id="objects"),
        pytest.param(
            stored(text({"code": "LATE"}, None), text({"code": 7}, None)), {"tool-not-named": 6}, 6, id="no tool"
        ),
        pytest.param(
            stored(text({"code": "LATE", "note": "[truncated]"}), text({"code": "NEW", "note": "... 9 more bytes"})),
            {"truncation-marker": 6},
            6,
            id="cut elsewhere",
        ),
        pytest.param(
            stored(text({"code": "LATE", "note": "a truncheon"}), text({"code": "NEW", "note": "no more bytes"})),
            {},
            6,
            id="words that are no mark",
        ),
        pytest.param(
            stored(text({"code": "LATE"}), text({"code": 7}), flags=("cache-hit",)), {"cache-hit": 6}, 0, id="replayed"
        ),
        pytest.param(stored(text({"code": "LATE"}), text({"code": 7}), flags=("odd",)), {}, 6, id="of no account"),
    ],
)
def test_facts_about_values_are_counted_and_change_no_other_figure(
    record: Stored, flags: dict[str, int], draws: int
) -> None:
    found = history(a_tally(), record, record, record)
    assert (found.flags, found.independent_draws) == (flags, draws)
    assert (found.records, found.calls, found.out_of_set, found.skipped) == (3, 6, 3, {})


def test_a_call_of_another_tool_is_counted_apart_and_its_record_too() -> None:
    calls = (text({"code": "NEW"}, "look_up"), text("{", "look_up"), row("LATE", "functions.refund"))
    found = history(a_tally(), stored(*calls), stored(*calls, shape="spans"), stored(shape="spans"))
    assert (found.other_tool_calls, found.calls, found.out_of_set, found.skipped) == (4, 2, 0, {})
    assert (found.records, found.shape, found.shapes) == (3, "spans, chat", {"spans": 2, "chat": 1})
    assert counts(found) == {"LATE": 2}


def test_the_times_of_a_value_are_those_of_its_calls() -> None:
    found = history(
        a_tally(),
        stored(text({"code": "NEW"}), text({"code": "LATE"}), at=MAY_2),
        stored(text({"code": "NEW"}), at=JUNE_1),
        stored(text({"code": "NEW"}), at=MAY_31),
        stored(text({"code": "NEW"}), text({"code": "OTHER"})),
        stored(text({"code": "NEW"}), at=MAY_1),
        stored(text({"code": "NEW"}), at=MAY_2),
    )
    first, last = "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z"
    assert [(v.value, v.count, v.first_seen, v.last_seen, v.months) for v in found.values] == [
        ("NEW", 6, first, last, {"2026-05": 4, "2026-06": 1}),
        ("LATE", 1, "2026-05-02T00:00:00Z", "2026-05-02T00:00:00Z", {"2026-05": 1}),
        ("OTHER", 1, None, None, {}),
    ]
    assert (found.first_seen, found.last_seen) == (first, last)
    assert list(found.values[0].months) == ["2026-05", "2026-06"]


def test_a_time_before_1970_has_its_own_month() -> None:
    """Before it numbers of days are negative: the day of 1969-12-31 is not that of 1970-01-01."""
    eve, noon = -43_200.0, 43_200.0
    tally = a_tally()
    for at in (eve, noon, noon, eve):
        tally.plain("chat", at, False, (PlainCall(PlainFunction("refund", '{"code": "NEW"}')),))
    [value] = history(tally, stored(text({"code": "NEW"}), at=eve)).values
    assert (value.months, value.first_seen) == ({"1969-12": 3, "1970-01": 2}, "1969-12-31T12:00:00Z")


def test_a_log_without_times_has_none_and_one_of_nothing_no_shape() -> None:
    found = a_tally().history("log.jsonl")
    assert (found.first_seen, found.last_seen, found.shape, found.source) == (None, None, "none", "log.jsonl")
    assert (found.records, found.calls, found.values, found.skipped, found.flags) == (0, 0, (), {}, {})


def test_the_set_stands_there_as_it_was_read() -> None:
    members = msgspec.structs.replace(
        a_set(("OTHER", 7), "codes", compare="case-insensitive", flags=("blank-entry-in-set",)),
        read_at="2026-04-01T00:00:00+00:00",
        source="codes.csv",
    )
    found = Tally(Probe(tool="refund", argument="code"), members).history("log.jsonl")
    assert (found.tool, found.argument) == ("refund", "code")
    assert found.set == SetFigures(
        name="codes",
        size=2,
        sha256=members.sha256,
        source="codes.csv",
        read_at="2026-04-01T00:00:00+00:00",
        compare="case-insensitive",
        flags=("blank-entry-in-set",),
    )


def test_each_value_stands_to_the_set_as_the_scorer_says() -> None:
    members = a_set(("OTHER", "LATE"), catch_all=("OTHER",), former=("OLD",))
    tally = Tally(Probe(tool="refund", argument="code"), members, (a_set(("EU",)),))
    values = ("OTHER", "late", "OLD", "EU", 7, "7", True, 1, 1.0, "1", {"a": 1}, {"a": 1}, {"a": 2})
    found = history(tally, stored(*(text({"code": value}) for value in values)))
    standing = {repr(v.value): (v.count, v.in_set, v.catch_all, v.near, v.nearest, v.flags) for v in found.values}
    odd = (1, False, False, "none", None, ("type-mismatch",))
    assert standing == {
        "'OTHER'": (1, True, True, None, None, ()),
        "'late'": (1, False, False, "case", "LATE", ()),
        "'OLD'": (1, False, False, "none", None, ("former-member",)),
        "'EU'": (1, False, False, "other-set", None, ()),
        "'7'": (1, False, False, "none", None, ()),
        "'1'": (1, False, False, "none", None, ()),
        "{'a': 1}": (2, *odd[1:]),
        **dict.fromkeys(("7", "True", "1", "1.0", "{'a': 2}"), odd),
    }
    assert found.out_of_set == 12


def test_the_most_frequent_values_come_first_then_by_name() -> None:
    values = ("B", "OTHER", "C", "A", "OTHER", "C", 2)
    found = history(a_tally(), stored(*(text({"code": value}) for value in values)))
    assert list(counts(found).items()) == [("C", 2), ("OTHER", 2), (2, 1), ("A", 1), ("B", 1)]


def test_every_item_of_an_array_is_a_value() -> None:
    calls = (text({"items": [{"code": "NEW"}, {"code": "LATE"}, {}]}), text({"items": []}))
    found = history(a_tally("items[].code"), stored(*calls), stored(*calls))
    assert (counts(found), found.calls, found.skipped) == ({"NEW": 2, "LATE": 2}, 4, {"no-argument": 4})


LINES: list[tuple[str, Any]] = [
    ("refund", {"code": "NEW"}),
    ("refund", {"code": "LATE", "note": "x"}),
    ("refund", {"code": "NEW", "note": "...[truncated]"}),
    ("refund", {"code": "NEW", "note": "a truncheon"}),
    ("refund", {"code": "NEW", "note": "[TRUNCATED]"}),
    ("refund", {"code": "NEW", "note": "... 9 more bytes"}),
    ("refund", {"code": "NEW", "note": "\u2026(9 MORE characters"}),
    ("refund", {"code": "NEW", "note": "any more bytes"}),
    ("refund", {"code": "...[truncated]"}),
    ("refund", {"code": 7}),
    ("refund", {"code": ""}),
    ("refund", {"code": None}),
    ("refund", {"code": ["NEW"]}),
    ("refund", {"code[]": "NEW", "items.code": "NEW", "*": "NEW"}),
    ("refund", {"code": {"sub": "NEW"}, "items": {"code": "NEW"}}),
    ("refund", {}),
    ("refund", ""),
    ("refund", '{"code": "NEW", "code": "LATE"}'),
    ("refund", '{"code": "NE\\u0057"}'),
    ("refund", '{"code": "NEW"'),
    ("refund", '["NEW"]'),
    ("functions.refund", {"code": "NEW"}),
    ("look_up", {"code": "NEW"}),
]


@pytest.mark.parametrize(
    "note",
    [
        "[truncated]",
        "<TRUNCATED 9>",
        "(... truncated",
        "... 9 more bytes",
        "\u2026(12 MORE characters",
        "Truncated 5 bytes",
    ],
)
@pytest.mark.parametrize("escape", [True, False], ids=["escaped", "as it is"])
def test_a_mark_in_another_argument_says_that_its_record_was_cut(note: str, escape: bool) -> None:
    call = text(json.dumps({"code": "NEW", "note": f"All of it: {note}"}, ensure_ascii=escape))
    tally = a_tally()
    tally.plain("chat", None, False, (PlainCall(PlainFunction("refund", call.arguments or "")),) * 2)
    found = history(tally, stored(call))
    assert (found.flags, counts(found)) == ({"truncation-marker": 3}, {"NEW": 3})
    assert history(a_tally("note"), stored(call)).skipped == {"truncated": 1}


@pytest.mark.parametrize("argument", ["code", "code[]", "items.code", "*", "code.*"])
@pytest.mark.parametrize("cached", [False, True], ids=["drawn", "replayed"])
@pytest.mark.parametrize(("tool", "arguments"), LINES, ids=str)
def test_a_plain_line_is_counted_as_any_other_record(argument: str, cached: bool, tool: str, arguments: Any) -> None:
    """Twice, since a value that was seen before goes a shorter way."""
    short, long = a_tally(argument, required=True), a_tally(argument, required=True)
    known = [text({"code": "NEW"}), text({"code": ["NEW"]}), text({"items": {"code": "NEW"}})]
    for at, call in (
        (MAY_1, known[0]),
        (MAY_1, known[1]),
        (MAY_1, known[2]),
        (None, None),
        (MAY_31, None),
        (JUNE_1, None),
    ):
        one = call or text(arguments, tool)
        flags = ("cache-hit",) if cached else ()
        long.add(stored(one, at=at, flags=flags))
        plain = PlainCall(PlainFunction(one.tool or "", one.arguments or ""), "id")
        short.plain("chat", at, cached, (plain,))
    assert short.history("log") == long.history("log")


def test_several_calls_of_a_plain_line_are_each_counted() -> None:
    tally = a_tally()
    codes = [PlainCall(PlainFunction("refund", json.dumps({"code": code}))) for code in ("NEW", "NEW", "LATE", "NEW")]
    tally.plain("chat", MAY_1, False, tuple(codes))
    found = tally.history("log")
    assert (counts(found), found.records, found.calls) == ({"NEW": 3, "LATE": 1}, 1, 4)
    assert [value.months for value in found.values] == [{"2026-05": 3}, {"2026-05": 1}]


def test_beyond_so_many_values_out_of_the_set_the_rest_are_counted_together() -> None:
    tally = a_tally("codes[]", values=range(100))
    numbers = [*range(1000, 1000 + MOST_VALUES), 1, 900, 901, 1000, 2, 900]
    found = history(tally, stored(StoredCall(tool="refund", value={"codes": numbers}), at=MAY_1))
    rows = counts(found)
    assert rows.pop(1000) == 2
    assert rows == dict.fromkeys([*range(1001, 1000 + MOST_VALUES), 1, 2], 1)
    assert (found.calls, found.out_of_set, found.values_left_out) == (MOST_VALUES + 6, MOST_VALUES + 4, 3)
    assert found.caveats[-1] == "3 calls out of the set have no row: there are more than 20000 values."


@pytest.mark.parametrize(
    ("provoked", "marks"), [(None, [None] * 3), ({"NEW"}, [True, False, False])], ids=["alone", "joined"]
)
def test_what_joined_results_hold_too_is_marked(provoked: set[object] | None, marks: list[bool | None]) -> None:
    tally = a_tally()
    tally.add(stored(text({"code": "NEW"}), text({"code": "NEW"}), text({"code": 7}), text({"code": "LATE"})))
    rows = tally.history("log", provoked).values
    assert [(value.value, value.provoked) for value in rows] == list(zip(["NEW", 7, "LATE"], marks, strict=True))


def test_the_keys_of_joined_results_are_those_of_the_values_that_the_probe_would_count() -> None:
    calls = [
        text({"code": "NEW"}),
        text({"code": 7}, "functions.refund"),
        row({"b": 1, "a": [2]}),
        text({"code": "ELSEWHERE"}, "look_up"),
        text({"code": "NOBODY"}, None),
        text('{"code": "CUT'),
        text(""),
        text({"other": "NEW"}),
    ]
    wanted = [key_of("NEW"), key_of(7), key_of({"a": [2], "b": 1})]
    assert list(keys_of(calls, Probe(tool="refund", argument="code", required=True))) == wanted
    assert list(keys_of([text({"codes": ["A", "B"]})], Probe(tool="refund", argument="codes[]"))) == ["A", "B"]


READ = "The set is as read at 2026-01-01T00:00:00+00:00; a value may have been a member when it was stored."
MADE = "No record says when it was made."
REACH = "The data reaches over {} days, from {} to 2026-06-01T00:00:00Z: what was before was not kept, or not given."
NO_CALL = (
    "No record holds a call, of refund or of another tool: records were read as chat; "
    "where they hold calls in another form, name it with --shape."
)
MAPPED = (
    "2 values are 'LATE' in the service's own table, which is what it writes for a value that it does not know: "
    "what was emitted cannot be told."
)


@pytest.mark.parametrize(
    ("records", "mapped", "more"),
    [
        pytest.param([stored()], None, [MADE, NO_CALL], id="nothing"),
        pytest.param([stored(text({"code": "A"}))], None, [MADE], id="a value"),
        pytest.param([stored(text({}))], None, [MADE], id="no argument"),
        pytest.param([stored(text({}, tool="x"))], None, [MADE], id="another tool"),
        pytest.param(
            [stored(at=MAY_31), stored(at=JUNE_1)],
            None,
            [REACH.format(1, "2026-05-31T23:59:59Z"), NO_CALL],
            id="two seconds",
        ),
        pytest.param(
            [stored(at=JUNE_1), stored(at=MAY_1)],
            None,
            [REACH.format(32, "2026-05-01T00:00:00Z"), NO_CALL],
            id="a month",
        ),
        pytest.param(
            [stored(row("A"), row("LATE", None), flags=("cache-hit",))],
            None,
            [
                MADE,
                "2 values come from objects: the text that the model emitted was not stored.",
                "2 values were replayed by a cache: calls that the service saw, and no new draws.",
                "1 records name no tool and are taken for calls of refund.",
            ],
            id="facts",
        ),
        pytest.param(
            [stored(row("LATE"), row("LATE"), shape="columns")],
            "LATE",
            [MADE, MAPPED],
            id="mapped",
        ),
    ],
)
def test_what_a_count_cannot_say_is_said_in_words(records: list[Stored], mapped: str | None, more: list[str]) -> None:
    found = history(a_tally(mapped=mapped), *records)
    assert list(found.caveats) == [PRODUCT, READ, *more] == list(caveats(found, mapped))
