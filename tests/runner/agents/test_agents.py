"""A user's agents as they come: real processes, a real endpoint, one record for each sample whatever the agent does."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpora.corpus import load
from corpora.jsonl import read_records

ZOO = Path(__file__).parent / "data" / "zoo.py"
REFUNDS = load("refunds")

pytestmark = pytest.mark.timeout(100)


@pytest.fixture
def desk(tmp_path):
    """A working directory with the zoo in it."""
    shutil.copy(ZOO, tmp_path / "zoo.py")
    return tmp_path


def command(*flags: str) -> list[str]:
    return [sys.executable, "-m", "runner", "run", "refunds", "--simulate", *flags]


def run(desk, agent: str, *flags: str, limit: int = 4, timeout: float = 80):
    """The process, and the records by fixture."""
    output = () if "-o" in flags else ("-o", "out.jsonl")
    arguments = command("--agent", f"zoo:{agent}", "--limit", str(limit), "--samples", "1", "--quiet", *output, *flags)
    done = subprocess.run(arguments, cwd=desk, capture_output=True, encoding="utf-8", check=False, timeout=timeout)
    records = list(read_records(desk / "out.jsonl")) if (desk / "out.jsonl").exists() else []
    return done, records


@pytest.mark.parametrize("agent", ["loop", "sync_loop"])
def test_an_agent_plays_the_fixtures_and_its_calls_are_recorded_as_it_made_them(desk, agent):
    done, records = run(desk, agent, "--simulate", "perfect")
    assert done.returncode == 0, done.stderr
    assert len(records) == 4
    for record in records:
        last = record.calls[-1]
        assert (last.name, last.source, last.wire_type, last.offered) == ("refund_order", "agent", "object", True)
        truth = REFUNDS.by_id()[record.fixture_id].true_code
        assert truth is None or json.loads(last.arguments)["reason_code"] == truth
        assert [effect.tool for effect in record.effects] == [call.name for call in record.calls]


@pytest.mark.parametrize(
    ("agent", "kind", "words"),
    [
        ("raises", "agent", "ValueError: no such plan"),
        ("exits", "agent", "the agent called exit(7)"),
        ("exits_async", "agent", "the agent called exit(7)"),
        ("interrupts", "agent", "the agent raised KeyboardInterrupt"),
        ("Broken", "agent", "RuntimeError: no licence"),
        ("returns_an_object", "agent", "the agent returned a dict; return the last words as a str, or None"),
        ("hangs", "timeout", "the agent did not end within 0.4 s"),
        ("hangs_in_its_thread", "timeout", "the agent did not end within 0.4 s"),
    ],
)
def test_what_an_agent_does_wrong_is_the_error_of_that_sample(desk, agent, kind, words):
    done, records = run(desk, agent, "--timeout", "0.4", "--max-turns", "1")
    assert done.returncode == 3
    assert len({record.fixture_id for record in records}) == len(records) == 4
    assert {record.error.kind for record in records} == {kind}
    assert all(words in record.error.message for record in records)
    if agent == "raises":
        assert all("Traceback" in r.error.message and "zoo.py" in r.error.message for r in records)
    if agent in {"raises", "hangs"}:
        assert all([call.name for call in r.calls] == ["lookup_order"] for r in records), "nothing received is lost"


def test_an_agent_that_blocks_the_loop_of_all_costs_those_in_flight_and_not_the_rest(desk):
    done, records = run(desk, "blocks", "--timeout", "0.3", "--max-turns", "1", "-j", "2", timeout=80)
    assert done.returncode == 3
    assert [record.error.kind for record in records] == ["timeout"] * 4


@pytest.mark.parametrize(
    ("agent", "flags"),
    [
        ("exits_in_a_task", ()),
        ("leaves_tasks", ("unawaited-tasks",)),
        ("mutates", ()),
        ("calls_late", ()),
    ],
)
def test_a_bad_habit_harms_no_other_sample(desk, agent, flags):
    done, records = run(desk, agent)
    assert done.returncode == 0, done.stderr
    assert [record.status for record in records] == ["ok"] * 4
    assert {record.flags for record in records} == {(*flags, "simulated-endpoint")}
    if agent == "mutates":
        assert all(effect.answer != {"changed": True} for record in records for effect in record.effects)


def test_what_an_agent_prints_never_gets_among_the_results(desk):
    done, _ = run(desk, "prints", "-o", "-")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["done"] * 4
    for words in ("a word on standard output", "and another, past Python", "and one of a child process"):
        assert done.stderr.count(words) == 4


def test_calls_made_together_are_one_turn_and_calls_made_after_them_another(desk):
    _, records = run(desk, "calls_together", limit=1)
    assert [(call.turn, call.index, call.name) for call in records[0].calls] == [
        (0, 0, "lookup_order"),
        (0, 1, "lookup_order"),
        (1, 0, "refund_order"),
    ]


def test_a_stub_takes_what_the_schema_forbids_and_keeps_it(desk):
    _, records = run(desk, "passes_what_the_schema_forbids", limit=1)
    first, second, third = records[0].calls
    assert json.loads(first.arguments) == {
        "order_id": "1",
        "reason_code": None,
        "amount_cents": "many",
        "extra": {"a": [1.5]},
    }
    assert (second.arguments, second.malformed) == ('{"reason_code": NaN}', "non-standard-constant")
    assert (third.arguments, third.escaped) == ('{"reason_code": "\\ud83d"}', True)


def test_a_class_is_made_for_each_sample_with_its_configuration(desk):
    (desk / "agent.toml").write_text('code = "FROM_TOML"\ntimes = 2\n', encoding="utf-8")
    done, records = run(desk, "Configured", "--agent-config", "agent.toml")
    assert done.returncode == 0, done.stderr
    for record in records:
        given = [json.loads(call.arguments) for call in record.calls]
        assert [one["order_id"] for one in given] == ["1", "2"], "a new object for each sample"
        assert {one["reason_code"] for one in given} == {"FROM_TOML"}
    (desk / "agent.toml").write_text('code = "ANOTHER"\n', encoding="utf-8")
    again, _ = run(desk, "Configured", "--agent-config", "agent.toml")
    assert again.returncode == 2
    assert "agent" in again.stderr


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--agent", "zoo"], "--agent: expected MODULE:NAME, found 'zoo'"),
        (["--agent", "nowhere:a"], "--agent: nowhere cannot be imported: ModuleNotFoundError"),
        (["--agent", "zoo:nothing"], "--agent: zoo has no 'nothing'"),
        (["--agent", "zoo:not_callable"], "--agent: zoo:not_callable is no function or class but of type int"),
        (["--agent", "zoo:Stubs"], "--agent: zoo:Stubs has no method __call__"),
        (["--agent", "zoo:loop", "--agent-config", "x.toml"], "--agent-config: only a class takes a configuration"),
        (["--agent", "zoo:Configured", "--agent-config", "x.toml"], "x.toml: --agent-config: cannot be read"),
        (["--agent", "zoo:Configured", "--agent-config", "zoo.py"], "zoo.py: --agent-config: is no TOML"),
        (["--agent", "runner:x"], "'runner' is also the name of a package of assumeprobe"),
        (["--stubs", "zoo:Broken"], "--stubs: zoo:Broken() raised RuntimeError: no licence"),
        (["--record-wire"], "--record-wire: goes with --agent"),
        (["--agent-config", "x.toml"], "--agent-config: goes with --agent"),
    ],
)
def test_a_name_that_cannot_be_used_is_one_sentence_and_exit_2(desk, flags, sentence):
    (desk / "runner").mkdir()
    done = subprocess.run(command(*flags), cwd=desk, capture_output=True, encoding="utf-8", check=False, timeout=80)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("agent", ["echo", "slow"])
def test_500_samples_at_64_in_flight_do_not_mix(desk, agent):
    """Each argument carries the words of its own conversation."""
    done, records = run(desk, agent, "--samples", "11", "-j", "64", limit=48, timeout=80)
    assert done.returncode == 0, done.stderr
    assert len(records) == 528
    for record in records:
        words = REFUNDS.by_id()[record.fixture_id].messages[-1].content
        assert record.text == words
        given = [json.loads(call.arguments) for call in record.calls]
        assert given[-1]["reason_code"] == words
        assert [one["order_id"] for one in given[:-1]] == [f"{n}:{words}" for n in range(len(given) - 1)]


def test_ctrl_c_ends_a_run_of_slow_agents_and_keeps_what_was_there(desk):
    arguments = command("--agent", "zoo:slow", "--samples", "100", "-j", "64", "-o", "out.jsonl", "--quiet")
    with subprocess.Popen(arguments, cwd=desk, stderr=subprocess.PIPE, encoding="utf-8") as child:
        output = desk / "out.jsonl"
        while child.poll() is None and not (output.exists() and output.stat().st_size):
            pass
        child.send_signal(signal.SIGINT)
        _, words = child.communicate(timeout=40)
    assert child.returncode == 130, words
    assert "Traceback" not in words
    records = list(read_records(desk / "out.jsonl"))
    assert 0 < len(records) < 4800
    assert all(record.status == "ok" for record in records)


def test_a_simulated_model_is_named_also_where_nobody_saw_a_reply_of_it(desk, endpoint):
    server = endpoint(profile="perfect")
    place = ["--base-url", server.base_url, "--model", "my-model", "--agent", "zoo:loop", "--limit", "2"]
    arguments = [sys.executable, "-m", "runner", "run", "refunds", *place, "-o", "out.jsonl", "--score"]
    done = subprocess.run(arguments, cwd=desk, capture_output=True, encoding="utf-8", check=False, timeout=80)
    assert done.returncode == 0, done.stderr
    assert "SIMULATED MODEL" in done.stdout


class TestStubErrors:
    def test_a_share_of_the_calls_is_refused_and_every_record_says_so(self, desk):
        flags = ["--simulate", "perfect", "--stub-errors", "0.5", "--limit", "48", "-o", "out.jsonl", "--score"]
        done = subprocess.run(command(*flags), cwd=desk, capture_output=True, encoding="utf-8", check=False, timeout=80)
        assert done.returncode == 0, done.stderr
        assert "STUB ERRORS" in done.stdout
        records = list(read_records(desk / "out.jsonl"))
        assert {record.flags for record in records} == {("stub-errors",)}
        effects = [effect for record in records for effect in record.effects]
        assert 0.35 < sum(effect.refused for effect in effects) / len(effects) < 0.65
        for record in records:
            done_ = [e for e in record.effects if e.tool == "refund_order" and not e.refused]
            assert len(done_) == 1 or len(record.turns) == 4, "after a refusal the model may try again, to the cap"

    def test_another_share_is_another_study(self, desk):
        for share, status in (("0.5", 0), ("0.5", 0), ("0.2", 2)):
            flags = ["--stub-errors", share, "--limit", "2", "-o", "out.jsonl", "--quiet"]
            done = subprocess.run(
                command(*flags), cwd=desk, capture_output=True, encoding="utf-8", check=False, timeout=80
            )
            assert done.returncode == status
        assert "stub" in done.stderr


class TestRecordWire:
    @pytest.mark.parametrize("agent", ["loop", "sync_loop"])
    def test_the_record_holds_what_the_endpoint_sent_character_for_character(self, desk, agent):
        done, records = run(desk, agent, "--record-wire", limit=24)
        assert {record.status for record in records} <= {"ok", "error"}, done.stderr
        assert len(records) == 24
        for record in records:
            assert record.response_models == ("simulated/careless",)
            assert record.usage.input_tokens
            for call in record.calls:
                body = json.loads(record.turns[call.turn].response)
                sent = body["choices"][0]["message"]["tool_calls"][call.index]["function"]["arguments"]
                assert (call.arguments, call.source) == (sent, "tool_calls")

    def test_an_effect_stands_at_the_call_it_answers(self, desk):
        _, records = run(desk, "loop", "--record-wire", limit=24)
        for record in records:
            places = [(call.turn, call.index) for call in record.calls if call.malformed is None and call.offered]
            assert [(effect.turn, effect.index) for effect in record.effects] == places

    def test_a_call_that_the_agent_made_by_itself_is_kept_and_marked(self, desk):
        _, records = run(desk, "mutates", "--record-wire")
        assert {record.flags for record in records} == {("call-of-the-agent",)}
        assert {call.source for record in records for call in record.calls} == {"agent"}


class TestStubs:
    def test_a_stand_in_answers_and_says_what_would_be_stored(self, desk):
        done = self.play(desk, "zoo:Stubs")
        assert done.returncode == 0, done.stderr
        refunds = [e for r in read_records(desk / "out.jsonl") for e in r.effects if e.tool == "refund_order"]
        assert refunds
        assert {effect.answer["refund_id"] for effect in refunds} == {"from the stand-in"}
        assert {effect.stored["reason_code"] for effect in refunds} == {"OTHER"}
        assert {record.flags for record in read_records(desk / "out.jsonl")} == {("user-stubs",)}

    def test_a_stand_in_that_raises_is_the_error_of_that_sample(self, desk):
        done = self.play(desk, "zoo:BrokenStubs")
        assert done.returncode == 3
        for record in read_records(desk / "out.jsonl"):
            assert record.error.kind == "agent"
            assert "LookupError: no database" in record.error.message
            assert record.calls, "what the model said is kept"

    @staticmethod
    def play(desk, stubs):
        flags = ["--stubs", stubs, "--limit", "4", "--samples", "1", "--simulate", "perfect", "-o", "out.jsonl"]
        return subprocess.run(command(*flags), cwd=desk, capture_output=True, encoding="utf-8", check=False, timeout=80)
