"""The roll of a run's sites, for its manifest: who worked, with which share, what became of each, what it may cost.

An entry is plain JSON: `{id, fate, adopted, recorded, unknown, concurrency, hand, …facts}`. `unknown` is how many calls
may have been paid twice: what was in its hand when it was lost, or `hand`, the most that can have been in it, where
nobody was there to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from corpora.jsonl import to_json
from corpora.values import Json, JsonObject
from runner.log import logger
from runner.schedule.messages import Share
from runner.schedule.witness import Witness

WORKS, SILENT, LOST, GONE, RELEASED, KEPT = "works", "silent", "lost", "gone", "released", "kept"
_OPEN = frozenset({WORKS, SILENT, KEPT})


class Note(Protocol):
    """Saves fields of the manifest."""

    def __call__(self, **facts: Json) -> None:
        """Save them now."""


class Roll(Witness):
    """A witness that keeps entries: those of earlier starts first."""

    def __init__(
        self,
        earlier: Iterable[JsonObject],
        living: Mapping[str, JsonObject],
        note: Note,
    ) -> None:
        """`living`: the sites that an earlier start left and that still live, with their facts."""
        self._facts: Mapping[str, JsonObject] = living
        self._note = note
        self._entries: list[JsonObject] = []
        self._now: dict[str, JsonObject] = {}
        self._unseen: set[str] = set()
        """Sites that an earlier start left, and that were not heard of yet."""
        for entry in earlier:
            self._recall(dict(entry))

    def _recall(self, entry: JsonObject) -> None:
        self._entries.append(entry)
        if entry.get("fate") not in _OPEN:
            return
        if entry["id"] in self._facts:
            self._now[entry["id"]] = entry
            self._unseen.add(entry["id"])
            entry.setdefault("hand", entry.get("concurrency", 0))
        else:  # it ended with its coordinator, or while none was there
            entry.update(fate=GONE, unknown=entry.get("hand", entry.get("concurrency", 0)))

    def facts(self) -> JsonObject:
        """The fields of the manifest: every site, and how many calls may have been paid twice, over all starts."""
        unknown = sum(int(entry.get("unknown", 0)) for entry in self._entries)
        return {"sites": tuple(dict(entry) for entry in self._entries), "paid_twice_at_most": unknown}

    def introduce(self, facts: Mapping[str, JsonObject]) -> None:
        """What is known of sites, also of those that come later: it is looked up when they join."""
        self._facts = facts

    def joined(self, site: str, adopted: int) -> None:
        """Enter a site, or go on with the entry that it has."""
        self._unseen.discard(site)
        self._entry(site).update(self._facts.get(site, {}), fate=WORKS, adopted=adopted)
        if adopted:
            logger().info("a site goes on with what an earlier start gave it", site=site, keys=adopted)
        self._note(**self.facts())

    def shared(self, site: str, share: Share, most: int) -> None:
        """Note a share; and save it before there is more in a hand than a later start would know of."""
        entry = self._entry(site)
        entry.update(to_json(share))
        if most > entry["hand"]:
            entry["hand"] = most
            self._note(**self.facts())

    def wrote(self, site: str, lines: int) -> None:
        """Count lines."""
        self._entry(site)["recorded"] += lines

    def silent(self, site: str, keys: int) -> None:
        """Say that keys wait."""
        self._entry(site)["fate"] = SILENT
        words = "a site cannot be reached; its keys wait for it, since their calls may be finishing"
        logger().warning(words, site=site, keys=keys)
        self._note(**self.facts())

    def heard(self, site: str) -> None:
        """Say that it is back."""
        self._entry(site)["fate"] = WORKS
        logger().info("a site that could not be reached has answered", site=site)
        self._note(**self.facts())

    def lost(self, site: str, keys: int, why: str) -> None:
        """Say what is drawn again, and save it at once: a later start must know."""
        entry = self._entry(site)
        entry.update(fate=LOST, unknown=entry["hand"] if site in self._unseen else keys, why=why)
        logger().warning("a site is lost; its keys are drawn again", site=site, keys=keys, why=why)
        self._note(**self.facts())

    def end(self, *, released: bool) -> JsonObject:
        """What becomes of the sites that still live, and with that the last fields of the manifest."""
        for entry in self._now.values():
            if entry["fate"] in _OPEN:
                entry["fate"] = RELEASED if released else KEPT
        facts = self.facts()
        if facts["paid_twice_at_most"]:
            words = "sites were lost with calls in their hands; so many of all calls may have been paid twice"
            logger().warning(words, at_most=facts["paid_twice_at_most"])
        return facts

    def _entry(self, site: str) -> JsonObject:
        """The entry of a site, made where it has none: the first word of it may be that it does not answer."""
        entry = self._now.get(site)
        if entry is None:
            entry = {"id": site, "fate": WORKS, "adopted": 0, "recorded": 0, "unknown": 0, "concurrency": 0}
            entry["hand"] = 0
            entry.update(self._facts.get(site, {}))
            self._entries.append(entry)
            self._now[site] = entry
        return entry
