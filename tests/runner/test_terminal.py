"""A table in a pipe."""

from __future__ import annotations

import io
import os

import pytest

from runner.terminal import Terminal


def test_a_reader_that_left_is_a_broken_pipe_and_no_exit() -> None:
    read, write = os.pipe()
    os.close(read)
    with io.FileIO(write, "wb") as pipe:
        stream = io.TextIOWrapper(pipe, write_through=True)
        with pytest.raises(BrokenPipeError):
            Terminal(file=stream).print("a table")
        stream.detach()
