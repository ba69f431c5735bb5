"""Model output made safe to show: no control character, escape or direction mark reaches a terminal or page."""

from __future__ import annotations

import unicodedata

import msgspec

from corpora.jsonl import encode_text
from corpora.values import Json

_UNSAFE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def safe(text: str) -> str:
    """A text with every character that is not seen, or steers what is seen, as its escape; blanks but the space too."""
    if text.isascii() and text.isprintable():  # nearly every text
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    category = unicodedata.category(character)
    if category in _UNSAFE or (category == "Zs" and character != " "):
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


def safe_json(value: object) -> str:
    """A value as indented JSON text that ends in a line feed; what steers a terminal stands as an escape."""
    text = msgspec.json.format(encode_text(value))
    return "".join(map(_json_escaped, text)) + "\n"


def _json_escaped(character: str) -> str:
    if character == "\n" or safe(character) == character:
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2]):04x}" for at in range(0, len(units), 2))


def shown(value: Json, most: int = 60) -> str:
    """A value as JSON text, so that blanks and types are seen, safe, and cut to `most` characters."""
    text = safe(encode_text(value))
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def percent(share: float | None) -> str:
    """A share as a percentage with one decimal; a dash over nothing."""
    return "\u2013" if share is None else f"{share * 100:.1f} %"


def bounds(interval: tuple[float, float] | None) -> str:
    """An interval in per cent."""
    return "\u2013" if interval is None else f"{interval[0] * 100:.1f}\u2013{interval[1] * 100:.1f}"
