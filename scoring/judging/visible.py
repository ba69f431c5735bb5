"""The visible world of a sample before a call: what the model was shown, and where a value stands in it.

State leaves, user turns and tool results are sources. The system text apart from the state, and the model's own
earlier words, are none: they are kept beside, to say where an invention was taken from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from corpora.corpus import Corpus, Probe, Tool
from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.jsonl import decode_value, encode_text
from corpora.values import Json
from scoring.judging.forms import Form, Source, find, same

Where = Literal["state", "user", "tool"]


class Span(msgspec.Struct, frozen=True):
    """The evidence of a copy: characters `start` to `end` of a message, or of the leaf at `path` in JSON."""

    message: int | None
    """Its place among the fixture's messages, tool results of the sample counted on; None in the state."""
    path: str | None
    start: int
    end: int


class Leaf(NamedTuple):
    """One value that the model was shown, and where."""

    where: Where
    message: int | None
    path: str | None
    value: Json
    source: Source


class Sighting(NamedTuple):
    """A visible value: where, which characters, and in what form it is the emitted one."""

    where: Where
    span: Span
    form: Form


class World:
    """What one fixture shows, and what it keeps back, made once and searched for every value."""

    def __init__(self, corpus: Corpus, fixture: Fixture, tool: Tool) -> None:
        self.fixture = fixture
        self.shown = [*_state(fixture), *_conversation(fixture)]
        self.spoken = [Source(text) for text in _assistant(fixture)]
        self.schema = [Source(text) for text in _schema(tool)]
        self.system = Source(corpus.system)

    def sighting(self, probe: Probe, value: Json, later: tuple[Leaf, ...] = ()) -> Sighting | None:
        """The best place where a value is visible: the nearest form first, then the order in which it was shown."""
        best: Sighting | None = None
        for leaf in (*self.shown, *later):
            seen = _see(probe, value, leaf)
            if seen is not None and (best is None or _RANK[seen.form] < _RANK[best.form]):
                best = seen
            if best is not None and best.form == "exact":
                break
        return best

    @staticmethod
    def sources(texts: tuple[str, ...]) -> list[Source]:
        """Texts of the sample, made ready to be searched."""
        return [Source(text) for text in texts]

    def results(self, answers: tuple[Json, ...]) -> tuple[Leaf, ...]:
        """The leaves of what the stub answered in earlier turns of the sample."""
        first = len(self.fixture.messages)
        return tuple(leaf for n, answer in enumerate(answers) for leaf in _json_leaves("tool", first + n, answer))


_RANK: dict[Form, int] = {"exact": 0, "case-fold": 1, "unicode-form": 2, "equivalent-format": 3, "derived": 4}


def stands_in(probe: Probe, value: Json, sources: list[Source]) -> bool:
    """A value stands in one of the texts as a whole token."""
    return any(find(probe, value, source) is not None for source in sources)


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Every value of a JSON tree that is no container, with its path; nothing for null."""
    match value:
        case dict():
            for key, item in value.items():
                yield from leaves(item, f"{path}.{key}" if path else str(key))
        case list() | tuple():
            for index, item in enumerate(value):
                yield from leaves(item, f"{path}[{index}]")
        case None:
            return
        case _:
            yield path, value


def _see(probe: Probe, value: Json, leaf: Leaf) -> Sighting | None:
    if not isinstance(leaf.value, str):
        form = same(probe, value, leaf.value)
        if form is None or (isinstance(value, bool) and not _names(probe, leaf.path)):
            return None
        return Sighting(leaf.where, Span(leaf.message, leaf.path, 0, len(leaf.source.text)), form)
    hit = find(probe, value, leaf.source)
    return hit and Sighting(leaf.where, Span(leaf.message, leaf.path, hit.start, hit.end), hit.form)


def _names(probe: Probe, path: str | None) -> bool:
    """A visible true or false speaks only for the field of its own name."""
    own = probe.argument.rpartition(".")[2]
    return path is not None and path.rpartition(".")[2].casefold() == own.casefold()


def _json_leaves(where: Where, message: int | None, value: Json) -> Iterator[Leaf]:
    for path, leaf in leaves(value):
        text = leaf if isinstance(leaf, str) else encode_text(leaf)
        yield Leaf(where, message, path or None, leaf, Source(text))


def _state(fixture: Fixture) -> Iterator[Leaf]:
    return _json_leaves("state", None, fixture.visible)


def _conversation(fixture: Fixture) -> Iterator[Leaf]:
    for number, message in enumerate(fixture.messages):
        if message.content is None:
            continue
        if message.role == "user":
            yield Leaf("user", number, None, message.content, Source(message.content))
        elif message.role == "tool":
            yield from _tool_result(number, message.content)


def _tool_result(number: int, content: str) -> Iterator[Leaf]:
    """A JSON result is seen leaf by leaf, so that its keys are no values; other text as it is."""
    try:
        value = decode_value(content)
    except BadInput:
        value = content
    return _json_leaves("tool", number, value)


def _assistant(fixture: Fixture) -> Iterator[str]:
    for message in fixture.messages:
        if message.role == "assistant":
            yield from filter(None, (message.content, *(call.function.arguments for call in message.tool_calls)))


_SCHEMA_WORDS = frozenset({"description", "title", "default", "enum", "const", "examples", "example"})


def _schema(tool: Tool) -> Iterator[str]:
    if tool.description:
        yield tool.description
    yield from _schema_texts(tool.parameters)


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
