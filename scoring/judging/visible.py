"""The visible world of a sample before a call: what the model was shown, and where a value stands in it.

State leaves, user turns and tool results are sources. The system text apart from the state, and the model's own
earlier words, are none: they are kept beside, to say where an invention was taken from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, Self

import msgspec

from corpora.corpus import Corpus, Probe, Tool
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.jsonl import decode_value, encode_text
from corpora.values import Json
from scoring.judging.forms import Form, Hit, Source, find, may_stand, same
from scoring.judging.leaves import Leaf, Where, json_leaves, leaves
from scoring.judging.when import visible_day


class Span(msgspec.Struct, frozen=True):
    """The evidence of a copy: characters `start` to `end` of a message, or of the leaf at `path` in JSON."""

    message: int | None
    """Its place among the fixture's messages, tool results of the sample counted on; None in the state."""
    path: str | None
    start: int
    end: int


class Sighting(NamedTuple):
    """A visible value: where, which characters, and in what form it is the emitted one."""

    where: Where
    span: Span
    form: Form
    negated: bool = False
    """The words before it rule it out: "not UTC"."""


class World:
    """What a model was shown, and what was kept back, made once and searched for every value."""

    def __init__(
        self, fixture: Fixture, shown: list[Leaf], spoken: list[Source], schema: list[Source], system: Source
    ) -> None:
        self.fixture = fixture
        self.shown = shown
        self.spoken = spoken
        """The model's own earlier words."""
        self.schema = schema
        self.system = system
        self._all: Source | None = None

    @classmethod
    def of(cls, corpus: Corpus, fixture: Fixture, tool: Tool) -> Self:
        """The world of a fixture."""
        shown = [*_state(fixture), *_conversation(fixture)]
        spoken = [Source(text) for text in _assistant(fixture)]
        return cls(fixture, shown, spoken, schema_sources(tool), Source(corpus.system))

    def sighting(self, probe: Probe, value: Json, later: tuple[Leaf, ...] = ()) -> Sighting | None:
        """The best place where a value is visible: the nearest form first, then the order in which it was shown."""
        best: Sighting | None = None
        shown = (*self.shown, *later)
        if isinstance(value, str):
            for leaf in shown:  # most values are where they are as they stand: to look for that alone costs little
                if value in leaf.source.text:
                    seen = _see(probe, value, leaf)
                    if seen is not None and seen.form == "exact":
                        return seen
        for leaf in shown if len(self.shown) < _FEW or may_stand(probe, value, self._joined()) else later:
            seen = _see(probe, value, leaf)
            if seen is not None and (best is None or _RANK[seen.form] < _RANK[best.form]):
                best = seen
            if best is not None and best.form == "exact":
                break
        if best is None and probe.type in ("date", "datetime"):
            day = visible_day(probe, value, shown)
            return day and Sighting(day.leaf.where, Span(day.leaf.message, day.leaf.path, day.start, day.end), day.form)
        return best

    def _joined(self) -> Source:
        """Everything that was shown as one text."""
        if self._all is None:
            self._all = Source("\n".join(leaf.source.text for leaf in self.shown))
        return self._all

    @staticmethod
    def sources(texts: tuple[str, ...]) -> list[Source]:
        """Texts of the sample, made ready to be searched."""
        return [Source(text) for text in texts]

    def results(self, answers: tuple[Json, ...]) -> tuple[Leaf, ...]:
        """The leaves of what the stub answered in earlier turns of the sample."""
        first = len(self.fixture.messages)
        return tuple(leaf for n, answer in enumerate(answers) for leaf in json_leaves("tool", first + n, answer))


_FEW = 4
"""From so many leaves on it pays to look at all of them as one text first."""
_RANK: dict[Form, int] = {"exact": 0, "case-fold": 1, "unicode-form": 2, "equivalent-format": 3, "derived": 4}


def stands_in(probe: Probe, value: Json, sources: list[Source]) -> bool:
    """A value stands in one of the texts as a whole token."""
    return any(source.text and find(probe, value, source) is not None for source in sources)


def _see(probe: Probe, value: Json, leaf: Leaf) -> Sighting | None:
    if not isinstance(leaf.value, str):
        form = same(probe, value, leaf.value)
        if form is None or (isinstance(value, bool) and not _names(probe, leaf.path)):
            return None
        return Sighting(leaf.where, Span(leaf.message, leaf.path, 0, len(leaf.source.text)), form)
    hit = _told(probe, value, leaf.source) if isinstance(value, bool) else find(probe, value, leaf.source)
    if hit is None:
        return None
    negated = _NEGATION.search(leaf.source.text[max(0, hit.start - 30) : hit.start]) is not None
    return Sighting(leaf.where, Span(leaf.message, leaf.path, hit.start, hit.end), hit.form, negated)


# A negation that stands right before a value, with at most two short words between them.
_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|don't|without|except|anything but|rather than|instead of|nicht|kein\w*|nie|pas"
    r"|jamais|ni|non|mai|não|nunca|nem|niet|geen|nooit)\b)(?:\s+\w{1,5}){0,2}[\s\"'\u201c\u201e(]*$",
    re.IGNORECASE,
)


_YES_NO = {
    True: "true|yes|on|enabled|ja|oui|sí|sì|sim|はい",
    False: "false|no|off|disabled|nein|non|não|nee|いいえ",
}


def _told(probe: Probe, value: bool, source: Source) -> Hit | None:
    """A text tells a boolean only right behind the field's own name: `notify: no`; and only where the type says so."""
    if probe.type != "boolean":
        return None
    own = r"[\s_\-]*".join(re.escape(word) for word in re.split(r"[\s_\-]+", probe.argument.rpartition(".")[2]))
    said = rf"(?<!\w){own}\s*(?:[:=]|is|to|ist|est|es|è|é)?\s*(?P<value>{_YES_NO[value]})(?!\w)"
    found = re.search(said, source.text, re.IGNORECASE)
    return found and Hit(found.start("value"), found.end("value"), "equivalent-format")


def _names(probe: Probe, path: str | None) -> bool:
    """A visible true or false speaks only for the field of its own name."""
    own = probe.argument.rpartition(".")[2]
    return path is not None and path.rpartition(".")[2].casefold() == own.casefold()


def _state(fixture: Fixture) -> Iterator[Leaf]:
    return json_leaves("state", None, fixture.visible)


def _conversation(fixture: Fixture) -> Iterator[Leaf]:
    for number, message in enumerate(fixture.messages):
        if message.content is None:
            continue
        if message.role == "user":
            yield Leaf("user", number, None, message.content, Source(message.content))
        elif message.role == "tool":
            yield from tool_result(number, message.content)


def tool_result(number: int, content: str) -> Iterator[Leaf]:
    """A JSON result is seen leaf by leaf, so that its keys are no values; other text as it is."""
    try:
        value = decode_value(content)
    except BadInput:
        value = content
    return json_leaves("tool", number, value)


def _assistant(fixture: Fixture) -> Iterator[str]:
    for message in fixture.messages:
        if message.role == "assistant":
            yield from filter(None, (message.content, *(call.function.arguments for call in message.tool_calls)))


_SCHEMA_WORDS = frozenset({"description", "title", "default", "enum", "const", "examples", "example"})


def schema_sources(tool: Tool) -> list[Source]:
    """The texts of a tool's description and schema that speak of values."""
    return [Source(text) for text in (tool.description, *_schema_texts(tool.parameters)) if text]


def _schema_texts(schema: Json) -> Iterator[str]:
    """The texts of a schema that speak of values, wherever they stand."""
    if isinstance(schema, dict):
        for key, item in schema.items():
            if key in _SCHEMA_WORDS and not (key in ("title", "description", "default") and isinstance(item, dict)):
                yield from (leaf if isinstance(leaf, str) else encode_text(leaf) for _, leaf in leaves(item))
            else:
                yield from _schema_texts(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from _schema_texts(item)
