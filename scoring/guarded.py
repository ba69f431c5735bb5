"""A guard before a tool's function: what may not pass never reaches it.

The one module of this floor that has a clock, threads and a file, by the standard library alone.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, cast

import msgspec

from corpora.errors import BadInput, ProbeError
from corpora.probes import steps
from corpora.values import Json
from scoring.guard import Decision, Guard
from scoring.guarding.calling import Reading, Untold
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
    - `max_age_s`: how old a set may be, in seconds, since its reading began. Default: 300, or four times
      what the corpus says of a set, where every set of the tool can be read again; no limit where one was given as it
      is. None: no limit.
    - `when_stale`: "closed" refuses calls while a set is older; "open" goes on with the set as it was, flagged.
    - `max_shrink`: a reading that lost more than this part of the values waits for `guard.confirm()`.
    - `refresh_s`: how often sets are read again; default a quarter of `max_age_s`, or what the corpus says of a set if
      that is at most half of `max_age_s`.
    - `arguments`: the parameter that holds all arguments (a raw string, a dict, a model); default: every parameter is
      one argument by its name, and one that the caller left out is left out. A decorator below this one that fills
      parameters in itself hides their order: such a function is to be called by names.
    - `shown`: called with the function's own arguments, gives what the model was shown, for closed-world probes.
    - `log`: a file for the decisions, or a DecisionLog; default: the logger "assumeprobe.guard", refusals as warnings.

    What fails on the way to a decision (`shown`, a model) lets no call pass, and stops none that is only observed.
    Raises BadInput for a tool that the guard does not know, an option that is none, or a function that none of the
    measured arguments can reach by name.
    """
    if mode not in ("refuse", "observe") or when_stale not in ("closed", "open"):
        raise BadInput(f"mode is refuse or observe, when_stale is closed or open; found {mode!r} and {when_stale!r}")
    _check_number("max_age_s", None if max_age_s is msgspec.UNSET else max_age_s)
    _check_number("refresh_s", refresh_s)
    _check_number("max_shrink", max_shrink, 1)
    if inspect.iscoroutinefunction(shown):
        raise BadInput("expected a function, found a coroutine function: a call does not wait", field="shown")
    gate = _Gate(guard, tool, mode, max_age_s, when_stale, shown)
    gate.log = log if isinstance(log, DecisionLog) else DecisionLog(log)
    if max_shrink is not None:
        known = gate.keeper.max_shrink
        gate.keeper.max_shrink = max_shrink if known is None else min(known, max_shrink)
    if refresh_s is not None or gate.max_age_s is not None:
        every_s = refresh_s if refresh_s is not None else (gate.max_age_s or _DEFAULT_AGE_S) / 4
        gate.keeper.hasten(every_s, gate.max_age_s)
    return functools.partial(_wrap, gate, arguments)


def _check_number(name: str, value: Any, most: float | None = None) -> None:  # noqa: ANN401 - whatever was given
    """Raise BadInput for an option that is no number in its bounds; None stands for no such limit."""
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and (value > 0 if most is None else 0 <= value <= most):
        return
    bounds = "a number of seconds above 0" if most is None else f"a part from 0 to {most:g}"
    raise BadInput(f"expected {bounds}, or None; found {value!r}", field=name)


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
        self.max_age_s = (self._usual_age_s() if every else None) if max_age_s is msgspec.UNSET else max_age_s
        self.measured = dict.fromkeys(steps(probe.argument)[0] for probe in guard.probes if probe.tool == tool)
        """The names of the arguments that are asked for."""

    def _usual_age_s(self) -> float:
        """Five minutes, or four readings of the set that asks for the fewest."""
        return max([_DEFAULT_AGE_S, *(4 * self.guard.refresh_s.get(name, 0) for name in self._sets)])

    def decision(self, found: object, shown: Json) -> Decision:
        """The decision on a call. Raises BadInput where what was shown is nothing that can be."""
        stale = None if self.max_age_s is None else self.keeper.stale(self.guard, self._sets, self.max_age_s)
        if stale is not None and self._closed:
            return self.refusal(stale, "stale-set")
        decision = self.guard.check(self.tool, found, shown)
        return decision if stale is None else flagged(decision, "stale-set")

    def refusal(self, reason: str, flag: str) -> Decision:
        """The decision on a call that was not looked at."""
        return refusal(msgspec.structs.replace(blank(self.tool), call=0, offered=True, flags=(flag,)), reason)

    def enforce(self, decision: Decision, cause: Exception | None = None) -> None:
        """Write a decision down. Raises Refused where the call may not pass and the mode is to refuse."""
        self.log.put(decision, self.mode)
        if not decision.allow and self.mode == "refuse":
            raise Refused(decision) from cause


def _wrap(gate: _Gate, holder: str | None, function: Callable[P, T]) -> Callable[P, T]:
    read = Reading(function, holder, gate.measured)

    def ask(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Let the guard decide a call from the arguments of the function."""
        try:
            found = read(args, kwargs)
            if found is msgspec.UNSET:
                return  # the function itself raises it, before it runs
            decision = gate.decision(found, None if gate.shown is None else gate.shown(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - a fault lets no call pass, and stops none that is only observed
            why = str(error) if isinstance(error, BadInput | Untold) else type(error).__name__
            gate.enforce(gate.refusal(f"the call cannot be checked, so it may not pass: {why}", "guard-fault"), error)
        else:
            gate.enforce(decision)

    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401 - what the function gives
            """The guarded coroutine function."""
            ask(args, kwargs)
            return await cast("Awaitable[Any]", function(*args, **kwargs))

        return cast("Callable[P, T]", later)

    @functools.wraps(function)
    def now(*args: P.args, **kwargs: P.kwargs) -> T:
        """The guarded function."""
        ask(args, kwargs)
        return function(*args, **kwargs)

    return now
