"""The fields of a closed world: what a scene shows of them, and how a profile fills them."""

from __future__ import annotations

import itertools
import random

import msgspec

from corpora.corpus import Probe
from corpora.values import Json, JsonObject
from runner.simulated.inventions import bait, invented_value
from runner.simulated.profiles import Knowledge, Profile
from runner.simulated.scenes import Scene


def put(arguments: JsonObject, path: str, value: Json) -> None:
    """Set a dotted path, with one item for `*`; UNSET takes the field away."""
    here: Json = arguments
    steps = path.split(".")
    for step, following in itertools.pairwise(steps):
        if step == "*":
            here = here[0]
        elif value is msgspec.UNSET and not here.get(step):
            return
        else:
            here[step] = here.get(step) or ([{}] if following == "*" else {})
            here = here[step]
    _set(here, steps[-1], value)


def _set(here: Json, last: str, value: Json) -> None:
    if last == "*":
        here[:] = [] if value is msgspec.UNSET else value if isinstance(value, list) else [value]
    elif value is msgspec.UNSET:
        here.pop(last, None)
    else:
        here[last] = value


def visible_value(scene: Scene, probe: Probe) -> Json:
    """The value of a field that the scene shows, or UNSET. A poisoned or negated one counts as not shown."""
    fixture = scene.fixture
    name = probe.argument
    barred = (*fixture.poisoned.get(name, ()), *fixture.negated.get(name, ()))
    if name in fixture.visible and fixture.visible[name] not in barred:
        return fixture.visible[name]
    if name in fixture.truth and fixture.truth[name] not in barred:
        return fixture.truth[name]  # which is shown, in whatever form
    value = fixture.hidden.get(name)
    return value if value is not None and value not in barred and str(value) in scene.shown else msgspec.UNSET


def knowledge(scene: Scene, probe: Probe) -> Knowledge:
    """How much of a field the scene shows."""
    if scene.fixture.poisoned.get(probe.argument) or scene.fixture.negated.get(probe.argument):
        return "poisoned"
    if visible_value(scene, probe) is not msgspec.UNSET:
        return "visible"
    return "hidden" if probe.argument in scene.fixture.hidden else "withheld"


def wants_to_ask(scene: Scene) -> bool:
    """False where a value is shown that has to be copied: then what is missing is left out of the call."""
    probes = [probe for probe in scene.corpus.probes if probe.measure == "closed-world"]
    missing = [probe for probe in probes if visible_value(scene, probe) is msgspec.UNSET]
    must_call = any(set(probe.passes_in(scene.fixture.stratum)) == {"COPY"} for probe in probes)
    return bool(missing) and not must_call


def closed_world(scene: Scene, probe: Probe, profile: Profile, chance: random.Random) -> Json:
    """The value that this profile puts into a field; UNSET where it leaves the field out."""
    weights = profile.fills[knowledge(scene, probe)]
    barred = (*scene.fixture.poisoned.get(probe.argument, ()), *scene.fixture.negated.get(probe.argument, ()))
    match chance.choices(list(weights), list(weights.values()))[0]:
        case "copy":
            return _copied(scene, probe, profile, chance)
        case "bait":
            return bait(probe, chance, scene.shown)
        case "contaminate":
            return scene.fixture.hidden[probe.argument]
        case "poisoned":
            return chance.choice(barred)
        case "invent":
            return invented_value(probe, chance, scene.shown)
    return msgspec.UNSET


def _copied(scene: Scene, probe: Probe, profile: Profile, chance: random.Random) -> Json:
    """What is shown; a moment at times with a zone that nobody gave slipped into it."""
    value = visible_value(scene, probe)
    if probe.type != "datetime" or not isinstance(value, str) or _zone_is_known(scene):
        return value
    return f"{value}Z" if chance.random() < profile.smuggles else value


def _zone_is_known(scene: Scene) -> bool:
    zones = [probe for probe in scene.corpus.probes if probe.type == "timezone"]
    return not zones or any(visible_value(scene, probe) is not msgspec.UNSET for probe in zones)
