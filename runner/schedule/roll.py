"""The roll of a run's sites, for its manifest: who worked, with which share, what became of each, what it may cost.

An entry is plain JSON: `{id, fate, adopted, recorded, unknown, concurrency, …facts}`. `unknown` is how many calls may
have been paid twice: what was in its hand when it was lost, or all of its share where nobody was there to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from corpora.values import JsonObject
from runner.log import logger
from runner.schedule.messages import Share

WORKS, SILENT, LOST, GONE, RELEASED, KEPT = "works", "silent", "lost", "gone", "released", "kept"
_OPEN = frozenset({WORKS, SILENT, KEPT})


class Roll:
    """A witness that keeps entries: those of earlier starts first."""

    def __init__(
        self,
        earlier: Iterable[JsonObject],
        living: Mapping[str, JsonObject],
        note: Callable[[tuple[JsonObject, ...]], None],
    ) -> None:
        """`living`: the sites that an earlier start left and that still live, with their facts. `note` saves entries."""
        self._facts = dict(living)
        self._note = note
        self._entries: list[JsonObject] = []
        self._now: dict[str, JsonObject] = {}
        for entry in earlier:
            self._recall(dict(entry))

    def _recall(self, entry: JsonObject) -> None:
        self._entries.append(entry)
        if entry.get("fate") not in _OPEN:
            return
        if entry["id"] in self._facts:
            self._now[entry["id"]] = entry
        else:  # it ended with its coordinator, or while none was there
            entry.update(fate=GONE, unknown=entry.get("concurrency", 0))

    @property
    def entries(self) -> tuple[JsonObject, ...]:
        """As the manifest has them."""
        return tuple(self._entries)

    @property
    def unknown(self) -> int:
        """How many calls may have been paid twice, over all starts."""
        return sum(int(entry.get("unknown", 0)) for entry in self._entries)

    def introduce(self, site: str, facts: JsonObject) -> None:
        """What is known of a site that is about to join."""
        self._facts[site] = facts

    def joined(self, site: str, adopted: int) -> None:
        """Enter a site, or go on with the entry that it has."""
        entry = self._now.get(site)
        if entry is None:
            entry = {"id": site, "fate": WORKS, "adopted": 0, "recorded": 0, "unknown": 0, "concurrency": 0}
            self._entries.append(entry)
            self._now[site] = entry
        entry.update(self._facts.get(site, {}), fate=WORKS, adopted=adopted)
        if adopted:
            logger().info("a site goes on with what an earlier start gave it", site=site, keys=adopted)
        self._note(self.entries)

    def shared(self, site: str, share: Share) -> None:
        """Note a share."""
        if site in self._now:
            self._now[site]["concurrency"] = share.concurrency
            self._now[site]["requests_per_s"] = share.requests_per_s
            self._now[site]["tokens_per_min"] = share.tokens_per_min

    def wrote(self, site: str, lines: int) -> None:
        """Count lines."""
        if site in self._now:
            self._now[site]["recorded"] += lines

    def silent(self, site: str, keys: int) -> None:
        """Say that keys wait."""
        self._set(site, SILENT)
        words = "a site cannot be reached; its keys wait for it, since their calls may be finishing"
        logger().warning(words, site=site, keys=keys)

    def heard(self, site: str) -> None:
        """Say that it is back."""
        self._set(site, WORKS)
        logger().info("a site that could not be reached has answered", site=site)

    def lost(self, site: str, keys: int, why: str) -> None:
        """Say what is drawn again, and save it at once: a later start must know."""
        if site not in self._now:
            self.joined(site, 0)
        self._now[site].update(fate=LOST, unknown=keys, why=why)
        logger().warning("a site is lost; its keys are drawn again", site=site, keys=keys, why=why)
        self._note(self.entries)

    def end(self, fate: str) -> None:
        """What becomes of the sites that still live."""
        for entry in self._now.values():
            if entry["fate"] in _OPEN:
                entry["fate"] = fate

    def _set(self, site: str, fate: str) -> None:
        if site in self._now:
            self._now[site]["fate"] = fate
