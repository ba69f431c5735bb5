"""What answered a run: its models and fingerprints, and whether two samples of one fixture were really two draws."""

from __future__ import annotations

from collections.abc import Iterable

from corpora.values import JsonObject
from runner.endpoints.base import Reply

_MOST = 40_000
"""So much is remembered, in a few megabytes; a cache shows itself long before."""


class Pins:
    """Collects over one run. A cache between here and the model would make of n samples one."""

    def __init__(self) -> None:
        self._models: dict[str, None] = {}
        self._fingerprints: dict[str, None] = {}
        self._seen: set[int] = set()

    @property
    def moved(self) -> bool:
        """Whether what answered changed within the run."""
        return len(self._models) > 1 or len(self._fingerprints) > 1

    def add(self, fixture_id: str, replies: Iterable[Reply]) -> tuple[str, ...]:
        """Take the replies of one sample in; flags where another sample of its fixture had one of them already."""
        ids: set[int] = set()
        bodies: set[int] = set()
        for turn, reply in enumerate(replies):
            answer = reply.answer
            if answer is None:
                continue
            self._models.update({answer.model: None} if answer.model else {})
            self._fingerprints.update({answer.fingerprint: None} if answer.fingerprint else {})
            if answer.response_id:  # a body with an id is told by that
                ids.add(hash((fixture_id, answer.response_id)))
            else:
                bodies.add(hash((fixture_id, turn, reply.body)))
        flags = {"repeated-response-id": ids & self._seen, "repeated-response": bodies & self._seen}
        if len(self._seen) < _MOST:
            self._seen |= ids | bodies
        return tuple(name for name, found in flags.items() if found)

    def as_json(self) -> JsonObject:
        """For the manifest."""
        return {
            "response_models": list(self._models),
            "system_fingerprints": list(self._fingerprints),
            "moved": self.moved,
        }
