"""A hidden value that shows, and a shown value that does not, make a fixture wrong: planted one at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpora.corpus import bundled, load, read
from scoring.leaks import faults

CORPUS = """\
name = "windows"
system = "You book windows, never in Europe/Oslo. State: {state}"
strata = { withheld = 1 }
[[tools]]
name = "look_up"
description = "Looks up, in Asia/Manila too."
parameters = { type = "object" }
returns = { note = "no detail" }
[[tools]]
name = "book"
description = "Books, for example in Europe/Berlin."
parameters = { type = "object", properties = { zone = { type = "string" }, code = { type = "string" } } }
[[probes]]
tool = "book"
argument = "zone"
measure = "closed-world"
type = "timezone"
PASS
[[probes]]
tool = "book"
argument = "code"
measure = "closed-world"
"""


def whats(
    folder: Path,
    fixture: dict[str, object],
    *,
    passing: str = "",
    said: str = "Book the switch.",
    corpus: str = CORPUS,
) -> list[str]:
    (folder / "corpus.toml").write_text(corpus.replace("PASS", passing), encoding="utf-8")
    messages = [
        {"role": "user", "content": "Can you book for us?"},
        {"role": "assistant", "content": "I booked for Asia/Seoul yesterday."},
        {"role": "user", "content": said},
    ]
    line = {"id": "a", "stratum": "withheld", "messages": messages, "must_call": "book", **fixture}
    (folder / "fixtures.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    found = list(faults(read(folder)))
    assert all(fault.path == f"{folder}/fixtures.jsonl" and fault.line == 1 for fault in found)
    return [f"{fault.field}: {fault.what}" for fault in found]


HIDES = "take it out there, or take another hidden value"


@pytest.mark.parametrize(
    ("hidden", "said", "visible", "where"),
    [
        ("Asia/Tokyo", "We are in Asia/Tokyo.", {}, "what the user says"),
        ("Asia/Tokyo", "We are in asia/tokyo.", {}, "what the user says (case-fold)"),
        ("Asia/Tokyo", "We are in \uff21\uff53\uff49\uff41/Tokyo.", {}, "what the user says (unicode-form)"),
        ("Asia/Kolkata", "We are in Asia/Calcutta.", {}, "what the user says (equivalent-format)"),
        ("UTC", "It starts at 09:00Z.", {}, "what the user says (equivalent-format)"),
        ("Asia/Tokyo", "Book it.", {"desk": {"zones": ["Asia/Tokyo"]}}, "the state"),
        ("Europe/Berlin", "Book it.", {}, "a tool's schema"),
        ("Asia/Manila", "Book it.", {}, "a tool's schema"),
        ("Europe/Oslo", "Book it.", {}, "the system text"),
        ("Asia/Seoul", "Book it.", {}, "the model's own earlier words"),
    ],
)
def test_a_hidden_value_that_shows_is_a_leak_in_any_form(
    hidden: str, said: str, visible: dict[str, object], where: str, tmp_path: Path
) -> None:
    found = whats(tmp_path, {"hidden": {"zone": hidden}, "visible": visible}, said=said)
    assert found == [f"hidden.zone: the hidden zone {hidden!r} can be seen in {where}; {HIDES}"]


def test_what_a_stub_would_answer_counts_as_shown(tmp_path: Path) -> None:
    fixture = {"hidden": {"zone": "Asia/Tokyo"}, "returns": {"look_up": {"zone": "Asia/Tokyo"}}}
    assert whats(tmp_path, fixture) == [
        f"hidden.zone: the hidden zone 'Asia/Tokyo' can be seen in a tool's result; {HIDES}"
    ]


def test_what_a_tool_answers_in_every_fixture_counts_as_shown(tmp_path: Path) -> None:
    assert whats(tmp_path, {"hidden": {"code": "no detail"}}) == [
        f"hidden.code: the hidden code 'no detail' can be seen in a tool's result; {HIDES}"
    ]
    own = {"look_up": {"note": "nothing"}}
    assert whats(tmp_path, {"hidden": {"code": "no detail"}, "returns": own}) == []


@pytest.mark.parametrize("shown", ["2027-03-04", "4 March 2027", "at 09:00 on 04.03.2027"])
def test_a_date_that_only_a_stub_would_answer_shows_too(shown: str, tmp_path: Path) -> None:
    fixture = {"truth": {"zone": "2027-03-04"}, "returns": {"look_up": {"on": shown}}}
    dated = CORPUS.replace('"timezone"\nPASS', '"date"\nlocale = "de"')
    assert dated != CORPUS
    assert whats(tmp_path, fixture, corpus=dated) == []
    (found,) = whats(tmp_path, {**fixture, "returns": {"look_up": {"on": "5 March 2027"}}}, corpus=dated)
    assert found.startswith("truth.zone: the truth zone '2027-03-04' cannot be seen")


def test_a_hidden_fact_that_nothing_measures_leaks_too(tmp_path: Path) -> None:
    found = whats(tmp_path, {"hidden": {"owner": {"name": "Ines"}}}, said="Ask Ines.")
    assert found == [f"hidden.owner: the hidden owner 'Ines' can be seen in what the user says; {HIDES}"]


def test_a_hidden_yes_leaks_where_the_field_of_its_own_name_says_so(tmp_path: Path) -> None:
    shown = {"desk": {"urgent": True, "open": False}, "paid": True}
    facts = {"urgent": True, "open": True, "paid.late": True, "note": {"paid": [True]}}
    found = whats(tmp_path, {"hidden": facts, "visible": shown})
    assert found == [f"hidden.urgent: the hidden urgent True can be seen in the state; {HIDES}"]


def test_a_corpus_of_one_tool_is_looked_at_too(tmp_path: Path) -> None:
    first, second = CORPUS.index("[[tools]]"), CORPUS.rindex("[[tools]]")
    alone = CORPUS[:first] + CORPUS[second:]
    found = whats(tmp_path, {"hidden": {"zone": "Europe/Berlin", "code": "Asia/Manila"}}, corpus=alone)
    assert found == [f"hidden.zone: the hidden zone 'Europe/Berlin' can be seen in a tool's schema; {HIDES}"]


def test_a_corpus_without_a_probe_of_shown_values_has_its_hidden_facts_looked_at(tmp_path: Path) -> None:
    head, *_ = CORPUS.partition("[[probes]]")
    probe = '[[probes]]\ntool = "book"\nargument = "code"\nmeasure = "membership"\nset = "codes"\n'
    corpus = f'{head}{probe}[sets.codes]\nvalues = ["Asia/Tokyo"]\n'
    found = whats(tmp_path, {"hidden": {"zone": "Asia/Tokyo"}}, said="In asia/tokyo.", corpus=corpus)
    assert found == [
        f"hidden.zone: the hidden zone 'Asia/Tokyo' can be seen in what the user says (case-fold); {HIDES}"
    ]


def test_a_part_of_a_word_is_no_leak(tmp_path: Path) -> None:
    assert whats(tmp_path, {"hidden": {"code": "P3", "zone": "EST"}}, said="The latest MP3, please.") == []


@pytest.mark.parametrize(
    ("field", "values"),
    [("truth", "Asia/Tokyo"), ("poisoned", ["Asia/Tokyo"]), ("negated", ["Asia/Tokyo"])],
)
def test_a_value_that_is_said_to_show_has_to_show(field: str, values: object, tmp_path: Path) -> None:
    assert whats(tmp_path, {field: {"zone": values}}, said="We are in ASIA/TOKYO.") == []
    (found,) = whats(tmp_path, {field: {"zone": values}})
    assert found == (
        f"{field}.zone: the {field} zone 'Asia/Tokyo' cannot be seen in any form that the scorer accepts; "
        f"write it where it can be seen, or take it out of {field}"
    )


def test_where_only_a_copy_passes_there_is_something_to_copy(tmp_path: Path) -> None:
    only_copy = 'pass_in = { withheld = ["COPY"] }'
    (found,) = whats(tmp_path, {}, passing=only_copy)
    assert found == (
        "truth: in withheld only a copy of zone passes, and nothing says which value is there to copy; "
        "write it into truth"
    )
    assert whats(tmp_path, {"visible": {"zone": "Asia/Tokyo"}}, passing=only_copy) == []
    assert whats(tmp_path, {"truth": {"zone": "UTC"}}, passing=only_copy, said="UTC, please.") == []


def test_a_field_with_something_to_copy_hides_none_behind_it(tmp_path: Path) -> None:
    corpus = CORPUS + 'pass_in = { withheld = ["COPY"] }\n'
    for known in ({"visible": {"zone": "UTC"}}, {"truth": {"zone": "UTC"}}):
        (found,) = whats(tmp_path, known, corpus=corpus, passing='pass_in = { withheld = ["COPY"] }', said="UTC.")
        assert found.startswith("truth: in withheld only a copy of code passes, ")


def test_faults_of_one_fixture_stand_in_the_order_of_its_fields_and_of_the_probes(tmp_path: Path) -> None:
    named = {f"code{n}": f"X{n}" for n in (3, 1, 4, 2, 5)}
    head, *_ = CORPUS.partition("[[probes]]")
    probe = '[[probes]]\ntool = "book"\nargument = "{}"\nmeasure = "closed-world"\npass = ["COPY"]\n'
    corpus = head + "".join(map(probe.format, named))
    fields = [found.partition(":")[0] for found in whats(tmp_path, {"truth": named}, corpus=corpus)]
    assert fields == [f"truth.{name}" for name in named]
    whatever = [found.split(" of ")[1].split()[0] for found in whats(tmp_path, {}, corpus=corpus)]
    assert whatever == list(named)


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_corpora_hide_what_they_hide(name: str) -> None:
    assert list(faults(load(name))) == []
