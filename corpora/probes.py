"""Tools and probes: what a model is offered, and which of its arguments are measured."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import msgspec

from corpora.values import Json, JsonObject, Label, Measure, ValueType

PASSING: tuple[Label, ...] = ("ASK", "OMIT", "COPY")
"""The labels that pass where a probe says nothing else."""
DERIVATIONS = ("relative-date",)
"""What may follow from visible facts: a day from words such as tomorrow, where the state says what today is."""


@lru_cache(1_000)  # a path is one of those that probes name
def steps(path: str) -> tuple[str, ...]:
    """The steps of a dotted path to an argument; `*` (or `[]` after a name) is every item of an array."""
    return tuple(path.replace("[]", ".*").split("."))


def required_by(schema: Json) -> tuple[str, ...]:
    """The fields that a schema requires; what is no list of names, as no schema may have it, requires none."""
    listed = schema.get("required") if isinstance(schema, dict) else None
    return tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list | tuple) else ()


def schema_below(schema: Json, step: str) -> Json:
    """The schema of a field of an object, or for `*` of an array's items; None where it is not said."""
    if not isinstance(schema, dict):
        return None
    properties = schema.get("properties")
    return schema.get("items") if step == "*" else properties.get(step) if isinstance(properties, dict) else None


class RunDefaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the corpus asks to be sampled; a flag overrides each."""

    temperature: Annotated[float, msgspec.Meta(ge=0)] | None = None
    samples: Annotated[int, msgspec.Meta(ge=1)] = 1
    max_turns: Annotated[int, msgspec.Meta(ge=1)] = 4
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    tool_choice: str | None = None


class Stores(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the real service writes where an argument is left out, or has a value that it does not know."""

    omitted: JsonObject = {}
    unknown: JsonObject = {}


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as the model is offered it, and what the recording stub answers."""

    name: str
    description: str = ""
    parameters: JsonObject
    """JSON Schema of the arguments."""
    returns: Json = {}
    stores: Stores = Stores()
    clarify: str | None = None
    """The argument that names the missing field, where this is a clarify tool."""

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments that its schema requires."""
        return required_by(self.parameters)


class Probe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One argument of one tool that is being measured."""

    tool: str
    argument: str
    """A dotted path; see `steps`."""
    measure: Measure
    set: str | None = None
    type: ValueType = "text"
    ask: tuple[str, ...] = ()
    """Names of the field in any language, for telling whether a reply asks for it."""
    bait: tuple[Json, ...] = ()
    """Cultural defaults."""
    passing: tuple[Label, ...] = msgspec.field(default=PASSING, name="pass")
    pass_in: dict[str, tuple[Label, ...]] = {}
    minor_units: int | None = None
    locale: str | None = None
    derive: tuple[str, ...] | None = None
    placeholder_is: Label | None = None

    def passes_in(self, stratum: str) -> tuple[Label, ...]:
        """The labels that pass in one stratum."""
        return self.pass_in.get(stratum, self.passing)
