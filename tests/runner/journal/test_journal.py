"""A results file loses nothing, repeats nothing, and says whose it is."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from corpora.errors import BadInput
from corpora.jsonl import read_records
from corpora.manifests import Manifest
from corpora.records import FailureKind
from runner.errors import Fatal, Locked
from runner.journal.done import Redraw
from runner.journal.journal import Journal
from runner.journal.manifest import manifest_path, read_manifest
from runner.journal.piped import Piped
from runner.schedule.messages import Key
from tests.runner.journal.lines import fill, line, manifest, study
from tests.scoring.build import a_set

SETS = {"codes": a_set(["A", "B"])}

ALL = [Key(fixture, sample) for fixture, sample in product(("f1", "f2"), range(3))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results" / "c-m.jsonl"


def missing(path: Path, new: Manifest | None = None, redraw: Redraw = Redraw.PASSING) -> list[Key]:
    with Journal.open(path, new or manifest(), redraw=redraw) as journal:
        return [key for key in ALL if key not in journal.done]


def test_a_run_goes_on_with_exactly_the_missing_keys(path: Path) -> None:
    fill(path, [line("f1", 1), line("f2", 0), line("f1", 0)])
    assert missing(path) == [("f1", 2), ("f2", 1), ("f2", 2)]


def test_a_key_that_has_a_line_is_not_written_again(path: Path) -> None:
    with Journal.open(path, manifest()) as journal:
        assert journal.append(line("f1", 0))
        assert not journal.append(line("f1", 0))
        assert journal.append(line("f1", 1, "timeout"))
        assert not journal.append(line("f1", 1, "timeout"))
    assert len(path.read_bytes().splitlines()) == 2


@pytest.mark.parametrize(
    ("redraw", "drawn"),
    [(Redraw.PASSING, [0]), (Redraw.ALL, [0, 1]), (Redraw.NONE, [])],
    ids=["those that can pass", "--retry-errors", "--keep-errors"],
)
def test_errors_are_drawn_again_as_asked(path: Path, redraw: Redraw, drawn: list[int]) -> None:
    fill(path, [line("f1", 0, "timeout"), line("f1", 1, "request"), line("f1", 2)])
    assert [key.sample for key in missing(path, redraw=redraw) if key.fixture_id == "f1"] == drawn


@pytest.mark.parametrize("kind", ["timeout", "connect", "cut", "http", "rate-limit", "quota", "auth", "internal"])
def test_the_last_line_of_a_key_counts(path: Path, kind: FailureKind) -> None:
    fill(path, [line("f1", 0, kind)])
    fill(path, [line("f1", 0)])
    assert Key("f1", 0) not in missing(path)


def test_a_torn_tail_is_cut_before_the_next_line_is_written(path: Path) -> None:
    fill(path, [line("f1", 0)])
    whole = path.read_bytes()
    path.write_bytes(whole + line("f1", 1, text="caf\u00e9").data[:-3])
    fill(path, [line("f1", 2)])
    assert path.read_bytes() == whole + line("f1", 2).data


def test_a_last_line_that_lacks_nothing_but_its_end_is_kept(path: Path) -> None:
    fill(path, [line("f1", 0)])
    path.write_bytes(path.read_bytes() + line("f1", 1).data[:-1])
    fill(path, [line("f1", 2)])
    assert [record.sample for record in read_records(path)] == [0, 1, 2]


@pytest.mark.parametrize("tail", [b'{"fixture_id":"f1","sample":1,"status":"\n\n', b"{\n", b'{"text":"caf\xc3'])
def test_a_torn_line_is_torn_also_where_line_ends_or_half_a_character_follow(path: Path, tail: bytes) -> None:
    fill(path, [line("f1", 0)])
    path.write_bytes(path.read_bytes() + tail)
    assert missing(path)[0] == ("f1", 1)
    assert path.read_bytes() == line("f1", 0).data


def test_damage_in_the_middle_is_refused_by_line_and_nothing_is_touched(path: Path) -> None:
    fill(path, [line("f1", 0)])
    damaged = path.read_bytes() + b'{"fixture_id":"f1","sam\n' + line("f1", 2).data
    path.write_bytes(damaged)
    with pytest.raises(BadInput, match=r"c-m\.jsonl:2: damaged, no record in line 2; .*--repair"):
        Journal.open(path, manifest())
    assert path.read_bytes() == damaged


def test_repair_moves_damaged_lines_to_a_side_file_and_their_samples_are_drawn_again(path: Path) -> None:
    fill(path, [line("f1", 0)])
    path.write_bytes(path.read_bytes() + b'{"fixture_id":"f1","sam\n' + line("f1", 2).data)
    with Journal.open(path, manifest(), mend=True) as journal:
        assert Key("f1", 1) not in journal.done
        assert Key("f1", 2) in journal.done
        assert journal.notes == ("1 damaged lines are in c-m.damaged now",)
    assert path.read_bytes() == line("f1", 0).data + line("f1", 2).data
    assert path.with_name("c-m.damaged").read_bytes() == b'{"fixture_id":"f1","sam\n'


def test_a_second_run_on_the_same_file_is_refused_and_told_who_holds_it(path: Path) -> None:
    holder = (
        "import sys; from pathlib import Path; from runner.journal.lock import Lock;"
        "Lock.of(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", holder, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(Locked, match=f"process {process.pid} writes to this file"):
            Journal.open(path, manifest())
        process.kill()
    with Journal.open(path, manifest()):
        pass
    assert not path.with_name("c-m.jsonl.lock").exists()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"study": study(temperature=1.0)}, "temperature was 0.7 and is 1.0"),
        ({"study": study(model="other")}, "model was 'm' and is 'other'"),
        ({"study": study(samples=2)}, "samples were 3 and are fewer now: 2"),
        ({"study": study(base_url="https://h/v1")}, "base_url was http://127.0.0.1:1/v1 and is https://h/v1"),
        ({"study": study(order="file")}, "order was 'strata' and is 'file'"),
        ({"study": study(seed=1)}, "seed base was None and is 1"),
        ({"study": study(api="openai-responses")}, "api was 'openai-chat' and is 'openai-responses'"),
        ({"study": study(max_tokens=9)}, "max_tokens was None and is 9"),
        ({"study": study(max_turns=2)}, "max_turns was 1 and is 2"),
        ({"study": study(tool_choice="required")}, "tool_choice was None and is 'required'"),
        ({"study": study(params={"top_p": 0.5})}, "params was {} and is {'top_p': 0.5}"),
        ({"study": study(stream=True)}, "stream was False and is True"),
        ({"study": study(stub_errors=0.5)}, "stub_errors was 0.0 and is 0.5"),
        ({"study": study(agent="mine:agent")}, "agent was None and is 'mine:agent'"),
        ({"study": study(same_seed=True)}, "same_seed was False and is True"),
        ({"study": study(base_url="http://127.0.0.1:1/v2")}, "base_url was http://127.0.0.1:1/v1 and is"),
        ({"sets": {"codes": a_set(["A", "C"])}}, "the set 'codes' has other values"),
        ({"sets": {}}, "the set 'codes' has other values"),
        ({"sets": {"codes": SETS["codes"], "more": a_set()}}, "the set 'more' has other values"),
        ({"fixtures": {"f1": "edited", "f2": "sha of f2"}}, "fixture 'f1' was changed"),
        ({"fixtures": {"f1": "sha of f1"}}, "fixture 'f2' was taken out"),
        ({"fixtures": {f: f"sha of {f}" for f in ("f1", "f2", "f3")}}, "fixture 'f3' was added"),
        ({"system_sha256": "9"}, "the system text is another"),
        ({"tools_sha256": "9"}, "the tools are others"),
        ({"corpus": "d"}, "the corpus was 'c' and is 'd'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_study_is_refused_and_what_differs_is_named(path: Path, changes: dict, named: str) -> None:
    fill(path, [line("f1", 0)], sets=SETS)
    before = path.read_bytes(), manifest_path(path).read_bytes()
    with pytest.raises(BadInput) as caught:
        Journal.open(path, manifest(**{"sets": SETS, **changes}))
    assert named in str(caught.value)
    assert (path.read_bytes(), manifest_path(path).read_bytes()) == before


@pytest.mark.parametrize(
    "changes",
    [
        {"study": study(samples=5)},
        {"study": study(base_url="http://localhost:9/v1")},
        {"settings": {"concurrency": 64}},
        {"selected": ("f1",)},
    ],
    ids=["more samples", "another port of this machine", "concurrency", "filters"],
)
def test_what_does_not_change_the_study_may_change(path: Path, changes: dict) -> None:
    fill(path, [line("f1", 0)])
    with Journal.open(path, manifest(run_id="run-2", **changes)) as journal:
        assert journal.manifest.run_id == "run-1"
        assert Key("f1", 0) in journal.done


def test_lines_without_a_manifest_are_refused(path: Path) -> None:
    fill(path, [line("f1", 0)])
    manifest_path(path).unlink()
    with pytest.raises(BadInput, match=r"has lines but no c-m\.manifest\.json beside it"):
        Journal.open(path, manifest())


def test_a_run_that_recorded_nothing_binds_nobody(path: Path) -> None:
    fill(path, [])
    assert len(missing(path, manifest(study=study(model="other")))) == 6


def test_a_line_of_no_fixture_of_this_study_is_refused_by_line(path: Path) -> None:
    fill(path, [line("f1", 0)])
    path.write_bytes(path.read_bytes() + line("f9", 0).data)
    with pytest.raises(BadInput, match=r"c-m\.jsonl:2: sample 0 of 'f9' is not in this study"):
        Journal.open(path, manifest())


def test_fresh_keeps_the_old_files_under_a_number(path: Path) -> None:
    for _ in range(2):
        fill(path, [line("f1", 0)], fresh=True)
    fill(path, [], fresh=True)
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "c-m.1.jsonl",
        "c-m.1.manifest.json",
        "c-m.2.jsonl",
        "c-m.2.manifest.json",
        "c-m.jsonl",
        "c-m.manifest.json",
    ]
    assert path.read_bytes() == b""


def test_a_complete_file_is_in_the_order_of_the_corpus_with_one_line_a_key(path: Path) -> None:
    fill(path, [line("f2", 0), line("f1", 1, "timeout")])
    with Journal.open(path, manifest()) as journal:
        for one in [line("f2", 2), line("f1", 1), line("f1", 0), line("f2", 1), line("f1", 2)]:
            journal.append(one)
        journal.finish("complete", "2026-01-02T00:00:00+00:00")
    records = list(read_records(path))
    assert [(record.fixture_id, record.sample) for record in records] == ALL
    assert {record.status for record in records} == {"ok"}
    closing = read_manifest(manifest_path(path))
    assert closing is not None
    assert closing.ended == "complete"
    assert (closing.counts.planned, closing.counts.recorded, closing.counts.ok) == (6, 6, 6)
    assert sorted(file.name for file in path.parent.iterdir()) == ["c-m.jsonl", "c-m.manifest.json"]


def test_a_file_that_cannot_be_put_in_order_stays_complete_and_says_so(path: Path) -> None:
    with Journal.open(path, manifest()) as journal:
        for key in reversed(ALL):
            journal.append(line(*key))
        path.with_name("c-m.jsonl.ordered").mkdir()
        with pytest.raises(Fatal, match="all samples are in it, but it could not be put in order: Is a directory"):
            journal.finish("complete", "2026-01-02T00:00:00+00:00")
    path.with_name("c-m.jsonl.ordered").rmdir()
    assert [(record.fixture_id, record.sample) for record in read_records(path)] == ALL[::-1]
    assert missing(path) == []
    with Journal.open(path, manifest()) as journal:
        journal.finish("complete", "2026-01-02T00:00:00+00:00")
    assert [(record.fixture_id, record.sample) for record in read_records(path)] == ALL


def test_an_incomplete_file_keeps_its_order(path: Path) -> None:
    with Journal.open(path, manifest()) as journal:
        journal.append(line("f2", 0))
        journal.append(line("f1", 0))
        journal.finish("interrupted", "2026-01-02T00:00:00+00:00")
    assert [record.fixture_id for record in read_records(path)] == ["f2", "f1"]


@pytest.mark.parametrize("kind", ["folder", "file in the way"])
def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "taken"
    if kind == "folder":
        target.mkdir()
    else:
        target.write_text("", encoding="utf-8")
        target = target / "x.jsonl"
    with pytest.raises(BadInput, match="name another file with -o"):
        Journal.open(target, manifest())
    assert not [file for file in tmp_path.rglob("*.lock") if file.is_file()]


def test_what_is_no_plain_file_is_refused_and_not_waited_for(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    with pytest.raises(BadInput, match="is no plain file; name a file, or - for standard output"):
        fill(path, [line("f1", 0)])


def test_a_manifest_does_not_replace_its_own_results(path: Path) -> None:
    with pytest.raises(BadInput, match="is the results file itself; name another"):
        Journal.open(path, manifest(), manifest_at=path.parent / "." / path.name)
    assert not path.exists()


def test_a_manifest_elsewhere_replaces_neither_results_nor_the_manifest_of_another_run(path: Path) -> None:
    fill(path, [line("f1", 0)])
    other = path.with_name("other.jsonl")
    kept = path.read_bytes(), manifest_path(path).read_bytes()
    with pytest.raises(BadInput, match="is there already and is no manifest; name another"):
        fill(other, [line("f1", 1)], manifest_at=path)
    with pytest.raises(BadInput, match="is there already and is no manifest; name another"):
        Piped(1, manifest(), path)
    with Journal.open(path, manifest()) as journal:
        journal.finish("complete", "")
    with pytest.raises(BadInput, match="is the manifest of another run, of 1 samples; name another file"):
        fill(other, [line("f1", 1)], manifest_at=manifest_path(path))
    assert (path.read_bytes(), other.exists()) == (kept[0], False)


def test_fresh_sets_a_manifest_elsewhere_aside_with_its_results(path: Path) -> None:
    beside = path.with_name("pins.json")
    fill(path, [line("f1", 0)], manifest_at=beside)
    fill(path, [line("f1", 1)], manifest_at=beside, fresh=True)
    aside = path.with_name(path.name.replace(".jsonl", ".1.jsonl"))
    assert read_manifest(manifest_path(aside)) is not None
    fill(aside, [line("f1", 2)])
    assert [record.sample for record in read_records(aside)] == [0, 2]


def test_each_start_has_a_higher_number_even_where_the_clock_went_back(path: Path) -> None:
    """Sites of a cluster obey the newest start; the next one may be given on a machine whose clock is behind."""
    seen = []
    for clock in (5000, 4000, 9000):
        with Journal.open(path, manifest(epoch=clock)) as journal:
            journal.append(line("f1", len(seen)))
            seen.append(journal.manifest.epoch)
    assert seen == [5000, 5001, 9000]
