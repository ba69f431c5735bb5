"""Spans of generative AI: OpenTelemetry's conventions, old and new, and OpenInference's; single, or an OTLP export.

Sources: https://opentelemetry.io/docs/specs/semconv/gen-ai/ (gen_ai.output.messages; before it the event
gen_ai.choice; flattened names of the instrumentations that came first) and https://arize-ai.github.io/openinference/.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpora.shapes.attributes import any_value, as_table, nested
from corpora.shapes.replies import of_message
from corpora.shapes.stored import Inner, Stored, StoredCall, is_cut, maybe_json, once, stored_call, when
from corpora.values import Json, JsonObject

_OUTPUT = "gen_ai.output.messages"
_OPENINFERENCE = "llm.output_messages."


def read_export(record: JsonObject, inner: Inner) -> Stored | None:
    """An OTLP export in JSON: resource spans, scope spans, spans."""
    if not isinstance(record.get("resourceSpans"), list):
        return None
    spans = [
        span
        for resource in _objects(record["resourceSpans"])
        for scope in _objects(resource.get("scopeSpans"))
        for span in _objects(scope.get("spans"))
    ]
    found = [one for span in spans if (one := inner(span)) is not None]
    return Stored(
        shape="otlp-export",
        calls=tuple(call for one in found for call in one.calls),
        at=next((one.at for one in found if one.at is not None), None),
        skipped=tuple(reason for one in found for reason in one.skipped),
    )


def read_span(record: JsonObject, _: Inner) -> Stored | None:
    """One span. Of several ways in which it says the same, the first that is there counts."""
    if not isinstance(record.get("attributes"), dict | list):
        return None
    table = as_table(record["attributes"])
    if any(name.startswith("llm.") for name in table):
        return Stored(shape="openinference-span", calls=_openinference(table), at=when(record))
    if not any(name.startswith("gen_ai.") for name in table) and not isinstance(record.get("events"), list):
        return Stored(shape="span", at=when(record)) if "name" in record else None
    return _otel(record, table)


def _otel(record: JsonObject, table: JsonObject) -> Stored:
    events = list(_events(record))
    output = next((place[_OUTPUT] for place in (table, *events) if _OUTPUT in place), None)
    if is_cut(output):
        return Stored(shape="otel-span", at=when(record), skipped=("truncated",))
    if output is not None:
        return Stored(shape="otel-span", calls=tuple(_output_messages(maybe_json(output))), at=when(record))
    choices = tuple(call for event in events for call in _choice(event))
    skipped = ("truncated",) if any(is_cut(value) for event in events for value in event.values()) else ()
    flat = () if choices else tuple(_flattened(table))
    executed = () if choices or flat else tuple(_executed(table))
    return Stored(shape="otel-span-old", calls=choices or flat or executed, at=when(record), skipped=skipped)


def _output_messages(messages: Json) -> Iterator[StoredCall]:
    for message in _objects(messages):
        for part in _objects(message.get("parts")):
            if part.get("type") == "tool_call":
                yield stored_call(part.get("name"), part.get("arguments"), part.get("id"))


def _events(record: JsonObject) -> Iterator[JsonObject]:
    """The attributes of each event, with its body and its name among them."""
    for event in _objects(record.get("events")):
        table = as_table(event.get("attributes"))
        body = any_value(event.get("body"))
        yield {**table, **(body if isinstance(body, dict) else {}), "event.name": event.get("name")}


def _choice(event: JsonObject) -> Iterator[StoredCall]:
    """The event `gen_ai.choice`, its message an object or a string of JSON."""
    if event.get("event.name") != "gen_ai.choice":
        return
    message = maybe_json(event.get("message", event))
    if isinstance(message, dict):
        calls = maybe_json(message.get("tool_calls", event.get("tool_calls")))
        yield from of_message({"tool_calls": calls if isinstance(calls, list) else []})


def _flattened(table: JsonObject) -> Iterator[StoredCall]:
    """`gen_ai.completion.0.tool_calls.0.name` and its kin."""
    for message in _objects(nested(table, "gen_ai.completion.")):
        for call in _objects(message.get("tool_calls")):
            yield stored_call(call.get("name"), call.get("arguments"), call.get("id"))


def _executed(table: JsonObject) -> Iterator[StoredCall]:
    """A span of the tool's own execution."""
    if "gen_ai.tool.name" in table and "gen_ai.tool.call.arguments" in table:
        arguments = table["gen_ai.tool.call.arguments"]
        yield stored_call(table["gen_ai.tool.name"], arguments, table.get("gen_ai.tool.call.id"))


def _openinference(table: JsonObject) -> tuple[StoredCall, ...]:
    found = []
    for message in _objects(nested(table, _OPENINFERENCE)):
        inner = message.get("message")
        for entry in _objects(inner.get("tool_calls") if isinstance(inner, dict) else None):
            call = entry.get("tool_call")
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(call, dict) and isinstance(function, dict):
                found.append(stored_call(function.get("name"), function.get("arguments"), call.get("id")))
    return once(found)


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
