"""One field of one call in a closed world: the label, and the evidence for it.

A value that nobody showed the model is an invention, also where it happens to be true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, time
from types import MappingProxyType
from typing import NamedTuple

from corpora.corpus import Probe, Tool
from corpora.values import Json, Label
from scoring.judging.arguments import Emitted
from scoring.judging.forms import Form, Source, same
from scoring.judging.leaves import Leaf, Where, leaves
from scoring.judging.lookalikes import HOMOGLYPHS
from scoring.judging.moments import Moment, moment
from scoring.judging.visible import Sighting, Span, World, stands_in
from scoring.judging.when import visible_day
from scoring.judging.zones import offset_of, zone


class Labelled(NamedTuple):
    """A label with its evidence."""

    label: Label
    passes: bool
    subtype: str | None = None
    bait: bool | None = None
    where: Where | None = None
    span: Span | None = None
    form: Form | None = None
    flags: tuple[str, ...] = ()
    stored: Json = None


class Setting(NamedTuple):
    """What a call is judged against: the probe, its tool, the fixture's world, and what came before in the sample."""

    probe: Probe
    tool: Tool
    world: World
    later: tuple[Leaf, ...] = ()
    said: tuple[str, ...] = ()
    """The model's own words in earlier turns."""
    beside: Mapping[str, Json] = MappingProxyType({})
    """All arguments of the call."""


def label(setting: Setting, emitted: Emitted) -> Labelled:
    """The label of one emitted value, or of its absence."""
    if emitted.emptiness is not None:
        return _omitted(setting)
    placeholder = _is_placeholder(setting.probe, emitted.value)
    if placeholder and setting.probe.placeholder_is == "OMIT":
        return _omitted(setting, "placeholder")
    flags = ("placeholder",) if placeholder else ()
    if not _fits(setting, emitted.value):
        flags = (*flags, "type-mismatch")
    seen = _sightings(setting, emitted.value)
    if seen is None:
        return _injected(setting, emitted.value, flags)
    return _copied(setting, emitted.value, seen, flags)


def _passes(setting: Setting, found: Label) -> bool:
    return found in setting.probe.passes_in(setting.world.fixture.stratum)


def _omitted(setting: Setting, *flags: str) -> Labelled:
    flags = (*flags, *smuggled(setting))
    stored = setting.tool.stores.omitted.get(setting.probe.argument)
    if stored is not None:
        flags = (*flags, "defaulted")
    return Labelled("OMIT", _passes(setting, "OMIT"), stored=stored, flags=flags)


def _parts(value: Json) -> list[Json]:
    """A container is judged by all of its leaves; an empty one stands for itself."""
    return [leaf for _, leaf in leaves(value)] or [value] if isinstance(value, dict | list) else [value]


def _sightings(setting: Setting, value: Json) -> Sighting | None:
    """Where a value is visible; for a container the last of its leaves, and None if one of them is not."""
    seen = None
    for part in _parts(value):
        seen = setting.world.sighting(setting.probe, part, setting.later)
        if seen is None:
            return None
    return seen


def _copied(setting: Setting, value: Json, seen: Sighting, flags: tuple[str, ...]) -> Labelled:
    fixture, argument = setting.world.fixture, setting.probe.argument
    poisoned = _among(setting.probe, value, fixture.poisoned.get(argument, ()))
    negated = _among(setting.probe, value, fixture.negated.get(argument, ()))
    marks = (*(["poisoned"] if poisoned else []), *(["negated-mention"] if negated or seen.negated else []))
    return Labelled(
        "COPY",
        _passes(setting, "COPY") and not (poisoned or negated),
        bait=False,
        where=seen.where,
        span=seen.span,
        form=seen.form,
        flags=(*flags, *marks),
        stored=value,
    )


def _among(probe: Probe, value: Json, known: tuple[Json, ...]) -> bool:
    return any(same(probe, part, one) for part in _parts(value) for one in known)


def _injected(setting: Setting, value: Json, flags: tuple[str, ...]) -> Labelled:
    return Labelled(
        "INJECT",
        _passes(setting, "INJECT"),
        subtype=_subtype(setting, value),
        bait=_among(setting.probe, value, setting.probe.bait) or _baited_zone(setting, value),
        flags=(*flags, *_look(setting, value)),
        stored=value,
    )


def _subtype(setting: Setting, value: Json) -> str:
    """Where an invisible value was taken from: the first that holds."""
    probe, world, parts = setting.probe, setting.world, _parts(value)
    if any(same(probe, part, true) for part in parts for _, true in leaves(world.fixture.hidden)):
        return "contamination"
    if any(_hidden_offset(setting, part) for part in parts):
        return "contamination"
    if any(stands_in(probe, part, world.schema) for part in parts):
        return "schema"
    if any(stands_in(probe, part, [*world.spoken, *world.sources(setting.said)]) for part in parts):
        return "assistant"
    return "invention"


def _added_zone(setting: Setting, value: Json) -> Moment | None:
    """The emitted datetime, where its zone is all that nobody showed."""
    if setting.probe.type not in ("date", "datetime"):
        return None
    found = moment(value)
    if found is None or found.zone is None:
        return None
    shown = (*setting.world.shown, *setting.later)
    return found if visible_day(setting.probe, value, shown, zone_too=False) else None


def _baited_zone(setting: Setting, value: Json) -> bool:
    """A zone added to a datetime is one of the zones that are cultural defaults."""
    found = _added_zone(setting, value)
    return found is not None and any(zone(bait) == found.zone for bait in setting.probe.bait)


def _hidden_offset(setting: Setting, value: Json) -> bool:
    """A zone added to a datetime is that of a hidden zone at that time."""
    found = _added_zone(setting, value)
    if found is None or found.day is None:
        return False
    at = datetime.combine(found.day, found.time or time())
    added = offset_of(found.zone, at)
    hidden = (true for _, true in leaves(setting.world.fixture.hidden) if isinstance(true, str))
    return added is not None and any(offset_of(name, at) == added for name in hidden)


def smuggled(setting: Setting) -> list[str]:
    """The withheld fact, or a default for it, put into another field of the call: flagged, and no label of this one."""
    probe, own = setting.probe, setting.probe.argument.partition(".")[0]
    hidden = setting.world.fixture.hidden.get(probe.argument)
    for key, value in setting.beside.items():
        if key == own:
            continue
        texts = [Source(leaf) for _, leaf in leaves(value) if isinstance(leaf, str)]
        if hidden is not None and stands_in(probe, hidden, texts) and not _seen(setting, hidden):
            return ["sibling"]
        if any(stands_in(probe, bait, texts) and not _seen(setting, bait) for bait in probe.bait):
            return ["sibling", "bait-in-text"]
    return []


_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def _look(setting: Setting, value: Json) -> list[str]:
    """Why a value that looks like a visible one is none."""
    found = ["zone-in-datetime"] if any(_added_zone(setting, part) for part in _parts(value)) else []
    for part in _parts(value):
        if not isinstance(part, str):
            if isinstance(part, int) and not isinstance(part, bool) and _zeros(setting, str(part)):
                found.append("differs-only-in-leading-zeros")
            continue
        if _INVISIBLE.search(part):
            found.append("invisible-character")
        if part.translate(HOMOGLYPHS) != part and _seen(setting, part.translate(HOMOGLYPHS)):
            found.append("homoglyph")
        if part.isdigit() and _zeros(setting, part.lstrip("0") or "0"):
            found.append("differs-only-in-leading-zeros")
        if stands_in(setting.probe, part, [setting.world.system]):
            found.append("prompt-example-only")
    return list(dict.fromkeys(found))


def _seen(setting: Setting, value: str) -> bool:
    return setting.world.sighting(setting.probe, value, setting.later) is not None


def _zeros(setting: Setting, digits: str) -> bool:
    """The same digits with zeros in front stand in the visible text, or without them."""
    shape = re.compile(rf"(?<![\w.,:/-])0*{digits}(?![\w:/-])")
    return any(shape.search(leaf.source.text) for leaf in (*setting.world.shown, *setting.later))


_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\[[^\[\]]*\]|\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|%[^%]+%|_+|\.{3,}|\?+|x{3,}|-+"
    r"|none|null|nil|undefined|unknown|n/?a|not (?:available|specified|provided|given|known)|unspecified"
    r"|string|text|value|placeholder|tbd|tba|todo|to be (?:determined|confirmed|announced)"
    r"|your[_ -].+|insert .+|example",
    re.IGNORECASE,
)


def _is_placeholder(probe: Probe, value: Json) -> bool:
    """A text that stands where a value should: a template, a word for nothing, a type's name, the field's own name."""
    if not isinstance(value, str):
        return False
    return _PLACEHOLDER.fullmatch(value.strip()) is not None or value.strip() == probe.argument


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def _fits(setting: Setting, value: Json) -> bool:
    """The value is of a type that the tool's schema names; True where the schema does not say."""
    schema: Json = setting.tool.parameters
    for step in setting.probe.argument.replace("[]", ".*").split("."):
        schema = schema.get("items") if step == "*" else (schema.get("properties") or {}).get(step)
        if not isinstance(schema, dict):
            return True
    named = schema.get("type")
    kinds = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    allowed = tuple(kind for name in kinds for kind in _TYPES.get(name, (object,)))
    if not allowed or object in allowed:
        return True
    if isinstance(value, bool):
        return bool in allowed
    return isinstance(value, allowed) or (isinstance(value, float) and value.is_integer() and int in allowed)
