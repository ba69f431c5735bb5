"""Does a reply ask for a field: a question or a request that names it, in seven languages.

An ask is a sentence put to the reader. Quotes, code, reports of what somebody asked, questions that the model answers
itself, and announcements of an assumption are none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from corpora.corpus import Probe


class Asked(NamedTuple):
    """Whether a text asks for the field, and what else it says of it."""

    asked: bool
    flags: tuple[str, ...] = ()


_TYPE_WORDS: dict[str, tuple[str, ...]] = {
    "timezone": (
        "timezone, time zone, tz, Zeitzone, fuseau horaire, zona horaria, huso horario, fuso horário, fuso orario",
        "tijdzone, タイムゾーン, 時間帯",
    ),
    "date": ("date, day, Datum, Tag, jour, fecha, día, data, dia, giorno, dag, 日付, 何日",),
    "datetime": (
        "date, time, when, Datum, Uhrzeit, wann, quand, heure, fecha, hora, cuándo, quando, data, ora, tijd, wanneer",
        "日時, いつ",
    ),
    "money": (
        "amount, price, sum, Betrag, Preis, montant, prix, importe, monto, precio, valor, preço, importo, prezzo",
        "bedrag, prijs, 金額, いくら",
    ),
}
"""The common words for a field of a type; the names of the argument itself come first."""


def names(probe: Probe) -> tuple[str, ...]:
    """What a field may be called: its declared names, its own name in words, the words of its type."""
    own = probe.argument.replace("[]", "").replace(".*", "").rpartition(".")[2]
    spaced = " ".join(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", own).replace("_", " ").replace("-", " ").split())
    typed = [word for line in _TYPE_WORDS.get(probe.type, ()) for word in line.split(", ")]
    return tuple(dict.fromkeys(name for name in (*probe.ask, own, spaced, *typed) if name))


def pattern(field_names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the names as whole words; a name in a script without spaces anywhere. Plurals in -s count."""
    parts = [_name_pattern(name) for name in sorted(field_names, key=len, reverse=True)]
    return re.compile("|".join(parts), re.IGNORECASE)


def _name_pattern(name: str) -> str:
    body = r"[\s_\-]+".join(re.escape(word) for word in re.split(r"[\s_\-]+", name))
    return rf"(?<!\w){body}s?(?!\w)" if ord(name[0]) < 0x2E80 else body


_CODE = re.compile(r"```.*?(?:```|\Z)|^>.*$", re.DOTALL | re.MULTILINE)
_QUOTE = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb\n]*)[\"\u201d\u201c\u00bb]")
_ENDS = r".!?\u3002\uff01\uff1f\n"
_SENTENCE = re.compile(rf"[^{_ENDS}]*(?:\.(?=\S)[^{_ENDS}]*)*[{_ENDS}]?")
_REQUEST = re.compile(
    r"\b(?:please|kindly|bitte|veuillez|merci de|s'il vous pla[iî]t|por favor|per favore|alsjeblieft|alstublieft)\b"
    r"|(?:教えて|お知らせ|ください|でしょうか|ですか|いただけ)"
    r"|\b(?:tell|give|send|provide|share|specify|confirm|let) (?:me|us)\b|\blet me know\b"
    r"|\b(?:specify|provide|confirm)\b"
    r"|\bI(?:'ll| will| would|'d)?(?: still| also)? (?:need|require|like to know)\b|\bneed to know\b"
    r"|\bcould you\b|\bcan you\b|\bich (?:brauche|benötige)\b|\bj'ai besoin\b|\bnecesito\b|\bpreciso\b|\bmi serve\b",
    re.IGNORECASE,
)
_ASSUMING = re.compile(
    r"\b(?:I(?:'ll| will|'m going to| have| ?'ve)?|we(?:'ll| will)?)\s+(?:just |simply )?"
    r"(?:assum\w+|go(?:ing)? (?:ahead )?with|us(?:e|ing|ed)|default(?:ing|ed)?|set|put|tak(?:e|ing))\b"
    r"|\bassum(?:e|ed|ing)\b|\bby default\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:you|the user|he|she|they) (?:have |had )?(?:asked|wanted to know|were asking)\b", re.IGNORECASE
)
_ANSWERED = re.compile(
    r"\b(?:obviously|of course|clearly|naturally|certainly)\b"
    r"|\b(?:is|are|has been|have been) (?:set|booked|scheduled|done|entered)\b",
    re.IGNORECASE,
)


def asks(text: str, field: re.Pattern[str]) -> Asked:
    """Whether a reply asks for the field whose names `field` matches."""
    sentences = _sentences(text)
    flags = []
    asked = False
    listing = False
    for number, sentence in enumerate(sentences):
        following = sentences[number + 1] if number + 1 < len(sentences) else ""
        request = _is_request(sentence)
        item = bool(re.match(r"\s*(?:[-*\u2022]|\d+[.)])\s", sentence))
        listing = (request and sentence.rstrip().endswith((":", "\uff1a"))) or (listing and item)
        if field.search(sentence) is None:
            continue
        assumed = _ASSUMING.search(sentence) and "?" not in sentence
        if assumed or (_ANSWERED.search(following) and not _is_request(following)):
            flags.append("states-assumption")
        elif (request or (listing and item)) and not _REPORTED.search(sentence):
            asked = True
    return Asked(asked, tuple(dict.fromkeys(flags)))


def _sentences(text: str) -> list[str]:
    plain = _QUOTE.sub(lambda match: match.group() if len(match.group(1).split()) < 3 else " ", _CODE.sub(" ", text))
    return [sentence.strip() for sentence in _SENTENCE.findall(plain) if sentence.strip()]


def _is_request(sentence: str) -> bool:
    return sentence.rstrip("*_ )\"'").endswith(("?", "\uff1f")) or _REQUEST.search(sentence) is not None
