"""A small corpus on disk, to be changed by each test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

TOML = """\
name = "desk"
system = "You book rooms. State: {state}"
[run]
samples = 2
[strata]
given = 1
withheld = 1
[[tools]]
name = "book"
description = "Book a room."
parameters = "book.json"
[[tools]]
name = "ask_user"
clarify = "field"
[[probes]]
tool = "book"
argument = "room"
measure = "membership"
set = "rooms"
[sets.rooms]
enum = "service.py:Room"
"""
FIXTURES = """\
{"id": "g-1", "stratum": "given", "messages": [{"role": "user", "content": "Room A please."}], "visible": {"user": "u"}}
{"id": "w-1", "stratum": "withheld", "messages": [{"role": "user", "content": "A room please."}]}
"""
CANNED = """\
{"fixture": "g-1", "trace": {"tool_call": {"arguments": {"room": "A"}}}, "expect": {"room": {"in_set": true}}}
"""
SERVICE = """\
from enum import StrEnum
class Room(StrEnum):
    A = "A"
    B = "B"
"""
SCHEMA = '{"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]}'

FILES = {
    "corpus.toml": TOML,
    "fixtures.jsonl": FIXTURES,
    "canned.jsonl": CANNED,
    "service.py": SERVICE,
    "book.json": SCHEMA,
}


@pytest.fixture
def desk(tmp_path: Path) -> Callable[..., Path]:
    """Writes the corpus into a folder: `desk(file_name=(old, new))` replaces text, `desk(file_name=None)` leaves out.

    In the keyword the dot of the file's name is `_dot_`.
    """

    def write(**changes: tuple[str, str] | str | None) -> Path:
        folder = tmp_path / "desk"
        folder.mkdir()
        texts = dict(FILES)
        for key, change in changes.items():
            name = key.replace("_dot_", ".")
            match change:
                case (old, new):
                    assert old in texts[name]
                    texts[name] = texts[name].replace(old, new)
                case str():
                    texts[name] = change
                case None:
                    del texts[name]
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
        return folder

    return write
