"""In which way a value misses a set: the smallest change of spelling that would make it a member.

Each class is a small function. Those that only rewrite a spelling are applied to value and members alike; a class is
named where the two are unequal without it. The rest look at what the rewritten spellings have in common.
A near miss stays out of the set.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from corpora.values import Json
from scoring.judging.folding import compatible
from scoring.judging.lookalikes import HOMOGLYPHS, LEXICON

ORDER = (
    "case",
    "separator",
    "whitespace",
    "punctuation",
    "invisible",
    "unicode-form",
    "homoglyph",
    "decoration",
    "plural",
    "edit",
    "translation",
    "prefix",
    "truncation",
    "word-order",
    "multiple",
    "other-set",
)
"""The contract's order, in which classes are joined with `+`."""


class Near(NamedTuple):
    """The classes of a miss joined with `+`, or `none`; and the member, or the members where it names several."""

    name: str
    nearest: Json


_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_SEPARATORS = re.compile(r"(?<=\w)[\s_\-\u2010-\u2015\u2212]+(?=\w)|(?<=\w)_+|_+(?=\w)")
_DECORATION = re.compile(
    "^[\\-\u2022*#>]+\\s+|^\\d{1,2}[.)]\\s+|\\*+|`+|~~"
    "|\\s*[\u2190-\u2bff\U0001f000-\U0001faff\u2600-\u27bf\u20e3][\ufe0f\u200d]*\\s*"
)
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


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
    return _INVISIBLE.sub("", text)


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
_ALL = tuple(_REWRITES)


def rewrite(text: str, classes: Iterable[str]) -> str:
    """A text rewritten by several classes, in their own order; the border is trimmed again after punctuation."""
    wanted = set(classes)
    for name, how in _REWRITES.items():
        if name in wanted:
            text = how(text)
            if name == "punctuation" and "whitespace" in wanted:
                text = _whitespace(text)
    return text


class Index:
    """The members of a set by their rewritten spelling, made when the first miss is looked at."""

    def __init__(self, members: Sequence[str]) -> None:
        self.members = members

    @cached_property
    def by_spelling(self) -> dict[str, list[str]]:
        """Wholly rewritten spelling -> members."""
        found: dict[str, list[str]] = {}
        for member in self.members:
            found.setdefault(rewrite(member, _ALL), []).append(member)
        return found

    @cached_property
    def by_words(self) -> dict[tuple[str, ...], list[str]]:
        """The words of a member, sorted -> members."""
        found: dict[tuple[str, ...], list[str]] = {}
        for member in self.members:
            found.setdefault(tuple(sorted(words(member))), []).append(member)
        return found

    @cached_property
    def spellings(self) -> list[str]:
        """Every rewritten spelling, sorted, so that ties are settled the same way everywhere."""
        return sorted(self.by_spelling)

    def near(self, value: str) -> Near:
        """The first way of missing that holds: a spelling, then words, then parts."""
        for way in (_respelt, _misordered, _translated, _several, _prefixed, _truncated, _mistyped):
            found = way(self, value)
            if found is not None:
                return found
        return Near("none", None)


def words(text: str) -> list[str]:
    """The words of a code or phrase, singular and in lower case; camel case is split."""
    plain = rewrite(text, ("invisible", "unicode-form", "homoglyph", "decoration"))
    split = _CAMEL.sub(" ", plain)
    return [_singular(word).casefold() for word in _WORD.findall(split)]


def joined(classes: Iterable[str]) -> str:
    """Classes joined with `+` in the contract's order."""
    return "+".join(sorted(set(classes), key=ORDER.index))


def _needed(value: str, same: Callable[[str, tuple[str, ...]], bool]) -> tuple[str, ...]:
    """The rewritings without which `same` does not hold; the rarer ones are dropped first."""
    kept = _ALL
    for name in reversed(ORDER):
        without = tuple(kept_name for kept_name in kept if kept_name != name)
        if len(without) < len(kept) and same(value, without):
            kept = without
    return kept


def _respelt(index: Index, value: str) -> Near | None:
    """Equal to a member once both are rewritten."""
    members = index.by_spelling.get(rewrite(value, _ALL))
    if not members:
        return None

    def explain(member: str) -> tuple[str, ...]:
        return _needed(value, lambda text, classes: rewrite(text, classes) == rewrite(member, classes))

    classes, member = min(((explain(member), member) for member in members), key=lambda pair: (len(pair[0]), pair[1]))
    return Near(joined(classes), member)


def _spelt(text: str, classes: tuple[str, ...]) -> list[str]:
    """The words of a text rewritten by these classes only, what separates them kept where that matters."""
    camel = _CAMEL.sub("\0", text) if "separator" in classes else text
    spelt = rewrite(camel, (name for name in classes if name != "separator"))
    return re.split("[\\s_\\-\0]+", spelt) if "separator" in classes else re.split(r"([\s_\-])", spelt)


def _misordered(index: Index, value: str) -> Near | None:
    """The words of one member in another order."""
    found = words(value)
    members = index.by_words.get(tuple(sorted(found))) if len(found) > 1 else None
    if not members:
        return None
    member = min(members)
    classes = _needed(value, lambda text, kept: sorted(_spelt(text, kept)) == sorted(_spelt(member, kept)))
    return Near(joined((*classes, "word-order")), member)


def _translated(index: Index, value: str) -> Near | None:
    """The words of one member in another language, as far as the lexicon goes."""
    plain = " ".join(re.split(r"[\W_]+", compatible(_CAMEL.sub(" ", value)).casefold())).strip()
    english = LEXICON.get(plain)
    if english is None:
        parts = plain.split()
        if not any(part in LEXICON for part in parts):
            return None
        english = " ".join(LEXICON.get(part, part) for part in parts)
    members = index.by_words.get(tuple(sorted(words(english))))
    if not members:
        return None
    member = min(members)
    return Near("translation", member)


_LIST = re.compile(r"\s*(?:[,;|/&+\n]|\band\b|\bor\b)\s*", re.IGNORECASE)


def _several(index: Index, value: str) -> Near | None:
    """A list of members in one value."""
    parts = [part for part in _LIST.split(value) if part]
    if len(parts) < 2:
        return None
    found = [_exact_or_respelt(index, part) for part in parts]
    named = [near for near in found if near is not None]
    if len(named) < len(found):
        return None
    classes = {name for near in named for name in near.name.split("+") if name}
    return Near(joined((*classes, "multiple")), [near.nearest for near in named])


def _exact_or_respelt(index: Index, part: str) -> Near | None:
    return Near("", part) if part in index.members else _respelt(index, part)


_PREFIX = re.compile(r"(?:[\w.]+(?:::|[.:/=#>]\s*)|[A-Za-z0-9]+[_\-])(?=\w)")


def _prefixed(index: Index, value: str) -> Near | None:
    """A member behind the name of its type or field: `ReasonCode.OTHER`, `reason: OTHER`."""
    match = _PREFIX.match(value)
    if match is None:
        return None
    near = _exact_or_respelt(index, value[match.end() :])
    return near and Near(joined((*filter(None, near.name.split("+")), "prefix")), near.nearest)


_SHORTEST_CUT = 4


def _truncated(index: Index, value: str) -> Near | None:
    """The beginning of one member only, cut off."""
    from bisect import bisect_left

    beginning = rewrite(value, _ALL)
    if len(beginning) < _SHORTEST_CUT:
        return None
    spellings = index.spellings
    at = bisect_left(spellings, beginning)
    fits = [spelling for spelling in spellings[at : at + 2] if spelling.startswith(beginning)]
    if len(fits) != 1:
        return None
    member = min(index.by_spelling[fits[0]])
    classes = _needed(value, lambda text, kept: rewrite(member, kept).startswith(rewrite(text, kept)))
    return Near(joined((*classes, "truncation")), member)


def _mistyped(index: Index, value: str) -> Near | None:
    """A few letters from one member: an optimal string alignment distance (a swap counts one), by a library."""
    wanted = rewrite(value, _ALL)
    allowed = _allowed(wanted)
    if allowed == 0 or not index.spellings:
        return None
    from rapidfuzz import process  # loaded at the first miss that is no respelling
    from rapidfuzz.distance import OSA

    close = process.extract(wanted, index.spellings, scorer=OSA.distance, score_cutoff=allowed, limit=1)
    if not close:
        return None
    spelling, distance, _ = close[0]
    member = min(index.by_spelling[spelling])

    def as_near(text: str, kept: tuple[str, ...]) -> bool:
        return OSA.distance(rewrite(text, kept), rewrite(member, kept), score_cutoff=int(distance)) <= distance

    return Near(joined((*_needed(value, as_near), "edit")), member)


def _allowed(spelling: str) -> int:
    """How many wrong letters still look like a typing error: none below 4, one below 8, two from there on."""
    return 0 if len(spelling) < 4 else 1 if len(spelling) < 8 else 2
