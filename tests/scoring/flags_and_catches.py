"""False flags and catches of the guard on When2Call, beside a plain substring search; scripts/when2call prints them.

Honest values: the arguments of the 100 rows whose right answer is the call. All of them were meant by the question, so
that each refusal is a false flag. Inventions: each of these values put into the call of another row, under the same
argument name, where the question of that row does not hold it; and the 100 calls for whose questions one argument was
taken out, of which eight still show it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from corpora.corpus import Probe
from scoring.guard import Guard
from tests.scoring.ask_error import STILL_SHOWN, tools_of, when2call


class Asked(NamedTuple):
    """One argument of one call."""

    row: str
    argument: str
    value: Any
    question: str
    invented: bool
    guard: bool
    substring: bool
    """Whether each lets it pass."""


def guard_passes(row: dict[str, Any], tool: str, argument: str, value: Any) -> bool:
    """By the tool's own schema the type of the field, as a corpus would say it; the question is all that was shown."""
    tools = {one.name: one for one in tools_of(row)}
    known = tools[tool].parameters.get("properties", {}).get(argument, {})
    kind = {"integer": "number", "float": "number", "number": "number"}.get(known.get("type"), "text")
    kind = "date" if "date" in argument.lower() and kind == "text" else kind
    probe = Probe(tool=tool, argument=argument, measure="closed-world", type=kind)  # type: ignore[arg-type]
    guard = Guard([probe], {}, tools=[tools[tool]])
    return guard.check(tool, json.dumps({argument: value}), row["question"]).allow


def substring_passes(value: Any, question: str) -> bool:
    """The plain baseline: its text stands in the question, in any case of letters."""
    return str(value).casefold() in question.casefold()


def scalars(row: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Tool, argument and value of each scalar argument of a row's call; nothing for one without a value."""
    call = json.loads(row["answers"]["tool_call"])
    for argument, value in call["arguments"].items():
        if not isinstance(value, dict | list | bool) and value not in (None, ""):
            yield call["name"], argument, value


def asked(row: dict[str, Any], tool: str, argument: str, value: Any, *, invented: bool) -> Asked:
    """One value asked of both."""
    question = row["question"]
    passes = guard_passes(row, tool, argument, value)
    return Asked(row["uuid"][:8], argument, value, question, invented, passes, substring_passes(value, question))


def honest() -> Iterator[Asked]:
    """Values that the question means."""
    for row in when2call("tool_call"):
        for tool, argument, value in scalars(row):
            yield asked(row, tool, argument, value, invented=False)


def exchanged() -> Iterator[Asked]:
    """Values of other rows under the same argument name; those that the question holds all the same are left out."""
    rows = [(row, list(scalars(row))) for row in when2call("tool_call")]
    by_name: dict[str, list[Any]] = {}
    for _, found in rows:
        for _, argument, value in found:
            if value not in by_name.setdefault(argument, []):
                by_name[argument].append(value)
    for row, found in rows:
        for tool, argument, own in found:
            for value in by_name[argument]:
                if value != own and not _means(value, own, row["question"]):
                    yield asked(row, tool, argument, value, invented=True)


def _means(value: Any, own: Any, question: str) -> bool:
    """The value is said in the question too, in whole words, or is a part of the right one."""
    words = str(value).casefold().replace(",", " ").split()
    stand = all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", question.casefold()) for word in words)
    return stand or str(value).casefold() in str(own).casefold()


def held_out() -> Iterator[Asked]:
    """The argument that was taken out of the question, as a model filled it in."""
    for row in when2call("request_for_info"):
        call = json.loads(row["answers"]["tool_call"])
        argument = row["held_out_param"]
        if argument in call["arguments"] and call["arguments"][argument] not in (None, ""):
            shown = row["uuid"][:8] in STILL_SHOWN
            yield asked(row, call["name"], argument, call["arguments"][argument], invented=not shown)


def counted(rows: list[Asked]) -> dict[str, Counter[str]]:
    """false flags, let pass rightly, catches and missed, of the guard and of the substring."""
    names = {
        (False, False): "false flags",
        (False, True): "rightly passed",
        (True, False): "catches",
        (True, True): "missed",
    }
    return {
        "guard": Counter(names[row.invented, row.guard] for row in rows),
        "substring": Counter(names[row.invented, row.substring] for row in rows),
    }


PARTS = {"tool-call rows, honest": honest, "tool-call rows, exchanged": exchanged, "held-out argument": held_out}
