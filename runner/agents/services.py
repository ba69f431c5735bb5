"""A user's own stand-in for the services behind the tools: what they answer, and what they would have written.

    class Stubs:
        def answer(self, tool, arguments): ...    # what the tool returns
        def stored(self, tool, arguments): ...    # argument -> the value that the service writes instead of what came

Both may be missing, and either may return NotImplemented: then the corpus decides. One object serves a whole run, and
is called from several threads.
"""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable
from typing import Protocol

from corpora.errors import BadInput, ProbeError
from corpora.jsonl import decode_value
from corpora.values import Json, JsonObject
from runner.agents.texts import as_json


class ServiceError(ProbeError):
    """The user's stand-in raised; its traceback is the text."""


class Services(Protocol):
    """What a stub asks about a call. `default` is the corpus's own answer. Raises ServiceError."""

    def answer(self, tool: str, arguments: JsonObject, *, default: Json) -> Json:
        """What the tool returns."""

    def stored(self, tool: str, arguments: JsonObject, *, default: JsonObject) -> JsonObject:
        """What the service writes otherwise than it came."""


class NoServices:
    """The corpus decides."""

    def answer(self, tool: str, arguments: JsonObject, *, default: Json) -> Json:  # noqa: ARG002 - the protocol's
        """The corpus's answer."""
        return default

    def stored(self, tool: str, arguments: JsonObject, *, default: JsonObject) -> JsonObject:  # noqa: ARG002 - the same
        """What the corpus says."""
        return default


def _as_json(found: object, method: str) -> Json:
    """A user's value as plain JSON, which a record can hold and a model can be shown."""
    try:
        return decode_value(as_json(found)[0])
    except (BadInput, ValueError, TypeError, RecursionError) as error:
        raise ServiceError(f"{method}() returned what is no JSON: {error}") from error


class UserServices:
    """An object of the user's class, made once. Raises BadInput where the class cannot be made."""

    def __init__(self, made: Callable[[], object], name: str) -> None:
        try:
            self._object = made()
        except Exception as error:
            raise BadInput(f"{name}() raised {type(error).__name__}: {error}", field="--stubs") from error

    def answer(self, tool: str, arguments: JsonObject, *, default: Json) -> Json:
        """What the user's object answers, else the corpus."""
        return self._asked("answer", tool, arguments, default)

    def stored(self, tool: str, arguments: JsonObject, *, default: JsonObject) -> JsonObject:
        """What the user's object would write, else what the corpus says."""
        found = self._asked("stored", tool, arguments, default)
        if found is None or isinstance(found, dict):
            return found or {}
        raise ServiceError(f"stored() returned {type(found).__name__}; expected a dict of argument to value, or None")

    def _asked(self, method: str, tool: str, arguments: JsonObject, default: Json) -> Json:
        function: Callable[[str, JsonObject], Json] | None = getattr(self._object, method, None)
        if function is None:
            return default
        try:
            found = function(tool, copy.deepcopy(arguments))
        except Exception as error:
            raise ServiceError("".join(traceback.format_exception(error)).strip()) from error
        return default if found is NotImplemented else _as_json(found, method)
