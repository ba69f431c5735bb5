"""`--fail-on`: bounds that a summary must not reach, each a short text that says what it holds to.

    [ARGUMENT:]STRATUM:WHAT>=RATE    WHAT: a label, out_of_set, near_miss, defaulted or laundered; RATE from 0 to 1
    malformed>N  errors>N            counts of samples
    worse:FILE                       worse than an earlier run (judged by the comparison, not here)

With `ci:` in front of one with a rate, the lower end of its 95 % interval is held to the bound instead of the estimate.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import get_args

import msgspec

from corpora.corpus import Corpus
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
    if what in _COUNTS and not place and not match["ci"]:
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
        "with ci: in front for the interval's lower end, or malformed>0, errors>0, worse:FILE",
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
    able = [probe for probe in summary.probes if _speaks_of(bound, probe.argument, probe.measure)]
    _require(bound, {probe.argument for probe in summary.probes}, [probe.strata for probe in able])
    return able


def require(bounds: Iterable[Bound | Worse], corpus: Corpus) -> None:
    """Raises BadInput where a bound names what a corpus does not have: asked before anything is sampled."""
    arguments = {probe.argument for probe in corpus.probes}
    for bound in bounds:
        if isinstance(bound, Bound) and bound.stratum is not None:
            able = [corpus.strata for probe in corpus.probes if _speaks_of(bound, probe.argument, probe.measure)]
            _require(bound, arguments, able)


def _require(bound: Bound, arguments: Collection[str], able: Sequence[Collection[str]]) -> None:
    """Raises BadInput where a bound names nothing: `able` has the strata of each probe that it speaks of."""
    if bound.argument is not None and bound.argument not in arguments:
        known = ", ".join(sorted(arguments))
        raise BadInput(f"{bound.text!r}: no probe of {bound.argument!r}; there are {known}", field="--fail-on")
    if not able:
        raise BadInput(f"{bound.text!r}: no probe here measures {bound.what}", field="--fail-on")
    for strata in able:
        if bound.stratum not in strata:
            raise BadInput(
                f"{bound.text!r}: no stratum {bound.stratum!r}; there are {', '.join(strata)}", field="--fail-on"
            )


def _speaks_of(bound: Bound, argument: str, measure: str) -> bool:
    return bound.argument in (None, argument) and (measure == "membership") == (bound.what in _CALLS)


def _share(bound: Bound, stratum: MembershipStratum | ClosedWorldStratum) -> tuple[float | None, str]:
    share = stratum.shares[bound.what]
    if bound.lower_end:
        return (None if share.ci95 is None else share.ci95[0]), "the lower end of the 95 % interval"
    return share.rate, "the rate"
