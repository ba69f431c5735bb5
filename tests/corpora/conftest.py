"""Two small corpora on disk: a desk, to be changed by each test, and one for planting one fault at a time."""

from __future__ import annotations

import json
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
    "list.json": "[]",
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


WINDOWS = """\
name = "windows"
system = "You book windows. State: {state}"
[strata]
withheld = 2
revealed = 1
[[tools]]
name = "book"
description = "Books."
parameters = "book.json"
[[tools]]
name = "ask_user"
clarify = "field"
[[probes]]
tool = "book"
argument = "zone"
measure = "closed-world"
type = "timezone"
[[probes]]
tool = "book"
argument = "code"
measure = "membership"
set = "codes"
[sets.codes]
values = ["PATCH", "MOVE"]
"""

WINDOW_SCHEMA = {
    "type": "object",
    "required": ["code"],
    "properties": {"zone": {"type": "string"}, "code": {"type": "string"}},
}

WINDOW_FIXTURES = [
    {
        "id": "a1",
        "stratum": "withheld",
        "messages": [{"role": "user", "content": "Please book the switch for me at nine, it is only a patch."}],
        "visible": {"user": "u_1"},
        "hidden": {"zone": "Asia/Tokyo"},
        "true_code": "PATCH",
    },
    {
        "id": "a2",
        "stratum": "withheld",
        "messages": [
            {"role": "user", "content": "Look at 77 and take it from there, would you?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "77: the racks move on Monday at eight"},
        ],
        "truth": {"code": "MOVE"},
    },
    {
        "id": "a3",
        "stratum": "revealed",
        "messages": [{"role": "user", "content": "We sit in Europe/Lisbon and would like the router at noon."}],
        "truth": {"zone": "Europe/Lisbon"},
    },
]

WINDOW_CANNED = [{"fixture": "a1", "trace": {"text": "Which time zone?"}, "expect": {"zone": "ASK"}}]


def lines(values: list[dict[str, object]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus that adds up."""
    (tmp_path / "corpus.toml").write_text(WINDOWS, encoding="utf-8")
    (tmp_path / "book.json").write_text(json.dumps(WINDOW_SCHEMA), encoding="utf-8")
    (tmp_path / "fixtures.jsonl").write_text(lines(WINDOW_FIXTURES), encoding="utf-8")
    (tmp_path / "canned.jsonl").write_text(lines(WINDOW_CANNED), encoding="utf-8")
    return tmp_path


@pytest.fixture
def plant(folder: Path) -> Callable[[str, str, str], Path]:
    """Replaces a text that stands once in one file of the corpus, and gives the folder."""

    def replace(file: str, old: str, new: str) -> Path:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return folder

    return replace
