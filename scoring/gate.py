"""`--fail-on`: bounds that a summary must not reach, each a short text that says what it holds to.

    [ARGUMENT:]STRATUM:WHAT>=RATE    WHAT: a label, out_of_set, near_miss, defaulted or laundered; RATE from 0 to 1
    malformed>N  errors>N            counts of samples
    worse:FILE                       worse than an earlier run (judged by the comparison, not here)

With `ci:` in front the lower end of the 95 % interval is held to the bound instead of the estimate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import get_args

import msgspec

from corpora.errors import BadInput
from corpora.values import Label
from scoring.counting.figures import ClosedWorldProbe, ClosedWorldStratum, MembershipProbe, MembershipStratum, Summary

_CALLS = ("out_of_set", "near_miss", "laundered")
_WHAT = (*get_args(Label), *_CALLS, "defaulted")
_COUNTS = ("malformed", "errors")
_BOUND = re.compile(r"(?P<ci>ci:)?(?P<what>[^<>=]+?)\s*(?P<sign>>=|>)\s*(?P<limit>[0-9.]+)")


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """One bound. `stratum` is None for a count of samples, `argument` None for every probe that can tell."""

    text: str
    what: str
    limit: float
    inclusive: bool
    argument: str | None = None
    stratum: str | None = None
    lower_end: bool = False

    def reached(self, number: float) -> bool:
        """Whether a figure reaches the bound."""
        return number >= self.limit if self.inclusive else number > self.limit


class Worse(msgspec.Struct, frozen=True, kw_only=True):
    """Not worse than an earlier run, whose results are in a file."""

    text: str
    file: str


def parse(text: str) -> Bound | Worse:
    """One value of --fail-on. Raises BadInput that says what can be written."""
    if text.startswith("worse:"):
        if text == "worse:":
            raise BadInput("expected worse:FILE, found no file", field="--fail-on")
        return Worse(text=text, file=text.removeprefix("worse:"))
    match = _BOUND.fullmatch(text.strip())
    if match is None:
        raise _unreadable(text)
    *place, what = match["what"].split(":")
    limit = _limit(match["limit"], text)
    if what in _COUNTS and not place:
        return Bound(text=text, what=what, limit=limit, inclusive=match["sign"] == ">=")
    if what not in _WHAT or len(place) not in (1, 2) or not all(place):
        raise _unreadable(text)
    if limit > 1:
        raise BadInput(f"{text!r}: a rate is a number from 0 to 1, found {match['limit']}", field="--fail-on")
    return Bound(
        text=text,
        what=what,
        limit=limit,
        inclusive=match["sign"] == ">=",
        argument=place[0] if len(place) == 2 else None,
        stratum=place[-1],
        lower_end=match["ci"] is not None,
    )


def _limit(written: str, text: str) -> float:
    try:
        return float(written)
    except ValueError:
        raise _unreadable(text) from None


def _unreadable(text: str) -> BadInput:
    return BadInput(
        f"cannot read the bound {text!r}; write [ARGUMENT:]STRATUM:WHAT>=RATE with WHAT one of {', '.join(_WHAT)}, "
        "or malformed>0, errors>0, worse:FILE, and ci: in front for the interval's lower end",
        field="--fail-on",
    )


def findings(bounds: Iterable[Bound], summary: Summary) -> list[str]:
    """One sentence per bound and probe that a summary reaches. Raises BadInput where a bound names nothing in it."""
    return [sentence for bound in bounds for sentence in _findings(bound, summary)]


def _findings(bound: Bound, summary: Summary) -> Iterator[str]:
    if bound.stratum is None:
        yield from _counted(bound, summary)
        return
    for probe in _asked(bound, summary):
        stratum = probe.strata[bound.stratum]
        number, base = _share(bound, stratum)
        place = f"--fail-on {bound.text}: {probe.tool}.{probe.argument}, {bound.stratum}"
        if number is None:
            if stratum.samples == stratum.errors + stratum.malformed:
                yield f"{place}: nothing was measured ({stratum.samples} samples, {stratum.errors} errors)"
        elif bound.reached(number):
            yield f"{place}: {base} is {number:.3f}"


def _counted(bound: Bound, summary: Summary) -> Iterator[str]:
    number = summary.samples.malformed if bound.what == "malformed" else summary.samples.errors
    if bound.reached(number):
        yield f"--fail-on {bound.text}: {number} samples {'are malformed' if bound.what == 'malformed' else 'failed'}"


def _asked(bound: Bound, summary: Summary) -> list[MembershipProbe | ClosedWorldProbe]:
    """The probes that a bound speaks of."""
    named = [probe for probe in summary.probes if bound.argument in (None, probe.argument)]
    if not named:
        known = ", ".join(dict.fromkeys(probe.argument for probe in summary.probes))
        raise BadInput(f"{bound.text!r}: no probe of {bound.argument!r}; there are {known}", field="--fail-on")
    able = [probe for probe in named if _measures(bound, probe)]
    if not able:
        raise BadInput(f"{bound.text!r}: no probe here measures {bound.what}", field="--fail-on")
    for probe in able:
        if bound.stratum not in probe.strata:
            known = ", ".join(probe.strata)
            raise BadInput(f"{bound.text!r}: no stratum {bound.stratum!r}; there are {known}", field="--fail-on")
    return able


def _measures(bound: Bound, probe: MembershipProbe | ClosedWorldProbe) -> bool:
    return isinstance(probe, MembershipProbe) == (bound.what in _CALLS)


def _share(bound: Bound, stratum: MembershipStratum | ClosedWorldStratum) -> tuple[float | None, str]:
    share = stratum.shares[bound.what]
    if bound.lower_end:
        return (None if share.ci95 is None else share.ci95[0]), "the lower end of the 95 % interval"
    return share.rate, "the rate"
