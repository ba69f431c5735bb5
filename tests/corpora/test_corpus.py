"""A corpus from its folder: what is read, what pins it, and every way in which it can fail to add up."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from corpora.canonical import canonical, sha256
from corpora.checks import faults
from corpora.corpus import bundled, find, load, read, read_sets
from corpora.errors import BadInput
from corpora.reading import read_table


def test_a_corpus_is_read_whole(desk) -> None:
    corpus = load(desk())
    assert [fixture.id for fixture in corpus.fixtures] == ["g-1", "w-1"]
    assert [fixture.line for fixture in corpus.fixtures] == [1, 2]
    assert [trace.line for trace in corpus.canned] == [1]
    assert (corpus.run.samples, corpus.run.max_turns) == (2, 4)
    assert corpus.strata == {"given": 1, "withheld": 1}
    book, ask = corpus.tools
    assert book.required == ("room",)
    assert ask.parameters == {"type": "object", "properties": {"field": {"type": "string"}}, "required": ["field"]}
    assert corpus.tool("book") == book
    assert corpus.tool("nope") is None
    assert corpus.must_call(corpus.fixtures[0]) == "book"
    assert corpus.system_text(corpus.fixtures[0]) == 'You book rooms. State: {"user": "u"}'
    assert read_sets(corpus)["rooms"].values == ("A", "B")


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_corpora_add_up(name: str) -> None:
    corpus = load(name)
    assert corpus.name == name
    assert sum(corpus.strata.values()) == len(corpus.fixtures)
    assert all(found.values for found in read_sets(corpus).values())
    assert corpus.canned


def test_a_corpus_is_found_by_bundled_name_or_folder(desk, monkeypatch) -> None:
    folder = desk()
    assert find("refunds").is_dir()
    assert find(str(folder)) == folder
    monkeypatch.chdir(folder.parent)
    assert find("desk") == Path("desk")
    assert load(Path("desk")).name == "desk"


def test_a_hash_moves_with_what_it_pins_and_with_nothing_else(desk) -> None:
    folder = desk()
    before = load(folder)
    (folder / "README.md").write_text("words", encoding="utf-8")
    (folder / "canned.jsonl").write_text("", encoding="utf-8")
    (folder / "service.py").write_text("from enum import Enum\nclass Room(Enum):\n    C = 'C'\n", encoding="utf-8")
    assert load(folder).corpus_sha256 == before.corpus_sha256
    fixtures = folder / "fixtures.jsonl"
    fixtures.write_text(
        fixtures.read_text(encoding="utf-8").replace(
            '{"id": "g-1", "stratum": "given"', '{"stratum":"given","id":"g-1"'
        ),
        encoding="utf-8",
    )
    assert load(folder).corpus_sha256 == before.corpus_sha256, "the order of keys and white space do not matter"
    fixtures.write_text(
        fixtures.read_text(encoding="utf-8").replace("Room A please.", "Room B please."), encoding="utf-8"
    )
    after = load(folder)
    assert after.corpus_sha256 != before.corpus_sha256
    assert after.fixtures[0].sha256 != before.fixtures[0].sha256
    assert after.fixtures[1].sha256 == before.fixtures[1].sha256
    assert (after.system_sha256, after.tools_sha256) == (before.system_sha256, before.tools_sha256)


def test_canonical_json_sorts_keys_and_has_no_white_space() -> None:
    assert canonical({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'.encode()
    assert sha256({"b": 1, "a": 2}) == sha256({"a": 2, "b": 1})


TOML_FAULTS = [
    pytest.param(
        ("given = 1", "given = 3"),
        "corpus.toml:6: strata.given: the strata do not add up: given is declared with 3 fixtures and has 1",
        id="strata do not add up",
    ),
    pytest.param(("name =", "name"), "corpus.toml: is no TOML: ", id="no TOML"),
    pytest.param(
        ('parameters = "book.json"', 'parameters = "list.json"'),
        "list.json: expected a JSON Schema object",
        id="schema is a list",
    ),
    pytest.param(
        ("[run]", "[rum]"),
        "corpus.toml: object contains unknown field `rum`; known are name, system, strata, tools, probes, run, sets",
        id="unknown table",
    ),
    pytest.param(
        ("samples = 2", "sample = 2"),
        "corpus.toml:3: run: object contains unknown field `sample`; known are temperature, samples, max_turns,"
        " max_tokens, tool_choice",
        id="unknown field of a table",
    ),
    pytest.param(
        ('set = "rooms"', 'set = "rooms"\npass = ["ASK", "SKIP"]'),
        "corpus.toml:20: probes[0].pass[1]: invalid enum value 'SKIP'; known are ASK, COPY, DRIFT, INJECT, OMIT",
        id="unknown label",
    ),
    pytest.param(
        ("[sets.rooms]", '[sets.rooms]\ncompare = "loose"'),
        "corpus.toml:21: sets.rooms.compare: invalid enum value 'loose'; known are case-insensitive, exact",
        id="unknown comparison",
    ),
    pytest.param(
        ("[sets.rooms]", "[sets.rooms]\nvalue = []"),
        "corpus.toml:20: sets.rooms: object contains unknown field `value`; known are enum, query, database, url,",
        id="unknown field of a set",
    ),
    pytest.param(("samples = 2", "samples = 0"), "corpus.toml:4: run.samples: expected `int` >= 1", id="no samples"),
    pytest.param(
        ('parameters = "book.json"', 'parameters = "../book.json"'),
        "corpus.toml:11: tools[0].parameters: the path '../book.json' leaves the corpus's folder",
        id="schema out of the folder",
    ),
    pytest.param(
        ('parameters = "book.json"', 'parameters = "no.json"'),
        "no.json: cannot be read: No such file",
        id="schema not there",
    ),
    pytest.param(
        ('parameters = "book.json"', 'parameters = "service.py"'),
        "service.py: this is no JSON: ",
        id="schema is no JSON",
    ),
    pytest.param(
        ('tool = "book"', 'tool = "boook"'),
        "corpus.toml:16: probes[0].tool: there is no tool 'boook'; the tools are book, ask_user",
        id="probe on an unknown tool",
    ),
    pytest.param(
        ('set = "rooms"', 'set = "flats"'),
        "corpus.toml:19: probes[0].set: there is no set 'flats'; the sets are rooms",
        id="unknown set",
    ),
    pytest.param(('set = "rooms"', ""), "corpus.toml:15: probes[0].set: a membership probe names its set", id="no set"),
    pytest.param(
        ('measure = "membership"', 'measure = "luck"'),
        "corpus.toml:18: probes[0].measure: invalid enum value 'luck'; known are closed-world, membership",
        id="unknown measure",
    ),
    pytest.param(
        ('set = "rooms"', 'set = "rooms"\npass_in = { often = ["COPY"] }'),
        "corpus.toml:20: probes[0].pass_in: there is no stratum 'often'",
        id="unknown stratum",
    ),
    pytest.param(
        (
            "[sets.rooms]",
            '[[probes]]\ntool = "book"\nargument = "room"\nmeasure = "membership"\nset = "rooms"\n[sets.rooms]',
        ),
        "corpus.toml:17: probes[0].argument: room of book is measured twice by membership; drop one",
        id="probe listed twice",
    ),
    *(
        pytest.param(
            ('set = "rooms"', f'set = "rooms"\n{rule}'), f"corpus.toml:20: probes[0].{sentence}", id=f"rule {rule}"
        )
        for rule, sentence in {
            'derive = ["relative-dates"]': "derive: there is no derivation 'relative-dates'; there is relative-date",
            'locale = "german"': "locale: expected a language such as de, en-US or pt-BR, found 'german'",
            'locale = ""': "locale: expected a language such as de, en-US or pt-BR, found ''",
            "minor_units = 2": 'minor_units: minor units are of money, and the type is text; write type = "money"',
            'minor_units = -1\ntype = "money"': "minor_units: expected 0 to 18 decimals, found -1",
            'minor_units = 19\ntype = "money"': "minor_units: expected 0 to 18 decimals, found 19",
        }.items()
    ),
    pytest.param(
        ('name = "ask_user"', 'name = "book"'),
        "corpus.toml:9: tools[0].name: two tools are called 'book'; rename one",
        id="two tools of one name",
    ),
]
FIXTURE_FAULTS = [
    pytest.param(
        ('"stratum": "withheld"', '"stratum": "hidden"'),
        "fixtures.jsonl:2: stratum: w-1 is in stratum 'hidden'; declared are given, withheld",
        id="fixture in no stratum",
    ),
    pytest.param(
        ('"w-1", "stratum": "withheld"', '"g-1", "stratum": "withheld"'),
        "fixtures.jsonl:2: id: the id 'g-1' stands in line 1 already",
        id="duplicate id",
    ),
    pytest.param(("}]}\n", "}]\n"), "fixtures.jsonl:2: this is no JSON: ", id="broken line"),
    pytest.param(
        ('"visible"', '"visable"'), "fixtures.jsonl:1: unknown field 'visable'; known are ", id="unknown field"
    ),
    pytest.param(
        ('"visible"', '"line": 3, "visible"'), "fixtures.jsonl:1: unknown field 'line'", id="field of the loader"
    ),
    pytest.param(('"id": "w-1", ', ""), "fixtures.jsonl:2: object missing required field `id`", id="no id"),
    pytest.param(
        ('"role": "user", "content": "A room', '"role": "boss", "content": "A room'),
        "fixtures.jsonl:2: $.messages[0].role: invalid enum value 'boss'; known are assistant, system, tool, user",
        id="unknown role",
    ),
    pytest.param(
        ('[{"role": "user", "content": "A room please."}]', "[]"),
        "fixtures.jsonl:2: messages: w-1 has no message",
        id="no message",
    ),
    pytest.param(
        ('"id": "w-1"', '"must_call": "pay", "id": "w-1"'),
        "fixtures.jsonl:2: must_call: there is no tool 'pay'",
        id="unknown must_call",
    ),
    pytest.param('["g-1"]\n', "fixtures.jsonl:1: expected a JSON object with id, stratum and messages", id="no object"),
    pytest.param(None, "fixtures.jsonl: is not there; a corpus has its fixtures in it", id="no fixtures"),
]
CANNED_FAULTS = [
    pytest.param(
        ('"fixture": "g-1"', '"fixture": "g-2"'),
        "canned.jsonl:1: fixture: there is no fixture 'g-2'",
        id="unknown fixture",
    ),
    pytest.param(
        ('"expect"', '"expected"'),
        "canned.jsonl:1: object contains unknown field `expected`; known are fixture, trace, expect, note",
        id="unknown field",
    ),
    pytest.param(('"expect"', '"line": 3, "expect"'), "canned.jsonl:1: unknown field 'line'", id="field of the loader"),
    pytest.param("\n\n{\n", "canned.jsonl:3: this is no JSON: ", id="broken line"),
    pytest.param("[]\n", "canned.jsonl:1: expected `object`, got `array`", id="no object"),
]


@pytest.mark.parametrize(
    ("file", "change", "sentence"),
    [
        pytest.param(name, *case.values, id=f"{name.partition('_')[0]}: {case.id}")
        for name, cases in {
            "corpus_dot_toml": TOML_FAULTS,
            "fixtures_dot_jsonl": FIXTURE_FAULTS,
            "canned_dot_jsonl": CANNED_FAULTS,
        }.items()
        for case in cases
    ],
)
def test_what_does_not_add_up_is_one_sentence_with_its_place(desk, file: str, change, sentence: str) -> None:
    folder = desk(**{file: change})
    with pytest.raises(BadInput) as caught:
        load(folder)
    assert str(caught.value).startswith(f"{folder}/{sentence}")


def test_a_corpus_toml_that_may_not_be_read_is_told_so(desk) -> None:
    folder = desk()
    (folder / "corpus.toml").unlink()
    (folder / "corpus.toml").mkdir()
    with pytest.raises(BadInput, match=r"corpus\.toml: cannot be read: Is a directory"):
        read_table(folder / "corpus.toml")


def test_every_fault_is_found_not_only_the_first(desk) -> None:
    folder = desk(corpus_dot_toml=("given = 1", "given = 3"), fixtures_dot_jsonl=('"withheld"', '"hidden"'))
    assert len(list(faults(read(folder)))) == 3


def test_a_corpus_without_fixtures_tools_or_probes_is_told_so(desk) -> None:
    folder = desk(
        corpus_dot_toml='name = "n"\nsystem = "s"\nstrata = {}\ntools = []\nprobes = []\n',
        fixtures_dot_jsonl="",
        canned_dot_jsonl=None,
    )
    assert [fault.field for fault in faults(read(folder))] == ["strata", "tools", "probes"]


def test_a_set_that_cannot_be_read_is_named_with_its_corpus(desk) -> None:
    folder = desk(corpus_dot_toml=('enum = "service.py:Room"', "values = []"))
    with pytest.raises(BadInput) as caught:
        read_sets(load(folder))
    assert str(caught.value) == f"{folder}/corpus.toml:20: sets.rooms: the set is empty: values gave no value"


@pytest.mark.parametrize("path", ["rooms[]", "rooms.*"])
def test_a_probe_may_be_of_every_item_of_an_array(desk, path: str) -> None:
    rooms = '{ type = "object", properties = { rooms = { type = "array", items = { type = "string" } } } }'
    folder = desk(corpus_dot_toml=('"book.json"', rooms), canned_dot_jsonl=None)
    text = (folder / "corpus.toml").read_text(encoding="utf-8")
    (folder / "corpus.toml").write_text(text.replace('argument = "room"', f'argument = "{path}"'), encoding="utf-8")
    assert load(folder).probes[0].argument == path


def test_an_older_snapshot_out_of_the_folder_is_told_with_the_line_that_names_it(desk) -> None:
    folder = desk()
    text = (folder / "corpus.toml").read_text(encoding="utf-8")
    (folder / "corpus.toml").write_text(f'{text}former = ["../old.json"]\n', encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_sets(load(folder))
    assert str(caught.value).startswith(f"{folder}/corpus.toml:22: sets.rooms.former: the path '../old.json' leaves ")


def test_an_unknown_corpus_is_told_with_the_known_ones() -> None:
    with pytest.raises(
        BadInput, match=r"no corpus 'nope': it is no folder with a corpus\.toml, and the bundled ones are "
    ):
        load("nope")


def test_a_saved_byte_order_mark_and_windows_line_ends_change_nothing(desk) -> None:
    folder = desk()
    before = load(folder).corpus_sha256
    for name in ("corpus.toml", "fixtures.jsonl"):
        text = (folder / name).read_bytes()
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert load(folder).corpus_sha256 == before


@pytest.mark.parametrize(
    "name", ["corpus.toml", "worlds.toml", "fixtures.jsonl", "canned.jsonl", "service.py", "book.json"]
)
def test_a_corpus_reads_nothing_outside_its_folder_and_waits_for_no_pipe(desk, name: str) -> None:
    folder = desk()
    outside = folder.parent / name
    outside.write_text(
        (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else "", encoding="utf-8"
    )
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    with pytest.raises(BadInput, match="leaves the corpus's folder"):
        read_sets(load(folder))
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(BadInput, match=r"no plain file|it is no folder with a corpus\.toml"):
        read_sets(load(folder))


def test_a_link_within_the_folder_is_followed(desk) -> None:
    folder = desk()
    (folder / "fixtures.jsonl").rename(folder / "all.jsonl")
    (folder / "fixtures.jsonl").symlink_to("all.jsonl")
    assert len(load(folder).fixtures) == 2


@pytest.mark.parametrize(
    "rule", ['locale = "pt_BR"', 'locale = "zh-Hant-TW"', "derive = []", 'derive = ["relative-date"]']
)
def test_a_rule_that_is_heeded_is_no_fault(desk, rule: str) -> None:
    assert load(desk(corpus_dot_toml=('set = "rooms"', f'set = "rooms"\n{rule}'))).probes[0].set == "rooms"


@pytest.mark.parametrize("kinds", [["array", "null"], ["null", "array"], ["string", "array"], "array"])
def test_an_item_of_what_may_be_an_array_is_an_argument(desk, kinds: object) -> None:
    schema = json.dumps({"type": kinds, "items": {"type": "string"}})
    folder = desk(corpus_dot_toml=('argument = "room"', 'argument = "rooms.*"'))
    (folder / "book.json").write_text(f'{{"properties": {{"rooms": {schema}}}}}', "utf-8")
    (folder / "canned.jsonl").unlink()
    assert load(folder).probes[0].argument == "rooms.*"
