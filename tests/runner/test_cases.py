"""Faults that users met in a run as a whole, each with the verdict that was right (`data/runner.jsonl`)."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest

from corpora.corpus import load, read_sets
from corpora.jsonl import encode, read_records
from corpora.manifests import Study
from corpora.records import Record
from runner.agents.loop import Played, Settings
from runner.agents.stub import Stub
from runner.endpoints.base import Endpoint
from runner.schedule.messages import Key
from runner.schedule.sampler import Sampler
from tests.runner.journal.lines import line
from tests.runner.scripted import Answer, corpus, scripted
from tests.waiting import until

CASES = {
    case["id"]: case
    for case in map(
        json.loads, Path(__file__).parent.joinpath("data/runner.jsonl").read_text(encoding="utf-8").splitlines()
    )
}
VOLATILE = {"run_id", "site", "started_at", "queued_s", "latency_s", "turns", "base_url"}


class Ran(NamedTuple):
    """One run of the command."""

    status: int
    said: str


def start(folder: Path, base_url: str, *flags: str, **environ: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "runner", "run", str(folder), "--base-url", base_url, "--model", "m", "--quiet"]
    command += ["--no-preflight", "-o", str(folder / "r.jsonl"), *flags]
    return subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", env={**os.environ, **environ})


def run(folder: Path, base_url: str, *flags: str, **environ: str) -> Ran:
    with start(folder, base_url, *flags, **environ) as process:
        _, said = process.communicate(timeout=30)
        assert "Traceback" not in said
        return Ran(process.returncode, said)


def rows(folder: Path) -> list[Record]:
    return list(read_records(folder / "r.jsonl"))


def keys(folder: Path) -> list[list[Any]]:
    return [[record.fixture_id, record.sample] for record in rows(folder)]


def codes(record: Record) -> list[str]:
    return [json.loads(call.arguments or "")["reason_code"] for call in record.calls]


def summary(folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "runner", "score", str(folder / "r.jsonl"), "--format", "json"]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=20).stdout)
    return found


def stopped_early(folder: Path, case: dict[str, Any], base_url: str) -> None:
    """Leave the results that a case finds at its start: real lines, cut as the case has them."""
    plan = case["input"]["plan"]
    corpus(folder, plan["fixtures"], plan["samples_per_fixture"])
    assert run(folder, base_url).status == 0
    by_key = {(record.fixture_id, record.sample): encode(record) for record in rows(folder)}
    given = case["input"].get("existing_output", "").encode() or base64.b64decode(
        case["input"].get("existing_output_b64", "")
    )
    left = b""
    for text in given.splitlines(keepends=True):
        try:
            row = json.loads(text)
            if "manifest" in row:
                continue  # ours lies beside the file
            left += by_key[row["fixture"], row["sample"]]
        except (ValueError, UnicodeDecodeError):
            left += text
    folder.joinpath("r.jsonl").write_bytes(left)


def written(folder: Path) -> int:
    path = folder / "r.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cases"


def test_two_calls_of_one_sample_are_two_emissions(folder: Path) -> None:
    want = CASES["ru-38c3593"]["expect"]
    with scripted(lambda text, number: Answer(codes=("OTHER", "LATE_DELIVERY"))) as server:
        run(corpus(folder, ["f1"]), server.base_url)
    [record] = rows(folder)
    found = [
        {"fixture": record.fixture_id, "sample": record.sample, "call": call.index, "emitted": code}
        for call, code in zip(record.calls, codes(record), strict=True)
    ]
    assert found == want["rows"]
    assert summary(folder)["probes"][0]["calls"] == want["calls"]


def test_a_fixture_that_never_reaches_its_tool_is_counted_as_that(folder: Path) -> None:
    want = CASES["ru-4001ee6"]["expect"]
    with scripted(lambda text, number: Answer(codes=() if text == "f1" else ("OTHER",))) as server:
        run(corpus(folder, ["f1", "f2"]), server.base_url)
    found = summary(folder)["samples"]
    assert (found["reached"], found["not_reached"], found["ok"]) == (want["reached"], len(want["not_reached"]), 2)


def test_conversations_at_the_same_time_keep_their_calls_apart(folder: Path) -> None:
    want = CASES["ru-d959f4f"]["expect"]

    def answer(text: str, number: int) -> Answer:
        return Answer(("OTHER",), after_s=0.2) if text == "f1" else Answer(("LATE_DELIVERY",), after_s=0.1)

    with scripted(answer) as server:
        run(corpus(folder, ["f1", "f2"]), server.base_url, "-j", "2")
    assert [{"fixture": record.fixture_id, "emitted": codes(record)[0]} for record in rows(folder)] == want["rows"]


def test_a_second_run_on_the_same_file_is_refused_and_harms_nothing(folder: Path) -> None:
    assert {"second_run": "refused"} in CASES["ru-ac2ee26"]["expect"]["ambiguous"]
    corpus(folder, ["f1", "f2"], 50)
    with (
        scripted(lambda text, number: Answer(after_s=0.4)) as server,
        start(folder, server.base_url) as first,
    ):
        until(lambda: written(folder) > 0)
        second = run(folder, server.base_url)
        first.communicate(timeout=20)
    assert second.status == 2
    assert f"process {first.pid} writes to this file" in second.said
    assert keys(folder) == [[fixture, sample] for fixture in ("f1", "f2") for sample in range(50)]
    assert server.requests == 100


def test_a_filter_that_selects_nothing_is_an_error(folder: Path) -> None:
    assert CASES["ru-04dd490"]["expect"]["refused_before_any_request"]
    with scripted() as server:
        found = run(corpus(folder, ["f1"]), server.base_url, "--stratum", "unrecoverabel")
    assert (found.status, server.requests) == (2, 0)
    assert "unrecoverabel" in found.said


def test_two_fixtures_with_one_id_are_refused(folder: Path) -> None:
    with scripted() as server:
        found = run(corpus(folder, ["f1", "f1"]), server.base_url)
    assert (found.status, server.requests) == (2, 0)
    assert CASES["ru-14cdcc0"]["expect"]["error_names"] in found.said


def test_retries_are_no_samples(folder: Path) -> None:
    case = CASES["ru-7d94c9e"]
    script = case["input"]["script"]
    with scripted(lambda text, number: Answer(status=script[number])) as server:
        assert run(corpus(folder, ["f1"]), server.base_url).status == 0
    [record] = rows(folder)
    assert record.status == "ok"
    assert len(record.turns[0].attempts) + 1 == server.requests == case["expect"]["rows"][0]["attempts"]


def test_two_runs_give_the_same_lines_and_the_same_table(folder: Path) -> None:
    assert CASES["ru-ab8b47a"]["expect"]["tables_equal"]
    found = []
    chance = random.Random(1)
    for _ in range(2):
        with scripted(lambda text, number: Answer((text.upper(),), after_s=chance.random() / 20)) as server:
            run(corpus(folder, ["f1", "f2", "f3"], 2), server.base_url, "--fresh", "-j", "6")
        lines = [{k: v for k, v in json.loads(encode(row)).items() if k not in VOLATILE} for row in rows(folder)]
        [probe] = summary(folder)["probes"]
        del probe["set"]["read_at"]
        found.append((lines, probe))
    assert found[0] == found[1]


def test_a_resume_with_another_temperature_is_refused(folder: Path) -> None:
    case = CASES["ru-97492b3"]
    with scripted() as server:
        stopped_early(folder, case, server.base_url)
        asked = server.requests
        found = run(folder, server.base_url, "--temperature", "1.0")
    assert (found.status, server.requests) == (2, asked)
    assert case["expect"]["error_names"] in found.said


def test_a_resume_after_a_fixture_was_edited_is_refused(folder: Path) -> None:
    case = CASES["ru-f04414b"]
    with scripted() as server:
        stopped_early(folder, case, server.base_url)
        asked = server.requests
        corpus(folder, ["f1"], 2, f1=case["input"]["corpus_now"]["text"])
        found = run(folder, server.base_url)
    assert (found.status, server.requests) == (2, asked)
    assert f"fixture '{case['expect']['error_names']}' was changed" in found.said


def test_a_request_that_never_returns_ends_by_its_limit(folder: Path) -> None:
    want = CASES["ru-11b88e0"]["expect"]
    with scripted(lambda text, number: Answer(after_s=60 if number in {7, 10} else 0)) as server:
        flags = ("--serial", "--timeout", "0.3", "--max-attempts", "1", "--samples", "10")
        found = run(corpus(folder, ["f1"], 10), server.base_url, *flags)
    assert found.status == 3
    kinds = [record.error.kind for record in rows(folder) if record.error]
    assert (kinds, len(rows(folder)) - len(kinds)) == (["timeout"] * want["rows_error"], want["rows_ok"])


class Faulty:
    """An agent with a fault in one sample."""

    def __init__(self) -> None:
        self.played = 0

    async def __call__(self, endpoint: Endpoint, fixture: object, settings: Settings) -> Played:
        self.played += 1
        if self.played == 5:
            raise RuntimeError("a fault of the parser")
        return Played()


class Clean:
    """The part of an endpoint that a sampler itself needs."""

    def clean(self, data: bytes) -> bytes:
        return data


def test_an_unexpected_error_costs_one_sample_and_has_its_line(folder: Path) -> None:
    want = CASES["ru-9e602c0"]["expect"]
    loaded = load(corpus(folder, ["f1"], 10))
    assert Stub(loaded, read_sets(loaded))
    study = Study(model="m", api="openai-chat", base_url="http://127.0.0.1/v1")
    sampler = Sampler(loaded, study, Clean(), Faulty(), run_id="r")  # type: ignore[arg-type]

    async def main() -> list[bool]:
        return [(await sampler.draw(Key("f1", sample))).ok for sample in range(10)]

    found = anyio.run(main)
    assert (found.count(True), found.count(False)) == (want["rows_ok"], want["rows_error"])


def test_an_unexpected_error_of_one_sample_is_the_status_of_the_command_and_is_counted(folder: Path) -> None:
    case = CASES["ru-9e602c0"]
    want, plan = case["expect"], case["input"]["plan"]
    corpus(folder, plan["fixtures"], plan["samples_per_fixture"])
    folder.joinpath("a_faulty_agent.py").write_text(FAULTY_AGENT, encoding="utf-8")
    flags = ("--agent", "a_faulty_agent:agent", "-j", str(plan["concurrency"]))
    found = run(folder, "http://127.0.0.1:1/v1", *flags, PYTHONPATH=str(folder))
    assert (found.status != 0) == want["exit_code_nonzero"]
    assert f"{want['rows_error']} of them errors, 0 are missing" in found.said
    counted = summary(folder)["samples"]
    assert (counted["ok"], counted["errors"]) == (want["rows_ok"], want["rows_error"])


FAULTY_AGENT = """
import itertools

played = itertools.count()

def agent(messages, tools, settings):
    if next(played) == 4:
        raise RuntimeError("a fault of the parser")
    return "Which one?"
"""


def test_a_seed_is_varied_by_sample_and_recorded(folder: Path) -> None:
    assert CASES["ru-0d53d8b"]["expect"]["seeds_distinct_or_absent"]
    with scripted() as server:
        run(corpus(folder, ["f1"], 3), server.base_url, "--seed", "42")
    assert [record.seed for record in rows(folder)] == [42, 43, 44]
    assert sorted(body["seed"] for body in server.bodies) == [42, 43, 44]


@pytest.mark.parametrize(
    ("case", "response_id"), [("ru-759dab4", "chatcmpl-9zz1"), ("ru-dbc3087", None)], ids=["one id", "an id each"]
)
def test_a_replayed_answer_is_one_draw(folder: Path, case: str, response_id: str | None) -> None:
    with scripted(lambda text, number: Answer(response_id=response_id)) as server:
        run(corpus(folder, ["f1"], 3), server.base_url)
    want = CASES[case]["expect"]
    assert summary(folder)["samples"]["independent_draws"] == want["independent_draws"]
    assert {flag for record in rows(folder) for flag in record.flags} == set(want["flags"])


def test_ctrl_c_after_half_of_the_samples(folder: Path) -> None:
    case = CASES["ru-2a41c0d"]
    want, delays = case["expect"], case["input"]["server_delay_s"]
    corpus(folder, ["f1", "f2"], 3)
    with scripted() as server:
        server.answer = lambda text, number: Answer(after_s=delays[server.requests - 1])
        with start(folder, server.base_url, "-j", "2", "--grace", "0.2") as process:
            until(lambda: written(folder) == want["rows_after_interrupt"])
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)
        assert (process.returncode, written(folder)) == (130, 3)
        asked = server.requests
        server.answer = lambda text, number: Answer()
        assert run(folder, server.base_url).status == 0
    assert (server.requests - asked, len(keys(folder))) == (want["requested_on_resume"], want["rows_total"])


def test_kill_9_loses_at_most_what_was_in_flight(folder: Path) -> None:
    want = CASES["ru-9f0757f"]["expect"]
    corpus(folder, ["f1"], 40)
    with scripted(lambda text, number: Answer(after_s=0.02)) as server:
        with start(folder, server.base_url, "-j", "4") as process:
            until(lambda: written(folder) >= want["rows_at_least"])
            process.kill()
        kept = folder.joinpath("r.jsonl").read_bytes()
        asked = server.requests
        assert asked - written(folder) <= want["lost_at_most"]
        assert run(folder, server.base_url).status == 0
    final = folder.joinpath("r.jsonl").read_bytes().splitlines()
    assert set(kept[: kept.rindex(b"\n")].splitlines()) <= set(final)
    assert keys(folder) == [["f1", sample] for sample in range(want["rows_total"])]


def test_a_full_disk_stops_the_requests_and_is_named(folder: Path) -> None:
    want = CASES["ru-b5d83de"]["expect"]
    corpus(folder, ["f1"], 20)
    with scripted() as server, Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "runner", "run", str(folder), "--base-url", server.base_url, "--model", "m"]
        done = subprocess.run(
            [*command, "--no-preflight", "-o", "-", "-j", "4"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=20,
        )
    assert done.returncode == 3
    assert want["error_names"].encode() in done.stderr
    assert server.requests <= 8


def test_a_byte_order_mark_and_crlf_lose_no_fixture(folder: Path) -> None:
    case = CASES["ru-1474bbc"]
    corpus(folder, ["f1", "f2"])
    body = base64.b64decode(case["input"]["corpus_b64"])
    whole = re.sub(rb'"stratum":"absent"', b'"stratum":"only","messages":[{"role":"user","content":"x"}]', body)
    folder.joinpath("fixtures.jsonl").write_bytes(whole)
    assert [fixture.id for fixture in load(folder).fixtures] == case["expect"]["fixtures"]


def test_a_record_is_one_line_for_every_common_reader() -> None:
    case = CASES["ru-3a43f05"]
    text = case["input"]["write_record"]["text"]
    data = line("f1", 0, text=text).data
    assert data.count(b"\n") == case["expect"]["lines_by_newline"]
    assert len(data.decode().splitlines()) == case["expect"]["lines_by_unicode_splitlines"]
    assert json.loads(data)["text"] == text


def test_a_locale_without_utf_8_changes_no_byte(folder: Path) -> None:
    case = CASES["ru-bd653ba"]["input"]
    text = case["write_record"]["text"]
    with scripted(lambda text, number: Answer((text,))) as server:
        assert run(corpus(folder, ["f1"], f1=text), server.base_url, **case["env"]).status == 0
    assert [codes(record) for record in rows(folder)] == [[text]]


@pytest.mark.parametrize("case", ["ru-0b49484", "ru-a91e6a0", "ru-2ee872b", "ru-776942e"])
def test_a_resume_asks_for_exactly_what_is_missing(folder: Path, case: str) -> None:
    want = CASES[case]["expect"]
    with scripted() as server:
        stopped_early(folder, CASES[case], server.base_url)
        before = server.asked.copy()
        assert run(folder, server.base_url, "--serial", "--order", "strata").status == 0
    asked = server.asked - before
    assert asked == {fixture: sum(name == fixture for name, _ in want["requested"]) for fixture, _ in want["requested"]}
    found = keys(folder)
    assert len(found) == want.get("rows_total", want.get("valid_lines"))
    assert found == sorted(found)
    assert all(found.count(key) == 1 for key in want["requested"])


def test_a_damaged_line_in_the_middle_is_told_by_number_and_moved_out_when_asked(folder: Path) -> None:
    case = {"input": {"plan": {"fixtures": ["f1"], "samples_per_fixture": 3}, **CASES["ru-a6299ca"]["input"]}}
    want = CASES["ru-a6299ca"]["expect"]
    with scripted() as server:
        stopped_early(folder, case, server.base_url)
        refused = run(folder, server.base_url)
        assert refused.status == 2
        assert f"no record in line {want['damaged_line_numbers'][0]}" in refused.said
        assert run(folder, server.base_url, "--repair").status == 0
    assert len(folder.joinpath("r.damaged").read_bytes().splitlines()) == want["damaged_lines"]
    assert keys(folder) == [["f1", sample] for sample in range(3)]


def test_a_key_that_the_server_echoes_reaches_no_file_and_no_log(folder: Path) -> None:
    case = CASES["ru-e65fd30"]["input"]
    reply = case["script"][0]
    with scripted(lambda text, number: Answer(status=reply["status"], body=reply["body"])) as server:
        flags = ("--api-key-env", "CASE_KEY")
        found = run(corpus(folder, ["f1"]), server.base_url, *flags, CASE_KEY=case["api_key"])
    assert found.status == 3
    assert case["api_key"] not in found.said
    assert not [file for file in folder.iterdir() if case["api_key"].encode() in file.read_bytes()]


MEMORY = """
import resource, sys
from pathlib import Path
import anyio
from runner.journal.journal import Journal
from runner.schedule.drive import drive
from runner.schedule.messages import Key, Line, Share
from runner.schedule.pump import Pump
from runner.schedule.sites.local import LocalSite
from tests.runner.journal.lines import line, manifest, study

rows, size, width = map(int, sys.argv[2:])

async def draw(key):
    return line(*key, text="x" * size)

async def main():
    with Journal.open(Path(sys.argv[1]), manifest(study=study(samples=rows), fixtures={"f1": "1"})) as journal:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        keys = (Key("f1", sample) for sample in range(rows))
        async with Pump(draw) as pump:
            await drive([LocalSite(pump)], keys, journal, Share(concurrency=width))
        journal.finish("complete", "")
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)

anyio.run(main)
"""


@pytest.mark.parametrize(
    "part", [10, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.timeout(200)])], ids=["a tenth", "whole"]
)
def test_records_are_not_kept_in_memory(folder: Path, part: int) -> None:
    """The case's rows or a tenth of them, in a tenth of the memory that it allows."""
    case = CASES["ru-d372cdc"]
    plan = case["input"]["plan"]
    folder.mkdir()
    numbers = [plan["samples_per_fixture"] // part, case["input"]["record_bytes"], plan["concurrency"]]
    file = folder / "r.jsonl"
    command = [sys.executable, "-c", MEMORY, str(file), *map(str, numbers)]
    done = subprocess.run(command, check=True, capture_output=True, timeout=190 // part)
    assert float(done.stdout) <= case["expect"]["peak_extra_memory_mb_at_most"] / 10
    with file.open("rb") as lines:
        assert sum(1 for _ in lines) == numbers[0]
    file.unlink()  # of a gigabyte


def test_every_case_has_its_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [id_ for id_ in CASES if source.count(id_) == 0] == []
