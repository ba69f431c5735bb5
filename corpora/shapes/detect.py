"""Which shape a stored record is of: the first reader that knows it counts, and an unknown one is an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpora.errors import BadInput
from corpora.jsonl import encode_text
from corpora.shapes.chunks import Chunks, is_chunk
from corpora.shapes.providers import read_bedrock, read_gemini
from corpora.shapes.replies import (
    read_anthropic,
    read_chat,
    read_conversation,
    read_message,
    read_own,
    read_response,
)
from corpora.shapes.rows import read_cells, read_columns, read_named_columns, read_row, read_row_cells
from corpora.shapes.spans import read_export, read_span
from corpora.shapes.stored import Inner, Reader, Stored, maybe_json
from corpora.shapes.traces import read_langfuse, read_langsmith
from corpora.shapes.wrapped import read_wrapped
from corpora.values import Json, JsonObject

READERS: dict[str, Reader] = {
    "assumeprobe-results": read_own,
    "otlp-export": read_export,
    "span": read_span,
    "langfuse": read_langfuse,
    "langsmith": read_langsmith,
    "pair": read_wrapped,
    "openai-chat": read_chat,
    "openai-responses": read_response,
    "bedrock-converse": read_bedrock,
    "gemini-content": read_gemini,
    "anthropic-messages": read_anthropic,
    "openai-message": read_message,
    "openai-messages": read_conversation,
    "cells": read_cells,
    "row": read_row,
    "row-cells": read_row_cells,
    "columns": read_columns,
}
"""In the order in which they are tried: what is told by a name of its own comes before what could be anybody's row."""

CHUNKS = "openai-chunks"
SHAPES = (*READERS, CHUNKS)
_SHOWN = 200


class Detector:
    """Reads stored records one by one, each by the shape that it has, or all by the one that was named."""

    def __init__(self, shape: str | None = None) -> None:
        if shape is not None and shape not in SHAPES:
            raise BadInput(f"there is no shape {shape!r}; there are {', '.join(SHAPES)}", field="--shape")
        named = {**READERS, "columns": read_named_columns}
        self._readers = tuple(READERS.values()) if shape in (None, CHUNKS) else (named[shape],)
        self._chunks = Chunks()

    def read(self, record: Json) -> Iterator[Stored | None]:
        """What a record holds; None where its shape is unknown. A list is as many records."""
        value = maybe_json(record)
        if isinstance(value, list):
            for item in value:
                yield from self.read(item)
        elif is_chunk(value):
            done = self._chunks.add(value)
            if done is not None:
                yield done
        else:
            yield self._one(value)

    def end(self) -> Iterator[Stored]:
        """What was still being put together."""
        done = self._chunks.end()
        if done is not None:
            yield done

    def _one(self, value: Json) -> Stored | None:
        """One record that stands for itself."""
        return _first(self._readers, value, _Inside()) if isinstance(value, dict) else None


class _Inside:
    """Reads what stands inside one record, by whatever shape it has.

    Each payload is looked into once, however many readers ask for it: else the work would double with every level.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Json, Stored | None]] = {}
        """By the identity of a payload, which is kept so that no other gets the same."""

    def __call__(self, payload: Json) -> Stored | None:
        """A payload, read; None where its shape is unknown."""
        value = maybe_json(payload)
        if not isinstance(value, dict):
            return None
        if id(payload) not in self._known:
            self._known[id(payload)] = payload, _first(READERS.values(), value, self)
        return self._known[id(payload)][1]


def _first(readers: Iterable[Reader], record: JsonObject, inner: Inner) -> Stored | None:
    """What the first reader says that knows the record."""
    return next((found for reader in readers if (found := reader(record, inner)) is not None), None)


def unknown(sample: Json) -> BadInput:
    """The error that shows what was seen instead of a known shape."""
    text = encode_text(sample)
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return BadInput(
        f"no record is of a known shape; the first is {shown}; known are {', '.join(SHAPES)}: name one with --shape "
        "(columns, where the arguments are columns and the table is of one tool), or write the calls as rows with the "
        "fields tool and arguments"
    )
