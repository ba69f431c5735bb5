"""Does a reply ask for a field: a question or a request that names it, in eight languages.

An ask is a sentence put to the reader. Quotes, code, reports of what somebody asked, questions that the model answers
itself, offers, and announcements of an assumption are none; nor is an ask for another field.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scoring.judging import phrases
from scoring.judging.fieldnames import FieldNames


class Asked(NamedTuple):
    """Whether a text asks for the field, and what else it says of it."""

    asked: bool
    flags: tuple[str, ...] = ()


class _Sentence(NamedTuple):
    text: str
    item: bool
    """It is an item of a list."""
    question: bool
    request: bool


_CODE = re.compile(r"```.*?(?:```|\Z)|^\s*>.*$", re.DOTALL | re.MULTILINE)
_QUOTE = re.compile(
    '"[^"\\n]*"|\u201c[^\u201d\\n]*\u201d|\u201e[^\u201c\u201d\\n]*[\u201c\u201d]'
    "|\u00ab[^\u00bb\\n]*\u00bb|\u300c[^\u300d\\n]*\u300d"
)
_SENTENCE = re.compile(
    r"(?:[^.!?\u3002\uff01\uff1f\n]|\.(?=\w)|(?<=\b[A-Za-z])\.(?=\s?[a-z]))+[.!?\u3002\uff01\uff1f]*|[.!?\u3002\uff01\uff1f]+"
)
_ITEM = re.compile(r"\s*(?:[-*\u2022\u2013]|\d{1,2}[.)])\s+")
_ASKS = re.compile(r"[?\uff1f\u061f][\s*_)\"'\u201d\u2019\u00bb\u300d]*$")
_FRAGMENT = 3
"""A question of so few words is put to nobody where the next sentence goes on by itself."""


def asks(text: str, names: FieldNames) -> Asked:
    """Whether a reply asks for the field with these names."""
    sentences = _sentences(text)
    flags: list[str] = []
    asked = False
    listing = False
    for place, sentence in enumerate(sentences):
        listing = _opens_list(sentence) or (listing and sentence.item)
        found = names.found(sentence.text)
        if found is None:
            asked = _asks_proxy(sentence, names, flags) or asked
            continue
        following = sentences[place + 1] if place + 1 < len(sentences) else None
        if _assumes(sentence) or _answers(sentence, following):
            flags.append("states-assumption")
        elif _wants(sentence, found, listing=listing) or _asked_after(sentence, following):
            asked = True
    return Asked(asked, tuple(dict.fromkeys(flags)))


def _sentences(text: str) -> list[_Sentence]:
    plain = _QUOTE.sub(_unquoted, _CODE.sub(" ", text))
    found = []
    for line in plain.split("\n"):
        item = _ITEM.match(line)
        body = line[item.end() :] if item else line
        for match in _SENTENCE.finditer(body):
            sentence = match.group().strip(" \t*_#")
            if sentence:
                found.append(_sentence(sentence, item=item is not None))
    return found


def _unquoted(match: re.Match[str]) -> str:
    """A quoted word is a name; a quoted sentence is somebody's words."""
    inner = match.group()[1:-1]
    spoken = len(inner.split()) > 3 or re.search(r"[?\uff1f]|\u3067\u3059\u304b|\u307e\u3059\u304b", inner)
    return " " if spoken else match.group()


def _sentence(text: str, *, item: bool) -> _Sentence:
    question = _ASKS.search(text) is not None or phrases.OPENING.search(text) is not None
    return _Sentence(text, item, question, phrases.REQUEST.search(text) is not None)


def _opens_list(sentence: _Sentence) -> bool:
    """A request or question after which items follow."""
    ends = sentence.text.endswith((":", "\uff1a", "?", "\uff1f"))
    return ends and (sentence.request or sentence.question) and not _refused(sentence)


def _assumes(sentence: _Sentence) -> bool:
    """It decides by itself; a question whether to do so is none."""
    return phrases.ASSUMING.search(sentence.text) is not None and _ASKS.search(sentence.text) is None


def _answers(sentence: _Sentence, following: _Sentence | None) -> bool:
    """A question that the next sentence answers, instead of asking on."""
    if following is None or not sentence.question or following.question or following.item:
        return False
    if phrases.ANSWERED.search(following.text) is not None:
        return True
    return phrases.ASSUMING.search(following.text) is not None and len(sentence.text.split()) <= _FRAGMENT


def _refused(sentence: _Sentence) -> bool:
    """It wants nothing of the reader after all."""
    return any(
        pattern.search(sentence.text) is not None for pattern in (phrases.REPORTED, phrases.OFFER, phrases.NO_NEED)
    )


def _wants(sentence: _Sentence, found: re.Match[str], *, listing: bool) -> bool:
    """The sentence asks, and for this field."""
    if _refused(sentence):
        return False
    if not (sentence.request or sentence.question or (listing and sentence.item)):
        return False
    return not _aside(sentence.text, found)


def _aside(text: str, found: re.Match[str]) -> bool:
    """The name stands there in passing: the field was given, or places what is asked for."""
    before = text[: found.start()].rstrip()
    if phrases.GIVEN.search(before) is not None:
        return True
    if phrases.IN_PASSING.search(before) is None or re.match(r"\s*(?:field|parameter|argument)\b", text[found.end() :]):
        return False
    return re.search(r"\b(?:what|which|when|how|where)\b", before, re.IGNORECASE) is not None


def _asked_after(sentence: _Sentence, following: _Sentence | None) -> bool:
    """The field is said to be lacking, and the next sentence asks for it by a pronoun."""
    if following is None or not (following.request or following.question) or _refused(following):
        return False
    return phrases.LACKING.search(sentence.text) is not None and phrases.REFERS.search(following.text) is not None


def _asks_proxy(sentence: _Sentence, names: FieldNames, flags: list[str]) -> bool:
    """Another fact is asked for that would settle the field."""
    if names.proxies is None or not sentence.question or _refused(sentence) or _assumes(sentence):
        return False
    if names.proxies.search(sentence.text) is None:
        return False
    flags.append("asks-proxy-fact")
    return True
