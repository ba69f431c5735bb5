"""A table on a terminal: numbers stand whole, words are folded where there is no room, nothing steers the terminal."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from scoring.report.grid import Grid


def printed(what: Callable[[Grid], None], width: int = 80) -> str:
    out = io.StringIO()
    what(Grid(Console(file=out, width=width, color_system=None, _environ={})))
    return out.getvalue()


@pytest.mark.parametrize(
    ("width", "columns", "wide"),
    [
        (20, 80, False),
        (79, 80, False),
        (80, 80, False),
        (99, 99, False),
        (100, 100, True),
        (120, 120, True),
        (121, 120, True),
    ],
)
def test_a_table_has_80_to_120_columns_and_long_heads_from_100_on(width: int, columns: int, wide: bool) -> None:
    grid = Grid(Console(file=io.StringIO(), width=width))
    assert (grid.width, grid.wide) == (columns, wide)
    text = printed(lambda grid: grid.table(("of two", "n"), [("word " * 99, 1)]), width)
    assert {len(line) for line in text.splitlines() if line} == {columns}
    assert text.startswith("of two" if wide else "of ")


@pytest.mark.parametrize(("width", "longest"), [(20, 20), (80, 80), (120, 120), (121, 120), (300, 120)])
def test_a_line_is_folded_at_the_terminal_or_at_120_columns(width: int, longest: int) -> None:
    text = printed(lambda grid: grid.line("x" * 500), width)
    assert len(text.splitlines()[0]) == longest


def test_numbers_stand_whole_however_little_is_left_for_words() -> None:
    numbers = ["1234567890123456789", "98765432109876543210", "5555555555.5 %", "1234567.0\u20131234568.0"]
    heads = ("name", "a", "b", "c", "d")
    lines = printed(lambda grid: grid.table(heads, [("some words", *numbers)])).splitlines()
    row = next(lines[at:] for at, line in enumerate(lines) if numbers[0] in line)
    assert row[0].endswith(" ".join(numbers))
    assert "".join(line[: row[0].index(numbers[0])] for line in row).replace(" ", "") == "somewords"


def test_columns_of_words_stand_to_the_left_and_numbers_to_the_right() -> None:
    text = printed(
        lambda grid: grid.table(
            ("name", "n", "why"), [("a", 10, "x"), ("bcdef", 7, ("two", "lines"))], right=range(1, 2)
        )
    )
    assert text == (
        "name   n why  \n"
        "──────────────\n"
        "a     10 x    \n"
        "bcdef  7 two  \n"
        "         lines\n"
        "\n"
    )  # fmt: skip


def test_a_table_without_rows_has_its_heads() -> None:
    assert printed(lambda grid: grid.table(("name", "a number"), [])) == "          a\nname number\n───────────\n\n"


@pytest.mark.parametrize("cell", ["a\x1b[31m\nb", ("a\x1b[31m\nb", "c")], ids=["one line", "two lines"])
def test_a_name_neither_steers_the_terminal_nor_breaks_its_line(cell: str | tuple[str, ...]) -> None:
    shown = printed(lambda grid: grid.table(("name", "n"), [(cell, 1)]))
    assert "a\\u001b[31m\\u000ab" in shown
    assert len(shown.splitlines()) == (4 if isinstance(cell, str) else 5)
    assert printed(lambda grid: grid.line("a\x1b[31m\nb")) == "a\\u001b[31m\\u000ab\n"


def test_what_looks_like_markup_is_shown_as_it_is() -> None:
    text = "[bold]x[/bold] :smile:"
    assert printed(lambda grid: grid.line(text)) == f"{text}\n"
    assert text in printed(lambda grid: grid.table(("name", text), [(text, 1)]), 100)
