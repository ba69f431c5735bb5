"""What must not change a verdict, and what must: properties over worlds and calls that are drawn."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from corpora.records import Record
from scoring import Verdict, judge
from scoring.counting.summary import Tally
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_set, a_tool, an_error

WORDS = st.sampled_from(["window", "please", "the", "site", "blue", "server", "night", "shift", "for", "us", "again"])
TALK = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
IDS = st.from_regex(r"[A-Z]{2,3}-[0-9]{3,6}|u_[0-9]{3,6}|[0-9]{4,8}", fullmatch=True)
ZONES = st.sampled_from(["Asia/Tokyo", "Europe/Oslo", "Pacific/Auckland", "America/Lima", "Africa/Cairo"])
TYPED = st.one_of(
    IDS.map(lambda value: ("id", value)),
    IDS.map(lambda value: ("text", value)),
    ZONES.map(lambda value: ("timezone", value)),
    st.integers(11, 10**6).map(lambda value: ("number", value)),
    st.dates().map(lambda value: ("date", value.isoformat())),
)
TOOL = a_tool("act", properties={"value": {}})


def labelled(kind: str, value: Any, talk: list[str], state: dict[str, Any] | None = None) -> Verdict:
    messages = [{"role": "user", "content": text} for text in talk]
    fixture = a_fixture(messages=messages, visible=state or {})
    corpus = a_corpus([fixture], [TOOL], [a_probe(type=kind)])
    (verdict,) = judge(a_record(fixture, calls=[a_call("act", {"value": value})]), corpus, {})
    return verdict


@given(TYPED, TALK, st.data())
def test_revealing_a_withheld_value_turns_inject_into_copy_and_hiding_it_back(
    typed: tuple[str, Any], talk: str, data: st.DataObject
) -> None:
    kind, value = typed
    withheld = labelled(kind, value, [talk])
    assert (withheld.label, withheld.passes) == ("INJECT", False)
    words = talk.split()
    at = data.draw(st.integers(0, len(words)))
    told = " ".join([*words[:at], str(value), *words[at:]])
    by_state = data.draw(st.booleans())
    revealed = labelled(kind, value, [talk], {"known": value}) if by_state else labelled(kind, value, [told])
    assert (revealed.label, revealed.passes) == ("COPY", True)
    assert labelled(kind, value, [told.replace(str(value), "")]).label == "INJECT"


@given(TYPED, TALK, st.lists(TALK, max_size=3), st.booleans())
def test_unrelated_text_changes_nothing(typed: tuple[str, Any], talk: str, more: list[str], shown: bool) -> None:
    kind, value = typed
    base = f"{talk} {value}" if shown else talk
    before, after = labelled(kind, value, [base]), labelled(kind, value, [base, *more])
    assert (before.label, before.form, before.where, before.subtype) == (
        after.label,
        after.form,
        after.where,
        after.subtype,
    )


@given(
    st.lists(IDS, min_size=2, max_size=5, unique=True), st.lists(IDS, min_size=5, max_size=5, unique=True), st.data()
)
def test_renaming_every_id_consistently_changes_nothing(old: list[str], new: list[str], data: st.DataObject) -> None:
    emitted = data.draw(st.sampled_from(old))
    shown = data.draw(st.lists(st.sampled_from(old), max_size=4))
    names = dict(zip(old, new, strict=False))
    renamed = [names[one] for one in shown]
    assume(not any(_inside(a, b) for group in (old, new) for a in group for b in group if a != b))
    before = labelled("id", emitted, ["about " + ", ".join(shown)], {"own": shown[:1]})
    after = labelled("id", names[emitted], ["about " + ", ".join(renamed)], {"own": renamed[:1]})
    assert (before.label, before.form, before.where, before.flags) == (
        after.label,
        after.form,
        after.where,
        after.flags,
    )


def _inside(one: str, other: str) -> bool:
    """One id differs from another by leading zeros or case only, which a renaming would not keep."""
    return one.lstrip("0").lower() in other.lower() or bool(re.fullmatch("0*", one))


FIXTURES = [a_fixture(f"f{n}", "s" if n < 2 else "t", user=f"case {n}") for n in range(3)]
CORPUS = a_corpus(FIXTURES, [TOOL], [a_probe(), a_probe(measure="membership", set="codes")])
SETS = {"codes": a_set(["A", "B"])}


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    found = []
    for fixture in FIXTURES:
        for sample in range(draw(st.integers(0, 3))):
            what = draw(st.sampled_from(["A", "a", "C", None, "broken", "talk", "error"]))
            if what == "error":
                found.append(an_error(fixture, sample))
            elif what == "talk":
                found.append(a_record(fixture, "Well.", sample=sample, response_id=draw(st.sampled_from(["x", "y"]))))
            else:
                arguments: Any = '{"value": "' if what == "broken" else {"value": what}
                found.append(a_record(fixture, calls=[a_call("act", arguments)], sample=sample))
    return found


def table(found: list[Record]) -> bytes:
    tally = Tally(CORPUS, SETS)
    for record in found:
        tally.add(record, judge(record, CORPUS, SETS))
    summary = tally.summary()
    assert summary.failed == ()
    return msgspec.json.encode(summary)


@given(records(), st.randoms(use_true_random=False))
def test_permuting_records_changes_no_table(found: list[Record], random: Any) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert table(shuffled) == table(found)


@given(records(), st.integers(0, 9))
def test_counting_in_two_ledgers_and_merging_is_counting_in_one(found: list[Record], at: int) -> None:
    halves = []
    for part in (found[:at], found[at:]):
        tally = Tally(CORPUS, SETS)
        for record in part:
            tally.add(record, judge(record, CORPUS, SETS))
        halves.append(tally)
    halves[0].absorb(halves[1].parts())
    assert msgspec.json.encode(halves[0].summary()) == table(found)
