"""What flags say of each request: parameters, header fields, what is left out; and what an API does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.manifests import Study
from corpora.values import Json, JsonObject
from runner.secrets import Secret

OWN_FLAGS = {
    "model": "--model",
    "temperature": "--temperature",
    "seed": "--seed (sample n is sent seed + n; --same-seed sends one seed for all)",
    "max_tokens": "--max-tokens",
    "tool_choice": "--tool-choice",
    "stream": "--stream",
}
"""Parameters that have a flag of their own, so that the record knows them."""

FROM_CORPUS = frozenset({"messages", "input", "system", "instructions", "tools"})
"""What is measured: no parameter replaces it, and none of it is left out."""

ABSENT: Mapping[str, frozenset[str]] = {
    "openai-responses": frozenset({"seed"}),
    "anthropic-messages": frozenset({"seed"}),
}
"""Settings that an API does not have."""

NEEDED: Mapping[str, frozenset[str]] = {"anthropic-messages": frozenset({"max_tokens"})}
"""Settings that an API does not do without."""

OF_THE_CONNECTION = frozenset(
    {"accept-encoding", "connection", "content-length", "expect", "keep-alive", "te", "trailer", "transfer-encoding"}
    | {"upgrade"}
)
"""Header fields that say how a body is sent: what sends it writes them."""

_SEEDS = frozenset({"seed", "random_seed", "randomseed", "rng_seed", "sampling_seed"})

_HEADER = re.compile(r"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+)=env:(?P<variable>[A-Za-z_]\w*)", re.ASCII)


def params(given: Iterable[str]) -> JsonObject:
    """`--param NAME=VALUE` as fields of the body: a value that is JSON as that, anything else as text."""
    found: JsonObject = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise BadInput(f"{pair!r} is no NAME=VALUE, as in top_p=0.9", field="--param")
        if name in OWN_FLAGS:
            raise BadInput(f"{name} has a flag of its own: {OWN_FLAGS[name]}", field="--param")
        if name in FROM_CORPUS:
            raise BadInput(f"{name} comes from the corpus", field="--param")
        if name in found:
            raise BadInput(f"{name} is given twice", field="--param")
        found[name] = _value(text)
    return found


def _value(text: str) -> Json:
    try:
        return decode_value(text)
    except BadInput:
        return text


def headers(given: Iterable[str], environ: Mapping[str, str]) -> dict[str, Secret]:
    """`--header NAME=env:VAR` as header fields, whose values stand in the environment and in no flag."""
    found: dict[str, Secret] = {}
    for pair in given:
        match = _HEADER.fullmatch(pair)
        if match is None:
            name = re.split("[^A-Za-z0-9-]", pair, maxsplit=1)[0]  # what follows may be a secret
            raise BadInput(
                f"{name!r} needs its value from the environment: NAME=env:VARIABLE",
                field="--header",
            )
        name = match["name"].lower()
        if name in OF_THE_CONNECTION:
            raise BadInput(f"{match['name']} says how a body is sent and is written by what sends it", field="--header")
        if name in {known.lower() for known in found}:
            raise BadInput(f"{match['name']} is given twice", field="--header")
        value = environ.get(match["variable"], "").strip()
        if not value or not value.isascii() or not value.isprintable():
            raise BadInput(f"the environment has no {match['variable']} that a header can carry", field="--header")
        found[match["name"]] = Secret(value)
    return found


def dropped(study: Study, names: Iterable[str]) -> Study:
    """The study with these settings left out of every request, and said so."""
    changes: JsonObject = {}
    for name in names:
        if name in FROM_CORPUS or name == "model":
            raise BadInput(f"{name} is what is measured and cannot be left out", field="--drop-param")
        if name in Study.__struct_fields__ and name in OWN_FLAGS:
            changes[name] = False if name == "stream" else None
    fields = {name: getattr(study, name) for name in Study.__struct_fields__}
    return Study(**{**fields, **changes, "drop_params": tuple(sorted(set(names)))})


def check_study(study: Study) -> None:
    """Raises BadInput where the API has no such setting, or does not do without one, or where seeds would be one."""
    for name in sorted(ABSENT.get(study.api, ())):
        if getattr(study, name) is not None:
            raise BadInput(f"{study.api} has no {name}; leave it out, or --drop-param {name}", field=f"--{name}")
    for name in sorted(NEEDED.get(study.api, ())):
        if getattr(study, name) is None and name not in study.drop_params:
            raise BadInput(f"{study.api} needs it; give it a value", field=f"--{name.replace('_', '-')}")
    fixed = next(_seeds_in(study.params), None)
    if study.same_seed and study.seed is None and fixed is None:
        raise BadInput("needs --seed: which one?", field="--same-seed")
    if fixed is not None and not study.same_seed:
        raise BadInput(
            f"{fixed} is one seed for all samples, which makes them one; --same-seed allows it", field="--param"
        )


def _seeds_in(value: Json) -> Iterator[str]:
    """Names of seeds that stand among parameters, at any depth: servers have their own for them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.lower() in _SEEDS and inner is not None:
                yield name
            yield from _seeds_in(inner)
