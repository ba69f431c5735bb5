"""Pieces of calls find the call that they belong to, by whatever a server says of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpora.shapes import chat_stream
from corpora.shapes.chunks import Chunks
from corpora.shapes.sse import events


def piece(arguments: str = "", name: str | None = None, call_id: str | None = None, index: int | None = None) -> Any:
    function = {"arguments": arguments, **({"name": name} if name is not None else {})}
    said = {"id": call_id, "index": index, "function": function}
    return {key: value for key, value in said.items() if value is not None}


CASES: dict[str, tuple[list[list[Any]], list[tuple[str, str]]]] = {
    "by index": (
        [[piece("", "f", "a", 0)], [piece("{1", index=0)], [piece("", "g", "b", 1)], [piece("}", index=0)]],
        [("f", "{1}"), ("g", "")],
    ),
    "the later index first": (
        [[piece("{2", "g", "b", 1)], [piece("{1", "f", "a", 0)], [piece("}", index=1), piece("}", index=0)]],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "one index for all, told apart by id": (
        [[piece("", "f", "a", 0)], [piece("{1}", index=0)], [piece("", "g", "b", 0)], [piece("{2}", index=0)]],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "one index for all, back to the first by its id": (
        [
            [piece("{", "f", "a", 0)],
            [piece("{", "g", "b", 0)],
            [piece("1}", None, "a", 0)],
            [piece("2}", None, "b", 0)],
        ],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "one index for all and no id, told apart by name": (
        [[piece("{1}", "f", index=0)], [piece("{2}", "g", index=0)]],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "no index": (
        [[piece("", "f", "a")], [piece("{1}")], [piece("{2", "g", "b")], [piece("}")]],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "no index, the id with each piece": (
        [[piece("{", "f", "a")], [piece("{", "g", "b")], [piece("1}", None, "a")], [piece("2}", None, "b")]],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "neither index nor id": (
        [[piece("{1}", "f"), piece("{2}", "g")], [piece("{3}", "h")]],
        [("f", "{1}"), ("g", "{2}"), ("h", "{3}")],
    ),
    "neither index nor id, one tool twice in one event": (
        [[piece("{1}", "f"), piece("{2}", "f")]],
        [("f", "{1}"), ("f", "{2}")],
    ),
    "one id for all": (
        [[piece("{1}", "f", "a"), piece("{2}", "g", "a")]],
        [("f", "{1}"), ("g", "{2}")],
    ),
    "the name again with every piece": (
        [[piece("{", "f", "a", 0)], [piece("1", "f", "a", 0)], [piece("}", "f", "a", 0)]],
        [("f", "{1}")],
    ),
    "the name in pieces": (
        [[piece("", "ref", "a", 0)], [piece("", "und", index=0)], [piece("{}", index=0)]],
        [("refund", "{}")],
    ),
    "an empty name": ([[piece("{}", "", "a", 0)]], [("", "{}")]),
    "an empty name with every piece": ([[piece("{", "f", "a", 0)], [piece("}", "", "", 0)]], [("f", "{}")]),
    "the id after the first piece": ([[piece("{", "f", index=0)], [piece("}", None, "a", 0)]], [("f", "{}")]),
}


def chunks(deltas: list[list[Any]]) -> list[dict[str, Any]]:
    return [{"id": "r", "choices": [{"index": 0, "delta": {"tool_calls": delta}}]} for delta in deltas]


@pytest.mark.parametrize("case", CASES)
def test_the_pieces_of_a_stream_are_put_together(case: str) -> None:
    deltas, calls = CASES[case]
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks(deltas)) + "data: [DONE]\n\n"
    body = json.loads(chat_stream.assemble(events(text.encode())).body)
    found = [call["function"] for call in body["choices"][0]["message"]["tool_calls"]]
    assert [(function["name"], function["arguments"] or "") for function in found] == calls


@pytest.mark.parametrize("case", CASES)
def test_the_pieces_of_a_stored_stream_are_put_together_alike(case: str) -> None:
    deltas, calls = CASES[case]
    reader = Chunks()
    for chunk in chunks(deltas):
        assert reader.add(chunk) is None
    done = reader.end()
    assert done is not None
    assert [(call.tool or "", call.arguments or "") for call in done.calls] == calls
