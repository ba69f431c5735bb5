"""Values inside a JSON document by a pointer (RFC 6901), with `*` for every item; and the values of a JSON Schema.

No reference is followed: what a `$ref` leads to is named by a pointer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpora.errors import BadInput
from corpora.values import Json


def point(document: Json, pointer: str, path: str) -> list[Json]:
    """The values that a pointer leads to: of a list its items, of a schema its `enum`, `const`, or those of `oneOf`.

    Raises BadInput where it leads nowhere.
    """
    if pointer and not pointer.startswith("/"):
        raise BadInput(f"a pointer begins with a slash; found {pointer!r}", path=path, field="pointer")
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    found = list(_walk(document, steps))
    if not found:
        raise BadInput(f"the pointer {pointer!r} leads nowhere", path=path, field="pointer")
    if "*" in steps:
        return found
    try:
        return _values(found[0], pointer, path)
    except RecursionError as error:  # an alias of YAML can lead back
        raise BadInput(f"{pointer!r} refers to itself", path=path) from error


def _walk(value: Json, steps: list[str]) -> Iterator[Json]:
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step == "*" and isinstance(value, list | dict):
        for item in value if isinstance(value, list) else value.values():
            yield from _walk(item, rest)
    elif isinstance(value, dict) and step in value:
        yield from _walk(value[step], rest)
    elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
        yield from _walk(value[int(step)], rest)


def _values(target: Json, pointer: str, path: str) -> list[Json]:
    match target:
        case list():
            return target
        case {"enum": list(values)}:
            return values
        case {"const": value}:
            return [value]
        case {"oneOf": list(options)} | {"anyOf": list(options)}:
            return [value for option in options for value in _values(option, pointer, path)]
        case {"$ref": reference}:
            raise BadInput(f"{pointer!r} refers to {reference!r}, which is not followed; point there", path=path)
        case dict():
            raise BadInput(f"{pointer!r} is an object without enum, const or oneOf", path=path, field="pointer")
    return [target]
