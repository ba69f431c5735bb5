"""Currencies as signs, codes (ISO 4217) and words: which of them an amount names."""

from __future__ import annotations

import re

CURRENCY = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9\u20a9\u20bd\u20ba\u20ab\u20b1]"
    r"|(?<![A-Za-z])(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|INR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|dollars?|euros?|pounds?)(?![A-Za-z])",
    re.IGNORECASE,
)
_DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "MXN"})
_MEANT = {
    "$": _DOLLARS,
    "dollar": _DOLLARS,
    "\u20ac": frozenset({"EUR"}),
    "euro": frozenset({"EUR"}),
    "\u00a3": frozenset({"GBP"}),
    "pound": frozenset({"GBP"}),
    "\u00a5": frozenset({"JPY", "CNY"}),
    "\u20b9": frozenset({"INR"}),
    "\u20a9": frozenset({"KRW"}),
    "\u20bd": frozenset({"RUB"}),
    "\u20ba": frozenset({"TRY"}),
    "\u20ab": frozenset({"VND"}),
    "\u20b1": frozenset({"PHP"}),
}
"""What a sign or a word may stand for; a code stands for itself."""
_BLANK = "[ \u00a0\u202f]?"
_BEFORE = re.compile(rf"(?:{CURRENCY.pattern}){_BLANK}[-+\u2212]?{_BLANK}$", re.IGNORECASE)
_BEHIND = re.compile(rf"{_BLANK}(?:{CURRENCY.pattern})", re.IGNORECASE)
_NEAR = 12
"""No name of a currency with its blanks is longer."""


def currencies_in(text: str) -> frozenset[str]:
    """The currencies that an amount may be in, by their codes: nothing where it names none."""
    return frozenset[str]().union(*map(_meant, CURRENCY.findall(text)))


def currencies_beside(text: str, start: int, end: int) -> frozenset[str]:
    """The currencies that stand right before or behind a number in a text."""
    before, behind = _BEFORE.search(text[max(0, start - _NEAR) : start]), _BEHIND.match(text, end)
    return frozenset[str]().union(*(currencies_in(found.group()) for found in (before, behind) if found))


def _meant(name: str) -> frozenset[str]:
    name = name.lower().removesuffix("s")
    return _MEANT.get(name, frozenset({name.upper()}))
