"""A site draws each key once and keeps every line until it is acknowledged."""

from __future__ import annotations

from itertools import count

import anyio
import pytest

from runner.schedule.messages import Key, Line, Order, Receipt, Share
from runner.schedule.pump import Fenced, Pump

KEYS = tuple(Key("f1", sample) for sample in range(6))


def line(key: Key, size: int = 2) -> Line:
    return Line(key=key, data=b"x" * (size - 1) + b"\n", ok=True)


class Bench:
    """A draw whose samples end when they are told to, and that counts."""

    def __init__(self) -> None:
        self.begun: list[Key] = []
        self.flying = self.peak = 0
        self.gates = {key: anyio.Event() for key in KEYS}

    async def draw(self, key: Key) -> Line:
        self.begun.append(key)
        self.flying += 1
        self.peak = max(self.peak, self.flying)
        await self.gates[key].wait()
        self.flying -= 1
        return line(key)

    def end(self, *keys: Key) -> None:
        for key in keys:
            self.gates[key].set()


TURNS = count(1)


def order(*keys: Key, ack: int = 0, epoch: int = 1, concurrency: int = 6, **how: bool) -> Order:
    share = Share(concurrency=concurrency)
    return Order(run_id="r", epoch=epoch, turn=next(TURNS), keys=keys, ack=ack, share=share, **how)


def run(steps: object) -> None:
    async def bounded() -> None:
        with anyio.fail_after(5):
            await steps()  # type: ignore[operator]

    anyio.run(bounded)


def test_a_line_comes_again_until_it_is_acknowledged() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw) as pump:
            await pump.exchange(order(*KEYS[:2]))
            bench.end(KEYS[0])
            first = await pump.exchange(order())
            again = await pump.exchange(order())
            assert first.lines == again.lines == (line(KEYS[0]),)
            bench.end(KEYS[1])
            last = await pump.exchange(order(ack=first.seq))
            assert last.lines == (line(KEYS[1]),)
            assert (await pump.exchange(order(ack=last.seq))).lines == ()

    run(steps)


def test_a_repeated_order_starts_nothing_twice_whether_the_key_runs_or_waits_for_its_acknowledgement() -> None:
    async def steps() -> None:
        bench = Bench()
        bench.end(KEYS[0])
        async with Pump(bench.draw) as pump:
            again = order(*KEYS[:2])
            for one in (again, again, order(*KEYS[:2])):
                await pump.exchange(one)
            assert bench.begun == list(KEYS[:2])

    run(steps)


def test_an_echo_of_an_old_order_draws_nothing_again_though_its_keys_are_long_acknowledged() -> None:
    async def steps() -> None:
        bench = Bench()
        bench.end(*KEYS)
        async with Pump(bench.draw) as pump:
            old = order(KEYS[0])
            await pump.exchange(old)
            receipt = await pump.exchange(order())
            await pump.exchange(order(ack=receipt.seq))
            await pump.exchange(old)
            await pump.exchange(order(KEYS[1], ack=receipt.seq))
            assert bench.begun == [KEYS[0], KEYS[1]]

    run(steps)


def test_a_new_coordinator_is_told_at_once_what_runs_and_takes_over_what_nobody_acknowledged() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw) as pump:
            await pump.exchange(order(*KEYS[:3]))
            bench.end(KEYS[0])
            await pump.exchange(order())
            taken: Receipt = await pump.exchange(order(epoch=2))
            assert set(taken.running) == set(KEYS[1:3])
            assert taken.lines == (line(KEYS[0]),)
            with pytest.raises(Fenced, match="a newer run drives this site"):
                await pump.exchange(order(epoch=1))

    run(steps)


def test_a_new_coordinator_that_did_not_hear_the_answer_is_told_again_what_runs() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw) as pump:
            await pump.exchange(order(*KEYS[:3], concurrency=2))
            first = order(epoch=2, concurrency=2)
            lost = await pump.exchange(first)
            bench.end(KEYS[0])
            await anyio.wait_all_tasks_blocked()
            again = await pump.exchange(first)
            assert set(lost.running) == set(KEYS[:3])
            assert {*again.running, *(one.key for one in again.lines)} == set(KEYS[:3])
            assert (await pump.exchange(order(epoch=2, concurrency=2, ack=again.seq, waits=False))).running == ()

    run(steps)


def test_a_receipt_stays_below_its_size_but_always_holds_a_line() -> None:
    async def draw(key: Key) -> Line:
        return line(key, 100)

    async def steps() -> None:
        async with Pump(draw, receipt_bytes=250) as pump:
            await pump.exchange(order(*KEYS))
            await anyio.wait_all_tasks_blocked()
            receipt = await pump.exchange(order())
            assert [one.key for one in receipt.lines] == list(KEYS[:2])
            assert len((await pump.exchange(order(ack=receipt.seq))).lines) == 2
        async with Pump(draw, receipt_bytes=10) as pump:
            await pump.exchange(order(*KEYS))
            assert len((await pump.exchange(order())).lines) == 1

    run(steps)


def test_keys_beyond_the_share_wait_at_the_site_and_one_begins_where_another_ends() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw) as pump:
            await pump.exchange(order(*KEYS[:4], concurrency=2))
            await anyio.wait_all_tasks_blocked()
            assert bench.begun == list(KEYS[:2])
            bench.end(*KEYS[:2])
            await anyio.wait_all_tasks_blocked()
            assert bench.begun == list(KEYS[:4])  # no exchange was needed
            receipt = await pump.exchange(order(concurrency=2))
            assert (len(receipt.lines), receipt.in_flight, bench.peak) == (2, 2, 2)

    run(steps)


def test_a_larger_share_begins_what_waits_and_a_smaller_one_lets_what_is_in_flight_end() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw, poll_s=0.01) as pump:
            await pump.exchange(order(*KEYS, concurrency=1))
            assert (await pump.exchange(order(concurrency=4))).in_flight == 4
            assert (await pump.exchange(order(concurrency=1))).in_flight == 4
            bench.end(*KEYS[:3])
            await anyio.wait_all_tasks_blocked()
            assert bench.begun == list(KEYS[:4])

    run(steps)


def test_told_to_hold_it_begins_nothing_more_of_what_is_in_hand() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw, poll_s=None) as pump:
            await pump.exchange(order(*KEYS[:3], concurrency=1))
            bench.end(KEYS[0])
            first = await pump.exchange(order(concurrency=1, hold=True))
            last = await pump.exchange(order(ack=first.seq, concurrency=1, hold=True))
            assert (last.lines, last.in_flight) == ((), 0)  # and it did not wait: nothing could come
            assert bench.begun == [KEYS[0]]
            assert pump.in_hand == 2

    run(steps)


def test_after_a_line_that_is_fatal_nothing_begins_until_an_order_says_so() -> None:
    begun: list[Key] = []

    async def draw(key: Key) -> Line:
        begun.append(key)
        return Line(key=key, data=b"{}\n", ok=False, fatal="the key was refused")

    async def steps() -> None:
        async with Pump(draw) as pump:
            receipt = await pump.exchange(order(*KEYS, concurrency=2))
            await anyio.wait_all_tasks_blocked()
            assert begun == list(KEYS[:2])
            await pump.exchange(order(ack=receipt.seq, concurrency=1))
            await anyio.wait_all_tasks_blocked()
            assert begun == list(KEYS[:3])

    run(steps)


def test_an_order_that_does_not_wait_is_answered_at_once() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw, poll_s=None) as pump:
            await pump.exchange(order(KEYS[0]))
            assert (await pump.exchange(order(waits=False))).lines == ()

    run(steps)


def test_a_receipt_names_the_order_that_was_obeyed_last() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw, poll_s=0.01) as pump:
            first, second = order(concurrency=1), order(KEYS[0], concurrency=2)
            await pump.exchange(first)
            await pump.exchange(second)
            receipt = await pump.exchange(first)
            assert (receipt.turn, receipt.in_flight) == (second.turn, 1)

    run(steps)


def test_an_exchange_without_a_line_ends_after_the_poll() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw, poll_s=0.01) as pump:
            await pump.exchange(order(KEYS[0]))
            assert (await pump.exchange(order())).lines == ()

    run(steps)


def test_a_receipt_waits_for_more_lines_only_as_long_as_no_slot_stands_empty() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw, linger_s=1000.0) as pump:
            await pump.exchange(order(*KEYS[:4], concurrency=2))
            async with anyio.create_task_group() as group:
                group.start_soon(end_in_turn, bench)
                receipt = await pump.exchange(order(concurrency=2))
            assert [line.key for line in receipt.lines] == list(KEYS[:3])  # with the third a slot stood empty

    async def end_in_turn(bench: Bench) -> None:
        for key in KEYS[:3]:
            await anyio.wait_all_tasks_blocked()
            bench.end(key)

    run(steps)


def test_leaving_the_pump_cuts_what_is_in_flight() -> None:
    async def steps() -> None:
        bench = Bench()
        async with Pump(bench.draw) as pump:
            await pump.exchange(order(*KEYS))
            await anyio.wait_all_tasks_blocked()
            assert bench.flying == 6

    run(steps)


def test_a_new_coordinator_is_told_of_lines_that_do_not_fit_into_the_first_receipt() -> None:
    async def steps() -> None:
        bench = Bench()
        bench.end(*KEYS)
        async with Pump(bench.draw, receipt_bytes=4) as pump:
            await pump.exchange(order(*KEYS[:4]))
            await anyio.wait_all_tasks_blocked()
            taken = await pump.exchange(order(epoch=2))
            assert len(taken.lines) == 2
            assert {*taken.running, *(one.key for one in taken.lines)} == set(KEYS[:4])

    run(steps)
