"""Decides what a simulated model does in one turn of one sample: pure, from the scene, the profile and a seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from corpora.corpus import Probe, Tool
from corpora.values import Json
from runner.simulated import fields, wording
from runner.simulated.draw import Decision, Draw, Offer, Progress, Wish
from runner.simulated.facts import fill
from runner.simulated.inventions import invented_code, near_miss
from runner.simulated.profiles import Act, Condition
from runner.simulated.scenes import Scene


def decide(draw: Draw, offer: Offer, progress: Progress) -> Decision:
    """What the model does in its next turn."""
    if offer.choice == "none" or not offer.tools:
        return Decision(text=wording.chat(draw.chance("chat")))
    if progress.done:
        return _last_words(draw, offer, wording.closing(draw.chance("closing")))
    target = _target(draw.scene, offer)
    if target is None:
        return _read(draw, _readers(draw.scene, offer, None))
    decision = _aim(draw, offer, target, progress)
    if offer.choice == "auto" or decision.calls:
        return decision
    if offer.choice == "required" and _foreign(draw.scene, offer):
        return _last_words(draw, offer, decision.text or "")
    return _call(draw, target, "invent", progress.results)


def _last_words(draw: Draw, offer: Offer, words: str) -> Decision:
    """Words, or where a call is required, them as an argument of a tool that an agent brought for it."""
    foreign = _foreign(draw.scene, offer)
    if offer.choice != "required" or not foreign:
        return Decision(text=words)
    names = offer.tools[foreign].get("properties", {})
    return Decision(calls=(Wish(tool=foreign, arguments=dict.fromkeys(list(names)[:1], words)),))


def _foreign(scene: Scene, offer: Offer) -> str | None:
    """A tool that is none of the corpus: frameworks offer one for the last words."""
    return next((name for name in offer.tools if scene.corpus.tool(name) is None), None)


def _aim(draw: Draw, offer: Offer, target: Tool, progress: Progress) -> Decision:
    probes = [probe for probe in draw.scene.corpus.probes if probe.tool == target.name]
    act = _act(draw, probes)
    readers = _readers(draw.scene, offer, target)
    if (
        readers
        and offer.choice in {"auto", "required"}
        and (act == "wander" or _reads_first(draw, readers, progress.turn))
    ):
        return _read(draw, readers)
    if act == "ask":
        return _ask(draw, offer, probes)
    if act == "drift":
        return Decision(text=wording.drift(draw.chance("drift")))
    return _doubled(_call(draw, target, act, progress.results), draw, offer)


def _target(scene: Scene, offer: Offer) -> Tool | None:
    """The tool that the fixture is meant to reach, or the one that the request names."""
    named = offer.choice if offer.choice in offer.tools else scene.corpus.must_call(scene.fixture)
    return scene.corpus.tool(named) if named in offer.tools else None


def _readers(scene: Scene, offer: Offer, target: Tool | None) -> list[Tool]:
    """The offered tools that are neither measured nor for asking: those that look something up."""
    measured = {probe.tool for probe in scene.corpus.probes} | ({target.name} if target else set())
    tools = [tool for tool in scene.corpus.tools if tool.name in offer.tools and tool.clarify is None]
    return [tool for tool in tools if tool.name not in measured] or ([] if target else tools)


def _reads_first(draw: Draw, readers: Sequence[Tool], turn: int) -> bool:
    has_something = any(tool.name in draw.scene.fixture.returns for tool in readers)
    share = draw.profile.looks_up if has_something else draw.profile.looks_up / 10
    return turn == 0 and draw.happens("read", share)


def _read(draw: Draw, readers: Sequence[Tool]) -> Decision:
    if not readers:
        return Decision(text=wording.chat(draw.chance("chat")))
    returned = [tool for tool in readers if tool.name in draw.scene.fixture.returns]
    tool = (returned or readers)[0]
    return Decision(calls=(Wish(tool=tool.name, arguments=fill(tool.parameters, draw.scene, "")),))


def _act(draw: Draw, probes: Iterable[Probe]) -> Act:
    """What this sample does, in every turn the same."""
    measures = {probe.measure for probe in probes}
    if "membership" in measures:
        return draw.pick("act", draw.profile.acts[_condition(draw.scene)])
    if draw.happens("drift", draw.profile.drifts):
        return "drift"
    asks = fields.wants_to_ask(draw.scene) and draw.happens("ask", draw.profile.asks)
    return "ask" if asks else "right"


def _condition(scene: Scene) -> Condition:
    """The condition by the stratum's name, else by what the fixture has for an answer."""
    match scene.fixture.stratum:
        case "determined" | "ambiguous" | "unrecoverable" | "absent" as stratum:
            return stratum
    answer = scene.fixture.true_code
    if answer is None:
        return "ambiguous"
    catch_all = {value for known in scene.sets.values() for value in known.catch_all}
    return "unrecoverable" if answer in catch_all else "determined"


def _ask(draw: Draw, offer: Offer, probes: Sequence[Probe]) -> Decision:
    """A question for every field that is missing: by the clarify tool where there is one, else in words."""
    clarify = next((t for t in draw.scene.corpus.tools if t.clarify and t.name in offer.tools), None)
    asked = [probe for probe in probes if probe.measure == "closed-world"] or list(probes)
    if clarify is None or not draw.happens("clarify", 0.8):
        return Decision(text=wording.question(asked, draw.chance("question")))
    wishes = [
        Wish(
            tool=clarify.name, arguments={**fill(clarify.parameters, draw.scene, ""), clarify.clarify or "": p.argument}
        )
        for p in asked
    ]
    return Decision(calls=tuple(wishes if offer.parallel else wishes[:1]))


def _call(draw: Draw, target: Tool, act: Act, results: str) -> Decision:
    arguments = fill(target.parameters, draw.scene, results)
    for probe in draw.scene.corpus.probes:
        if probe.tool == target.name:
            value = _measured(draw, probe, act)
            fields.put(arguments, probe.argument, value)
    text = wording.beside_a_call(draw.chance("words")) if draw.happens("speaks", draw.profile.speaks) else None
    return Decision(text=text, calls=(Wish(tool=target.name, arguments=arguments),))


def _measured(draw: Draw, probe: Probe, act: Act) -> Json:
    """The value of one measured argument; UNSET where it is left out."""
    if probe.measure == "closed-world":
        return fields.closed_world(draw.scene, probe, draw.profile, draw.chance(f"fill/{probe.argument}"))
    return _code(draw, probe, act)


def _code(draw: Draw, probe: Probe, act: Act) -> Json:
    chance = draw.chance(f"code/{probe.argument}")
    known = draw.scene.sets.get(probe.set or "")
    members = list(known.values) if known else []
    specific = [value for value in members if known and value not in known.catch_all] or members
    truth = draw.scene.fixture.truth.get(probe.argument, draw.scene.fixture.true_code)
    if act == "omit":
        return chance.choice([msgspec.UNSET, None, ""])
    if not specific or act in {"invent", "ask", "drift", "wander"}:
        return invented_code(probe.argument, members, chance)
    one = truth if truth in members else chance.choice(specific)
    match act:
        case "near":
            return near_miss(one if one in specific else chance.choice(specific), chance)
        case "member":
            return chance.choice(specific)
        case "catch-all":
            return known.catch_all[0] if known and known.catch_all else one
    return one


def _doubled(decision: Decision, draw: Draw, offer: Offer) -> Decision:
    """The same call twice in one turn, as models that may call in parallel do."""
    if not offer.parallel or not draw.happens("double", draw.profile.doubles):
        return decision
    return Decision(text=decision.text, calls=decision.calls * 2)
