"""The faults that the server shows on purpose, so that a runner can be tested against them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import msgspec

from corpora.errors import BadInput

KINDS = ("cut", "drop", "slow", "hang", "html", "empty", "garbage", "truncated-json")
"""Besides every status from 400 to 599. `drop` closes without a byte, `cut` in the middle of a body."""

_STATUS = re.compile(r"[45]\d\d")


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of fault and its share of all requests."""

    kind: str
    rate: float


class Faults(msgspec.Struct, frozen=True, kw_only=True):
    """Which request meets which fault: first a script, one entry a request, then chance by the rates."""

    rates: tuple[Fault, ...] = ()
    script: tuple[str | None, ...] = ()
    retry_after_s: float | None = 1.0
    """What 429 and 503 ask for; None leaves the header out."""
    slow_s: float = 2.0
    seed: int = 0

    def kind_for(self, number: int) -> str | None:
        """The fault of request `number`, from 0; None where it is answered as it should be."""
        if number < len(self.script):
            return self.script[number]
        if not self.rates:
            return None
        left = random.Random(f"{self.seed}/fault/{number}").random()  # noqa: S311  # behaviour, not secrets
        for fault in self.rates:
            left -= fault.rate
            if left < 0:
                return fault.kind
        return None


def parse(texts: Sequence[str]) -> tuple[Fault, ...]:
    """KIND:RATE each. Raises BadInput for another kind, a rate outside 0 to 1, or rates above 1 in total."""
    faults = tuple(map(_parse_one, texts))
    if sum(fault.rate for fault in faults) > 1:
        raise BadInput("the rates of all --fault add up to more than 1", field="--fault")
    return faults


def _parse_one(text: str) -> Fault:
    kind, _, rate = text.rpartition(":")
    if kind not in KINDS and not _STATUS.fullmatch(kind):
        known = ", ".join(KINDS)
        raise BadInput(
            f"expected KIND:RATE, found {text!r}; a kind is a status from 400 to 599, {known}", field="--fault"
        )
    try:
        share = float(rate)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BadInput(f"a rate is a number from 0 to 1, found {rate!r} in {text!r}", field="--fault")
    return Fault(kind=kind, rate=share)
