"""A user's own code by its name, `module:callable`, found from the working directory like any module."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from corpora.errors import BadInput
from corpora.files import toml_of
from corpora.values import Json, JsonObject

OURS = frozenset({"runner", "scoring", "corpora"})


def load_object(reference: str, flag: str) -> Callable[..., Json]:
    """The function, class or other callable that `reference` names. Importing it runs its module.

    Raises BadInput, naming `flag`, where it is not there, cannot be imported or cannot be called.
    """
    module, _, path = reference.partition(":")
    if not module or not path:
        raise BadInput(f"expected MODULE:NAME, found {reference!r}", field=flag)
    found: Json = _imported(module, flag)
    for name in path.split("."):
        if not hasattr(found, name):
            raise BadInput(f"{module} has no {path!r}", field=flag)
        found = getattr(found, name)
    if not callable(found):
        raise BadInput(f"{reference} is no function or class but of type {type(found).__name__}", field=flag)
    called: Callable[..., Json] = found
    return called


def _imported(module: str, flag: str) -> object:
    """The module. The working directory is looked in last, so that a folder of the user's cannot shadow a package."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    top = module.partition(".")[0]
    if top in OURS and Path(top).exists() and not Path(str(sys.modules[top].__file__)).is_relative_to(here):
        raise BadInput(
            f"{top!r} is also the name of a package of assumeprobe, which comes first; rename yours", field=flag
        )
    try:
        return importlib.import_module(module)
    except Exception as error:
        raise BadInput(f"{module} cannot be imported: {type(error).__name__}: {error}", field=flag) from error


def read_config(path: str | None, made: Callable[..., Json], flag: str) -> JsonObject:
    """The keyword arguments for a class from a TOML file; empty without one. Raises BadInput."""
    if path is None:
        return {}
    if not isinstance(made, type):
        raise BadInput("only a class takes a configuration, and the agent is none", field=flag)
    return toml_of(Path(path), flag)
