"""Values of a constant in Python source, read as text: Enum, Literal, list, set or tuple, or the keys of a dict."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from corpora.errors import BadInput
from corpora.values import Json


def constant_values(source: str, name: str, path: str) -> list[Json]:
    """The values that `name` stands for at the top level of a module's text, which is parsed and never run.

    Raises BadInput where the text is no Python, the name is not there, or its values are not written out.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise BadInput(f"is no Python source: {error}", path=path) from error
    node = _find(tree, name)
    if node is None:
        raise BadInput(f"no constant or class {name!r} at the top level", path=path)
    values = _enum_values(node, path) if isinstance(node, ast.ClassDef) else _expression_values(node, name, path)
    return list(values)


def _find(tree: ast.Module, name: str) -> ast.ClassDef | ast.expr | None:
    found: ast.ClassDef | ast.expr | None = None
    for node in tree.body:
        match node:
            case ast.ClassDef(name=n) if n == name:
                found = node
            case ast.Assign(targets=[ast.Name(id=n)], value=value) if n == name:
                found = value
            case ast.AnnAssign(target=ast.Name(id=n), value=ast.expr() as value) if n == name:
                found = value
    return found


def _enum_values(node: ast.ClassDef, path: str) -> Iterator[Json]:
    strings = any(_last_name(base) == "StrEnum" for base in node.bases)
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=member)], value=value) if not member.startswith("_"):
                yield _member(value, member, path, strings=strings)


def _member(value: ast.expr, member: str, path: str, *, strings: bool) -> Json:
    """A member's value; `auto()` of a StrEnum is its name in lower case."""
    if isinstance(value, ast.Call) and _last_name(value.func) == "auto" and strings:
        return member.lower()
    return _literal(value, member, path)


def _expression_values(node: ast.expr, name: str, path: str) -> Iterator[Json]:
    match node:
        case ast.Subscript(slice=inner) if _last_name(node.value) == "Literal":
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
            pass
        case ast.Call(args=[inner]) if _last_name(node.func) in {"frozenset", "set", "tuple", "list"}:
            yield from _expression_values(inner, name, path)
            return
        case ast.Dict(keys=keys):
            items = [key for key in keys if key is not None]
        case _:
            raise BadInput(
                f"{name} is no Enum, Literal, list, set, tuple or dict whose values are written out",
                path=path,
            )
    for item in items:
        yield _literal(item, name, path)


def _last_name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _literal(node: ast.expr, name: str, path: str) -> Json:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise BadInput(
            f"a value of {name} is computed; only written values can be read", path=path, line=node.lineno
        ) from error
