"""The tools of a corpus by the JSON Schema meta-schema. Nothing is fetched: a reference that leads out is a fault."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.values import JsonObject

DRAFTS = frozenset(
    {
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    }
)
"""The drafts that are known without asking anybody."""


def faults(corpus: Corpus) -> Iterator[BadInput]:
    """Every tool whose parameters are no JSON Schema of an object, with where in the schema and what to do."""
    for number, tool in enumerate(corpus.tools):
        fault = schema_fault(tool.parameters)
        if fault:
            yield BadInput(
                f"the parameters of {tool.name} are no JSON Schema: {fault}; correct them, a model is offered this",
                path=f"{corpus.folder}/corpus.toml",
                field=f"tools[{number}].parameters",
            )


def schema_fault(schema: JsonObject) -> str | None:
    """What is wrong with a schema of arguments, and where in it; None where nothing is."""
    draft = schema.get("$schema")
    if draft is not None and str(draft).removesuffix("#") not in DRAFTS:
        return f"$schema: {draft!r} is no draft that is known here; leave it out for 2020-12"
    if schema.get("type", "object") != "object":
        return f'type: arguments are an object, so expected "object", found {schema["type"]!r}'
    # Loaded when a schema is checked: scoring itself does without it.
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(schema)
        jsonschema_rs.validator_for(schema, retriever=_retrieve_nothing)
    except jsonschema_rs.ValidationError as error:
        where = ".".join(map(str, error.instance_path))
        what = error.message.partition(" and retrieving it failed")[0]
        return f"{where}: {what}" if where else what
    return None


def _retrieve_nothing(uri: str) -> JsonObject:
    raise LookupError(f"{uri} is not fetched")
