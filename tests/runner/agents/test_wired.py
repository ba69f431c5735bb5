"""The wire and the tools put together: which call met which effect, and what the flags say of the rest."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import anyio
import msgspec
import pytest

from corpora.corpus import load, read_sets
from corpora.records import Failure
from runner.agents.hosting import Ending, Host
from runner.agents.recorder import Recorder, SampleEnded
from runner.agents.services import ServiceError, UserServices
from runner.agents.stub import Stub
from runner.agents.taps import Passed
from runner.agents.wired import explained, put_together
from runner.endpoints.openai_chat import OpenAIChat
from runner.endpoints.transport import Exchange

REFUNDS = load("refunds")
FIXTURE = REFUNDS.fixtures[0]
LOOKUP, REFUND = REFUNDS.tool("lookup_order"), REFUNDS.tool("refund_order")


def passed(*calls: tuple[str, str], text: str | None = None, path: str = "/chat/completions", offered=()) -> Passed:
    """An exchange in which the model said this."""
    made = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, "tool_calls": made}
    body = {"id": "r", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    exchange = Exchange(status=200, body=json.dumps(body).encode())
    return Passed(path=path, request_sha256="0", offered=frozenset(offered), exchange=exchange)


def failed(status: int, text: str = '{"error": {"message": "busy"}}') -> Passed:
    exchange = Exchange(status=status, body=text.encode())
    return Passed(path="/chat/completions", request_sha256="0", offered=frozenset(), exchange=exchange)


def made(*calls: tuple[object, dict, int]):
    """What reached the tools: tool, arguments, and how many requests there had been."""
    after = iter([count for _, _, count in calls])
    recorder = Recorder(REFUNDS, Stub(REFUNDS, read_sets(REFUNDS)), FIXTURE, 0, lambda: next(after))
    for tool, arguments, _ in calls:
        with recorder.call(tool, arguments):
            pass
    return recorder.close()


def together(exchanges, calls=()):
    return put_together(exchanges, made(*calls), OpenAIChat(), REFUNDS)


def test_a_key_that_was_taken_out_of_an_answer_is_said():
    one = passed(("refund_order", '{"order_id": "1"}'))
    echoed = msgspec.structs.replace(one, exchange=msgspec.structs.replace(one.exchange, echoed=True))
    calls = [(REFUND, {"order_id": "1"}, 1)]
    assert [together([exchange], calls).flags for exchange in (one, echoed)] == [(), ("key-echoed",)]


def test_each_effect_stands_at_the_call_that_it_answers():
    played = together(
        [
            passed(("lookup_order", '{"order_id": "1"}'), ("lookup_order", '{"order_id":"2"}')),
            passed(("refund_order", '{"order_id":  "1"}')),
        ],
        [(LOOKUP, {"order_id": "1"}, 1), (LOOKUP, {"order_id": "2"}, 1), (REFUND, {"order_id": "1"}, 2)],
    )
    assert [(c.turn, c.index, c.arguments) for c in played.calls] == [
        (0, 0, '{"order_id": "1"}'),
        (0, 1, '{"order_id":"2"}'),
        (1, 0, '{"order_id":  "1"}'),
    ]
    assert [(e.turn, e.index, e.given) for e in played.effects] == [(0, 0, None), (0, 1, None), (1, 0, None)]
    assert played.flags == ()


@pytest.mark.parametrize(
    ("emitted", "given", "flag"),
    [
        ('{"order_id": "1"}', {"order_id": "1", "note": None}, "arguments-changed"),
        ('{"order_id": 1}', {"order_id": "1"}, "arguments-changed"),
        ('{"order_id": "1"', {"order_id": "1"}, "arguments-changed"),
        ('{"order_id": 1.0}', {"order_id": 1}, None),
    ],
    ids=["filled", "coerced", "repaired", "equal numbers"],
)
def test_what_a_framework_changed_is_kept_beside(emitted, given, flag):
    played = together([passed(("lookup_order", emitted))], [(LOOKUP, given, 1)])
    assert (flag in played.flags) == (played.effects[0].given is not None) == (flag is not None)
    assert played.calls[0].arguments == emitted


def test_a_call_that_no_tool_was_given_is_flagged():
    assert together([passed(("lookup_order", "{}"))]).flags == ("call-not-made",)


def test_a_call_of_the_agents_own_is_kept_after_those_of_its_turn():
    played = together([passed(("lookup_order", "{}"))], [(LOOKUP, {}, 1), (REFUND, {}, 1)])
    assert [(c.turn, c.index, c.name, c.source) for c in played.calls] == [
        (0, 0, "lookup_order", "tool_calls"),
        (0, 1, "refund_order", "agent"),
    ]
    assert played.flags == ("call-of-the-agent",)


def test_a_tool_that_a_framework_brought_is_no_call_and_one_that_nobody_offered_is():
    played = together([passed(("final_answer", "{}"), ("made_up", "{}"), offered=["lookup_order", "final_answer"])])
    assert [(c.name, c.offered) for c in played.calls] == [("made_up", False)]


def test_requests_of_another_kind_and_such_as_did_not_end_are_no_turns():
    played = together([passed(path="/embeddings"), None, passed(("lookup_order", "{}"))], [(LOOKUP, {}, 3)])
    assert (len(played.turns), len(played.effects), played.calls[0].turn) == (1, 1, 0)


def test_failed_attempts_stand_in_the_turn_that_came_of_them():
    played = together([failed(500), failed(429), passed(text="hello"), failed(500)])
    assert [len(turn.attempts) for turn in played.turns] == [2, 1]
    assert [attempt.status for attempt in played.turns[0].attempts] == [500, 429]
    assert (played.text, played.failure.kind) == ("hello", "http")


def test_an_agent_that_failed_because_its_endpoint_did_has_the_endpoints_kind():
    reason = explained(together([failed(429)]), Failure(kind="agent", message="RateLimitError"))
    assert (reason.failure.kind, reason.failure.status) == ("rate-limit", 429)
    assert reason.failure.message == "busy; the agent ended with: RateLimitError"
    own = explained(together([passed(text="hello")]), Failure(kind="agent", message="ValueError"))
    assert own.failure == Failure(kind="agent", message="ValueError")


def test_a_wrong_key_is_fatal_for_the_run():
    assert together([failed(401)]).fatal == "auth: busy"


def test_a_call_after_the_end_of_its_sample_is_refused():
    recorder = Recorder(REFUNDS, Stub(REFUNDS, read_sets(REFUNDS)), FIXTURE, 0, lambda: 0)
    recorder.close()
    with (
        pytest.raises(SampleEnded, match="lookup_order was called after its sample had ended"),
        recorder.call(LOOKUP, {}),
    ):
        pass
    assert recorder.close() == ()


class Odd:
    def answer(self, tool, arguments):
        return {"when": object()} if tool == "lookup_order" else float("nan")

    def stored(self, tool, arguments):
        return "everything" if tool == "lookup_order" else NotImplemented


class TestServices:
    def test_what_is_no_json_is_made_text_and_what_cannot_be_is_refused(self):
        services = UserServices(Odd, "m:Odd")
        assert services.answer("lookup_order", {}, default=None)["when"].startswith("<object object")
        with pytest.raises(ServiceError, match=r"answer\(\) returned what is no JSON"):
            services.answer("refund_order", {}, default=None)

    def test_stored_is_a_dict_or_nothing(self):
        services = UserServices(Odd, "m:Odd")
        with pytest.raises(ServiceError, match=r"stored\(\) returned str; expected a dict"):
            services.stored("lookup_order", {}, default={})
        assert services.stored("refund_order", {}, default={"a": 1}) == {"a": 1}

    def test_both_methods_may_be_missing(self):
        services = UserServices(object, "m:Nothing")
        assert services.answer("x", {}, default=1) == 1
        assert services.stored("x", {}, default={"a": 1}) == {"a": 1}


@pytest.mark.anyio
class TestHost:
    async def test_a_plain_function_that_gives_a_coroutine_is_awaited(self):
        async def late():
            return "words"

        with Host() as host:
            assert await host.call(late, 5) == Ending(value="words")

    async def test_an_agent_that_cancels_itself_is_an_error(self):
        async def agent():
            raise asyncio.CancelledError

        with Host() as host:
            ended = await host.run(agent, 5)
        assert isinstance(ended.error, asyncio.CancelledError)

    async def test_no_thread_is_left_after_many_plain_agents_at_once(self):
        before = {thread.ident for thread in threading.enumerate()}
        with Host() as host:
            async with anyio.create_task_group() as group:
                for _ in range(64):
                    group.start_soon(host.call, lambda: time.sleep(0.02), 30)
        left = [t for t in threading.enumerate() if t.ident not in before]
        for thread in left:
            thread.join(10)
        assert [thread for thread in left if thread.is_alive()] == []

    async def test_no_thread_is_left_after_async_agents(self):
        async def agent():
            await asyncio.sleep(0.01)

        before = {thread.ident for thread in threading.enumerate()}
        with Host() as host:
            await host.run(agent, 30)
        assert [t for t in threading.enumerate() if t.ident not in before] == []

    async def test_what_a_plain_function_raises_is_its_ending(self):
        def agent():
            raise KeyboardInterrupt

        with Host() as host:
            assert str((await host.call(agent, 5)).error) == "the agent raised KeyboardInterrupt"
