"""The visible world of a sample before a call: what the model was shown, and where a value stands in it.

State leaves, user turns and tool results are sources. The system text apart from the state, and the model's own
earlier words, are none: they are kept beside, to say where an invention was taken from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from corpora.corpus import Corpus, Probe, Tool
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.jsonl import decode_value, encode_text
from corpora.values import Json
from scoring.judging.leaves import Leaf, json_leaves, leaves
from scoring.judging.sightings import Sighting, Span, better, look
from scoring.judging.texts import Source
from scoring.judging.view import Tree, View
from scoring.judging.when import DayHit, may_show, visible_day


class World:
    """What a model was shown, and what was kept back, made once and searched for every value."""

    def __init__(
        self, fixture: Fixture, shown: Sequence[Leaf | Tree], spoken: list[Source], schema: list[Source], system: Source
    ) -> None:
        self.fixture = fixture
        self.view = View(shown)
        self.spoken = spoken
        """The model's own earlier words."""
        self.schema = schema
        self.system = system
        self._days: dict[object, DayHit | None] = {}

    @classmethod
    def of(cls, corpus: Corpus, fixture: Fixture, tool: Tool) -> Self:
        """The world of a fixture."""
        shown = [Tree("state", None, fixture.visible), *_conversation(fixture)]
        spoken = [Source(text) for text in _assistant(fixture)]
        return cls(fixture, shown, spoken, schema_sources(tool), Source(corpus.system))

    @property
    def shown(self) -> list[Leaf]:
        """Every leaf."""
        return self.view.leaves

    def sighting(self, probe: Probe, value: Json, later: tuple[Leaf, ...] = ()) -> Sighting | None:
        """The best place where a value is visible: the nearest form first, then the order in which it was shown."""
        best = look(probe, value, self.view)
        if later and (best is None or best.form != "exact"):
            best = better(best, look(probe, value, View(later)))
        if best is None and probe.type in ("date", "datetime"):
            day = self.day(probe, value, later)
            return day and Sighting(day.leaf.where, Span(day.leaf.message, day.leaf.path, day.start, day.end), day.form)
        return best

    def day(self, probe: Probe, value: Json, later: tuple[Leaf, ...] = (), *, zone_too: bool = True) -> DayHit | None:
        """Where a date or datetime stands, as `visible_day` finds it."""
        if not isinstance(value, str) or (not later and not may_show(probe, value, self.view, zone_too=zone_too)):
            return None
        if later:
            return visible_day(probe, value, View((*self.shown, *later)), zone_too=zone_too)
        asked = (probe.type, probe.locale, probe.derive, value, zone_too)
        if asked not in self._days:
            self._days[asked] = visible_day(probe, value, self.view, zone_too=zone_too)
        return self._days[asked]

    def results(self, answers: tuple[Json, ...]) -> tuple[Leaf, ...]:
        """The leaves of what the stub answered in earlier turns of the sample."""
        first = len(self.fixture.messages)
        return tuple(leaf for n, answer in enumerate(answers) for leaf in json_leaves("tool", first + n, answer))


def _conversation(fixture: Fixture) -> Iterator[Leaf | Tree]:
    for number, message in enumerate(fixture.messages):
        if message.content is None:
            continue
        if message.role == "user":
            yield Leaf("user", number, None, message.content, Source(message.content))
        elif message.role == "tool":
            yield tool_result(number, message.content)


def tool_result(number: int, content: str) -> Tree:
    """A JSON result is seen leaf by leaf, so that its keys are no values; other text as it is."""
    try:
        return Tree("tool", number, decode_value(content))
    except BadInput:
        return Tree("tool", number, content)


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
