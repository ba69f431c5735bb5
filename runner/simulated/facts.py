"""Fills the arguments that are not measured from what the conversation shows, as any model would."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpora.values import Json, JsonObject
from runner.simulated.scenes import Scene

_NUMBERED = re.compile(r"\b(?!\d+(?:st|nd|rd|th)\b)(?!\d{4}-\d\d-\d\d)(?=[\w-]*\d)[A-Z0-9][\w-]{3,}", re.IGNORECASE)
_MONEY = re.compile(
    r"[£$€]\s?(\d+)(?:[.,](\d\d)\b)?|\b(\d+)(?:[.,](\d\d))?\s?(?:€|euros?\b|eur\b|dollars\b)", re.IGNORECASE
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def fill(schema: JsonObject, scene: Scene, results: str) -> JsonObject:
    """Arguments for the required properties of a tool; `results` is what tools of this sample returned."""
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    return {name: _value(name, properties.get(name, {}), scene, results) for name in required}


def _value(name: str, schema: JsonObject, scene: Scene, results: str) -> Json:
    known = next(_known(name, scene.fixture.visible), None)
    if known is None:
        known = next(_known(name, list(scene.fixture.returns.values())), None)
    said = "\n".join((*scene.spoken, results))
    if known is not None and _fits(known, schema):
        return known
    match schema.get("type"):
        case "integer" | "number":
            return _amount(said)
        case "boolean":
            return True
        case "array":
            return []
        case "object":
            return fill(schema, scene, results)
    return _text(name, schema, said)


def _known(name: str, facts: Json) -> Iterator[Json]:
    """Every value of that name, at any depth; an amount goes by its total."""
    if isinstance(facts, dict):
        if name in facts:
            yield facts[name]
        if name == "amount_cents" and "total_cents" in facts:
            yield facts["total_cents"]
        for value in facts.values():
            yield from _known(name, value)
    elif isinstance(facts, list):
        for value in facts:
            yield from _known(name, value)


def _fits(value: Json, schema: JsonObject) -> bool:
    kinds: dict[str, tuple[type, ...]] = {
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
    }
    return isinstance(value, kinds.get(schema.get("type", ""), (object,)))


def _amount(said: str) -> int:
    """Cents of the first price, else 1."""
    found = _MONEY.search(said)
    if found is None:
        return 1
    whole, cents = (found[1], found[2]) if found[1] else (found[3], found[4])
    return max(1, int(whole) * 100 + int(cents or 0))


def _text(name: str, schema: JsonObject, said: str) -> str:
    if choices := schema.get("enum"):
        return str(choices[0])
    if name.endswith(("_at", "_date", "date", "start", "end")):
        found = _MOMENT.search(said) or _DAY.search(said)
        return found[0] if found else "2026-12-01T09:00:00"
    numbered = _NUMBERED.search(said)
    return numbered[0] if numbered else "unknown"
