"""Where a field stands in a TOML file: the parser keeps no line numbers, and a person wants one."""

from __future__ import annotations

import re
from pathlib import Path

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\-\"]+)\s*=")
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def line_of(path: Path, field: str) -> int | None:
    """The line, from 1, on which a field such as `probes[1].tool` begins, or the nearest table round it.

    None where the file cannot be read or says nothing of it.
    """
    try:
        lines = path.read_text("utf-8-sig", errors="replace").splitlines()
    except OSError:
        return None
    places = _places(lines)
    wanted = steps(field)
    while wanted:
        if wanted in places:
            return places[wanted]
        wanted = wanted[:-1]
    return None


def steps(field: str) -> tuple[str | int, ...]:
    """A dotted field with `[n]` as its steps: `probes[1].tool` is probes, 1, tool."""
    return tuple(int(index) if index else name for name, index in _STEP.findall(field))


def _places(lines: list[str]) -> dict[tuple[str | int, ...], int]:
    """Every table and key with the first line that looks like it, lines inside a multi-line text included."""
    found: dict[tuple[str | int, ...], int] = {}
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    for number, line in enumerate(lines, 1):
        if header := _HEADER.match(line):
            table = _table(header[2], header[1] == "[[", counts)
            found.setdefault(table, number)
            if isinstance(table[-1], int):
                found.setdefault(table[:-1], number)
        elif key := _KEY.match(line):
            found.setdefault((*table, *_names(key[1])), number)
    return found


def _table(header: str, is_item: bool, counts: dict[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    """The steps of a table's header; an array of tables on its way means its latest item."""
    here: tuple[str | int, ...] = ()
    names = _names(header)
    for depth, name in enumerate(names):
        here = (*here, name)
        if is_item and depth == len(names) - 1:
            counts[here] = counts.get(here, -1) + 1
        if here in counts:
            here = (*here, counts[here])
    return here


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip().strip('"') for name in dotted.split("."))
