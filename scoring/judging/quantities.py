"""Numbers and amounts of money, as values and as tokens of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from corpora.values import Json

_COMMA_LOCALES = frozenset(
    "bg ca cs da de el es et eu fi fr gl hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split()
)
_TOKEN = re.compile(r"(?<![\w.,])(?:(?<![^\s(])[-+\u2212])?\d(?:[\d.,'\u2019]|[ \u00a0\u202f](?=\d{3}(?!\d)))*")
_CURRENCY = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9\u20a9\u20bd\u20ba\u20ab\u20b1]"
    r"|(?<![A-Za-z])(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|INR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|dollars?|euros?|pounds?)(?![A-Za-z])",
    re.IGNORECASE,
)

Token = tuple[int, int, Decimal]
"""Start, end, value."""


def number(value: Json, locale: str | None = None) -> Decimal | None:
    """A JSON number, or a text that is one number and nothing else; a boolean is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return Decimal(str(value))
    return _decimal(value.strip(), locale) if isinstance(value, str) else None


def money(value: Json, locale: str | None = None) -> Decimal | None:
    """An amount: a number, or a text of one number with a currency."""
    if isinstance(value, str):
        return _decimal(_CURRENCY.sub("", value).strip(), locale)
    return number(value)


def numbers_in(text: str, locale: str | None = None) -> Iterator[Token]:
    """Every number that stands in a text as a whole token: not 03 of 2027-03-04, not 3 of MP3, not 00718 as 718."""
    for match in _TOKEN.finditer(text):
        written = match.group().rstrip(".,'\u2019")
        end = match.start() + len(written)
        if _goes_on(text, match.start(), end):
            continue
        value = _decimal(written, locale)
        if value is not None:
            yield match.start(), end, value


_MARKS = str.maketrans("", "", ".,' ")


def may_hold(wanted: Decimal, text: str) -> bool:
    """False where the digits of a number stand nowhere in a text, whatever marks are between them."""
    if not text.isascii():
        return True
    digits = format(wanted.normalize(), "f").replace(".", "").lstrip("-0")
    return digits in text.translate(_MARKS)


def _goes_on(text: str, start: int, end: int) -> bool:
    """A date, time, range or code goes on where the digits stop."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if len(before) == 2 and before[1] in "-/:" and before[0].isalnum():
        return True
    if len(after) == 2 and after[0] in "-/:" and after[1].isdigit():
        return True
    if re.match(r"(?:st|nd|rd|th)\b", text[end : end + 3], re.IGNORECASE):
        return False
    return after[:1].isascii() and (after[:1].isalpha() or after[:1] == "_") and not _CURRENCY.match(text, end)


def _decimal(written: str, locale: str | None) -> Decimal | None:
    """A written number by the rules of a locale; None where it is none, or has zeros in front like an id."""
    plain = re.sub("[ \u00a0\u202f'\u2019]", "", written).replace("\u2212", "-")
    point, group = (",", ".") if _comma(locale) else (".", ",")
    whole, _, fraction = plain.partition(point)
    if group in whole:
        head, *rest = whole.split(group)
        if not 1 <= len(head.lstrip("+-")) <= 3 or any(len(part) != 3 for part in rest):
            return None
        whole = head + "".join(rest)
    digits = whole.lstrip("+-")
    if not digits.isdigit() or (len(digits) > 1 and digits[0] == "0") or not (fraction == "" or fraction.isdigit()):
        return None
    try:
        return Decimal(f"{whole}.{fraction or 0}")
    except InvalidOperation:  # pragma: no cover - digits only by now
        return None


def _comma(locale: str | None) -> bool:
    return bool(locale) and re.split("[-_]", locale or "")[0].lower() in _COMMA_LOCALES
