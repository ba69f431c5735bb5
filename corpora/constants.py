"""Values of a constant in Python source, read as text: Enum, Literal, list, set or tuple, or the keys of a dict."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from corpora.errors import BadInput
from corpora.values import Json


def constant_values(source: str, name: str, path: str) -> list[Json]:
    """The values that `name` stands for at the top level of a module's text, which is parsed and never run.

    Raises BadInput where the text is no Python, the name is not there or is bound more than once, or a value is not
    written out: a set that is read in part would be a wrong set.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadInput(f"is no Python source: {error}", path=path) from error
    node = _only_binding(tree, name, path)
    values = _enum_values(node, path) if isinstance(node, ast.ClassDef) else _expression_values(node, name, path)
    return list(values)


def _only_binding(tree: ast.Module, name: str, path: str) -> ast.ClassDef | ast.expr:
    bindings = [found for node in tree.body if (found := _binding(node, name)) is not None]
    touched = [node.lineno for node in _module_level(tree) if _touches(node, name)]
    if not bindings and not touched:
        raise BadInput(f"no constant or class {name!r} at the top level", path=path)
    if len(bindings) != 1 or len(touched) > 1:
        raise BadInput(
            f"{name} is bound or changed in more than one way; only one that is written out once can be read",
            path=path,
            line=max(touched),
        )
    return bindings[0]


def _binding(node: ast.stmt, name: str) -> ast.ClassDef | ast.expr | None:
    match node:
        case ast.ClassDef(name=n) if n == name:
            return node
        case ast.Assign(targets=[ast.Name(id=n)], value=value) if n == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=n), value=ast.expr() as value) if n == name:
            return value
    # `type X = …` is a node of its own from Python 3.12 on.
    if type(node).__name__ == "TypeAlias" and getattr(node, "name").id == name:  # noqa: B009 - no such node in 3.11
        alias: ast.expr = getattr(node, "value")  # noqa: B009
        return alias
    return None


def _module_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement that runs with the module: those in branches and loops, not those in functions and classes."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            todo += [inner for inner in ast.iter_child_nodes(node) if not isinstance(inner, ast.expr)]


_CHANGING = frozenset(
    {"add", "append", "extend", "update", "insert", "remove", "discard", "pop", "clear", "setdefault"}
)


def _touches(node: ast.stmt, name: str) -> bool:
    """True where a statement binds or changes the name."""
    match node:
        case ast.ClassDef(name=n) | ast.FunctionDef(name=n):
            return n == name
        case ast.Assign(targets=targets):
            return any(_is_of(target, name) for target in targets)
        case ast.AnnAssign(target=target, value=value):
            return value is not None and _is_of(target, name)
        case ast.AugAssign(target=target):
            return _is_of(target, name)
        case ast.Delete(targets=targets):
            return any(_is_of(target, name) for target in targets)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=n), attr=attribute))):
            return n == name and attribute in _CHANGING
    return _binding(node, name) is not None


def _is_of(target: ast.expr, name: str) -> bool:
    """True for the name itself, an item of it, or a tuple that holds it."""
    match target:
        case ast.Name(id=n):
            return n == name
        case ast.Subscript(value=inner) | ast.Starred(value=inner):
            return _is_of(inner, name)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return any(_is_of(item, name) for item in items)
    return False


def _enum_values(node: ast.ClassDef, path: str) -> Iterator[Json]:
    if not any((_last_name(base) or "").endswith(("Enum", "Flag", "Choices")) for base in node.bases):
        raise BadInput(f"{node.name} is no Enum: none of its bases says so", path=path, line=node.lineno)
    kinds = {_last_name(base) for base in node.bases}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=member)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=member), value=ast.expr() as value):
                pass
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Pass() | ast.AnnAssign():
                continue
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                raise BadInput(
                    f"a member of {node.name} is made by code; only written members can be read",
                    path=path,
                    line=statement.lineno,
                )
        if _is_member(member):
            yield _member(value, member, path, kinds)


def _is_member(name: str) -> bool:
    """Names like `_ignore_`, `__doc__` and `__private` are no members of an Enum."""
    return not (name.startswith("__") or (name.startswith("_") and name.endswith("_")))


def _member(value: ast.expr, member: str, path: str, kinds: set[str | None]) -> Json:
    """A member's value; `auto()` of a StrEnum is its name in lower case, of a TextChoices its name; no label."""
    if isinstance(value, ast.Call) and _last_name(value.func) == "auto":
        if "StrEnum" in kinds:
            return member.lower()
        if "TextChoices" in kinds:
            return member
    if isinstance(value, ast.Tuple) and value.elts and kinds & {"TextChoices", "IntegerChoices"}:
        return _literal(value.elts[0], member, path)
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
        case ast.Dict(keys=keys) if None not in keys:
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
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise BadInput(
            f"a value of {name} is computed; only written values can be read", path=path, line=node.lineno
        ) from error
    if not isinstance(value, str | int | float | None):
        raise BadInput(
            f"a value of {name} is no text, number or boolean: {ast.unparse(node)}", path=path, line=node.lineno
        )
    return value
