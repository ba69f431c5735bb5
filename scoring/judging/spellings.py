"""Ways to rewrite a spelling so that two of them can be one: small functions, applied to value and member alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from scoring.judging.folding import compatible
from scoring.judging.lookalikes import HOMOGLYPHS

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)

_SEPARATORS = re.compile(r"(?<=\w)[\s_\-\u2010-\u2015\u2212]+(?=\w)|(?<=\w)_+|_+(?=\w)")

_DECORATION = re.compile(
    "^[\\-\u2022*#>]+\\s+|^\\d{1,2}[.)]\\s+|\\*+|`+|~~"
    "|\\s*[\u2190-\u2bff\U0001f000-\U0001faff\u2600-\u27bf\u20e3][\ufe0f\u200d]*\\s*"
)

_WORD = re.compile(r"[^\W_]+")

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _case(text: str) -> str:
    return text.casefold()


def _separator(text: str) -> str:
    return _SEPARATORS.sub("", text)


def _whitespace(text: str) -> str:
    return " ".join(text.split())


def _punctuation(text: str) -> str:
    return "".join(character for character in text if not _is_punctuation(character))


def _is_punctuation(character: str) -> bool:
    if character in "_*`" or unicodedata.category(character) == "Pd":  # a separator, or markdown
        return False
    return unicodedata.category(character)[0] == "P" or (character.isascii() and character in "$+<=>^|~")


def _invisible(text: str) -> str:
    return INVISIBLE.sub("", text)


def _homoglyph(text: str) -> str:
    return text.translate(HOMOGLYPHS)


def _decoration(text: str) -> str:
    return _DECORATION.sub("", text)


def _plural(text: str) -> str:
    return _WORD.sub(lambda match: _singular(match.group()), text)


def _singular(word: str) -> str:
    if len(word) > 4 and word[-3:].lower() == "ies":
        return word[:-3] + ("Y" if word[-1] == "S" else "y")
    if len(word) > 3 and word[-1] in "sS" and word[-2] not in "sS":
        return word[:-1]
    return word


# In the order in which they are applied: what hides a character first, what needs words last but for the separators.
_REWRITES: dict[str, Callable[[str], str]] = {
    "invisible": _invisible,
    "unicode-form": compatible,
    "homoglyph": _homoglyph,
    "decoration": _decoration,
    "whitespace": _whitespace,
    "punctuation": _punctuation,
    "plural": _plural,
    "separator": _separator,
    "case": _case,
}

ALL = tuple(_REWRITES)


def rewrite(text: str, classes: Iterable[str]) -> str:
    """A text rewritten by several classes, in their own order; the border is trimmed again after punctuation."""
    wanted = set(classes)
    for name, how in _REWRITES.items():
        if name in wanted:
            text = how(text)
            if name == "punctuation" and "whitespace" in wanted:
                text = _whitespace(text)
    return text


def words(text: str) -> list[str]:
    """The words of a code or phrase, singular and in lower case; camel case is split."""
    plain = rewrite(text, ("invisible", "unicode-form", "homoglyph", "decoration"))
    split = CAMEL.sub(" ", plain)
    return [_singular(word).casefold() for word in _WORD.findall(split)]
