"""What a field may be called: by the corpus, by its own name, by its type, and failing that by its description."""

from __future__ import annotations

import re
from typing import NamedTuple

from corpora.probes import Probe, Tool, steps
from corpora.values import Json, JsonObject
from scoring.judging.phrases import PROXIES, TYPE_NAMES
from scoring.judging.spellings import CAMEL

_WORD = re.compile(r"[^\W\d_]+")
_HEADS = frozenset(
    "id ids identifier number no name code date time type key value data info new count of the to in for is".split()
)
_IDS = ("id", "ID", "number", "no.", "identifier", "code", "reference")
_STOP = frozenset(
    (
        "about above after again against allowed also available based before being below between both cannot could "
        "current default defaults description details does doing during each either enter every example examples "
        "false field fields following form format from further given have having here integer into items list made "
        "make many more most must name need needs none null number object only optional option options other over "
        "parameter parameters possible provide provided rather required return returned same second should show "
        "some specific specified specify such than that the their them then there these this those through true "
        "type under unique until upon used user users using valid value values very want what when where whether "
        "which while will with within without would year your string boolean identifier associated retrieve "
        "request"
    ).split()
)
_SYNONYMS: dict[str, str] = {
    "location": "city town state country place address where location area region",
    "city": "city town location where place",
    "country": "country nation",
    "place": "place city location where venue",
    "address": "address street where",
    "date": "date day when",
    "day": "day date when",
    "time": "time hour when",
    "start": "start begin when",
    "amount": "amount sum much",
    "price": "price cost budget much",
    "query": "search query looking keyword category topic",
    "host": "host hostname address domain server",
    "url": "url link address website",
    "email": "email mail address",
    "phone": "phone number telephone",
    "person": "person who whom",
    "recipient": "recipient who whom",
    "duration": "duration long",
    "units": "unit units celsius fahrenheit metric measurement",
    "unit": "unit units celsius fahrenheit metric measurement",
    "size": "size big large",
    "quantity": "quantity many much",
    "language": "language",
    "title": "title called name",
    "destination": "destination where going address location",
    "origin": "origin from departing departure leaving where",
    "category": "category kind type",
    "genre": "genre kind",
    "baths": "bathroom bathrooms bath baths",
    "beds": "bedroom bedrooms bed beds",
}


class FieldNames(NamedTuple):
    """How a sentence may speak of a field."""

    phrases: re.Pattern[str]
    """Names that settle it."""
    together: frozenset[str]
    """Words that settle it where all of them stand in the sentence."""
    hints: frozenset[str]
    """Words of which one is enough; empty where the corpus says what the field is called."""
    proxies: re.Pattern[str] | None

    def found(self, sentence: str) -> re.Match[str] | None:
        """The first name in a sentence."""
        match = self.phrases.search(sentence)
        if match is not None:
            return match
        words: dict[str, re.Match[str]] = {}
        for word in _WORD.finditer(sentence):
            words.setdefault(word.group().casefold(), word)
        hits = [hit for wanted in self.together if (hit := _alike(wanted, words))]
        if hits and len(hits) == len(self.together):
            return min(hits, key=re.Match.start)
        return min((hit for hint in self.hints if (hit := _alike(hint, words))), key=re.Match.start, default=None)


def field_names(probe: Probe, tool: Tool) -> FieldNames:
    """The names of a probe's field."""
    own = [part for part in steps(probe.argument) if part != "*"][-1]
    parts = [part.casefold() for part in CAMEL.sub(" ", own).replace("_", " ").replace("-", " ").split()]
    typed = [name for line in TYPE_NAMES.get(probe.type, ()) for name in line.split(", ")]
    phrases = [*probe.ask, own, " ".join(parts), *typed, *_id_phrases(parts)]
    content = frozenset(part for part in parts if part not in _HEADS)
    together = content | (frozenset(parts) & {"date", "time", "name", "type"}) if content else content
    hints = frozenset() if probe.ask or typed else _hints(parts, probe, tool)
    return FieldNames(_pattern(phrases), together, hints, PROXIES.get(probe.type))


def _id_phrases(parts: list[str]) -> list[str]:
    """An order's id is asked for as its number, reference or code."""
    if len(parts) < 2 or parts[-1] not in ("id", "number", "code", "no", "identifier"):
        return []
    return [f"{' '.join(parts[:-1])} {word}" for word in _IDS]


def _hints(parts: list[str], probe: Probe, tool: Tool) -> frozenset[str]:
    """Words of the name and of its description that no other argument of the tool is called by."""
    names, described = _surroundings(steps(probe.argument), tool.parameters)
    others = {word.casefold() for name in names for word in _WORD.findall(CAMEL.sub(" ", name))}
    words = {word.casefold() for text in described for word in _WORD.findall(text) if len(word) > 3} - _STOP
    heads = [part for part in parts if part not in _HEADS] or parts
    own = [part for part in parts if part not in others] or parts
    synonyms = {word for part in own if part in _SYNONYMS for word in _SYNONYMS[part].split()}
    return frozenset((words | set(heads) | synonyms) - (others - set(own)))


def _surroundings(path: tuple[str, ...], schema: JsonObject) -> tuple[list[str], list[str]]:
    """The names beside a path of a schema, and what describes where it ends: of an array's items, the array too."""
    here: Json = schema
    names: list[str] = []
    described: list[str] = []
    for step in path:
        inside = here.get("items" if step == "*" else "properties") if isinstance(here, dict) else None
        if step == "*":
            here = inside
        else:
            known = inside if isinstance(inside, dict) else {}
            names += [name for name in known if name != step]
            here, described = known.get(step), []  # what it stands in is described as something else
        text = here.get("description") if isinstance(here, dict) else None
        described += [text] if isinstance(text, str) else []
    return names, described


def _alike(wanted: str, words: dict[str, re.Match[str]]) -> re.Match[str] | None:
    """A word of the sentence that is the wanted one but for its ending."""
    if wanted in words:
        return words[wanted]
    for word, match in words.items():
        short, long = sorted((word, wanted), key=len)
        if len(short) >= 3 and long in (short + "s", short + "es"):
            return match
        if len(short) >= 5 and long.startswith(short[: max(5, len(short) - 1)]) and len(long) - len(short) <= 4:
            return match
    return None


def _pattern(names: list[str]) -> re.Pattern[str]:
    """Any of the names as whole words, plurals too; a name in a script without spaces stands anywhere."""
    parts = [_name(name) for name in sorted(dict.fromkeys(name for name in names if name), key=len, reverse=True)]
    return re.compile("|".join(parts), re.IGNORECASE)


def _name(name: str) -> str:
    body = r"[\s_\-]+".join(re.escape(word) for word in re.split(r"[\s_\-]+", name))
    return rf"(?<!\w){body}(?:s|n|en)?(?!\w)" if ord(name[0]) < 0x2E80 else body
