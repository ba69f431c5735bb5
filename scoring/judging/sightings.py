"""Where a value stands in what the model was shown, and in which form: the nearest form first, then the first place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

import msgspec

from corpora.corpus import Probe
from corpora.values import Json
from scoring.judging.forms import amount, find, find_amount, same, written
from scoring.judging.leaves import Leaf, Where
from scoring.judging.texts import Form, Hit, Source
from scoring.judging.view import View


class Span(msgspec.Struct, frozen=True):
    """The evidence of a copy: characters `start` to `end` of a message, or of the leaf at `path` in JSON."""

    message: int | None
    """Its place among the fixture's messages, tool results of the sample counted on; None in the state."""
    path: str | None
    start: int
    end: int


class Sighting(msgspec.Struct, frozen=True):
    """A visible value: where, which characters, and in what form it is the emitted one."""

    where: Where
    span: Span
    form: Form
    negated: bool = False
    """The words before it rule it out: "not UTC"."""


_RANK: dict[Form, int] = {"exact": 0, "case-fold": 1, "unicode-form": 2, "equivalent-format": 3, "derived": 4}


def stands_in(probe: Probe, value: Json, sources: list[Source]) -> bool:
    """A value stands in one of the texts as a whole token."""
    return any(source.text and find(probe, value, source) is not None for source in sources)


def look(probe: Probe, value: Json, view: View) -> Sighting | None:
    """The best place in a view: by one search of its text, and a look at the leaves that are numbers or booleans."""
    if not view.clear:
        return look_closely(probe, value, view.leaves)
    best, first = None, len(view.values)
    source = view.source
    hit = (
        _told(probe, value, source) if isinstance(value, bool) else find(probe, value, source) if source.text else None
    )
    if hit is not None:
        if view.crosses(hit.start, hit.end):
            return look_closely(probe, value, view.leaves)
        first, begin = view.leaf_at(hit.start)
        best = _sighted(view.leaf(first), Hit(hit.start - begin, hit.end - begin, hit.form))
        if hit.form == "exact":  # no number is exactly a text
            return best
        if first and not isinstance(value, (str, bool)):
            best, first = _sooner(probe, value, view, best, first)
    for number in _like(probe, value, view) if view.mixed else ():
        seen = _see(probe, value, view.leaf(number))
        if seen is not None and (best is None or (_RANK[seen.form], number) < (_RANK[best.form], first)):
            best, first = seen, number
        if best is not None and best.form == "exact":  # the others stand behind it
            break
    return best


def _sooner(probe: Probe, value: Json, view: View, best: Sighting, first: int) -> tuple[Sighting, int]:
    """A number written in another way stands before the one that was found, which has the same form then."""
    hit = find_amount(probe, value, view.source)
    number = first if hit is None else view.leaf_at(hit.start)[0]
    seen = _see(probe, value, view.leaf(number)) if number < first else None
    return (best, first) if seen is None else (seen, number)


def look_closely(probe: Probe, value: Json, shown: Iterable[Leaf]) -> Sighting | None:
    """The best of all leaves, each looked at by itself."""
    best: Sighting | None = None
    for leaf in shown:
        best = better(best, _see(probe, value, leaf))
    return best


def better(one: Sighting | None, other: Sighting | None) -> Sighting | None:
    """The nearer form; the first where they are alike."""
    if one is None or other is None:
        return one or other
    return other if _RANK[other.form] < _RANK[one.form] else one


def _like(probe: Probe, value: Json, view: View) -> list[int]:
    """The leaves that are no texts and could be a value: a quick look, which may see too many."""
    values = view.values
    if isinstance(value, bool):
        named = value in values and view.may_name(_own_name(probe))
        return [number for number in view.others if values[number] is value] if named else []
    text, wanted = written(value), amount(probe, value)
    if probe.type == "id" and text is not None and not text.strip(_IN_NUMBERS):
        return [number for number in view.others if values[number] == value or str(values[number]) == text]
    return _equal_to(wanted, value, view) if text is not None and wanted is not None else []


def _equal_to(wanted: Decimal, value: Json, view: View) -> list[int]:
    """The leaves that are a number; as floats they tell whole numbers apart up to 2 ** 53."""
    near, values = float(wanted), view.values
    if abs(near) < _ALL_WHOLE and near not in values and (isinstance(value, str) or value not in values):
        return []
    return [number for number in view.others if values[number] in (near, wanted, value)]


_ALL_WHOLE = 2**53
_IN_NUMBERS = "0123456789+-.einfa"
"""Of these a written number is made."""


def _see(probe: Probe, value: Json, leaf: Leaf) -> Sighting | None:
    if not isinstance(leaf.value, str):
        form = same(probe, value, leaf.value)
        if form is None or (isinstance(value, bool) and not _names(probe, leaf.path)):
            return None
        return Sighting(leaf.where, Span(leaf.message, leaf.path, 0, len(leaf.source.text)), form)
    hit = _told(probe, value, leaf.source) if isinstance(value, bool) else find(probe, value, leaf.source)
    return None if hit is None else _sighted(leaf, hit)


def _sighted(leaf: Leaf, hit: Hit) -> Sighting:
    negated = _negated(leaf.source.text[max(0, hit.start - 30) : hit.start])
    return Sighting(leaf.where, Span(leaf.message, leaf.path, hit.start, hit.end), hit.form, negated)


def _negated(before: str) -> bool:
    """A negation stands right before a value, with at most two short words between them."""
    if before.isascii() or _OTHER_CASES.isdisjoint(before):  # in lower case the search takes a third of the time
        return _NEGATION.search(before.lower()) is not None
    return _NEGATION_IN_ANY_CASE.search(before) is not None


_OTHER_CASES = frozenset("\u0130\u0131\u017f\u212a")
"""Letters that are one with a letter of ASCII where case is ignored, and have another in lower case."""
_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|don't|without|except|anything but|rather than|instead of|nicht|kein\w*|nie|pas"
    r"|jamais|ni|non|mai|não|nunca|nem|niet|geen|nooit)\b)(?:\s+\w{1,5}){0,2}[\s\"'\u201c\u201e(]*$"
)
_NEGATION_IN_ANY_CASE = re.compile(_NEGATION.pattern, re.IGNORECASE)


_YES_NO = {
    True: "true|yes|on|enabled|ja|oui|sí|sì|sim|はい",
    False: "false|no|off|disabled|nein|non|não|nee|いいえ",
}


def _told(probe: Probe, value: bool, source: Source) -> Hit | None:
    """A text tells a boolean only right behind the field's own name: `notify: no`; and only where the type says so."""
    if probe.type != "boolean":
        return None
    name = _own_name(probe)
    begin = 0
    if source.text.isascii():  # there a search without case is a search in lower case, and it begins at the name
        begin = source.text.lower().find(re.split(r"[\s_\-]+", name)[0].lower())
    found = _said(name, value).search(source.text, begin) if begin >= 0 else None
    return found and Hit(found.start("value"), found.end("value"), "equivalent-format")


@lru_cache(1_000)
def _said(name: str, value: bool) -> re.Pattern[str]:
    """How a text says yes or no to a field."""
    own = r"[\s_\-]*".join(re.escape(word) for word in re.split(r"[\s_\-]+", name))
    said = rf"(?<!\w){own}\s*(?:[:=]|is|to|ist|est|es|è|é)?\s*(?P<value>{_YES_NO[value]})(?!\w)"
    return re.compile(said, re.IGNORECASE)


def _names(probe: Probe, path: str | None) -> bool:
    """A visible true or false speaks only for the field of its own name."""
    return path is not None and path.rpartition(".")[2].casefold() == _own_name(probe).casefold()


def _own_name(probe: Probe) -> str:
    """The last name of a probe's path."""
    return probe.argument.rpartition(".")[2]
