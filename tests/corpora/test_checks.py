"""Each fault is planted alone into a corpus that adds up, and must be named with its place and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from corpora.checks import faults, truths
from corpora.corpus import bundled, load, read, read_sets
from corpora.errors import BadInput

Plant = Callable[[str, str, str], Path]

# name: file, what stands there, what is planted, FILE:LINE and field of the finding, its words
FAULTS: dict[str, tuple[str, str, str, str, str]] = {
    "sum-too-high": (
        "corpus.toml",
        "withheld = 2",
        "withheld = 3",
        "corpus.toml:4: strata.withheld",
        "the strata do not add up: withheld is declared with 3 fixtures and has 2; correct the number or the fixtures",
    ),
    "empty-stratum": (
        "corpus.toml",
        "revealed = 1",
        "revealed = 1\npoisoned = 1",
        "corpus.toml:6: strata.poisoned",
        "the strata do not add up: poisoned is declared with 1 fixtures and has 0; correct the number or the fixtures",
    ),
    "no-such-stratum": (
        "fixtures.jsonl",
        '"stratum": "revealed"',
        '"stratum": "given"',
        "fixtures.jsonl:3: stratum",
        "a3 is in stratum 'given'; declared are withheld, revealed",
    ),
    "duplicate-id": (
        "fixtures.jsonl",
        '"id": "a3"',
        '"id": "a1"',
        "fixtures.jsonl:3: id",
        "the id 'a1' stands in line 1 already; give every fixture one of its own",
    ),
    "empty-id": (
        "fixtures.jsonl",
        '"id": "a3"',
        '"id": " "',
        "fixtures.jsonl:3: id",
        "the id is empty; give every fixture one of its own",
    ),
    "id-of-a-world": (
        "fixtures.jsonl",
        '"id": "a3"',
        '"id": "w~1.1.revealed"',
        "fixtures.jsonl:3: id",
        "the id 'w~1.1.revealed' has a ~, which marks what a world made; choose another",
    ),
    "must-call-an-unknown-tool": (
        "fixtures.jsonl",
        '"id": "a3"',
        '"id": "a3", "must_call": "reserve"',
        "fixtures.jsonl:3: must_call",
        "there is no tool 'reserve'; the tools are ask_user, book",
    ),
    "truth-of-nothing-measured": (
        "fixtures.jsonl",
        '"truth": {"zone"',
        '"truth": {"timezone"',
        "fixtures.jsonl:3: truth.timezone",
        "no probe measures 'timezone'; measured are code, zone",
    ),
    "poison-of-nothing-measured": (
        "fixtures.jsonl",
        '"id": "a3"',
        '"id": "a3", "poisoned": {"tz": ["UTC"]}',
        "fixtures.jsonl:3: poisoned.tz",
        "no probe measures 'tz'; measured are code, zone",
    ),
    "no-message": (
        "fixtures.jsonl",
        '[{"role": "user", "content": "We sit in Europe/Lisbon and would like the router at noon."}]',
        "[]",
        "fixtures.jsonl:3: messages",
        "a3 has no message; write the conversation",
    ),
    "the-model-speaks-last": (
        "fixtures.jsonl",
        '"tool_call_id": "c1", "content": "77: the racks move on Monday at eight"}',
        '"tool_call_id": "c1", "content": "77: the racks move"}, {"role": "assistant", "content": "I see."}',
        "fixtures.jsonl:2: messages",
        "the conversation ends with the model's own words; end it with a user or a tool result",
    ),
    "a-result-without-its-call": (
        "fixtures.jsonl",
        '"tool_call_id": "c1"',
        '"tool_call_id": "c2"',
        "fixtures.jsonl:2: messages[2]",
        "the tool result answers call 'c2', which nobody made",
    ),
    "a-user-who-says-nothing": (
        "fixtures.jsonl",
        "We sit in Europe/Lisbon and would like the router at noon.",
        " ",
        "fixtures.jsonl:3: messages[0].content",
        "the user says nothing; write the content",
    ),
    "a-state-that-nobody-sees": (
        "corpus.toml",
        " State: {state}",
        "",
        "corpus.toml:2: system",
        "a1 has visible facts, and the system text has no {state} to show them; write it in",
    ),
    "two-tools-of-one-name": (
        "corpus.toml",
        'name = "ask_user"\nclarify = "field"',
        'name = "book"\nparameters = "book.json"',
        "corpus.toml:7: tools[0].name",
        "two tools are called 'book'; rename one",
    ),
    "clarify-names-no-argument": (
        "corpus.toml",
        'clarify = "field"',
        'clarify = "field"\nparameters = "book.json"',
        "corpus.toml:12: tools[1].clarify",
        "the parameters of ask_user have no argument 'field'; name one that they have",
    ),
    "probe-on-an-unknown-tool": (
        "corpus.toml",
        'tool = "book"\nargument = "zone"',
        'tool = "reserve"\nargument = "zone"',
        "corpus.toml:14: probes[0].tool",
        "there is no tool 'reserve'; the tools are book, ask_user",
    ),
    "probe-on-an-unknown-argument": (
        "corpus.toml",
        'argument = "zone"',
        'argument = "zone.*"',
        "corpus.toml:15: probes[0].argument",
        "the parameters of book have no 'zone.*'; name an argument that they have",
    ),
    "probe-on-an-unknown-set": (
        "corpus.toml",
        'set = "codes"',
        'set = "reasons"',
        "corpus.toml:22: probes[1].set",
        "there is no set 'reasons'; the sets are codes",
    ),
    "a-pass-in-no-stratum": (
        "corpus.toml",
        'type = "timezone"',
        'type = "timezone"\npass_in = { negated = ["ASK"] }',
        "corpus.toml:18: probes[0].pass_in",
        "there is no stratum 'negated'; the strata are withheld, revealed",
    ),
    "measured-twice": (
        "corpus.toml",
        'type = "timezone"',
        'type = "timezone"\n[[probes]]\ntool = "book"\nargument = "zone"\nmeasure = "closed-world"',
        "corpus.toml:15: probes[0].argument",
        "zone of book is measured twice by closed-world; drop one",
    ),
    "canned-for-no-fixture": (
        "canned.jsonl",
        '"fixture": "a1"',
        '"fixture": "a9"',
        "canned.jsonl:1: fixture",
        "there is no fixture 'a9'; name one of fixtures.jsonl",
    ),
    "canned-expects-an-unknown-argument": (
        "canned.jsonl",
        '{"zone": "ASK"}',
        '{"zones": "ASK"}',
        "canned.jsonl:1: expect.zones",
        "no probe measures 'zones'; measured are code, code:membership, zone, zone:closed-world",
    ),
}


def test_a_corpus_that_adds_up_has_no_fault(folder: Path) -> None:
    corpus = load(folder)
    assert [*faults(corpus), *truths(corpus, read_sets(corpus))] == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_named_with_its_place(name: str, plant: Plant) -> None:
    file, old, new, where, what = FAULTS[name]
    corpus = read(plant(file, old, new))
    found = [(fault.where.removeprefix(f"{corpus.folder}/"), fault.what) for fault in faults(corpus)]
    assert (where, what) in found


@pytest.mark.parametrize("name", FAULTS)
def test_a_corpus_with_a_fault_is_not_loaded(name: str, plant: Plant) -> None:
    file, old, new, *_ = FAULTS[name]
    with pytest.raises(BadInput):
        load(plant(file, old, new))


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"true_code": "PATCH"', '"true_code": "PATCHES"', "fixtures.jsonl:1: true_code"),
        ('"truth": {"code": "MOVE"}', '"truth": {"code": "move"}', "fixtures.jsonl:2: truth"),
    ],
    ids=["true_code", "truth"],
)
def test_an_answer_outside_its_set_is_named(old: str, new: str, where: str, plant: Plant) -> None:
    corpus = read(plant("fixtures.jsonl", old, new))
    (fault,) = truths(corpus, read_sets(corpus))
    assert fault.where == f"{corpus.folder}/{where}"
    assert fault.what.endswith("is not in the set codes; take one of PATCH, MOVE, or leave it null")


def test_a_corpus_without_a_probe_has_nothing_to_measure(folder: Path) -> None:
    text = (folder / "corpus.toml").read_text(encoding="utf-8")
    (folder / "corpus.toml").write_text("probes = []\n" + text[: text.index("[[probes]]")], encoding="utf-8")
    whats = [fault.what for fault in faults(read(folder))]
    assert "there is no probe; name at least one [[probes]]" in whats


def test_a_corpus_without_a_fixture_is_none(folder: Path) -> None:
    (folder / "fixtures.jsonl").write_text("", encoding="utf-8")
    whats = [fault.what for fault in faults(read(folder))]
    assert "there is no fixture; write at least one into fixtures.jsonl" in whats


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_corpora_add_up(name: str) -> None:
    corpus = load(name)
    assert list(truths(corpus, read_sets(corpus))) == []
