"""A guard before a tool's function: what may not pass never reaches it.

The one module of this floor that has a clock, threads and a file, by the standard library alone.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, cast

import msgspec

from corpora.errors import BadInput, ProbeError
from corpora.values import Json, JsonObject
from scoring.guard import Decision, Guard
from scoring.guarding.decision import blank, flagged, refusal
from scoring.guarding.keeper import Keeper, keeper_of
from scoring.guarding.log import DecisionLog

__all__ = ["DecisionLog", "Refused", "guarded"]

P = ParamSpec("P")
T = TypeVar("T")
Mode = Literal["refuse", "observe"]
WhenStale = Literal["closed", "open"]

_DEFAULT_AGE_S = 300.0


class Refused(ProbeError):
    """A call may not pass; `verdict` says what was found, the text of the error why."""

    def __init__(self, verdict: Decision) -> None:
        self.verdict = verdict
        super().__init__(verdict.reason)

    def __reduce__(self) -> tuple[type[Refused], tuple[Decision]]:
        return type(self), (self.verdict,)


def guarded(
    guard: Guard,
    *,
    tool: str,
    mode: Mode = "refuse",
    max_age_s: float | msgspec.UnsetType | None = msgspec.UNSET,
    when_stale: WhenStale = "closed",
    max_shrink: float | None = 0.5,
    refresh_s: float | None = None,
    arguments: str | None = None,
    shown: Callable[..., Json] | None = None,
    log: str | Path | DecisionLog | None = None,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Check every call of a function, sync or async, before it runs.

    - `mode`: "refuse" raises Refused instead of the call; "observe" only logs, and every call runs.
    - `max_age_s`: how old a set may be, in seconds, since its reading began. Default: 300 where every set of the tool
      can be read again, no limit where one was given as it is. None: no limit.
    - `when_stale`: "closed" refuses calls while a set is older; "open" goes on with the set as it was, flagged.
    - `max_shrink`: a reading that lost more than this part of the values waits for `guard.confirm()`.
    - `refresh_s`: how often sets are read again; default a quarter of `max_age_s`, or what the corpus says of a set.
    - `arguments`: the parameter that holds all arguments (a raw string, a dict, a model); default: every parameter is
      one argument by its name, and one that the caller left out is left out.
    - `shown`: called with the function's own arguments, gives what the model was shown, for closed-world probes.
    - `log`: a file for the decisions, or a DecisionLog; default: the logger "assumeprobe.guard", refusals as warnings.

    Raises BadInput for a tool that the guard does not know, or an option that is none.
    """
    gate = _Gate(guard, tool, mode, max_age_s, when_stale, shown)
    if mode not in ("refuse", "observe") or when_stale not in ("closed", "open"):
        raise BadInput(f"mode is refuse or observe, when_stale is closed or open; found {mode!r} and {when_stale!r}")
    gate.log = log if isinstance(log, DecisionLog) else DecisionLog(log)
    if max_shrink is not None:
        known = gate.keeper.max_shrink
        gate.keeper.max_shrink = max_shrink if known is None else min(known, max_shrink)
    if refresh_s is not None or gate.max_age_s is not None:
        gate.keeper.hasten(refresh_s if refresh_s is not None else (gate.max_age_s or _DEFAULT_AGE_S) / 4)
    return functools.partial(_wrap, gate, arguments)


class _Gate:
    """One guarded function's way to a decision."""

    log: DecisionLog

    def __init__(
        self,
        guard: Guard,
        tool: str,
        mode: Mode,
        max_age_s: float | msgspec.UnsetType | None,
        when_stale: WhenStale,
        shown: Callable[..., Json] | None,
    ) -> None:
        self.guard = guard
        self.tool = tool
        self.mode = mode
        self.shown = shown
        self._closed = when_stale == "closed"
        self._sets = guard.sets_of(tool)
        self.keeper: Keeper = keeper_of(guard)
        every = all(name in guard.readers for name in self._sets)
        self.max_age_s = (_DEFAULT_AGE_S if every else None) if max_age_s is msgspec.UNSET else max_age_s

    def decide(self, found: object, shown: Json) -> Decision:
        """The decision on a call, logged. Raises Refused where it may not pass and the mode is to refuse."""
        stale = None if self.max_age_s is None else self.keeper.stale(self.guard, self._sets, self.max_age_s)
        if stale is not None and self._closed:
            verdict = msgspec.structs.replace(blank(self.tool), call=0, offered=True, flags=("stale-set",))
            decision = refusal(verdict, stale)
        else:
            decision = self.guard.check(self.tool, found, shown)
            decision = decision if stale is None else flagged(decision, "stale-set")
        self.log.put(decision, self.mode)
        if not decision.allow and self.mode == "refuse":
            raise Refused(decision)
        return decision


def _wrap(gate: _Gate, holder: str | None, function: Callable[P, T]) -> Callable[P, T]:
    signature = inspect.signature(function)
    if holder is not None and holder not in signature.parameters:
        raise BadInput(
            f"{getattr(function, '__name__', 'the function')} has no parameter {holder!r}", field="arguments"
        )

    def ask(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Let the guard decide a call from the arguments of the function."""
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return  # the function itself raises it, before it runs
        found = _emitted(bound, signature) if holder is None else _held(bound.get(holder))
        gate.decide(found, None if gate.shown is None else gate.shown(*args, **kwargs))

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401 - what the function gives
            """The guarded coroutine function."""
            ask(args, kwargs)
            return await function(*args, **kwargs)

        return cast("Callable[P, T]", later)

    @functools.wraps(function)
    def now(*args: P.args, **kwargs: P.kwargs) -> T:
        """The guarded function."""
        ask(args, kwargs)
        return function(*args, **kwargs)

    return now


def _emitted(bound: JsonObject, signature: inspect.Signature) -> JsonObject:
    """The arguments by their names; those of **kwargs beside the others."""
    named = next((p.name for p in signature.parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD), None)
    return bound if named is None else {**bound, **bound.get(named, {})}


def _held(value: object) -> object:
    """The arguments that one parameter holds; a model stands for its fields that were given."""
    dump = getattr(value, "model_dump", None)
    return value if dump is None else dump(mode="json", exclude_unset=True)
