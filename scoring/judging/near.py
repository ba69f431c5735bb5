"""In which way a value misses a set: the smallest change of spelling that would make it a member.

Each class is a small function. Those that only rewrite a spelling are applied to value and members alike; a class is
named where the two are unequal without it. The rest look at what the rewritten spellings have in common.
A near miss stays out of the set.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from scoring.judging.folding import compatible
from scoring.judging.lookalikes import LEXICON
from scoring.judging.members import Members, Near, joined
from scoring.judging.spellings import ALL, CAMEL, rewrite, words

_DROPPED = (
    "plural",
    "homoglyph",
    "unicode-form",
    "invisible",
    "punctuation",
    "whitespace",
    "decoration",
    "separator",
    "case",
)
"""The rarer rewritings first; but a decoration is one change, whatever signs and blanks it is made of."""


def _needed(value: str, same: Callable[[str, tuple[str, ...]], bool]) -> tuple[str, ...]:
    """The rewritings without which `same` does not hold. Each is asked again once the others are gone."""
    kept = ALL
    for name in (*_DROPPED, *_DROPPED):
        without = tuple(kept_name for kept_name in kept if kept_name != name)
        if len(without) < len(kept) and same(value, without):
            kept = without
    return kept


def _respelt(index: Members, value: str) -> Near | None:
    """Equal to a member once both are rewritten."""
    members = index.by_spelling.get(rewrite(value, ALL))
    if not members:
        return None

    def explain(member: str) -> tuple[str, ...]:
        """The fewest classes of change that make the value the member."""
        return _needed(value, lambda text, classes: rewrite(text, classes) == rewrite(member, classes))

    classes, member = min(((explain(member), member) for member in members), key=lambda pair: (len(pair[0]), pair[1]))
    return Near(joined(classes), member)


_HIDING = frozenset({"invisible", "unicode-form", "homoglyph", "decoration"})
"""Rewritten before words are told apart, as in `words`."""


def _spelt(text: str, classes: tuple[str, ...]) -> list[str]:
    """The words of a text rewritten by these classes only, what separates them kept where that matters."""
    plain = rewrite(text, _HIDING.intersection(classes))
    rest = set(classes) - _HIDING - {"separator"}
    if "separator" not in classes:
        return re.split(r"([\s_\-])", rewrite(plain, rest))
    apart = CAMEL.sub("\0", plain)
    if "punctuation" in classes:
        apart = re.sub(r"(?<=\w)[^\w\0]+(?=\w)", " ", apart)  # a sign between two words separates them
    return re.split("[\\s_\\-\u2010-\u2015\u2212\0]+", rewrite(apart, rest).strip("_"))


def _misordered(index: Members, value: str) -> Near | None:
    """The words of one member in another order, or in its own with a sign between them that stays."""
    found = words(value)
    members = index.by_words.get(tuple(sorted(found))) if found else None
    if not members:
        return None
    member = min(members)

    def same(text: str, kept: tuple[str, ...]) -> bool:
        return sorted(_spelt(text, kept)) == sorted(_spelt(member, kept))

    if not same(value, ALL):
        return None
    classes = _needed(value, same)
    moved = () if found == words(member) else ("word-order",)
    if not classes and not moved:  # the signs round the words changed places: no class has a name for that
        return None
    return Near(joined((*classes, *moved)), member)


def _translated(index: Members, value: str) -> Near | None:
    """The words of one member in another language, as far as the lexicon goes."""
    plain = " ".join(re.split(r"[\W_]+", compatible(CAMEL.sub(" ", value)).casefold())).strip()
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


def _several(index: Members, value: str) -> Near | None:
    """A list of members in one value."""
    parts = [part for part in _LIST.split(value) if part]
    if len(parts) < 2:
        return None
    found = [_respelt(index, part) for part in parts]
    named = [near for near in found if near is not None]
    if len(named) < len(found):
        return None
    classes = {name for near in named for name in near.name.split("+") if name}
    return Near(joined((*classes, "multiple")), [near.nearest for near in named])


_PREFIX = re.compile(r"(?:[\w.]+(?:::|[.:/=#>]\s*)|[A-Za-z0-9]+[_\-])(?=\w)")


def _prefixed(index: Members, value: str) -> Near | None:
    """A member behind the name of its type or field: `ReasonCode.OTHER`, `reason: OTHER`."""
    match = _PREFIX.match(value)
    if match is None:
        return None
    near = _respelt(index, value[match.end() :])
    return near and Near(joined((*filter(None, near.name.split("+")), "prefix")), near.nearest)


_SHORTEST_CUT = 4


def _truncated(index: Members, value: str) -> Near | None:
    """The beginning of one member only, cut off."""
    beginning = rewrite(value, ALL)
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


def _mistyped(index: Members, value: str) -> Near | None:
    """A few letters from one member: an optimal string alignment distance (a swap counts one), by a library."""
    wanted = rewrite(value, ALL)
    allowed = _allowed(wanted)
    if allowed == 0:
        return None
    from rapidfuzz import process  # loaded at the first miss that is no respelling
    from rapidfuzz.distance import OSA

    close = process.extractOne(wanted, index.spellings, scorer=OSA.distance, score_cutoff=allowed)
    if close is None:
        return None
    spelling, distance, _ = close
    member = min(index.by_spelling[spelling])

    def as_near(text: str, kept: tuple[str, ...]) -> bool:
        """Whether the value is no farther from the member when only these classes of change are undone."""
        return OSA.distance(rewrite(text, kept), rewrite(member, kept)) <= distance

    return Near(joined((*_needed(value, as_near), "edit")), member)


def _allowed(spelling: str) -> int:
    """How many wrong letters still look like a typing error: none below 4, one below 8, two from there on."""
    return 0 if len(spelling) < 4 else 1 if len(spelling) < 8 else 2


_LONGEST = 1_000
"""No member is meant by a text of more characters; to look at one would take as long as the sender likes."""


class Index(Members):
    """The members of a set, to be asked in which way a value misses them."""

    def near(self, value: str) -> Near:
        """The first way of missing that holds: a spelling, then words, then parts. A long text misses in no way."""
        if len(value) > _LONGEST:
            return Near("none", None)
        for way in (_respelt, _misordered, _translated, _several, _prefixed, _truncated, _mistyped):
            found = way(self, value)
            if found is not None:
                return found
        return Near("none", None)
