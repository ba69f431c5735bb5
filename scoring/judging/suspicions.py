"""What else is to be said of a value: why it only looks like a visible one, or that it states no fact at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpora.probes import Probe, schema_below, steps
from corpora.values import Json
from scoring.judging.added_zones import added_zone
from scoring.judging.leaves import leaves
from scoring.judging.lookalikes import HOMOGLYPHS
from scoring.judging.quantities import places_of
from scoring.judging.setting import Setting, parts
from scoring.judging.sightings import stands_in
from scoring.judging.spellings import INVISIBLE
from scoring.judging.texts import Source

_MOST_DIGITS = 100
"""No id is longer."""


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


def look(setting: Setting, value: Json) -> list[str]:
    """Why a value that looks like a visible one is none."""
    all_parts = parts(value)
    dated = setting.probe.type in ("date", "datetime")
    found = ["zone-in-datetime"] if dated and any(added_zone(setting, part) for part in all_parts) else []
    for part in all_parts:
        found += _look(setting, part, part if isinstance(part, str) else "")
    return list(dict.fromkeys(found)) if len(found) > 1 else found


def _look(setting: Setting, part: Json, text: str) -> Iterator[str]:
    """Why a part of a value that looks like a visible one is none. `text`: the part, or nothing where it is none."""
    if not text.isascii():
        if INVISIBLE.search(text):
            yield "invisible-character"
        latin = text.translate(HOMOGLYPHS)
        if latin != text and _seen(setting, latin):
            yield "homoglyph"
    if _zeros(setting, part):
        yield "differs-only-in-leading-zeros"
    system = setting.world.system
    if text and system.text and stands_in(setting.probe, text, [system]):
        yield "prompt-example-only"


def _seen(setting: Setting, value: str) -> bool:
    return setting.world.sighting(setting.probe, value, setting.later) is not None


def _zeros(setting: Setting, part: Json) -> bool:
    """A whole number whose digits stand in what was shown with other zeros in front, or with none."""
    text = str(part)
    if not (text.isascii() and text.isdigit()) or len(text) > _MOST_DIGITS:
        return False
    digits, view = text.lstrip("0") or "0", setting.world.view
    sources = [*(source for source, _ in view.sources()), *(leaf.source for leaf in setting.later)]
    if any(_stands_behind_zeros(digits, source.text) for source in sources):
        return True
    return view.mixed and any(type(known) is int and known == int(digits) for known in view.values)


def _stands_behind_zeros(digits: str, text: str) -> bool:
    """The digits of a whole number stand in a text by themselves, whatever zeros are in front."""
    for at in places_of(digits, text):
        start, end = at, at + len(digits)
        if not text[end : end + 1].isdigit() and not _GOES_ON.match(text, end):
            while text[max(0, start - 1) : start] == "0":
                start -= 1
            if not start or not _JOINS.match(text, start - 1):
                return True
    return False


_JOINS = re.compile(r"[\w.,:/-]")
_GOES_ON = re.compile(r"[\w:/-]|[.,]\d")


_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\[[^\[\]]*\]|\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|%[^%]+%|_+|\.{3,}|\?+|x{3,}|-+"
    r"|none|null|nil|undefined|unknown|n/?a|not (?:available|specified|provided|given|known)|unspecified"
    r"|string|text|value|placeholder|tbd|tba|todo|to be (?:determined|confirmed|announced)"
    r"|your[_ -].+|insert .+|example",
    re.IGNORECASE,
)


def is_placeholder(probe: Probe, value: Json) -> bool:
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
    "null": (type(None),),
}


def fits(setting: Setting, value: Json) -> bool:
    """The value is of a type that the tool's schema names; True where the schema does not say."""
    schema: Json = setting.tool.parameters
    for step in steps(setting.probe.argument):
        schema = schema_below(schema, step)
    if not isinstance(schema, dict):
        return True
    named = schema.get("type")
    kinds = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    allowed = tuple(kind for name in kinds for kind in _TYPES.get(str(name), (object,)))
    if not allowed or object in allowed:
        return True
    if isinstance(value, bool):
        return bool in allowed
    return isinstance(value, allowed) or (isinstance(value, float) and value.is_integer() and int in allowed)
