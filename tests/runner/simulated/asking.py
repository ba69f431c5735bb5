"""Plays a fixture against the model or a server as a runner would, for the tests of this room."""

from __future__ import annotations

import json
from typing import Any

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.jsonl import to_json
from runner.simulated.model import SimulatedModel


def request(corpus: Corpus, fixture: Fixture, **more: Any) -> dict[str, Any]:
    """The body that a runner sends for a fixture's first turn."""
    messages = [{"role": "system", "content": corpus.system_text(fixture)}, *to_json(fixture.messages)]
    tools = [
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in corpus.tools
    ]
    return {"model": "any", "messages": messages, "tools": tools, **more}


def after_tools(body: dict[str, Any], message: dict[str, Any], fixture: Fixture) -> dict[str, Any]:
    """The body of the next turn: the reply, and what its tools returned."""
    results = [
        {
            "role": "tool",
            "tool_call_id": call["id"],
            "content": json.dumps(fixture.returns.get(call["function"]["name"], {})),
        }
        for call in message["tool_calls"]
    ]
    return {**body, "messages": [*body["messages"], message, *results]}


def say(model: SimulatedModel, body: dict[str, Any], number: int = 0) -> dict[str, Any]:
    """The choice of one reply."""
    asked = model.read(body)
    reply = model.reply(asked, number if asked.number is None else asked.number, response_id="r", created=0)
    choice: dict[str, Any] = reply["choices"][0]
    return choice


def sample(model: SimulatedModel, corpus: Corpus, fixture: Fixture, number: int, **more: Any) -> list[dict[str, Any]]:
    """The choices of a sample, turn by turn, to at most four turns."""
    body = request(corpus, fixture, **more)
    choices = []
    for _ in range(4):
        choice = say(model, body, number)
        choices.append(choice)
        calls = choice["message"].get("tool_calls", [])
        if not calls or any(call["function"]["name"] == corpus.must_call(fixture) for call in calls):
            break
        body = after_tools(body, choice["message"], fixture)
    return choices
