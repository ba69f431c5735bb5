"""The predicate at call time: may this argument pass, by the set that the owning service holds now.

Pure: no clock, no file, no thread. `scoring.guarded` keeps a guard's sets fresh and puts it before a function.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from enum import EnumType
from functools import partial
from pathlib import Path
from typing import Self

import msgspec

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.probes import Probe, Tool
from corpora.sets import Fetch, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json
from scoring.guarding.checks import UNREADABLE, ToolChecks, made_ready
from scoring.guarding.decision import Decision, blank, quoted, refusal
from scoring.guarding.sources import Source, read_source, same_reading
from scoring.judging.names import plain_name

__all__ = ["Decision", "Guard", "Source"]

_replace = msgspec.structs.replace


class Guard:
    """Probes and their sets, ready to be asked on every call. Safe to be asked by many threads.

    `sets`: name -> values, an AuthoritativeSet, or a callable that reads them again; a callable is called once here.
    `tools`: what the tools are, as far as it matters: their schemas say whether a call without arguments is one, and
    their texts whether an invented value was taken from there. Without, the tools are those that the probes name.
    Raises BadInput where a set is empty or not there.
    """

    def __init__(self, probes: Iterable[Probe], sets: Mapping[str, Source], *, tools: Iterable[Tool] = ()) -> None:
        self.probes = tuple(probes)
        named = {probe.tool: Tool(name=probe.tool, parameters={}) for probe in self.probes}
        self._tools = {**named, **{tool.name: tool for tool in tools}}
        self.readers: dict[str, Callable[[], AuthoritativeSet]] = {
            name: partial(read_source, name, source)
            for name, source in sets.items()
            if callable(source) and not isinstance(source, EnumType)
        }
        """Set name -> what reads it again, for the sets that can be."""
        self.refresh_s: dict[str, float] = {}
        """Set name -> how often it asks to be read again, in seconds, where it says so."""
        self.on_confirm: list[Callable[[tuple[str, ...]], None]] = []
        """Who is told the names of the sets that were confirmed."""
        self._held: dict[str, AuthoritativeSet] = {}
        self._sets: dict[str, AuthoritativeSet] = {}
        self._lock = threading.Lock()  # one swap at a time; who asks never waits for it
        self._use({name: read_source(name, source) for name, source in sets.items()})

    @classmethod
    def from_corpus(cls, corpus: Corpus, fetch: Fetch | None = None) -> Self:
        """The probes, tools and sets of a corpus. `fetch`: reads the sets that need a connection."""
        folder = Path(corpus.folder)
        sources = {name: partial(read_set, name, spec, folder, fetch) for name, spec in corpus.set_specs.items()}
        found = cls(corpus.probes, sources, tools=corpus.tools)
        found.refresh_s = {name: spec.refresh_s for name, spec in corpus.set_specs.items() if spec.refresh_s}
        return found

    def allows(self, tool: str, argument: str, value: Json) -> bool:
        """Whether a value is a member of the set of a membership probe. Nothing (None, "") is none.

        Raises BadInput where the guard has no such probe: a misspelt name must not look like a bad value.
        """
        try:
            if value in self._texts[tool][argument]:
                return True
            if type(value) is str:
                return False
        except (KeyError, TypeError):
            pass
        return self._holds(tool, argument, value)

    def check(self, tool: str, arguments: object, shown: Json = None) -> Decision:
        """Whether a call may pass, with the verdict and the reason in words. Never raises for what a model can send.

        `arguments`: the emitted string, or the dict that a framework made of it (whose duplicate keys nobody can see
        any more). `shown`: what the model was shown, for the closed-world probes: a text, the messages, or
        {"messages": …, "state": …}; without it they are not checked, which the reason says.
        """
        if shown is None and type(arguments) is str:
            try:
                decoder, pick, members, passed, known = self._short[tool]
                decode = decoder(arguments.count('"'))
                if decode is not None:
                    texts = pick(decode(arguments))
                    found = known(texts)
                    if found is not None:
                        return found
                    if texts in members:
                        return _replace(passed, emitted=texts, stored=texts)
            except UNREADABLE:
                pass
        checks = self._checks.get(tool) if shown is None and type(tool) is str else None
        found = checks.quickly(arguments) if checks is not None and checks.short else None
        return found or self._closely(tool, arguments, shown)

    @property
    def sets(self) -> dict[str, AuthoritativeSet]:
        """The sets in use."""
        return dict(self._sets)

    @property
    def held(self) -> dict[str, AuthoritativeSet]:
        """Readings that are held back until `confirm`, since they lost too many values."""
        return dict(self._held)

    def take(self, name: str, found: AuthoritativeSet, max_shrink: float | None = None) -> bool:
        """Use a new reading of a set from the next call on; False where it is held back.

        It is where more than the part `max_shrink` (0 to 1) of the values would be gone. Every later reading counts
        anew; the last one is what `confirm` takes. Raises BadInput for a set that no probe knows, or that is empty.
        """
        with self._lock:
            if name not in self._sets:
                raise BadInput(f"there is no set {name!r} in this guard", field=name)
            if not found.values:
                raise BadInput("the set is empty", field=f"sets.{name}")
            before = len(self._sets[name].values)
            if max_shrink is not None and (before - len(found.values)) / before > max_shrink:
                self._held[name] = found
                return False
            self._held.pop(name, None)
            if same_reading(self._sets[name], found):
                self._sets = {**self._sets, name: found}
            else:
                self._use({**self._sets, name: found})
            return True

    def confirm(self) -> tuple[str, ...]:
        """Take the readings that were held back; returns the names of their sets."""
        with self._lock:
            names = tuple(self._held)
            if names:
                self._use({**self._sets, **self._held})
                self._held.clear()
        for tell in self.on_confirm:
            tell(names)
        return names

    def unlock(self) -> None:
        """After a fork: a swap that was going on in the parent goes on nowhere here."""
        self._lock = threading.Lock()

    def sets_of(self, tool: str) -> tuple[str, ...]:
        """The names of the sets that a tool's calls are held against. Raises BadInput for an unknown tool."""
        if tool not in self._tools:
            raise BadInput(self._stranger(tool), field="tool")
        return tuple(dict.fromkeys(probe.set for probe in self.probes if probe.tool == tool and probe.set is not None))

    def _use(self, sets: dict[str, AuthoritativeSet]) -> None:
        """Make everything ready for these sets, then swap it in: who asks sees the old state or the new one, whole."""
        checks = made_ready(self._tools, self.probes, sets)
        self._sets = sets
        self._texts = {
            name: {check.probe.argument: check.texts for check in one.sets if check.exact}
            for name, one in checks.items()
        }
        self._checks: dict[str, ToolChecks] = checks
        self._short = {name: one.shortly() for name, one in checks.items() if one.short}

    def _holds(self, tool: str, argument: str, value: Json) -> bool:
        """What a look at the texts leaves open: numbers, booleans, sets that do not compare exactly."""
        checks = self._checks.get(tool)
        check = next((one for one in checks.sets if one.probe.argument == argument), None) if checks else None
        if check is None:
            raise BadInput(f"there is no membership probe {tool}.{argument} in this guard", field="argument")
        if value is None or value == "":
            return False
        try:
            return check.members.holds(value)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):  # no JSON value, so no member
            return False

    def _closely(self, tool: str, arguments: object, shown: Json) -> Decision:
        name = plain_name(tool) if isinstance(tool, str) else ""
        checks = self._checks.get(name)
        if checks is None:
            verdict = msgspec.structs.replace(blank(name[:200]), call=0, offered=False)
            return refusal(verdict, self._stranger(tool))
        flags = () if name == tool else ("tool-name-normalised",)
        try:
            return checks.closely(arguments, shown, flags)
        except BadInput:
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours must not let a call pass
            verdict = msgspec.structs.replace(blank(name), call=0, offered=True, flags=("guard-fault",))
            reason = f"the check itself failed with {type(error).__name__}, so the call may not pass"
            return refusal(verdict, reason)

    def _stranger(self, tool: object) -> str:
        return f"no tool {quoted(tool)} is guarded here; guarded: {', '.join(self._tools)}"
