"""Streamed answers stored piece by piece, one chunk a record: put together again as their stream would be."""

from __future__ import annotations

from corpora.jsonl import encode
from corpora.shapes import chat
from corpora.shapes.chat_stream import Whole
from corpora.shapes.nodes import Node
from corpora.shapes.stored import Stored, StoredCall, of_answer, when
from corpora.values import Json, JsonObject


def is_chunk(record: Json) -> bool:
    """Whether a record is a piece of a streamed chat completion."""
    choices = record.get("choices") if isinstance(record, dict) else None
    if not isinstance(choices, list) or not choices:
        return isinstance(record, dict) and record.get("object") == "chat.completion.chunk"
    return isinstance(choices[0], dict) and isinstance(choices[0].get("delta"), dict)


class Chunks:
    """The answer that is being put together. One with another id, or after a finish, is another answer."""

    def __init__(self) -> None:
        self._answer: _Answer | None = None

    def add(self, record: JsonObject) -> Stored | None:
        """Take a chunk in; the answer before it, where this one begins another."""
        done = self.end() if self._answer is not None and self._answer.ends_before(record) else None
        if self._answer is None:
            self._answer = _Answer(record.get("id"))
        self._answer.add(record)
        return done

    def end(self) -> Stored | None:
        """The answer so far, and a new beginning; None where nothing came."""
        done, self._answer = self._answer, None
        return None if done is None else Stored(shape="openai-chunks", calls=done.calls(), at=done.at)


class _Answer:
    """One answer: every choice of it is a stream of its own."""

    def __init__(self, answer_id: Json) -> None:
        self.at: float | None = None
        self._id = answer_id
        self._choices: dict[bytes, Whole] = {}

    def ends_before(self, record: JsonObject) -> bool:
        """Whether a chunk is of another answer. The last one of an answer may hold nothing but usage."""
        finished = [whole.is_complete for whole in self._choices.values()]
        return bool(_pieces(record)) and (record.get("id") != self._id or (bool(finished) and all(finished)))

    def add(self, record: JsonObject) -> None:
        """Take a chunk in."""
        self.at = when(record) if self.at is None else self.at
        for piece in _pieces(record):
            whole = self._choices.setdefault(encode(piece.get("index") or 0), Whole())
            delta = piece.get("delta")
            calling = {key: delta[key] for key in _CALLING & delta.keys()} if isinstance(delta, dict) else {}
            if calling or piece.get("finish_reason") is not None:
                whole.add_choice(Node(encode({"delta": calling, "finish_reason": piece.get("finish_reason")})))

    def calls(self) -> tuple[StoredCall, ...]:
        """The calls of every choice so far."""
        answers = (chat.read(Node(whole.body())) for whole in self._choices.values())
        return tuple(call for answer in answers for call in of_answer(answer))


_CALLING = {"tool_calls", "function_call"}
"""Where a piece of a call may stand. Words are not put together: a call in them is none that came."""


def _pieces(record: JsonObject) -> list[JsonObject]:
    choices = record.get("choices")
    return [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
