"""Streamed answers stored piece by piece, one chunk a record: put together again, each call by its id or place."""

from __future__ import annotations

from corpora.shapes.places import Places
from corpora.shapes.stored import Stored, StoredCall, stored_call, when
from corpora.values import Json, JsonObject


def is_chunk(record: Json) -> bool:
    """Whether a record is a piece of a streamed chat completion."""
    choices = record.get("choices") if isinstance(record, dict) else None
    if not isinstance(choices, list) or not choices:
        return isinstance(record, dict) and record.get("object") == "chat.completion.chunk"
    return isinstance(choices[0], dict) and isinstance(choices[0].get("delta"), dict)


class _Call:
    def __init__(self) -> None:
        self.id: str | None = None
        self.name = ""
        self.arguments = ""

    def add(self, piece: JsonObject) -> None:
        """Take a piece of the call."""
        function = piece.get("function")
        if isinstance(piece.get("id"), str):
            self.id = piece["id"]
        if isinstance(function, dict):
            self.name += function.get("name") or "" if function.get("name") != self.name else ""
            self.arguments += function.get("arguments") or ""


class Chunks:
    """The answer that is being put together. One with another id, or after a finish, is another answer."""

    def __init__(self) -> None:
        self._id: Json = None
        self._at: float | None = None
        self._calls: list[_Call] = []
        self._places = Places()
        self._finished = self._any = False

    def add(self, record: JsonObject) -> Stored | None:
        """Take a chunk in; the answer before it, where this one begins another."""
        begins = self._any and (self._finished or record.get("id") != self._id)
        done = self.end() if begins and self._has_choices(record) else None
        self._any = True
        self._id = record.get("id")
        self._at = when(record) if self._at is None else self._at
        for choice in record.get("choices") or ():
            self._places.next_delta()
            for piece in choice["delta"].get("tool_calls") or ():
                self._call(piece).add(piece)
            self._finished = self._finished or choice.get("finish_reason") is not None
        return done

    def end(self) -> Stored | None:
        """The answer so far, and a new beginning; None where nothing came."""
        if not self._any:
            return None
        calls: tuple[StoredCall, ...] = tuple(
            stored_call(call.name or None, call.arguments, call.id) for call in self._places.ordered(self._calls)
        )
        done = Stored(shape="openai-chunks", calls=calls, at=self._at)
        self.__init__()  # type: ignore[misc]  # a new beginning
        return done

    @staticmethod
    def _has_choices(record: JsonObject) -> bool:
        """The last chunk of an answer may hold nothing but usage."""
        return bool(record.get("choices"))

    def _call(self, piece: JsonObject) -> _Call:
        index, call_id, function = piece.get("index"), piece.get("id"), piece.get("function")
        said: JsonObject = function if isinstance(function, dict) else {}
        at = self._places.of(
            index if isinstance(index, int) else None,
            call_id if isinstance(call_id, str) else None,
            said.get("name") or None,
            arguments=bool(said.get("arguments")),
        )
        if at == len(self._calls):
            self._calls.append(_Call())
        return self._calls[at]
