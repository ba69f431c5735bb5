"""A corpus as one value: what was read from its folder, and what follows from that alone."""

from __future__ import annotations

import msgspec

from corpora.fixtures import CannedTrace, Fixture
from corpora.probes import Probe, RunDefaults, Tool
from corpora.sets import SetSpec
from corpora.values import JsonObject


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a run or a scorer needs to know of a corpus, the sets' values apart."""

    name: str
    folder: str
    system: str
    run: RunDefaults
    strata: dict[str, int]
    tools: tuple[Tool, ...]
    probes: tuple[Probe, ...]
    set_specs: dict[str, SetSpec]
    fixtures: tuple[Fixture, ...]
    canned: tuple[CannedTrace, ...]
    system_sha256: str
    tools_sha256: str
    corpus_sha256: str
    replaced: JsonObject = {}
    """What took the place of its own words: `system`, a text, or `tools`, name -> description and parameters."""

    def tool(self, name: str) -> Tool | None:
        """The tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def must_call(self, fixture: Fixture) -> str:
        """The tool that a fixture is meant to reach."""
        return fixture.must_call or self.probes[0].tool

    def system_text(self, fixture: Fixture) -> str:
        """The system text with `{state}` filled by the fixture's visible state as JSON."""
        state = msgspec.json.format(msgspec.json.encode(fixture.visible), indent=0).decode()
        return self.system.replace("{state}", state)

    def by_id(self) -> dict[str, Fixture]:
        """The fixtures by their ids."""
        return {fixture.id: fixture for fixture in self.fixtures}
