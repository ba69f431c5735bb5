"""When two spellings are one value, and where a value stands in a text: the same text first, then type by type.

Without a rule only these are equal: the same text, its case folding, its Unicode compatibility form, equal numbers.
What more is equal is said by the probe's type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Context, Decimal
from functools import partial
from typing import Literal, NamedTuple

from corpora.corpus import Probe
from corpora.values import Json
from scoring.judging import quantities, zones
from scoring.judging.folding import (
    Folded,
    both,
    case_folded,
    compatible,
    fold_case,
    fold_case_too,
    fold_compatible,
    lower_ascii,
)
from scoring.judging.tokens import find_token

LONGEST = 10_000
"""A value of more characters is compared as it stands only: other forms would take as long as the sender likes."""

Form = Literal["exact", "case-fold", "unicode-form", "equivalent-format", "derived"]


class Hit(NamedTuple):
    """Where a value stands in a text, in characters, and in which form."""

    start: int
    end: int
    form: Form


class Source:
    """A text that is searched many times: its foldings are made when they are first needed."""

    __slots__ = ("_ascii", "_both", "_cased", "_plain", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._cased: Folded | None = None
        self._plain: Folded | None = None
        self._both: Folded | None = None
        self._ascii: str | None = None

    def cased(self) -> Folded:
        """The text, its case folded."""
        found = self._cased
        if found is None:
            text = self.text
            found = self._cased = Folded.same(text.lower()) if text.isascii() else fold_case(text)
        return found

    def plain(self) -> Folded:
        """The text in Unicode compatibility form."""
        found = self._plain
        if found is None:
            found = self._plain = fold_compatible(self.text)
        return found

    def both(self) -> Folded:
        """The text in compatibility form, its case folded: for one that is in that form its case alone."""
        found = self._both
        if found is None:
            plain = self.plain()
            found = self._both = self.cased() if plain.text is self.text else fold_case_too(self.text, plain)
        return found

    def names(self, wanted: str = "") -> str:
        """What a name is looked for in: the case folding of the compatibility form, or what takes less time to make."""
        if self.text.isascii():
            return self.cased().text
        if not wanted.isascii() or "ss" in wanted:
            return self.both().text
        if self._ascii is None:
            plain = self.plain().text
            self._ascii = self.both().text if plain.isascii() else lower_ascii(plain)
        return self._ascii


def written(value: Json) -> str | None:
    """The text of a value that has one: a string, or the decimal text of a number."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def same(probe: Probe, emitted: Json, known: Json) -> Form | None:
    """In which form two values are one, by the probe's type; None where they are two."""
    if isinstance(emitted, str) and isinstance(known, str):
        if emitted == known:
            return "exact"
        if max(len(emitted), len(known)) > LONGEST:
            return None
        form = _same_text(emitted, known)
        if form is not None:
            return form
    elif isinstance(emitted, bool) or isinstance(known, bool):
        return "exact" if emitted is known else None
    elif type(emitted) is type(known) and emitted == known:
        return "exact"
    return "equivalent-format" if _equivalent(probe, emitted, known) else None


def _same_text(emitted: str, known: str) -> Form | None:
    """Whether two texts are one when they are folded; in ASCII that changes no length."""
    ascii_only = emitted.isascii() and known.isascii()
    if not (ascii_only and len(emitted) != len(known)) and case_folded(emitted) == case_folded(known):
        return "case-fold"
    return "unicode-form" if not ascii_only and both(emitted) == both(known) else None


def find(probe: Probe, emitted: Json, source: Source) -> Hit | None:
    """Where an emitted value stands in a text as a whole token of its type."""
    text = emitted if isinstance(emitted, str) else None
    if text is not None and text.strip():
        if probe.type == "timezone" and len(text) <= LONGEST:
            return _find_zone(text, source)
        hit = _find_text(text, source, strict=probe.type == "id")
        if hit is not None or len(text) > LONGEST:
            return hit
    return _find_equivalent(probe, emitted, source)


def _find_text(needle: str, source: Source, *, strict: bool) -> Hit | None:
    at = find_token(needle, source.text, strict=strict)
    if at >= 0 or len(needle) > LONGEST:
        return Hit(at, at + len(needle), "exact") if at >= 0 else None
    caseless = _caseless(needle)
    cased = needle if caseless else case_folded(needle)
    if not caseless and _may_stand(cased, source.text):
        at = find_token(cased, source.cased().text, strict=strict)
        if at >= 0:
            return Hit(*source.cased().span(at, at + len(cased)), "case-fold")
    if needle.isascii() and source.text.isascii():  # there is no other Unicode form
        return None
    wanted, plain = both(needle), source.plain()
    if wanted == cased and plain.text is source.text:  # the same search again
        return None
    if not _may_stand(wanted, plain.text):
        return None
    folded = plain if caseless and not needle.isdigit() else source.both()
    at = find_token(wanted, folded.text, strict=strict)
    return Hit(*folded.span(at, at + len(wanted)), "unicode-form") if at >= 0 else None


def _find_zone(emitted: str, source: Source) -> Hit | None:
    """A zone as it was emitted, or by another of its names; where no name of it stands, its case is not folded too."""
    named = zones.spelt(emitted)
    at = find_token(emitted, source.text)
    hit = Hit(at, at + len(emitted), "exact") if at >= 0 else None
    by_name = None
    if hit is None:
        by_name = zones.places_by_name(named, source.names(named))
        if by_name or not zones.holds_name(named, emitted):
            hit = _find_text(emitted, source, strict=False)
    if hit is not None and _is_part(named, hit, source):
        hit = _find_elsewhere(emitted, named, source)
    if hit is not None:
        return hit
    return _first(source, named, partial(zones.zones_like, named, folded=source.names(named), by_name=by_name))


def _is_part(named: zones.Zone, hit: Hit, source: Source) -> bool:
    """Where a zone was found there stands another, of which it is a part."""
    if source.text.isascii():
        return zones.is_part(named, source.text, hit.start, hit.end)
    before, found = compatible(source.text[max(0, hit.start - 12) : hit.start]), source.text[hit.start : hit.end]
    text = before + compatible(found) + compatible(source.text[hit.end : hit.end + 12])
    return zones.is_part(named, text, len(before), len(before) + len(compatible(found)))


def _find_elsewhere(emitted: str, named: zones.Zone, source: Source) -> Hit | None:
    """A zone as it was emitted, where it is no part of another."""
    plain = source.plain()
    hit = _find_text(emitted, Source(zones.without_others(named, plain.text)), strict=False)
    if hit is None:
        return None
    start, end = plain.span(hit.start, hit.end)
    form = hit.form if case_folded(source.text[start:end]) == case_folded(emitted) else "unicode-form"
    return Hit(start, end, form)


def _may_stand(wanted: str, text: str) -> bool:
    """False where a quick look says that a needle, its case folded, stands nowhere in the folding of a text.

    The digits and signs that it begins with are the same in any case, so only what follows them has to be folded.
    """
    head = _HEAD.match(wanted)
    if head is None:
        return True
    begin, rest = head[0], wanted[head.end() :]
    at = text.find(begin)
    for _ in range(_MOST_HEADS):
        if at < 0:
            return False
        behind = at + len(begin)
        if case_folded(text[behind : behind + len(rest)]).startswith(rest):
            return True
        at = text.find(begin, at + 1)
    return True


_HEAD = re.compile(r"[\x00-@]{4,}")
"""ASCII in front of the first letter; a search for less is no quicker than to fold a text."""
_MOST_HEADS = 8
"""Where more of them stand in a text, to fold it as a whole is quicker."""


def _caseless(needle: str) -> bool:
    """ASCII digits and signs alone: to fold the case round them brings none of them nearer."""
    return needle.isascii() and needle.lower() == needle.upper()


def _equivalent(probe: Probe, emitted: Json, known: Json) -> bool:
    """Equal numbers for every type; other layouts where the type has them. Ids are compared as text."""
    if probe.type == "id":
        left, right = written(emitted), written(known)
        return left is not None and left == right
    if probe.type == "timezone":
        left, right = zones.zone(emitted), zones.zone(known)
        return left is not None and left == right
    if probe.type == "money":
        return amount(probe, emitted) == quantities.money(known, probe.locale) is not None
    if probe.type != "number" and isinstance(emitted, str) and isinstance(known, str):
        return False
    wanted = quantities.number(known, probe.locale)  # most that is known is no number
    return wanted is not None and quantities.number(emitted) == wanted


def amount(probe: Probe, emitted: Json) -> Decimal | None:
    """An emitted number; for money in units, where an integer counts minor units if the probe says so."""
    if probe.type != "money":
        return quantities.number(emitted)
    value = quantities.money(emitted, probe.locale if isinstance(emitted, str) else None)
    return value if value is None or probe.minor_units is None else value.scaleb(-probe.minor_units, _ALL_DIGITS)


_ALL_DIGITS = Context(prec=LONGEST)
"""Without it a number of more than 28 digits is rounded."""


def _find_equivalent(probe: Probe, emitted: Json, source: Source) -> Hit | None:
    text = written(emitted)
    if text is not None and not isinstance(emitted, str):
        hit = _find_text(text, source, strict=probe.type == "id")
        if hit is not None:
            return Hit(hit.start, hit.end, "equivalent-format")
    return find_amount(probe, emitted, source)


def find_amount(probe: Probe, emitted: Json, source: Source) -> Hit | None:
    """Where an emitted number stands in a text, however it is written there; None for types that are no numbers."""
    if probe.type in ("id", "timezone"):
        return None
    wanted = amount(probe, emitted) if probe.type in _MEASURED or not isinstance(emitted, str) else None
    if wanted is None:
        return None
    return _first(source, wanted, partial(quantities.numbers_like, wanted, locale=probe.locale))


_MEASURED = ("number", "money")


def _first(source: Source, wanted: object, tokens: Callable[[Folded], Iterator[tuple[int, int, object]]]) -> Hit | None:
    """The first token that is the wanted one."""
    readable = source.plain()
    for start, end, value in tokens(readable):
        if value == wanted:
            return Hit(*readable.span(start, end), "equivalent-format")
    return None
