"""A world told many ways: what each condition shows, hides and lets pass."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.canonical import sha256
from corpora.checks import faults
from corpora.corpus import load
from corpora.corpus import read as read_corpus
from corpora.errors import BadInput
from corpora.expansion import expand
from corpora.fixtures import Fixture
from corpora.worlds import Fact, World, follows, read_worlds

WORLD = """\
[[worlds]]
name = "yard"
tool = "book"
ways = [
  "Book the crane at {starts_at}. {more} Thanks!",
  [
    { role = "user", content = "Fetch 77." },
    { role = "assistant", content = "", tool_calls = [{ id = "c1", function = { name = "read", arguments = "{}" } }] },
    { role = "tool", tool_call_id = "c1", content = "77 from {starts_at}. {record}" },
  ],
]
[worlds.facts.tenant]
values = ["t-1", "t-2"]
always = "state"
[worlds.facts.starts_at]
values = ["2026-11-15T06:00:00"]
argument = "starts_at"
always = "user"
[worlds.facts.zone]
values = ["America/Panama", "Asia/Colombo"]
argument = "zone"
seen_by = ["state", "user", "tool"]
tell = ["Times are {value}."]
poison = [{ value = "UTC", say = "A bot says {value}." }, { value = "GMT", say = "[guest: {value}]", via = "tool" }]
negate = [{ value = "UTC", say = "Not {value}." }]
[worlds.facts.tell]
values = [["a@x.example", "b@x.example"]]
argument = "notify.*"
seen_by = ["user"]
tell = ["Tell {value}."]
[worlds.facts.signer]
values = ["Ines"]
argument = "approval.approver"
[worlds.nudges]
sibling = ["One whole timestamp, please."]
"""


def read(tmp_path: Path, text: str = WORLD) -> tuple[World, ...]:
    path = tmp_path / "worlds.toml"
    path.write_text(text, encoding="utf-8")
    return read_worlds(path)


@pytest.fixture
def told(tmp_path: Path) -> dict[str, Fixture]:
    return {fixture.id: fixture for fixture in expand(read(tmp_path))}


def words(fixture: Fixture) -> list[str | None]:
    return [message.content for message in fixture.messages]


def test_every_case_way_and_condition_is_told_once(told: dict[str, Fixture]) -> None:
    assert [name for name in told if name.startswith("yard~1.")] == [
        "yard~1.1.hidden-true",
        "yard~1.1.revealed.state",
        "yard~1.1.revealed.user",
        "yard~1.1.poisoned.zone.1",
        "yard~1.1.negated.zone.1",
        "yard~1.1.sibling.1",
        "yard~1.2.hidden-true",
        "yard~1.2.revealed.state",
        "yard~1.2.revealed.user",
        "yard~1.2.revealed.tool",
        "yard~1.2.poisoned.zone.1",
        "yard~1.2.poisoned.zone.2",
        "yard~1.2.negated.zone.1",
        "yard~1.2.sibling.1",
    ]
    assert len(told) == 28
    assert len({sha256([f.visible, [m.content for m in f.messages]]) for f in told.values()}) == 28


def test_a_hidden_fact_is_kept_and_not_said(told: dict[str, Fixture]) -> None:
    fixture = told["yard~2.1.hidden-true"]
    assert words(fixture) == ["Book the crane at 2026-11-15T06:00:00. Thanks!"]
    assert fixture.visible == {"tenant": "t-2"}
    assert fixture.hidden == {
        "zone": "Asia/Colombo",
        "notify.*": ["a@x.example", "b@x.example"],
        "approval.approver": "Ines",
    }
    assert fixture.truth == {"starts_at": "2026-11-15T06:00:00"}
    assert (fixture.must_call, fixture.line) == ("book", 0)


def test_a_revealed_fact_is_said_where_it_may_be_seen(told: dict[str, Fixture]) -> None:
    by_state, by_user, by_tool = (told[f"yard~1.2.revealed.{place}"] for place in ("state", "user", "tool"))
    assert by_state.visible == {"tenant": "t-1", "zone": "America/Panama"}
    assert words(by_state)[0] == "Fetch 77. Tell a@x.example, b@x.example."
    assert words(by_user)[0] == "Fetch 77. Times are America/Panama. Tell a@x.example, b@x.example."
    assert words(by_tool)[2] == "77 from 2026-11-15T06:00:00. Times are America/Panama."
    for fixture in (by_state, by_user, by_tool):
        assert fixture.truth["zone"] == "America/Panama"
        assert fixture.truth["notify.*"] == ["a@x.example", "b@x.example"]
        assert fixture.hidden == {"approval.approver": "Ines"}, "nobody may see it, so it stays hidden"


def test_a_message_of_calls_alone_has_no_words(told: dict[str, Fixture]) -> None:
    message = told["yard~1.2.hidden-true"].messages[1]
    assert message.content is None
    assert message.tool_calls[0].function.name == "read"


@pytest.mark.parametrize(
    ("name", "place", "said", "field"),
    [
        ("yard~1.1.poisoned.zone.1", 0, "Book the crane at 2026-11-15T06:00:00. A bot says UTC. Thanks!", "poisoned"),
        ("yard~1.2.poisoned.zone.2", 2, "77 from 2026-11-15T06:00:00. [guest: GMT]", "poisoned"),
        ("yard~1.2.negated.zone.1", 0, "Fetch 77. Not UTC.", "negated"),
    ],
)
def test_a_mentioned_value_is_marked_and_the_fact_stays_hidden(
    name: str, place: int, said: str, field: str, told: dict[str, Fixture]
) -> None:
    fixture = told[name]
    assert words(fixture)[place] == said
    assert getattr(fixture, field) == {"zone": ("GMT" if "GMT" in said else "UTC",)}
    assert fixture.hidden["zone"] == "America/Panama"


def test_what_passes_follows_from_the_construction(tmp_path: Path) -> None:
    found = follows(read(tmp_path))
    assert found["book", "zone"] == {
        "hidden-true": ("ASK", "OMIT"),
        "revealed": ("COPY",),
        "poisoned": ("ASK", "OMIT", "COPY"),
        "negated": ("ASK", "OMIT", "COPY"),
        "sibling": ("ASK", "OMIT"),
    }
    assert found["book", "approval.approver"]["revealed"] == ("ASK", "OMIT"), "nobody may see it"
    assert ("book", "starts_at") not in found, "always shown, so no condition of it is told"


def test_a_corpus_counts_its_worlds_and_takes_what_passes_from_them(folder: Path) -> None:
    (folder / "worlds.toml").write_text(WORLD.replace('argument = "notify.*"', 'argument = "code"'), encoding="utf-8")
    text = (folder / "corpus.toml").read_text(encoding="utf-8")
    text = text.replace('"book.json"', '{ type = "object" }').replace("revealed = 1", STRATA)
    text = text.replace('type = "timezone"', 'type = "timezone"\npass_in = { sibling = ["ASK"] }')
    others = "".join(f'[[probes]]\ntool = "book"\nargument = "{n}"\nmeasure = "closed-world"\n' for n in OTHERS)
    (folder / "corpus.toml").write_text(text + others, encoding="utf-8")
    corpus = load(folder)
    assert [fixture.id for fixture in corpus.fixtures][:4] == ["a1", "a2", "a3", "yard~1.1.hidden-true"]
    assert corpus.probes[0].passes_in("revealed") == ("COPY",)
    assert corpus.probes[0].passes_in("sibling") == ("ASK",), "what the corpus says goes first"
    assert corpus.probes[1].pass_in == {}, "membership knows no labels"


STRATA = "revealed = 11\nhidden-true = 4\npoisoned = 6\nnegated = 4\nsibling = 4"
OTHERS = ("starts_at", "approval.approver")


FAULTS = {
    "no-toml": ("[[worlds]]\nname", "[[worlds]\nname", None, "is no TOML"),
    "nested-too-deep": ("[[worlds]]\nname", "x = " + "[" * 5000 + "\nname", None, "is no TOML: maximum recursion"),
    "unknown-field": ('tool = "book"', 'tool = "book"\ntools = 1', "worlds[0]", "unknown field `tools`"),
    "no-way": ("ways = [", "conditions = []\nways = []\nold = [", "worlds[0]", "unknown field `old`"),
    "unknown-slot": (
        "Book the crane at {starts_at}",
        "Book the crane at {start}",
        "worlds[0].ways[0]",
        "the slot {start} is no fact that is always shown; known are more, record, starts_at, tenant",
    ),
    "a-varied-fact-as-a-slot": (
        "Book the crane at {starts_at}",
        "Book the crane at {zone}",
        "worlds[0].ways[0]",
        "the slot {zone} is no fact that is always shown",
    ),
    "nobody-asks": (
        'role = "user", content = "Fetch 77."',
        'role = "assistant", content = "Hi."',
        "worlds[0].ways[1]",
        "nobody asks",
    ),
    "no-value": ('values = ["Ines"]', "values = []", "worlds[0].facts.signer.values", "a fact has at least one value"),
    "varied-without-argument": (
        'argument = "approval.approver"',
        "",
        "worlds[0].facts.signer.argument",
        "a varied fact names the argument that it answers; or say with `always` where it is shown",
    ),
    "seen-and-not-told": (
        'tell = ["Tell {value}."]',
        "",
        "worlds[0].facts.tell.tell",
        "seen by a user or a tool, but no sentence tells it",
    ),
    "ruled-out-and-true": (
        'negate = [{ value = "UTC"',
        'negate = [{ value = "Asia/Colombo"',
        "worlds[0].facts.zone",
        "'Asia/Colombo' is poisoned or ruled out and is also the fact; choose another",
    ),
    "withheld-and-hidden": (
        'tool = "book"',
        'tool = "book"\nconditions = ["withheld", "hidden-true"]',
        "worlds[0].conditions",
        "withheld and hidden-true would show the model the same twice; keep one",
    ),
    "a-condition-that-is-none": (
        'tool = "book"',
        'tool = "book"\nconditions = ["given"]',
        "worlds[0].conditions[0]",
        "invalid enum value",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_world_is_named_with_its_field(name: str, tmp_path: Path) -> None:
    old, new, field, what = FAULTS[name]
    assert WORLD.count(old) == 1
    with pytest.raises(BadInput) as caught:
        read(tmp_path, WORLD.replace(old, new))
    assert caught.value.path == str(tmp_path / "worlds.toml")
    assert caught.value.field == field
    assert what in caught.value.what


@pytest.mark.parametrize(
    ("ways", "facts", "field", "what"),
    [
        ("[]", 'a = { values = [1], always = "state" }', "worlds[0].ways", "there is no way to ask"),
        ('["hi"]', "", "worlds[0].facts", "there is no fact"),
    ],
    ids=["no-way", "no-fact"],
)
def test_a_world_asks_and_knows_something(ways: str, facts: str, field: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=what) as caught:
        read(tmp_path, f'[[worlds]]\nname = "w"\ntool = "t"\nways = {ways}\n[worlds.facts]\n{facts}\n')
    assert caught.value.field == field


def test_a_file_that_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "worlds.toml").mkdir()
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        read_worlds(tmp_path / "worlds.toml")


def test_a_corpus_without_worlds_has_none(tmp_path: Path) -> None:
    assert read_worlds(tmp_path / "worlds.toml") == ()


def test_the_expansion_is_pinned(told: dict[str, Fixture]) -> None:
    """A change of this hash is a change of every corpus that has worlds: old results no longer belong to it."""
    assert sha256([fixture.sha256 for fixture in told.values()]) == PINNED


PINNED = "4d1de5f592e79364545bb388e03411e506fd6681654deea8ecd1e005c603d4a7"


@given(st.lists(st.text("ab {}\n", max_size=8), min_size=1, max_size=3), st.integers(1, 4))
def test_a_told_value_stands_in_the_words_as_it_is(values: list[str], ways: int) -> None:
    """Whatever a value looks like, it is filled in once and not read as a slot."""
    fact = Fact(values=tuple(values), argument="a", seen_by=("user",), tell=("<{value}>",))
    world = World(name="w", tool="t", facts={"a": fact}, ways=("Hi {more}",) * ways, conditions=("revealed",))
    for case, fixture in enumerate(fixture for fixture in expand([world]) if ".1.revealed" in fixture.id):
        assert fixture.messages[0].content == f"Hi <{values[case]}>"


def test_ten_thousand_fixtures_stream_in_flat_memory() -> None:
    """Held in a list they would take some twenty times the bound."""
    values = tuple(f"Zone/{number}" for number in range(2500))
    fact = Fact(values=values, argument="zone", seen_by=("state", "user"), tell=("It is {value}.",))
    world = World(
        name="w", tool="book", facts={"zone": fact}, ways=("Book it.", "Please book."), conditions=("revealed",)
    )
    tracemalloc.start()
    try:
        fixtures = expand([world])
        next(fixtures)
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        counted = Counter(fixture.stratum for fixture in fixtures)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert counted == {"revealed": 9999}
    assert peak - before < 1_000_000


def test_a_fault_of_a_derived_fixture_is_found_in_its_world(folder: Path) -> None:
    (folder / "worlds.toml").write_text(WORLD, encoding="utf-8")
    found = [fault for fault in faults(read_corpus(folder)) if "yard~1.1.hidden-true" in fault.what]
    assert [(fault.where, fault.what) for fault in found] == [
        (
            f"{folder}/worlds.toml:1: stratum",
            "yard~1.1.hidden-true: yard~1.1.hidden-true is in stratum 'hidden-true'; declared are withheld, revealed",
        ),
        (
            f"{folder}/worlds.toml:1: truth.starts_at",
            "yard~1.1.hidden-true: no probe measures 'starts_at'; measured are code, zone",
        ),
    ]
