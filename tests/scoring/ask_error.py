"""How often ask detection errs: on When2Call rows that nobody here wrote, and on 200 replies that were written here.

Run by scripts/ask-error. Both sets are split in halves by hash: the first half was looked at while the patterns were
written, the second was not, and only counted.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from corpora.corpus import Probe, Tool
from scoring import Verdict, judge
from scoring.judging.asking import asks
from scoring.judging.fieldnames import field_names
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_tool

DATA = Path(__file__).parent / "data"
ASK_NAMES: dict[str, dict[str, Any]] = {
    "timezone": {"type": "timezone"},
    "amount": {"type": "money"},
    "order_id": {
        "type": "id",
        "ask": [
            "order number", "Bestellnummer", "numéro de commande", "número de pedido", "numero d'ordine",
            "número do pedido", "bestelnummer", "注文番号",
        ],
    },
    "severity": {
        "ask": [
            "severity", "how severe", "priority", "Schweregrad", "Priorität", "gravité", "priorité", "gravedad",
            "prioridad",
            "gravità", "priorità", "gravidade", "prioridade", "ernst", "ernstig", "prioriteit", "重要度", "優先度",
        ],
    },
}  # fmt: skip
# The held-out value still stands in these questions.
STILL_SHOWN = frozenset(
    ("28c1df28", "024a4c20", "dd674587", "0e25cbd9", "7e7a3dbc", "8d938342", "338c3a81", "f2cefc0f")
)
DUE = {"request_for_info": "ASK", "direct": "DRIFT", "cannot_answer": "DRIFT", "tool_call": "INJECT"}


class Row(NamedTuple):
    """One canned answer of a row, what first principles say of it, and what was given."""

    key: str
    answer: str
    due: str
    verdict: Verdict
    text: str


def first_half(key: str) -> bool:
    """The half that was looked at: by the parity of the key's sha256."""
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 == 0


def when2call(correct: str) -> list[dict[str, Any]]:
    """The rows of the judge test set whose right answer is `correct`."""
    lines = (DATA / "when2call/when2call_test_llm_judge.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["correct_answer"] == correct]


def tools_of(row: dict[str, Any]) -> list[Tool]:
    """The tools of a row; its schemas say `dict` for object."""
    tools = [json.loads(text) for text in row["tools"]]
    return [msgspec.convert({key: tool[key] for key in ("name", "description", "parameters")}, Tool) for tool in tools]


def label(row: dict[str, Any], answer: str, tool: str, argument: str) -> Verdict:
    """The verdict on one argument in one canned answer, with the question as the only visible text."""
    text = row["answers"][answer]
    call = json.loads(text) if answer == "tool_call" else None
    calls = [] if call is None else [a_call(call["name"], call["arguments"])]
    fixture = a_fixture(user=row["question"])
    corpus = a_corpus([fixture], tools_of(row), [a_probe(argument, tool)])
    return next(judge(a_record(fixture, None if call else text, calls), corpus, {}))


def held_out_rows() -> Iterator[Row]:
    """The 400 answers to the 100 questions from which one argument was taken out."""
    for row in when2call("request_for_info"):
        tool = json.loads(row["target_tool"])["name"] if row["target_tool"].startswith("{") else row["target_tool"]
        for answer, due in DUE.items():
            shown = answer == "tool_call" and row["uuid"][:8] in STILL_SHOWN
            verdict = label(row, answer, tool, row["held_out_param"])
            yield Row(row["uuid"], answer, "COPY" if shown else due, verdict, row["answers"][answer])


class Counted(NamedTuple):
    """Ask detection against what is right."""

    true: int
    false: int
    missed: int
    left: int

    def __str__(self) -> str:
        precision = self.true / (self.true + self.false) if self.true + self.false else 1.0
        recall = self.true / (self.true + self.missed) if self.true + self.missed else 1.0
        return (
            f"precision {precision:.3f} ({self.true} of {self.true + self.false}), "
            f"recall {recall:.3f} ({self.true} of {self.true + self.missed}), {self.left} rightly left alone"
        )


def counted(pairs: list[tuple[bool, bool]]) -> Counted:
    """Pairs of (is an ask, was taken for one)."""
    found = Counter(pairs)
    return Counted(found[True, True], found[False, True], found[True, False], found[False, False])


def replies() -> list[tuple[dict[str, Any], bool]]:
    """The replies written here, each with what the detector says of it."""
    rows = [json.loads(line) for line in (DATA / "replies.jsonl").read_text("utf-8").splitlines()]
    names = {field: field_names(_probe(field), a_tool(properties={field: {}})) for field in ASK_NAMES}
    return [(row, asks(row["text"], names[row["field"]]).asked) for row in rows]


def _probe(field: str) -> Probe:
    return a_probe(field, **ASK_NAMES[field])


def confusion(rows: list[Row]) -> None:
    """Print the labels due and given, answer by answer."""
    given = Counter((row.answer, row.due, row.verdict.label) for row in rows)
    print("When2Call, 100 questions with one argument taken out: canned answer, label due, label given, answers")
    for (answer, due, label), count in sorted(given.items(), key=str):
        print(f"  {answer:17} {due:7} {label:7} {count:4}{'' if due == label else '  <- wrong'}")


def report(*, misses: bool) -> None:
    """Print the labels due and given, and both sets in both halves."""
    every = list(held_out_rows())
    confusion(every)
    rows = [row for row in every if row.answer != "tool_call"]
    written = replies()
    for half, first in (("first half (looked at)", True), ("second half (counted only)", False)):
        own = [row for row in rows if first_half(row.key) is first]
        print(f"When2Call, {half}: {counted([(r.due == 'ASK', r.verdict.label == 'ASK') for r in own])}")
        mine = [(row, said) for row, said in written if first_half(row["id"]) is first]
        print(f"replies written here, {half}: {counted([(row['asks'], said) for row, said in mine])}")
        if misses and first:
            for row in own:
                if (row.due == "ASK") != (row.verdict.label == "ASK"):
                    print(
                        "  W", row.key[:8], row.answer, row.due, row.verdict.argument, row.text[:300].replace("\n", " ")
                    )
            for row, said in mine:
                if row["asks"] != said:
                    print("  R", row["id"], row["field"], row["asks"], row["text"])


if __name__ == "__main__":
    report(misses="--misses" in sys.argv)
