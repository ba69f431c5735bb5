"""What foreign code hands over as text or JSON, as plain values that can stand in a record."""

from __future__ import annotations

import dataclasses
import enum
import json
import re
from datetime import date, time

from corpora.values import Json

_SURROGATE = re.compile("[\ud800-\udfff]")


def plain_text(text: str) -> str:
    """A string, whatever class of string it is; what cannot stand in UTF-8 as the JSON escape for it."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", str.__str__(text))


def as_json(value: Json) -> tuple[str, bool]:
    """A value as JSON text, as it was given; and whether lone surrogates stand in it as escapes."""
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    escaped = plain_text(text)
    return escaped, escaped != text


def _plain(value: object) -> Json:
    """What frameworks make of JSON before a tool sees it, as JSON again."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    dump = getattr(value, "model_dump", None)  # pydantic's models, which are not ours to import
    return dump(mode="json") if callable(dump) else str(value)
