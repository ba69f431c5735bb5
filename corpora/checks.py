"""The arithmetic of a corpus: what must hold before anything is sampled or scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from corpora.corpus import Corpus, Probe
from corpora.errors import BadInput


def faults(corpus: Corpus) -> Iterator[BadInput]:
    """Every way in which a corpus does not add up, each with its file and line."""
    yield from _fixtures(corpus)
    yield from _strata(corpus)
    yield from _tools(corpus)
    yield from _probes(corpus)
    yield from _canned(corpus)


def _toml_fault(corpus: Corpus, what: str, field: str) -> BadInput:
    return BadInput(what, path=f"{corpus.folder}/corpus.toml", field=field)


def _fixture_fault(corpus: Corpus, what: str, line: int, field: str) -> BadInput:
    return BadInput(what, path=f"{corpus.folder}/fixtures.jsonl", line=line, field=field)


def _strata(corpus: Corpus) -> Iterator[BadInput]:
    """The declared sizes are the sizes found."""
    found = Counter(fixture.stratum for fixture in corpus.fixtures)
    for stratum, size in corpus.strata.items():
        if found[stratum] != size:
            yield _toml_fault(
                corpus,
                f"the strata do not add up: {stratum} is declared with {size} fixtures and has {found[stratum]}; "
                "correct the number or the fixtures",
                f"strata.{stratum}",
            )
    if not corpus.fixtures:
        yield _toml_fault(corpus, "there is no fixture; write at least one into fixtures.jsonl", "strata")


def _fixtures(corpus: Corpus) -> Iterator[BadInput]:
    first_line: dict[str, int] = {}
    tools = {tool.name for tool in corpus.tools}
    for fixture in corpus.fixtures:
        at = fixture.line
        if fixture.stratum not in corpus.strata:
            declared = ", ".join(corpus.strata)
            yield _fixture_fault(
                corpus,
                f"{fixture.id} is in stratum {fixture.stratum!r}; declared are {declared}",
                at,
                "stratum",
            )
        if fixture.id in first_line:
            yield _fixture_fault(
                corpus, f"the id {fixture.id!r} stands in line {first_line[fixture.id]} already", at, "id"
            )
        first_line.setdefault(fixture.id, at)
        if fixture.must_call is not None and fixture.must_call not in tools:
            yield _fixture_fault(corpus, f"there is no tool {fixture.must_call!r}", at, "must_call")
        if not fixture.messages:
            yield _fixture_fault(corpus, f"{fixture.id} has no message", at, "messages")


def _tools(corpus: Corpus) -> Iterator[BadInput]:
    if not corpus.tools:
        yield _toml_fault(corpus, "there is no tool; name at least one [[tools]]", "tools")
    for name, count in Counter(tool.name for tool in corpus.tools).items():
        if count > 1:
            yield _toml_fault(corpus, f"{count} tools are named {name!r}", "tools")


def _probes(corpus: Corpus) -> Iterator[BadInput]:
    if not corpus.probes:
        yield _toml_fault(corpus, "there is no probe; name at least one [[probes]]", "probes")
    for number, probe in enumerate(corpus.probes):
        yield from _probe(corpus, probe, f"probes[{number}]")
    listed = Counter((probe.tool, probe.argument, probe.measure) for probe in corpus.probes)
    for (tool, argument, measure), count in listed.items():
        if count > 1:
            yield _toml_fault(corpus, f"{tool}.{argument} is probed {count} times by {measure}", "probes")


def _probe(corpus: Corpus, probe: Probe, field: str) -> Iterator[BadInput]:
    if corpus.tool(probe.tool) is None:
        known = ", ".join(tool.name for tool in corpus.tools)
        yield _toml_fault(corpus, f"there is no tool {probe.tool!r}; the tools are {known}", f"{field}.tool")
    if probe.measure == "membership" and probe.set is None:
        yield _toml_fault(corpus, "a membership probe names its set", f"{field}.set")
    elif probe.measure == "membership" and probe.set not in corpus.set_specs:
        known = ", ".join(corpus.set_specs) or "none"
        yield _toml_fault(corpus, f"there is no set {probe.set!r}; the sets are {known}", f"{field}.set")
    for stratum in probe.pass_in:
        if stratum not in corpus.strata:
            yield _toml_fault(corpus, f"there is no stratum {stratum!r}", f"{field}.pass_in")


def _canned(corpus: Corpus) -> Iterator[BadInput]:
    ids = {fixture.id for fixture in corpus.fixtures}
    for canned in corpus.canned:
        if canned.fixture not in ids:
            yield BadInput(
                f"there is no fixture {canned.fixture!r}",
                path=f"{corpus.folder}/canned.jsonl",
                line=canned.line,
                field="fixture",
            )
