"""The summary as the contract has it: one Struct per object, no field for a rate over strata."""

from __future__ import annotations

import msgspec

from corpora.snapshots import AuthoritativeSet
from corpora.values import Compare, Json, JsonObject, Measure

PLANNED = "planned = recorded + missing"
"""The check that has counted every sample that is missing."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """Two numbers that must be the same; `ok` is None where one of them cannot be known."""

    name: str
    left: int | None
    right: int | None
    ok: bool | None


def check(name: str, left: int | None, right: int | None) -> Check:
    """A check of two numbers."""
    return Check(name=name, left=left, right=right, ok=None if left is None or right is None else left == right)


class Samples(msgspec.Struct, frozen=True, kw_only=True):
    """How many samples were planned, recorded, and reached the tool that their fixture is meant to reach."""

    planned: int | None
    recorded: int
    missing: tuple[tuple[str, int], ...]
    """At most 20 keys."""
    ok: int
    errors: int
    malformed: int
    reached: int
    not_reached: int
    independent_draws: int


class Pins(msgspec.Struct, frozen=True, kw_only=True):
    """What answered, as reported; `moved` where more than one model or fingerprint did."""

    request_model: tuple[str, ...]
    response_models: tuple[str, ...]
    system_fingerprints: tuple[str, ...]
    moved: bool


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """How the samples were drawn: what tells two studies of one corpus apart, whatever model says that it answered."""

    run_id: str = ""
    api: str = ""
    base_url: str = ""
    temperature: float | None = None
    params: JsonObject = {}


class SetFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The authoritative set that was measured against."""

    name: str
    size: int
    sha256: str
    source: str
    read_at: str
    compare: Compare
    flags: tuple[str, ...] = ()


def set_figures(members: AuthoritativeSet) -> SetFigures:
    """A set as summaries show it."""
    return SetFigures(
        name=members.name,
        size=len(members.values),
        sha256=members.sha256,
        source=members.source,
        read_at=members.read_at,
        compare=members.compare,
        flags=members.flags,
    )


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """One count as a share with its interval, for what has no column of its own; None over nothing."""

    rate: float | None
    ci95: tuple[float, float] | None


class MembershipStratum(msgspec.Struct, frozen=True, kw_only=True):
    """One stratum of a membership probe. Samples are counted once each, calls and what follows per call."""

    fixtures: int
    samples: int
    reached: int
    not_reached: int
    malformed: int
    not_offered: int
    errors: int
    omitted: int
    calls: int
    out_of_set: int
    near_miss: int
    catch_all: int
    laundered: int
    rate: float | None
    ci95: tuple[float, float] | None
    fixtures_with_any: int
    distinct_values: int
    distinct_per_fixture: float | None
    """Mean number of different values that one fixture drew, over fixtures with a value."""
    independent_draws: int
    shares: dict[str, Share]
    """`out_of_set`, `near_miss` and `laundered` over the calls."""


class ValueRow(msgspec.Struct, frozen=True, kw_only=True):
    """One emitted value, spelling by spelling."""

    value: Json
    count: int
    in_set: bool
    catch_all: bool
    nearest: Json
    near: str | None
    strata: dict[str, int]


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """Right values among calls of fixtures that have an answer; another question than existence."""

    answered: int
    correct: int
    rate: float | None
    ci95: tuple[float, float] | None


class MembershipProbe(msgspec.Struct, frozen=True, kw_only=True, tag_field="measure", tag="membership"):
    """A membership probe."""

    tool: str
    argument: str
    set: SetFigures
    calls: int
    out_of_set: int
    strata: dict[str, MembershipStratum]
    values: tuple[ValueRow, ...]
    accuracy: dict[str, Accuracy]

    @property
    def measure(self) -> Measure:
        """Its tag in JSON."""
        return "membership"


class ClosedWorldStratum(msgspec.Struct, frozen=True, kw_only=True):
    """One stratum of a closed-world probe; a sample is counted once, by its worst verdict."""

    fixtures: int
    samples: int
    labelled: int
    labels: dict[str, int]
    subtypes: dict[str, int]
    not_passing: int
    bait: int
    malformed: int
    not_offered: int
    not_reached: int
    errors: int
    defaulted: int
    rate: float | None
    ci95: tuple[float, float] | None
    fixtures_with_any: int
    independent_draws: int
    shares: dict[str, Share]
    """Each label, and `defaulted`, over the samples with a label."""


class ClosedWorldProbe(msgspec.Struct, frozen=True, kw_only=True, tag_field="measure", tag="closed-world"):
    """A closed-world probe."""

    tool: str
    argument: str
    strata: dict[str, ClosedWorldStratum]

    @property
    def measure(self) -> Measure:
        """Its tag in JSON."""
        return "closed-world"


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `score` says of one study."""

    v: int = 1
    corpus: str
    corpus_sha256: str
    simulated: bool
    marks: tuple[str, ...] = ()
    """What a reader must know before any figure: `changed-corpus`, `live-sets`."""
    interval: str
    """How the intervals were made."""
    checks: tuple[Check, ...]
    samples: Samples
    pins: Pins
    drawn: Drawn = Drawn()
    probes: tuple[MembershipProbe | ClosedWorldProbe, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks whose two numbers differ."""
        return tuple(check for check in self.checks if check.ok is False)
