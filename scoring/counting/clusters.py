"""One fixture's part of a probe as draws that count, of all draws: what rates and comparisons are made of."""

from __future__ import annotations

from collections import Counter

from corpora.jsonl import decode_value
from corpora.values import Json
from scoring.counting.intervals import Cluster
from scoring.counting.ledger import Ledger
from scoring.counting.outcomes import SetOutcome


def failing(ledger: Ledger, fixture_id: str, place: int) -> Cluster:
    """What a fixture's samples got wrong for the probe at `place`: calls out of the set, or labels that do not pass."""
    bad = base = 0
    for outcome, count in ledger.tallies[fixture_id].outcomes.items():
        part = outcome.probes[place]
        if isinstance(part, SetOutcome):
            bad += count * sum(not value.in_set for value in part.values)
            base += count * len(part.values)
        elif part.label is not None:
            bad += count * (not part.passes)
            base += count
    return bad, base


def values(ledger: Ledger, fixture_ids: list[str], place: int) -> dict[str, int]:
    """Emitted values, as JSON text, with their counts over some fixtures."""
    found: Counter[str] = Counter()
    for fixture_id in fixture_ids:
        for outcome, count in ledger.tallies[fixture_id].outcomes.items():
            part = outcome.probes[place]
            if isinstance(part, SetOutcome):
                for value in part.values:
                    found[value.text] += count
    return dict(found)


def read_values(texts: list[str]) -> list[Json]:
    """JSON texts as values."""
    return [decode_value(text) for text in texts]
