"""Tools as Python functions with real signatures, which a user's agent calls as it would call its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import anyio.lowlevel

from corpora.corpus import Tool
from corpora.values import Json
from runner.agents.recorder import Recorder
from runner.agents.signatures import Shape, given_by, shape_of

ToolFunction = Callable[..., Json]


class Catalogue:
    """The functions of a corpus's tools; shapes are made once, functions for each sample."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._shapes = [(tool, shape_of(tool)) for tool in tools]

    def functions(self, recorder: Recorder, *, asynchronous: bool) -> dict[str, ToolFunction]:
        """A function for each tool, by its name, that records into one sample."""
        make = _asynchronous if asynchronous else _synchronous
        return {tool.name: _dressed(make(tool, shape, recorder), tool, shape) for tool, shape in self._shapes}


def _synchronous(tool: Tool, shape: Shape, recorder: Recorder) -> ToolFunction:
    given = given_by(tool, shape)

    def call(*positional: Json, **named: Json) -> Json:
        """Record the call, and give what the stub answers."""
        with recorder.call(tool, given(positional, named)) as answer:
            return answer

    return call


def _asynchronous(tool: Tool, shape: Shape, recorder: Recorder) -> ToolFunction:
    given = given_by(tool, shape)

    async def call(*positional: Json, **named: Json) -> Json:
        """Record the call, and give what the stub answers."""
        with recorder.call(tool, given(positional, named)) as answer:
            await anyio.lowlevel.checkpoint()  # calls made together begin before any ends
            return answer

    return call


def _dressed(function: ToolFunction, tool: Tool, shape: Shape) -> ToolFunction:
    facts: dict[str, Json] = {
        "__name__": tool.name,
        "__qualname__": tool.name,
        "__doc__": shape.doc,
        "__signature__": shape.signature,
        "__annotations__": dict(shape.annotations),
        "description": tool.description,
        "parameters": tool.parameters,
    }
    for name, value in facts.items():
        setattr(function, name, value)
    return function
