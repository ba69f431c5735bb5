"""Stored replies of other providers, whose calls are objects: the text that the model emitted is not in them."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.shapes.stored import Inner, Stored, StoredCall, stored_call, when
from corpora.values import Json, JsonObject


def read_bedrock(record: JsonObject, _: Inner) -> Stored | None:
    """Bedrock Converse: `output.message.content`, its calls under `toolUse`.

    Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
    """
    content = _at(record, "output", "message", "content")
    if not isinstance(content, list):
        return None
    uses = [block["toolUse"] for block in content if isinstance(block, dict) and isinstance(block.get("toolUse"), dict)]
    calls = tuple(stored_call(use.get("name"), use.get("input"), use.get("toolUseId")) for use in uses)
    return Stored(shape="bedrock-converse", calls=calls, at=when(record))


def read_gemini(record: JsonObject, _: Inner) -> Stored | None:
    """Gemini: `candidates`, each with `content.parts`, its calls under `functionCall`.

    Source: https://ai.google.dev/api/generate-content
    """
    candidates = record.get("candidates")
    if not isinstance(candidates, list):
        return None
    calls = tuple(call for candidate in candidates for call in _parts(_at(candidate, "content", "parts")))
    return Stored(shape="gemini-content", calls=calls, at=when(record))


def _parts(parts: Json) -> Iterator[StoredCall]:
    for part in parts if isinstance(parts, list) else ():
        call = part.get("functionCall", part.get("function_call")) if isinstance(part, dict) else None
        if isinstance(call, dict):
            yield stored_call(call.get("name"), call.get("args"), call.get("id"))


def _at(value: Json, *path: str) -> Json:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value
