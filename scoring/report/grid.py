"""Lines and small tables for a terminal of 80 to 120 columns; the one place that knows rich.

A narrower terminal gets the tables of 80 columns and folds their lines: a figure that is cut would be another figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scoring.report.escaping import safe

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST, _WIDEST = 80, 120
_NUMBERS = range(1, 99)

HEADING, WARNING, FAILED, ASIDE = "bold", "bold yellow", "red", "dim"
"""Styles of a line."""

Cell = str | int | tuple[str, ...]
"""What stands in a row: one line, or several."""


class Grid:
    """Writes to a console; every text is shown as it is, markup and emoji codes too, and safe."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._words = min(_WIDEST, console.width)
        self.width = max(_NARROWEST, self._words)
        """In columns."""
        console.width = max(_NARROWEST, console.width)  # rich cuts at the width of its console

    @property
    def wide(self) -> bool:
        """There is room for headings of two words."""
        return self.width >= 100

    def line(self, text: str, style: str = "") -> None:
        """One paragraph."""
        self._console.print(safe(text), style=style, width=self._words, markup=False, highlight=False, emoji=False)

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[Cell]], right: range = _NUMBERS) -> None:
        """One table: the columns in `right` are numbers, the others words, which are folded where there is no room."""
        from rich import box  # rich is loaded when a table is printed
        from rich.table import Table
        from rich.text import Text

        gap = 1 if self.wide else 0  # the box sets one blank between columns
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap, 0, 0))
        for place, head in enumerate(heads):
            number = place in right
            table.add_column(
                Text(head if self.wide else head.replace(" ", "\n")),
                justify="right" if number else "left",
                overflow="fold",
                no_wrap=number,  # what is too wide is taken from the words
            )
        for row in rows:
            table.add_row(*(Text(_shown(cell)) for cell in row))
        self._console.print(table, width=self.width)
        self._console.print()


def _shown(cell: Cell) -> str:
    return "\n".join(map(safe, cell)) if isinstance(cell, tuple) else safe(str(cell))
