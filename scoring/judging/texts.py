"""A text that is searched many times, and where another stands in it: as it is, or folded."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from scoring.judging.folding import Folded, both, case_folded, fold_case, fold_case_too, fold_compatible, lower_ascii
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

    def names(self, wanted: str) -> str:
        """What a name is looked for in: the case folding of the compatibility form, or what takes less time to make."""
        if self.text.isascii():
            return self.cased().text
        if not wanted.isascii() or "ss" in wanted:
            return self.both().text
        if self._ascii is None:
            plain = self.plain().text
            self._ascii = self.both().text if plain.isascii() else lower_ascii(plain)
        return self._ascii


def find_text(needle: str, source: Source, *, strict: bool) -> Hit | None:
    """Where a text stands in another as a whole token: as it is, its case folded, or in another Unicode form."""
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
