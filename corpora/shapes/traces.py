"""Exports of tracing tools: Langfuse traces and observations, LangSmith runs with LangChain messages.

Sources: https://langfuse.com/docs/api-and-data-platform/features/export-from-ui and
https://docs.smith.langchain.com/reference/data_formats/run_data_format.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpora.shapes.replies import of_message
from corpora.shapes.stored import Inner, Stored, StoredCall, is_cut, maybe_json, once, stored_call, when
from corpora.values import Json, JsonObject

_GENERATION = "GENERATION"


def read_langfuse(record: JsonObject, inner: Inner) -> Stored | None:
    """A trace with its observations, or one observation. A trace repeats its last generation: it counts once."""
    observations = record.get("observations")
    if isinstance(observations, list):
        parts = [o for o in observations if isinstance(o, dict) and o.get("type") == _GENERATION] or [record]
    elif record.get("type") == _GENERATION and "output" in record:
        parts = [record]
    else:
        return None
    outputs = [part.get("output") for part in parts]
    calls = once(call for output in outputs for call in _calls(maybe_json(output), inner))
    return Stored(
        shape="langfuse-trace",
        calls=calls,
        at=when(record),
        skipped=tuple("truncated" for output in outputs if is_cut(output)),
    )


def read_langsmith(record: JsonObject, inner: Inner) -> Stored | None:
    """A run: of its kind `llm` each generation's message counts; other runs hold what their children say again."""
    if "run_type" not in record or "outputs" not in record:
        return None
    at = when(record)
    if is_cut(record["outputs"]):
        return Stored(shape="langsmith-run", at=at, skipped=("truncated",))
    if record["run_type"] != "llm":
        return Stored(shape="langsmith-run", at=at)
    outputs = maybe_json(record["outputs"])
    calls = tuple(call for message in _messages(outputs) for call in _calls(message, inner))
    return Stored(shape="langsmith-run", calls=calls, at=at)


def _messages(outputs: Json) -> Iterator[Json]:
    """The messages of every generation, or what stands in their place."""
    generations = outputs.get("generations") if isinstance(outputs, dict) else None
    if not isinstance(generations, list):
        yield outputs.get("output", outputs) if isinstance(outputs, dict) else outputs
        return
    for entry in generations:
        for generation in entry if isinstance(entry, list) else [entry]:
            yield generation.get("message") if isinstance(generation, dict) else None


def _calls(output: Json, inner: Inner) -> tuple[StoredCall, ...]:
    """The calls of a message or a reply, whoever wrote it."""
    if isinstance(output, list):
        return tuple(call for item in output for call in _calls(item, inner))
    if not isinstance(output, dict):
        return ()
    if isinstance(output.get("kwargs"), dict):  # a LangChain message, serialised
        return _langchain(output["kwargs"])
    if "additional_kwargs" in output or _is_parsed(output.get("tool_calls")):
        return _langchain(output)
    found = inner(output)
    if found is not None:
        return found.calls
    return of_message(output) if "tool_calls" in output else ()


def _is_parsed(calls: Json) -> bool:
    return isinstance(calls, list) and any(isinstance(call, dict) and "args" in call for call in calls)


def _langchain(message: JsonObject) -> tuple[StoredCall, ...]:
    """The string that came stands under additional_kwargs; only where it does not, the parsed form counts."""
    kept = message.get("additional_kwargs")
    verbatim = of_message(kept) if isinstance(kept, dict) else ()
    parsed = [call for call in message.get("tool_calls") or () if isinstance(call, dict)]
    invalid = [call for call in message.get("invalid_tool_calls") or () if isinstance(call, dict)]
    listed = (stored_call(call.get("name"), call.get("args"), call.get("id")) for call in (*parsed, *invalid))
    return verbatim or tuple(listed)
