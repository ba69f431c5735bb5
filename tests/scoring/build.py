"""Corpora, sets and records made in a test, in one line each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from corpora.canonical import canonical, sha256
from corpora.corpus import Corpus, Probe, RunDefaults, Tool
from corpora.fixtures import Fixture
from corpora.records import Call, Effect, Failure, Record, Turn
from corpora.snapshots import AuthoritativeSet

CODES = ("DAMAGED_ON_ARRIVAL", "WRONG_ITEM_SHIPPED", "LATE_DELIVERY", "NOT_AS_DESCRIBED", "DUPLICATE_CHARGE", "OTHER")
BAIT = ("UTC", "GMT", "America/New_York", "P3", "medium", "us-east-1")


def a_fixture(id: str = "f1", stratum: str = "s", user: str = "Please do it.", **fields: Any) -> Fixture:  # noqa: A002
    line = {"id": id, "stratum": stratum, "messages": [{"role": "user", "content": user}], **fields}
    return msgspec.convert({**line, "sha256": sha256(line), "line": 1}, Fixture)


def a_tool(
    name: str = "act", required: Iterable[str] = (), properties: dict[str, Any] | None = None, **fields: Any
) -> Tool:
    schema = {"type": "object", "required": list(required), "properties": properties or {}}
    return msgspec.convert({"name": name, "parameters": schema, **fields}, Tool)


def a_probe(argument: str = "value", tool: str = "act", measure: str = "closed-world", **fields: Any) -> Probe:
    return msgspec.convert({"tool": tool, "argument": argument, "measure": measure, **fields}, Probe)


def a_set(values: Iterable[Any] = CODES, name: str = "codes", **fields: Any) -> AuthoritativeSet:
    members = tuple(values)
    return AuthoritativeSet(
        name=name,
        values=members,
        source="values",
        read_at="2026-01-01T00:00:00+00:00",
        sha256=sha256(sorted(members, key=canonical)),
        **fields,
    )


def a_corpus(
    fixtures: Iterable[Fixture], tools: Iterable[Tool], probes: Iterable[Probe], system: str = "Be brief. {state}"
) -> Corpus:
    found = tuple(fixtures)
    strata: dict[str, int] = {}
    for fixture in found:
        strata[fixture.stratum] = strata.get(fixture.stratum, 0) + 1
    return Corpus(
        name="made",
        folder="",
        system=system,
        run=RunDefaults(),
        strata=strata,
        tools=tuple(tools),
        probes=tuple(probes),
        set_specs={},
        fixtures=found,
        canned=(),
        system_sha256="",
        tools_sha256="",
        corpus_sha256="",
    )


def a_call(name: str | None, arguments: Any, *, turn: int = 0, index: int = 0, **fields: Any) -> Call:
    text = arguments if isinstance(arguments, str) or arguments is None else msgspec.json.encode(arguments).decode()
    known = {"wire_type": "string", "source": "tool_calls", "offered": True, "id": None, **fields}
    return Call(turn=turn, index=index, name=name, arguments=text, **known)


def a_record(
    fixture: Fixture,
    text: str | None = None,
    calls: Iterable[Call] = (),
    sample: int = 0,
    *,
    finish_reason: str | None = None,
    response_id: str | None = None,
    turns: Iterable[Turn] | None = None,
    **fields: Any,
) -> Record:
    turn = Turn(text=text, response=None, finish_reason=finish_reason, response_id=response_id)
    known = {"corpus": "made", "corpus_sha256": "", "status": "ok", "request_model": "m", **fields}
    return Record(
        fixture_id=fixture.id,
        fixture_sha256=fixture.sha256,
        stratum=fixture.stratum,
        sample=sample,
        text=text,
        calls=tuple(calls),
        turns=(turn,) if turns is None else tuple(turns),
        **known,
    )


def an_error(fixture: Fixture, sample: int = 0, kind: str = "timeout") -> Record:
    return a_record(fixture, sample=sample, status="error", error=Failure(kind=kind, message=""), turns=())


def a_turn(text: str | None = None, finish_reason: str | None = None) -> Turn:
    return Turn(text=text, response=None, finish_reason=finish_reason)


def an_effect(turn: int, tool: str, answer: Any) -> Effect:
    return Effect(turn=turn, index=0, tool=tool, answer=answer)
