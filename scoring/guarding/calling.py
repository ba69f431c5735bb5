"""The arguments of a call to a function by their names, as far as these can be told."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import msgspec

from corpora.errors import BadInput


class Untold(Exception):
    """A call does not say which argument each of its values is."""


class Reading:
    """How the calls of one function are read.

    `holder`: the parameter that holds all arguments; `measured`: the names that are asked for. Raises BadInput where
    the function has no such parameter, or where none of the names that are asked for can reach it.
    """

    def __init__(self, function: Callable[..., object], holder: str | None, measured: Iterable[str]) -> None:
        self._signature = inspect.signature(function)
        self._holder = holder
        self._name = getattr(function, "__name__", "the function")
        self._exact = _held_to_signature(function)
        parameters = self._signature.parameters
        kinds = {parameter.kind: name for name, parameter in parameters.items()}
        self._more = kinds.get(inspect.Parameter.VAR_POSITIONAL, "")
        self._rest = kinds.get(inspect.Parameter.VAR_KEYWORD)
        strangers = [name for name in measured if name not in parameters]
        self._nameless = bool(strangers)
        if holder is not None and holder not in parameters:
            raise BadInput(f"{self._name} has no parameter {holder!r}", field="arguments")
        if holder is None and self._rest is None and strangers and strangers == list(measured):
            what = f"{self._name} has no parameter {' or '.join(map(repr, strangers))}"
            raise BadInput(f"{what}; name the one that holds all arguments", field="arguments")

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """The arguments of a call; UNSET where Python itself will not take it. Raises Untold."""
        try:
            bound = self._signature.bind(*args, **kwargs).arguments
        except TypeError:
            if self._exact:
                return msgspec.UNSET
            if args:
                raise Untold(f"it does not fit the signature of {self._name}, and not all values have names") from None
            return kwargs if self._holder is None else _held(kwargs.get(self._holder))
        if self._holder is not None:
            return _held(bound.get(self._holder))
        if self._nameless and bound.get(self._more):
            raise Untold(f"values without a name are among the arguments of {self._name}")
        return bound if self._rest is None else _beside(bound.pop(self._rest, {}), bound)


def _beside(rest: dict[str, Any], bound: dict[str, Any]) -> dict[str, Any]:
    """Those of **kwargs beside the others; one that stands for a place may be among them once more."""
    twice = rest.keys() & bound.keys()
    if twice:
        raise Untold(f"{min(twice)} is given twice")
    return {**bound, **rest}


def _held_to_signature(function: Callable[..., object]) -> bool:
    """Whether Python holds the calls of a function to the signature that it shows: a decorator may show another."""
    while isinstance(function, functools.partial):
        function = function.func
    plain = getattr(function, "__func__", function)
    return isinstance(plain, FunctionType) and not hasattr(plain, "__wrapped__") and not hasattr(plain, "__signature__")


def _held(value: object) -> object:
    """The arguments that one parameter holds; a model stands for its fields that were given."""
    dump = getattr(value, "model_dump", None)
    return value if dump is None else dump(mode="json", exclude_unset=True)
