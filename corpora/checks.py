"""The arithmetic of a corpus: what must hold before anything is sampled or scored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from corpora.errors import BadInput
from corpora.fixtures import Fixture
from corpora.places import line_of
from corpora.probes import DERIVATIONS, Probe, steps
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject
from corpora.whole import Corpus


def faults(corpus: Corpus) -> Iterator[BadInput]:
    """Every way in which a corpus does not add up, each with its file, its line and what to do."""
    yield from _fixtures(corpus)
    yield from _strata(corpus)
    yield from _tools(corpus)
    yield from _probes(corpus)
    yield from _canned(corpus)


def truths(corpus: Corpus, sets: Mapping[str, AuthoritativeSet]) -> Iterator[BadInput]:
    """Every answer of a fixture that is no member of the set it is measured against."""
    probes = [probe for probe in corpus.probes if probe.measure == "membership" and probe.set in sets]
    for fixture in corpus.fixtures:
        for number, probe in enumerate(probes):
            first = fixture.true_code if number == 0 else None
            field = "true_code" if first is not None else "truth"
            answer = fixture.truth.get(probe.argument, first)
            known = sets[str(probe.set)]
            if answer is not None and answer not in known.values:
                yield fixture_fault(
                    corpus,
                    fixture,
                    f"the answer {answer!r} is not in the set {known.name}; take one of {_listed(known.values)}, "
                    "or leave it null",
                    field,
                )


def toml_fault(corpus: Corpus, what: str, field: str) -> BadInput:
    """A fault of corpus.toml, with the line of the field."""
    path = Path(corpus.folder) / "corpus.toml"
    return BadInput(what, path=str(path), line=line_of(path, field), field=field)


def fixture_fault(corpus: Corpus, fixture: Fixture, what: str, field: str) -> BadInput:
    """A fault of a fixture: at its line, or for one that a world made at the world."""
    if fixture.line:
        return BadInput(what, path=f"{corpus.folder}/fixtures.jsonl", line=fixture.line, field=field)
    path = Path(corpus.folder) / "worlds.toml"
    return BadInput(f"{fixture.id}: {what}", path=str(path), line=line_of(path, "worlds"), field=field)


def _listed(values: Iterable[Json], most: int = 8) -> str:
    texts = [str(value) for value in values]
    return ", ".join(texts[:most]) + (f" … ({len(texts)} in all)" if len(texts) > most else "")


def _strata(corpus: Corpus) -> Iterator[BadInput]:
    """The declared sizes are the sizes found."""
    found = Counter(fixture.stratum for fixture in corpus.fixtures)
    for stratum, size in corpus.strata.items():
        if found[stratum] != size:
            yield toml_fault(
                corpus,
                f"the strata do not add up: {stratum} is declared with {size} fixtures and has {found[stratum]}; "
                "correct the number or the fixtures",
                f"strata.{stratum}",
            )
    if not corpus.fixtures:
        yield toml_fault(corpus, "there is no fixture; write at least one into fixtures.jsonl", "strata")


def _fixtures(corpus: Corpus) -> Iterator[BadInput]:
    first: dict[str, Fixture] = {}
    probed = {probe.argument for probe in corpus.probes}
    tools = {tool.name for tool in corpus.tools}
    shows_state = "{state}" in corpus.system
    for fixture in corpus.fixtures:
        for what, field in (
            *_identity(corpus, fixture, first, tools),
            *_facts(fixture, probed),
            *_messages(fixture),
        ):
            yield fixture_fault(corpus, fixture, what, field)
        if fixture.visible and not shows_state:
            shows_state = True  # said once
            what = f"{fixture.id} has visible facts, and the system text has no {{state}} to show them; write it in"
            yield toml_fault(corpus, what, "system")
        first.setdefault(fixture.id, fixture)


def _identity(
    corpus: Corpus, fixture: Fixture, first: Mapping[str, Fixture], tools: set[str]
) -> Iterator[tuple[str, str]]:
    if fixture.stratum not in corpus.strata:
        declared = ", ".join(corpus.strata)
        yield f"{fixture.id} is in stratum {fixture.stratum!r}; declared are {declared}", "stratum"
    if not fixture.id.strip():
        yield "the id is empty; give every fixture one of its own", "id"
    if fixture.id in first:
        where = f"line {first[fixture.id].line}" if first[fixture.id].line else "a world's fixtures"
        yield f"the id {fixture.id!r} stands in {where} already; give every fixture one of its own", "id"
    if fixture.line and "~" in fixture.id:
        yield f"the id {fixture.id!r} has a ~, which marks what a world made; choose another", "id"
    if fixture.must_call is not None and fixture.must_call not in tools:
        yield f"there is no tool {fixture.must_call!r}; the tools are {', '.join(sorted(tools))}", "must_call"


def _facts(fixture: Fixture, probed: set[str]) -> Iterator[tuple[str, str]]:
    """What is said of an argument is said of one that is measured."""
    for field, facts in (("truth", fixture.truth), ("poisoned", fixture.poisoned), ("negated", fixture.negated)):
        for name in sorted(facts.keys() - probed):
            yield f"no probe measures {name!r}; measured are {', '.join(sorted(probed))}", f"{field}.{name}"


def _messages(fixture: Fixture) -> Iterator[tuple[str, str]]:
    """A conversation that an endpoint would take: it ends where a model speaks next, and every result has its call."""
    if not fixture.messages:
        yield f"{fixture.id} has no message; write the conversation", "messages"
        return
    calls: set[str] = set()
    for number, message in enumerate(fixture.messages):
        calls.update(call.id for call in message.tool_calls)
        if message.role == "tool" and message.tool_call_id not in calls:
            yield f"the tool result answers call {message.tool_call_id!r}, which nobody made", f"messages[{number}]"
        if message.role != "assistant" and not (message.content or "").strip():
            yield f"the {message.role} says nothing; write the content", f"messages[{number}].content"
    if fixture.messages[-1].role not in ("user", "tool"):
        yield "the conversation ends with the model's own words; end it with a user or a tool result", "messages"


def _tools(corpus: Corpus) -> Iterator[BadInput]:
    if not corpus.tools:
        yield toml_fault(corpus, "there is no tool; name at least one [[tools]]", "tools")
    names = Counter(tool.name for tool in corpus.tools)
    for number, tool in enumerate(corpus.tools):
        field = f"tools[{number}]"
        if names[tool.name] > 1:
            yield toml_fault(corpus, f"two tools are called {tool.name!r}; rename one", f"{field}.name")
        if tool.clarify is not None and not _has_path(tool.parameters, (tool.clarify,)):
            what = f"the parameters of {tool.name} have no argument {tool.clarify!r}; name one that they have"
            yield toml_fault(corpus, what, f"{field}.clarify")


def _probes(corpus: Corpus) -> Iterator[BadInput]:
    if not corpus.probes:
        yield toml_fault(corpus, "there is no probe; name at least one [[probes]]", "probes")
    seen = Counter((probe.tool, probe.argument, probe.measure) for probe in corpus.probes)
    for number, probe in enumerate(corpus.probes):
        field = f"probes[{number}]"
        if seen[probe.tool, probe.argument, probe.measure] > 1:
            what = f"{probe.argument} of {probe.tool} is measured twice by {probe.measure}; drop one"
            yield toml_fault(corpus, what, f"{field}.argument")
        for what, name in (*_target(corpus, probe), *_measure(corpus, probe), *_rules(probe)):
            yield toml_fault(corpus, what, f"{field}.{name}")


def _target(corpus: Corpus, probe: Probe) -> Iterator[tuple[str, str]]:
    tool = corpus.tool(probe.tool)
    if tool is None:
        known = ", ".join(tool.name for tool in corpus.tools)
        yield f"there is no tool {probe.tool!r}; the tools are {known}", "tool"
    elif not _has_path(tool.parameters, steps(probe.argument)):
        yield f"the parameters of {tool.name} have no {probe.argument!r}; name an argument that they have", "argument"


def _measure(corpus: Corpus, probe: Probe) -> Iterator[tuple[str, str]]:
    if probe.measure == "membership" and probe.set is None:
        yield "a membership probe names its set; write one of [sets] into it", "set"
    elif probe.measure == "membership" and probe.set not in corpus.set_specs:
        known = ", ".join(corpus.set_specs) or "none"
        yield f"there is no set {probe.set!r}; the sets are {known}", "set"
    for stratum in probe.pass_in:
        if stratum not in corpus.strata:
            yield f"there is no stratum {stratum!r}; the strata are {', '.join(corpus.strata)}", "pass_in"


def _rules(probe: Probe) -> Iterator[tuple[str, str]]:
    """A rule that nothing would heed is a misspelt one, or one of another type."""
    for name in probe.derive or ():
        if name not in DERIVATIONS:
            yield f"there is no derivation {name!r}; there is {', '.join(DERIVATIONS)}", "derive"
    if probe.locale is not None and not _LOCALE.fullmatch(probe.locale):
        yield f"expected a language such as de, en-US or pt-BR, found {probe.locale!r}", "locale"
    if probe.minor_units is not None and probe.type != "money":
        yield f'minor units are of money, and the type is {probe.type}; write type = "money"', "minor_units"
    if probe.minor_units is not None and not 0 <= probe.minor_units <= _MOST_DECIMALS:
        yield f"expected 0 to {_MOST_DECIMALS} decimals, found {probe.minor_units}", "minor_units"


_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_MOST_DECIMALS = 18


def _has_path(schema: JsonObject, steps: Iterable[str]) -> bool:
    """Whether a dotted path leads to something in a schema; a schema that lists no properties is taken at its word."""
    here: Json = schema
    for step in steps:
        container, listed = ("array", "items") if step == "*" else ("object", "properties")
        kinds = here.get("type", container)
        if container not in (kinds if isinstance(kinds, list) else [kinds]):
            return False
        inside = here.get(listed)
        if not isinstance(inside, dict):
            return True
        here = inside if step == "*" else inside.get(step)
        if not isinstance(here, dict):
            return False
    return True


def _canned(corpus: Corpus) -> Iterator[BadInput]:
    ids = {fixture.id for fixture in corpus.fixtures}
    known = {name for p in corpus.probes for name in (p.argument, f"{p.argument}:{p.measure}")}
    for canned in corpus.canned:
        path = f"{corpus.folder}/canned.jsonl"
        if canned.fixture not in ids:
            what = f"there is no fixture {canned.fixture!r}; name one of fixtures.jsonl"
            yield BadInput(what, path=path, line=canned.line, field="fixture")
        for name in sorted(canned.expect.keys() - known):
            what = f"no probe measures {name!r}; measured are {', '.join(sorted(known))}"
            yield BadInput(what, path=path, line=canned.line, field=f"expect.{name}")
