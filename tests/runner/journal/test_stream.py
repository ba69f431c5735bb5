"""With `-o -` lines go to a pipe, whole, and a slow reader holds nothing else up."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from runner.journal.stream import StreamJournal
from runner.schedule.messages import Key
from tests.runner.journal.lines import line


def test_lines_go_to_the_stream_each_key_once(tmp_path: Path) -> None:
    file = tmp_path / "out"
    with file.open("wb") as stream:
        journal = StreamJournal(stream.fileno(), ["f1"], 3)
        assert journal.append(line("f1", 0))
        assert not journal.append(line("f1", 0))
        assert journal.append(line("f1", 1, "timeout"))
        anyio.run(journal.flush)
    assert file.read_bytes() == line("f1", 0).data + line("f1", 1, "timeout").data
    assert (journal.counts(3).ok, journal.counts(3).errors) == (1, 1)
    assert Key("f1", 2) not in journal.done


def test_a_slow_reader_gets_every_byte_while_other_work_goes_on() -> None:
    read, write = os.pipe()
    journal = StreamJournal(write, ["f1"], 200)
    expected = b""
    for sample in range(200):
        one = line("f1", sample, text="x" * 2000)
        journal.append(one)
        expected += one.data

    async def main() -> bytes:
        got = bytearray()
        async with anyio.create_task_group() as group:
            group.start_soon(journal.flush)
            while len(got) < len(expected):
                got += await anyio.to_thread.run_sync(os.read, read, 1000)
        return bytes(got)

    assert anyio.run(main) == expected
    os.close(read)
    os.close(write)


def test_a_reader_that_left_is_a_broken_pipe() -> None:
    read, write = os.pipe()
    os.close(read)
    journal = StreamJournal(write, ["f1"], 1)
    journal.append(line("f1", 0))
    with pytest.raises(BrokenPipeError):
        anyio.run(journal.flush)
    os.close(write)
