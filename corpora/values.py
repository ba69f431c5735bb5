"""The one name for a JSON value, and for the closed lists that several lines share."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict with string keys."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object."""

Label = Literal["ASK", "OMIT", "COPY", "INJECT", "DRIFT"]
Measure = Literal["membership", "closed-world"]
ValueType = Literal["id", "text", "number", "money", "datetime", "date", "timezone", "boolean", "enum"]
Compare = Literal["exact", "case-insensitive"]
