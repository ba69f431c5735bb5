"""When two spellings are one value, and where a value stands in a text: the same text first, then type by type.

Without a rule only these are equal: the same text, its case folding, its Unicode compatibility form, equal numbers.
What more is equal is said by the probe's type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Context, Decimal
from functools import partial

from corpora.corpus import Probe
from corpora.values import Json
from scoring.judging import quantities, zones
from scoring.judging.currencies import currencies_beside, currencies_in
from scoring.judging.folding import Folded, both, case_folded, compatible
from scoring.judging.texts import LONGEST, Form, Hit, Source, find_text
from scoring.judging.tokens import find_token


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
        hit = find_text(text, source, strict=probe.type == "id")
        if hit is not None or len(text) > LONGEST:
            return hit
    return _find_equivalent(probe, emitted, source)


def _find_zone(emitted: str, source: Source) -> Hit | None:
    """A zone as it was emitted, or by another of its names; where no name of it stands, its case is not folded too."""
    named = zones.spelt(emitted)
    at = find_token(emitted, source.text)
    hit = Hit(at, at + len(emitted), "exact") if at >= 0 else None
    by_name = None
    if hit is None:
        by_name = zones.places_by_name(named, source.names(named))
        if by_name or not zones.holds_name(named, emitted):
            hit = find_text(emitted, source, strict=False)
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
    hit = find_text(emitted, Source(zones.without_others(named, plain.text)), strict=False)
    if hit is None:
        return None
    start, end = plain.span(hit.start, hit.end)
    form = hit.form if case_folded(source.text[start:end]) == case_folded(emitted) else "unicode-form"
    return Hit(start, end, form)


def _equivalent(probe: Probe, emitted: Json, known: Json) -> bool:
    """Equal numbers for every type; other layouts where the type has them. Ids are compared as text."""
    if probe.type == "id":
        left, right = written(emitted), written(known)
        return left is not None and left == right
    if probe.type == "timezone":
        left, right = zones.zone(emitted), zones.zone(known)
        return left is not None and left == right
    if probe.type == "money":
        wanted = quantities.money(known, probe.locale)  # most that is known is no amount
        return wanted is not None and amount(probe, emitted) == wanted and _may_be_one(_named(emitted), _named(known))
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
        hit = find_text(text, source, strict=probe.type == "id")
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
    tokens = partial(quantities.numbers_like, wanted, locale=probe.locale)
    named = _named(emitted) if probe.type == "money" else frozenset[str]()
    return _first(source, wanted, partial(_in_currency, named, tokens) if named else tokens)


_MEASURED = ("number", "money")


def _named(value: Json) -> frozenset[str]:
    """The currencies that an amount names."""
    return currencies_in(value) if isinstance(value, str) else frozenset()


def _may_be_one(one: frozenset[str], other: frozenset[str]) -> bool:
    """Two amounts are in one currency, as far as both of them name any."""
    return not (one and other) or not one.isdisjoint(other)


def _in_currency(
    named: frozenset[str], tokens: Callable[[Folded], Iterator[quantities.Token]], readable: Folded
) -> Iterator[quantities.Token]:
    """Those of the numbers in a text that stand beside no other currency: 19.99 of "\u20ac19.99" is no USD 19.99."""
    for start, end, value in tokens(readable):
        if _may_be_one(named, currencies_beside(readable.text, start, end)):
            yield start, end, value


def _first(source: Source, wanted: object, tokens: Callable[[Folded], Iterator[tuple[int, int, object]]]) -> Hit | None:
    """The first token that is the wanted one."""
    readable = source.plain()
    for start, end, value in tokens(readable):
        if value == wanted:
            return Hit(*readable.span(start, end), "equivalent-format")
    return None
