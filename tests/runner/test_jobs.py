"""Where results go, and the sentence with which a run ends that has not all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.corpus import load
from corpora.jsonl import changed
from corpora.manifests import Counts
from runner.jobs import Ended, default_output
from tests.runner.journal.lines import manifest

REFUNDS = load("refunds")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("simulated/careless", "refunds-simulated-careless.jsonl"),
        ("../../etc/passwd", "refunds-..-..-etc-passwd.jsonl"),
        ("a b\x1b[2J:ü", "refunds-a-b--2J--.jsonl"),
        ("x" * 500, f"refunds-{'x' * 192}.jsonl"),
    ],
)
def test_a_file_name_holds_only_plain_characters(model: str, name: str) -> None:
    assert default_output(REFUNDS, model) == Path("results") / name


def test_a_corpus_cannot_hide_its_results() -> None:
    hidden = changed(REFUNDS, name="../../.evil")
    assert default_output(hidden, "m") == Path("results") / "evil-m.jsonl"
    assert default_output(changed(REFUNDS, name=".."), "/") == Path("results") / "run.jsonl"


FACTS = "7 samples are recorded, 2 of them errors, {} are missing"
AGAIN = "the same command draws again what can pass, --retry-errors all of them"


@pytest.mark.parametrize(
    ("reason", "left", "kept", "status", "sentence"),
    [
        ("interrupted", 3, True, 130, f"interrupted; {FACTS.format(3)}; the same command goes on from here"),
        ("refused", 3, False, 3, f"refused; {FACTS.format(3)}; standard output has what was received"),
        ("complete", 0, True, 3, f"some samples have no answer; {FACTS.format(0)}; {AGAIN}"),
    ],
    ids=["interrupted", "into a pipe", "errors"],
)
def test_what_is_missing_is_said_with_what_to_do(
    reason: str, left: int, kept: bool, status: int, sentence: str
) -> None:
    ended = Ended(Counts(recorded=7, ok=5, errors=2), left, reason, manifest())
    assert ended.sentence(kept=kept) == sentence
    assert ended.status == status


def test_with_every_sample_answered_the_status_is_0() -> None:
    assert Ended(Counts(recorded=7, ok=7), 0, "complete", manifest()).status == 0
