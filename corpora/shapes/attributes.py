"""Attributes of spans, however they were written: a table, OTLP's list of pairs, or names with dots for every level."""

from __future__ import annotations

from corpora.values import Json, JsonObject


def as_table(attributes: Json) -> JsonObject:
    """Attributes as name -> value; empty for anything that is none."""
    if isinstance(attributes, dict):
        return attributes
    if not isinstance(attributes, list):
        return {}
    pairs = [pair for pair in attributes if isinstance(pair, dict) and isinstance(pair.get("key"), str)]
    return {pair["key"]: any_value(pair.get("value")) for pair in pairs}


def any_value(value: Json) -> Json:
    """The value in OTLP's `AnyValue`. Source: opentelemetry-proto, common/v1/common.proto."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    [(kind, inner)] = value.items()
    match kind, inner:
        case ("arrayValue", {"values": list(values)}):
            return [any_value(item) for item in values]
        case ("kvlistValue", {"values": list()}):
            return as_table(inner["values"])
        case (("arrayValue" | "kvlistValue"), _):
            return [] if kind == "arrayValue" else {}
        case ("intValue", str()):
            return int(inner) if inner.lstrip("-").isdigit() else inner
        case (("stringValue" | "boolValue" | "intValue" | "doubleValue" | "bytesValue"), _):
            return inner
    return value


def nested(table: JsonObject, prefix: str) -> Json:
    """What flattened names below a prefix stand for: segments of digits are places in a list, in order of number."""
    root: JsonObject = {}
    for name, value in table.items():
        if name.startswith(prefix):
            _put(root, name[len(prefix) :].split("."), value)
    return _lists(root)


def _put(node: JsonObject, path: list[str], value: Json) -> None:
    for segment in path[:-1]:
        below = node.setdefault(segment, {})
        if not isinstance(below, dict):
            return  # two attributes contradict each other; the first one stands
        node = below
    node.setdefault(path[-1], value)


def _lists(node: Json) -> Json:
    if not isinstance(node, dict):
        return node
    if node and all(name.isdigit() for name in node):
        return [_lists(node[name]) for name in sorted(node, key=int)]
    return {name: _lists(value) for name, value in node.items()}
