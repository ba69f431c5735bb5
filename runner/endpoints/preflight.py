"""Two requests before the first sample: whether the endpoint sees the tools and heeds tool_choice, and who answers.

A chat template without tools drops them silently, and every reply would then look like restraint.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.manifests import Study
from corpora.values import JsonObject
from runner.endpoints.base import ChatRequest, Endpoint, Reply

Tools = Literal["seen", "dropped", "unknown"]
Choice = Literal["honoured", "ignored", "unknown"]
_FEW_TOKENS = 16
"""Of the answer without tools only the count of prompt tokens is wanted; some APIs refuse to be asked for fewer."""


class Preflight(msgspec.Struct, frozen=True, kw_only=True):
    """What two requests showed."""

    tools: Tools
    tool_choice: Choice
    model: str | None
    tokens_with_tools: int | None
    tokens_without_tools: int | None
    lines: tuple[str, ...]
    """One for each finding, for a person."""
    warnings: tuple[str, ...] = ()
    fatal: str | None = None

    def as_json(self) -> JsonObject:
        """For the manifest."""
        found: JsonObject = msgspec.to_builtins(self)
        return found


async def preflight(endpoint: Endpoint, corpus: Corpus, study: Study, fixture: Fixture) -> Preflight:
    """Ask with the tools and `required`, then without the tools. It never raises for what an endpoint does."""
    asked = ChatRequest(
        model=study.model,
        system=corpus.system_text(fixture),
        messages=fixture.messages,
        tools=corpus.tools,
        temperature=study.temperature,
        max_tokens=study.max_tokens,
        tool_choice="required",
        params=study.params,
        stream=study.stream,
        drop=study.drop_params,
    )
    with_tools = await endpoint.complete(asked)
    if with_tools.fatal is not None:
        return judged(study.model, with_tools, Reply())
    without = await endpoint.complete(
        msgspec.structs.replace(asked, tools=(), tool_choice=None, max_tokens=_FEW_TOKENS)
    )
    return judged(study.model, with_tools, without)


def judged(model: str, with_tools: Reply, without: Reply) -> Preflight:
    """What the two replies say of the endpoint."""
    answer = with_tools.answer
    many, few = _tokens(with_tools), _tokens(without)
    tools: Tools = "unknown" if many is None or few is None else "seen" if many > few else "dropped"
    choice: Choice = "unknown" if answer is None else "honoured" if answer.calls else "ignored"
    called = ""
    if choice == "honoured" and tools == "dropped":
        tools, called = "seen", "; it called one, so the count is of something else"
    reported = answer.model if answer else None
    warnings = []
    if tools == "dropped":
        warnings.append(f"tools: not seen by the model, the prompt has {many} tokens with and without them")
    if choice == "ignored":
        warnings.append("tool_choice: required was answered without a call")
    if with_tools.failure is not None:
        warnings.append(f"tool_choice: could not be tried: {with_tools.failure.message}")
    return Preflight(
        tools=tools,
        tool_choice=choice,
        model=reported,
        tokens_with_tools=many,
        tokens_without_tools=few,
        lines=(
            f"tools: {tools} ({_or(many)} prompt tokens with them, {_or(few)} without{called})",
            f"tool_choice: {choice}",
            f"model: {_or(reported)} answered, {model} was asked for",
        ),
        warnings=tuple(warnings),
        fatal=with_tools.fatal,
    )


def _tokens(reply: Reply) -> int | None:
    return reply.answer.input_tokens if reply.answer else None


def _or(value: object) -> str:
    return "unknown" if value is None else str(value)
