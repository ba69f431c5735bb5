"""Bad input, as a user meets it: one clear sentence on standard error, exit status 2, and nothing sent or written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpora.corpus import find
from runner.cli import main
from runner.journal.lock import Lock

Spoil = Callable[[Path], None]


def edit(name: str, old: str, new: str) -> Spoil:
    def spoil(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a copy of the refunds corpus, and an environment that names no endpoint."""
    shutil.copytree(find("refunds"), tmp_path / "refunds-copy")
    monkeypatch.chdir(tmp_path)
    for name in ("BASE_URL", "API_KEY", "MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def refused(capsys) -> str:
    """The one sentence on standard error."""
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("assumeprobe: ")
    assert shown.err.count("\n") == 1
    return shown.err.removeprefix("assumeprobe: ").strip()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        pytest.param(
            edit("corpus.toml", "absent = 50", "absent = 51"),
            "refunds-copy/corpus.toml:19: strata.absent: the strata do not add up: absent is declared with 51 fixtures "
            "and has 50; correct the number or the fixtures",
            id="strata that do not add up",
        ),
        pytest.param(
            edit("fixtures.jsonl", '"stratum": "determined"', '"stratum": "certain"'),
            "refunds-copy/fixtures.jsonl:1: stratum: det-001 is in stratum 'certain'; declared are determined, "
            "ambiguous, unrecoverable, absent",
            id="a fixture in no stratum",
        ),
        pytest.param(
            edit("fixtures.jsonl", '"id": "det-002"', '"id": "det-001"'),
            "refunds-copy/fixtures.jsonl:2: id: the id 'det-001' stands in line 1 already",
            id="a duplicate id",
        ),
        pytest.param(
            edit("fixtures.jsonl", '{"id": "det-003",', '{"id": "det-003"'),
            "refunds-copy/fixtures.jsonl:3: this is no JSON: JSON is malformed: expected ',' or '}' (byte 17)",
            id="a broken JSON line",
        ),
        pytest.param(
            edit("corpus.toml", 'tool = "refund_order"', 'tool = "refund"'),
            "refunds-copy/corpus.toml:35: probes[0].tool: there is no tool 'refund'; the tools are lookup_order, "
            "refund_order",
            id="a probe on an unknown tool",
        ),
        pytest.param(
            edit("corpus.toml", 'enum = "service.py:ReasonCode"\ncatch_all = ["OTHER"]', "values = []"),
            "refunds-copy/corpus.toml:40: sets.reason_codes: the set is empty: values gave no value",
            id="an empty set",
        ),
        pytest.param(
            edit("corpus.toml", 'enum = "service.py:ReasonCode"', 'enum = "../service.py:ReasonCode"'),
            "refunds-copy/corpus.toml:41: sets.reason_codes.enum: the path '../service.py' leaves the corpus's folder; "
            "keep the file beside corpus.toml",
            id="a path that leaves the folder",
        ),
        pytest.param(
            lambda folder: (folder / "corpus.toml").unlink(),
            "no corpus './refunds-copy': it is no folder with a corpus.toml, and the bundled ones are ",
            id="no corpus.toml",
        ),
    ],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_corpus_that_does_not_add_up(here: Path, capsys, command: str, spoil: Spoil, sentence: str) -> None:
    spoil(here / "refunds-copy")
    arguments = [command, "./refunds-copy", *(["--simulate"] if command == "run" else [])]
    assert main(arguments) == 2
    shown = refused(capsys) if command == "run" else capsys.readouterr().err.replace("assumeprobe: ", "")
    assert sentence in shown
    assert not (here / "results").exists()


SIMULATED = ["run", "refunds", "--simulate", "--limit", "4", "--samples", "1", "--quiet"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ["run", "refunds"],
            "no endpoint is named: give --base-url URL and --model NAME, or set BASE_URL and MODEL, "
            "or use --simulate for the embedded simulated model",
            id="no endpoint named",
        ),
        pytest.param(
            ["run", "refund", "--simulate"],
            "no corpus 'refund': it is no folder with a corpus.toml, and the bundled ones are ",
            id="unknown corpus",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "--model", "m"],
            "--simulate brings its own endpoint and model; leave --base-url, --model and --api-key-env out",
            id="two endpoints",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "-o", "refunds-copy"],
            "refunds-copy: -o: is a folder; name a file in it",
            id="output is a folder",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "-o", "/proc/nowhere/r.jsonl"],
            "/proc/nowhere: no results can be written here: No such file or directory; name another file with -o",
            id="unwritable output",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "-o", "-", "--score"],
            "--score: writes its table where the results go; pipe them into assumeprobe score -",
            id="table and results in one stream",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "--stratum", "unrecoverabel"],
            "--stratum: 'unrecoverabel' is not in the corpus; it has determined, ambiguous, unrecoverable, absent",
            id="a filter that selects nothing",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "--fail-on", "nowhere:out_of_set>0"],
            "--fail-on: 'nowhere:out_of_set>0': no stratum 'nowhere'; there are determined, ambiguous, unrecoverable, ",
            id="a bound of a stratum that is not there",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "--fail-on", "much>0"],
            "--fail-on: cannot read the bound 'much>0'",
            id="bound",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "--temperature", "nan"],
            "Invalid value for '--temperature': nan is no number; assumeprobe run --help shows what there is",
            id="nan",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "-o", "-", "--retry-errors"],
            "--retry-errors: is about a results file, and -o - writes none; leave one of the two out",
            id="a pipe has no errors to draw again",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "-o", "-", "--manifest", "-"],
            "--manifest: is written anew as the run goes on, which a pipe cannot be; name a file",
            id="a manifest in a pipe",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "--retry-errors", "--keep-errors"],
            "--retry-errors and --keep-errors contradict each other; give one of them",
            id="contradiction",
        ),
        pytest.param(["run"], "Missing argument 'CORPUS'; assumeprobe run --help shows what there is", id="no corpus"),
        pytest.param(["score", "none.jsonl"], "none.jsonl: cannot be read: No such file or directory", id="no results"),
        pytest.param(["score", "empty.jsonl"], "empty.jsonl: holds no record", id="empty results"),
        pytest.param(
            ["score", "r.jsonl", "--corpus", "maintenance"],
            "r.jsonl: was run with another corpus 'refunds' than ",
            id="scored with another corpus",
        ),
        pytest.param(
            ["score", "r.jsonl", "--verdicts", "no/v.jsonl"],
            "no/v.jsonl: --verdicts: cannot be written: No such file or directory",
            id="unwritable verdicts",
        ),
        pytest.param(
            ["score", "r.jsonl", "--fail-on", "worse:old.jsonl"],
            "old.jsonl: --fail-on: is not there to be compared with",
            id="a bound that needs another run",
        ),
        pytest.param(
            ["score"], "Missing argument 'RESULTS...'; assumeprobe score --help shows what there is", id="none"
        ),
        pytest.param(["check", "nope"], "no corpus 'nope': ", id="check of nothing"),
        pytest.param(["score", ""], "the name of a results file is empty; name one", id="no name"),
        pytest.param(
            ["score", "r.jsonl", "text.jsonl"],
            "text.jsonl: holds no record (line 1: this line is no JSON: JSON is malformed: ",
            id="a file of lines that are no records",
        ),
        pytest.param(
            ["compare", "empty.jsonl", "r.jsonl"],
            "empty.jsonl: holds no record; name a results file",
            id="a comparison with nothing",
        ),
        pytest.param(["sets", "show", "."], ".: is a folder, and no corpus; write CORPUS:NAME, FILE", id="no set"),
        pytest.param(["sets", "show", ""], "the name of a set is empty; write CORPUS:NAME", id="a set without a name"),
        pytest.param(
            ["sets", "show", "empty.csv:code"],
            "empty.csv: column 'code' is not there; the columns are none",
            id="a table without columns",
        ),
        pytest.param(
            ["sets", "show", "refunds:reason_codes", "-o", "refunds-copy"],
            "refunds-copy: -o: cannot be written: Is a directory",
            id="a snapshot into a folder",
        ),
        pytest.param(
            ["scan", "r.jsonl", "--set", "refunds:reason_codes", "--join", "empty.jsonl"],
            "empty.jsonl: --join: holds no record; name a results file",
            id="joined with nothing",
        ),
        pytest.param(
            ["rerun", "r.jsonl", "--simulate", "-o", "-"],
            "-: -o: is standard output, where the comparison goes; name a file",
            id="results where the comparison goes",
        ),
        pytest.param(
            ["rerun", "r.jsonl", "--simulate", "-o", "refunds-copy"],
            "refunds-copy: -o: is a folder; name a file in it",
            id="a rerun into a folder",
        ),
        pytest.param(
            ["run", "refunds", "--simulate", "-o", "other.jsonl", "--manifest", "/dev/zero"],
            "/dev/zero: --manifest: is there already and is no manifest; name another",
            id="a manifest without an end",
        ),
        pytest.param(
            ["guard", "--corpus", "refunds", "--refresh", "nan"],
            "Invalid value for '--refresh': nan is no number",
            id="never refreshed",
        ),
        pytest.param(
            ["guard", "--corpus", "refunds", "--max-age", "inf"],
            "Invalid value for '--max-age': inf is no number",
            id="never too old",
        ),
        pytest.param(
            ["serve", "--latency", "nan"], "Invalid value for '--latency': nan is no number", id="a delay of no length"
        ),
        pytest.param(
            ["schema"],
            "Missing argument 'NAME'. Choose from: record, fixture, canned, verdict, manifest, summary, comparison; "
            "assumeprobe schema --help shows what there is",
            id="a choice of many, in one line",
        ),
        pytest.param(
            ["serve", "--corpus", "./spoilt"], "spoilt/service.py: is no UTF-8 text", id="a set that cannot be read"
        ),
    ],
)
def test_a_command_that_cannot_be_done(here: Path, capsys, arguments: list[str], sentence: str) -> None:
    assert main([*SIMULATED, "-o", "r.jsonl"]) == 0
    (here / "empty.csv").touch()
    (here / "text.jsonl").write_text("Some\nrecord\n", encoding="utf-8")
    shutil.copytree(find("refunds"), here / "spoilt")
    (here / "spoilt" / "service.py").write_bytes(b"\xff")
    (here / "empty.jsonl").write_text("\n", encoding="utf-8")
    capsys.readouterr()
    assert main(arguments) == 2
    assert refused(capsys).startswith(sentence)
    assert not (here / "results").exists()


def test_an_output_that_another_run_owns(here: Path, capsys) -> None:
    lock = Lock.of(Path("r.jsonl"))
    try:
        assert main([*SIMULATED, "-o", "r.jsonl"]) == 2
    finally:
        lock.release()
    sentence = refused(capsys)
    assert sentence.startswith("r.jsonl: process ")
    assert sentence.endswith("writes to this file; wait for it to end, or name another file with -o")
    assert not (here / "r.jsonl").exists()


@pytest.mark.parametrize(
    ("flags", "differs"),
    [
        (["--temperature", "1"], "temperature was 0.7 and is 1.0"),
        (["--max-turns", "1"], "max_turns was 4 and is 1"),
        (["--max-tokens", "9"], "max_tokens was None and is 9"),
        (["--tool-choice", "required"], "tool_choice was None and is 'required'"),
        (["--seed", "1"], "seed base was None and is 1"),
        (["--order", "file"], "order was 'strata' and is 'file'"),
        (["--simulate=perfect"], "model was 'simulated/careless' and is 'simulated/perfect'"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_resume_of_another_study_names_what_differs(here: Path, capsys, flags: list[str], differs: str) -> None:
    assert main([*SIMULATED, "-o", "r.jsonl"]) == 0
    before = (here / "r.jsonl").read_bytes()
    capsys.readouterr()
    assert main([*SIMULATED, "-o", "r.jsonl", *flags]) == 2
    assert refused(capsys) == (
        f"r.jsonl: holds another study: {differs}; name another file with -o, or set this one aside with --fresh"
    )
    assert (here / "r.jsonl").read_bytes() == before


def test_a_resume_after_a_fixture_was_edited_names_it(here: Path, capsys) -> None:
    arguments = ["run", "./refunds-copy", *SIMULATED[2:], "-o", "r.jsonl"]
    assert main(arguments) == 0
    edit("fixtures.jsonl", "Opened the parcel", "I opened the parcel")(here / "refunds-copy")
    capsys.readouterr()
    assert main(arguments) == 2
    assert "holds another study: fixture 'det-001' was changed" in refused(capsys)


def test_a_damaged_line_of_results_is_named_and_the_others_are_scored(here: Path, capsys) -> None:
    assert main([*SIMULATED, "-o", "r.jsonl"]) == 0
    lines = (here / "r.jsonl").read_bytes().splitlines(keepends=True)
    (here / "r.jsonl").write_bytes(b"".join([*lines[:1], b"{broken\n", *lines[2:], lines[1][:50]]))
    capsys.readouterr()
    assert main(["score", "r.jsonl", "--format", "json"]) == 2
    shown = capsys.readouterr()
    assert '"recorded": 3' in shown.out
    first, second = shown.err.splitlines()
    assert first.startswith("assumeprobe: r.jsonl:2: this line is no JSON: ")
    assert second.startswith("assumeprobe: r.jsonl:5: the last line is cut: ")


def test_a_cut_last_line_alone_is_said_and_is_no_failure(here: Path, capsys) -> None:
    assert main([*SIMULATED, "-o", "r.jsonl"]) == 0
    data = (here / "r.jsonl").read_bytes()
    (here / "r.jsonl").write_bytes(data[:-30])
    capsys.readouterr()
    assert main(["score", "r.jsonl", "--format", "json"]) == 0
    assert "r.jsonl:4: the last line is cut" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"fixture_id":"amb-001"', '"fixture_id":"nope"', "r.jsonl:2: there is no fixture 'nope' in refunds"),
        ('"sample":0', '"sample":-1', "r.jsonl:1: "),
    ],
)
def test_a_record_of_no_fixture_or_sample_is_named_by_file_and_line(here: Path, capsys, old, new, sentence) -> None:
    assert main([*SIMULATED, "-o", "r.jsonl"]) == 0
    lines = (here / "r.jsonl").read_text(encoding="utf-8")
    (here / "r.jsonl").write_text(lines.replace(old, new), encoding="utf-8")
    capsys.readouterr()
    assert main(["score", "r.jsonl"]) == 2
    assert refused(capsys).startswith(sentence)
