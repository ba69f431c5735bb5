"""`score`: which corpus and sets results are judged by, what is counted together, and where it is written."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpora.corpus import find
from runner.cli import main

ROOT = Path(__file__).parents[3]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a small run of a corpus of the user's own, `own`, in `r.jsonl`."""
    shutil.copytree(find("refunds"), tmp_path / "own")
    toml = tmp_path / "own" / "corpus.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace('name = "refunds"', 'name = "own"', 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["run", "own", "--simulate", "--limit", "4", "-o", "r.jsonl", "--quiet"]) == 0
    return tmp_path


def summary(capsys, *arguments: str, status: int = 0) -> dict:
    capsys.readouterr()
    assert main(["score", *arguments, "--format", "json"]) == status
    return json.loads(capsys.readouterr().out)


def test_the_corpus_is_found_by_the_manifests_folder(here: Path, capsys) -> None:
    found = summary(capsys, "r.jsonl")
    assert (found["corpus"], found["samples"]["planned"], found["samples"]["recorded"]) == ("own", 12, 12)


def test_without_manifest_or_flag_the_corpus_cannot_be_known(here: Path, capsys) -> None:
    (here / "r.manifest.json").unlink()
    capsys.readouterr()
    assert main(["score", "r.jsonl"]) == 2
    assert (
        "'own', which is not bundled, and no manifest names its folder; name it with --corpus"
        in capsys.readouterr().err
    )
    found = summary(capsys, "r.jsonl", "--corpus", "own")
    assert found["samples"]["planned"] is None
    assert None in [check["ok"] for check in found["checks"]]


def take_out_a_code(here: Path) -> None:
    service = here / "own" / "service.py"
    service.write_text(
        service.read_text(encoding="utf-8").replace('DUPLICATE_CHARGE = "DUPLICATE_CHARGE"', ""), encoding="utf-8"
    )


def test_a_set_that_changed_since_is_refused(here: Path, capsys) -> None:
    take_out_a_code(here)
    capsys.readouterr()
    assert main(["score", "r.jsonl"]) == 2
    said = capsys.readouterr().err
    assert f"the set 'reason_codes' of {here / 'own'} holds other values now than at the run; name another" in said
    assert "or --allow-changed scores with those of the run, --live-sets with those of now" in said


@pytest.mark.parametrize(
    ("flag", "size", "mark"), [("--allow-changed", 6, "changed-corpus"), ("--live-sets", 5, "live-sets")]
)
def test_a_set_that_changed_since_may_be_let_through_and_is_marked(
    here: Path, capsys, flag: str, size: int, mark: str
) -> None:
    """A code that the service took out since was a member when the run was made."""
    canned = here / "own" / "canned.jsonl"
    canned.write_text("", encoding="utf-8")
    take_out_a_code(here)
    found = summary(capsys, "r.jsonl", flag)
    assert (found["probes"][0]["set"]["size"], found["marks"]) == (size, [mark])


def test_a_corpus_that_changed_since_may_be_let_through_and_is_marked(here: Path, capsys) -> None:
    fixtures = here / "own" / "fixtures.jsonl"
    fixtures.write_text(
        fixtures.read_text(encoding="utf-8").replace("Opened the parcel", "I opened the parcel"), encoding="utf-8"
    )
    assert summary(capsys, "r.jsonl", "--allow-changed")["marks"] == ["changed-corpus"]


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_packed_results_of_files_and_pipes_score_as_they_are(here: Path, capsys, packing: str) -> None:
    if packing == "gzip":
        import gzip as module
    else:
        from backports import zstd as module
    plain = summary(capsys, "r.jsonl")
    (here / "p.jsonl").write_bytes(module.compress((here / "r.jsonl").read_bytes()))
    packed = summary(capsys, "p.jsonl", "--corpus", "own")
    assert packed["probes"][0]["values"] == plain["probes"][0]["values"]
    command = [sys.executable, "-m", "runner", "score", "-", "--corpus", "own", "--format", "json"]
    with (here / "p.jsonl").open("rb") as stream:
        piped = subprocess.run(command, stdin=stream, capture_output=True, check=True)
    assert json.loads(piped.stdout)["probes"][0]["values"] == plain["probes"][0]["values"]


def test_a_corpus_that_changed_since_is_refused_and_the_fixture_named(here: Path, capsys) -> None:
    fixtures = here / "own" / "fixtures.jsonl"
    fixtures.write_text(
        fixtures.read_text(encoding="utf-8").replace("Opened the parcel", "I opened the parcel"), encoding="utf-8"
    )
    capsys.readouterr()
    assert main(["score", "r.jsonl"]) == 2
    sentence = capsys.readouterr().err
    assert "own holds now (fixture 'det-001' is another); name the right folder with --corpus" in sentence


def test_a_manifest_of_another_run_is_not_used(here: Path, capsys) -> None:
    manifest = here / "r.manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"run_id":"', '"run_id":"x'), encoding="utf-8")
    assert summary(capsys, "r.jsonl", "--corpus", "own")["samples"]["planned"] is None


def test_two_runs_are_two_summaries_and_never_merged(here: Path, capsys) -> None:
    assert main(["run", "own", "--simulate=perfect", "--limit", "4", "-o", "p.jsonl", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["score", "r.jsonl", "p.jsonl", "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    heads = [row for row in rows if row[0] == "corpus"]
    assert len(heads) >= 1
    assert {row[1] for row in rows if row not in heads} == {"simulated/careless", "simulated/perfect"}
    (here / "both.jsonl").write_bytes((here / "r.jsonl").read_bytes() + (here / "p.jsonl").read_bytes())
    assert main(["score", "both.jsonl", "--corpus", "own", "--format", "md"]) == 0
    assert capsys.readouterr().out.count("# own on simulated/") == 2


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_two_runs_that_one_model_says_to_have_answered_are_told_apart(here: Path, capsys, form: str) -> None:
    """A gateway answers as one model whatever was asked for; two temperatures are two studies of one model."""
    flags = ["--simulate", "--limit", "4", "-o", "hot.jsonl", "--temperature", "1.5", "--param", "top_p=0.5"]
    assert main(["run", "own", *flags, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["score", "r.jsonl", "hot.jsonl", "--format", form]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    runs = [json.loads((here / name).read_bytes().splitlines()[0])["run_id"] for name in ("r.jsonl", "hot.jsonl")]
    assert runs[0] != runs[1]
    for run in runs:
        assert run[:12] in shown
    assert "1.5" in shown
    assert "top" in shown


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_every_format_names_the_simulated_model_and_has_no_pooled_rate(here: Path, capsys, form: str) -> None:
    assert main(["score", "r.jsonl", "--format", form]) == 0
    shown = capsys.readouterr().out
    assert "simulated/careless" in shown
    assert not {"total", "overall", "pooled"} & set(shown.lower().split())


def test_verdicts_are_lines_of_their_own(here: Path, capsysbinary) -> None:
    assert main(["score", "r.jsonl", "--verdicts", "v.jsonl", "--format", "json"]) == 0
    capsysbinary.readouterr()
    assert main(["score", "r.jsonl", "--verdicts", "-"]) == 0
    assert capsysbinary.readouterr().out == (here / "v.jsonl").read_bytes()
    verdicts = [json.loads(line) for line in (here / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {verdict["fixture_id"] for verdict in verdicts} == {"det-001", "amb-001", "unrec-001", "absent-001"}
    assert list(verdicts[0])[:5] == ["v", "run_id", "model", "fixture_id", "sample"]


def test_a_bound_that_is_reached_is_a_finding(here: Path, capsys) -> None:
    assert main(["score", "r.jsonl", "--fail-on", "unrecoverable:out_of_set>=0"]) == 1
    assert "--fail-on unrecoverable:out_of_set>=0: refund_order.reason_code, unrecoverable: " in capsys.readouterr().err
    assert main(["score", "r.jsonl", "--fail-on", "errors>0"]) == 0


def test_score_starts_without_what_only_a_run_needs(here: Path) -> None:
    script = (
        "import sys, runner.cli; status = runner.cli.main(['score', 'r.jsonl', '--format', 'csv']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], encoding="utf-8", capture_output=True, check=True, timeout=20, cwd=here,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert not {"httpx", "aiohttp", "anyio", "rich", "structlog"} & set(done.stderr.split())


def test_the_reference_run_scores_and_all_its_sums_agree(capsys) -> None:
    found = summary(capsys, str(ROOT / "results" / "refunds-simulated-careless.jsonl"))
    assert (found["samples"]["recorded"], found["simulated"]) == (720, True)
    assert [check["ok"] for check in found["checks"]] == [True] * len(found["checks"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing.jsonl", "missing.jsonl: cannot be read: No such file or directory; name a results file"),
        ("folder", "folder: is a folder; name a results file in it"),
        ("loop.jsonl", "loop.jsonl: cannot be read: Too many levels of symbolic links; name a results file"),
        ("empty.jsonl", "empty.jsonl: holds no record; name a results file, or pipe one in"),
        ("torn.jsonl", "torn.jsonl: holds no record (line 1: the last line is cut: Input data was truncated); name"),
        (
            "newer.jsonl",
            "newer.jsonl: holds no record (line 1: $.v: invalid enum value 2; known are 1); name a results ",
        ),
    ],
)
def test_results_that_cannot_be_read_are_bad_input(here: Path, capsys, name: str, sentence: str) -> None:
    line = (here / "r.jsonl").read_bytes().splitlines(keepends=True)[0]
    (here / "folder").mkdir()
    (here / "loop.jsonl").symlink_to("loop.jsonl")
    (here / "empty.jsonl").touch()
    (here / "torn.jsonl").write_bytes(line[:500])
    (here / "newer.jsonl").write_bytes(line.replace(b'"v":1', b'"v":2', 1))
    capsys.readouterr()
    assert main(["score", name]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"assumeprobe: {sentence}")
    assert said.err.count("\n") == 1


def test_a_record_of_another_version_is_told_with_its_place(here: Path, capsys) -> None:
    lines = (here / "r.jsonl").read_bytes().splitlines(keepends=True)
    (here / "r.jsonl").write_bytes(b"".join([*lines[:1], lines[1].replace(b'"v":1', b'"v":2', 1), *lines[2:]]))
    capsys.readouterr()
    assert main(["score", "r.jsonl"]) == 2
    assert "assumeprobe: r.jsonl:2: $.v: invalid enum value 2; known are 1; passed over" in capsys.readouterr().err


def test_verdicts_are_those_of_the_last_line_of_a_key(here: Path, capsysbinary) -> None:
    """A study's own lines replace each other; two studies in one file do not."""
    data = (here / "r.jsonl").read_bytes()
    first = data.splitlines(keepends=True)[0]
    again = first.replace(b"DAMAGED_ON_ARRIVAL", b"LOST_BY_POST")
    other = first.replace(b'"run_id":"', b'"run_id":"x')
    assert again != first
    (here / "twice.jsonl").write_bytes(data + again + other)
    assert main(["score", "twice.jsonl", "--corpus", "own", "--verdicts", "v.jsonl", "--format", "json"]) == 0
    verdicts = [json.loads(line) for line in (here / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    own = [v for v in verdicts if (v["fixture_id"], v["sample"]) == ("det-001", 0)]
    assert [(v["emitted"], v["run_id"][:1] == "x") for v in own] == [
        ("LOST_BY_POST", False),
        ("DAMAGED_ON_ARRIVAL", True),
    ]


@pytest.mark.parametrize("name", ["r.jsonl", "./r.jsonl", "r.manifest.json", "link.jsonl"])
def test_verdicts_are_not_written_over_what_is_read(here: Path, capsys, name: str) -> None:
    (here / "link.jsonl").symlink_to("r.jsonl")
    before = [(here / file).read_bytes() for file in ("r.jsonl", "r.manifest.json")]
    assert main(["score", "r.jsonl", "--verdicts", name]) == 2
    assert f"{name}: --verdicts: is read by this command; name another file" in capsys.readouterr().err
    assert [(here / file).read_bytes() for file in ("r.jsonl", "r.manifest.json")] == before


def test_sums_that_do_not_agree_are_a_finding(here: Path, capsys) -> None:
    manifest = here / "r.manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"samples":3', '"samples":1', 1), encoding="utf-8")
    found = summary(capsys, "r.jsonl", status=1)
    assert [check["name"] for check in found["checks"] if check["ok"] is False]
    assert main(["score", "r.jsonl"]) == 1
    said = capsys.readouterr()
    assert "the sums do not agree: see the checks" in said.err
    assert "FAIL" in said.out


def test_a_file_that_is_no_results_is_told_of_in_one_line(here: Path, capsys) -> None:
    (here / "notes.md").write_text("not a record\n" * 30, encoding="utf-8")
    capsys.readouterr()
    assert main(["score", "notes.md"]) == 2
    assert capsys.readouterr().err == (
        "assumeprobe: notes.md: holds no record (line 1: this line is no JSON: JSON is malformed: invalid character "
        "(byte 4)); name a results file, or pipe one in\n"
    )


def test_of_lines_that_are_no_records_the_first_few_are_told(here: Path, capsys) -> None:
    record = (here / "r.jsonl").read_bytes().splitlines(keepends=True)[0]
    (here / "mixed.jsonl").write_bytes(record + b"not a record\n" * 30)
    assert main(["score", "mixed.jsonl", "--corpus", "own"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("assumeprobe: mixed.jsonl:2: this line is no JSON")
    assert len(told) == 21
    assert told[-1] == "assumeprobe: 10 more lines are no records; passed over"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_disk_that_takes_no_more_verdicts_is_named_with_its_file(here: Path, capsys) -> None:
    capsys.readouterr()
    assert main(["score", "r.jsonl", "--verdicts", "/dev/full"]) == 3
    assert "assumeprobe: /dev/full: cannot be written: No space left on device" in capsys.readouterr().err


def test_verdicts_of_a_resumed_run_are_the_same_from_a_pipe_as_from_the_file(here: Path) -> None:
    """What a resume draws again had failed, and a failure has no verdict: nothing need be taken back."""
    lines = (here / "r.jsonl").read_bytes().splitlines(keepends=True)
    failed = {"status": "error", "calls": [], "error": {"kind": "timeout", "message": "", "status": None}}
    data = json.dumps(json.loads(lines[0]) | failed).encode() + b"\n" + b"".join(lines)
    (here / "again.jsonl").write_bytes(data)
    command = [sys.executable, "-m", "runner", "score", "--corpus", "own", "--verdicts", "-"]
    read = subprocess.run([*command, "again.jsonl"], capture_output=True, check=True, timeout=15).stdout
    piped = subprocess.run([*command, "-"], input=data, capture_output=True, check=True, timeout=15).stdout
    assert len(read.splitlines()) >= 12
    assert piped == read


def test_live_sets_of_a_folder_with_the_name_of_a_bundled_corpus_are_asked_for(here: Path, capsys) -> None:
    shutil.copytree(find("refunds"), here / "copy")
    assert main(["run", "copy", "--simulate", "--limit", "4", "-o", "c.jsonl", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["score", "c.jsonl", "--live-sets"]) == 2
    assert capsys.readouterr().err == (
        f"assumeprobe: c.jsonl: was run with {here / 'copy'}, and a bundled corpus has the name 'refunds' too; "
        "say with --corpus whose sets shall be read now\n"
    )
    assert main(["score", "c.jsonl", "--live-sets", "--corpus", "copy"]) == 0
    assert main(["score", "c.jsonl"]) == 0
