"""Nothing goes out, and nothing is scored, while a canned trace gets another verdict than the one written beside it."""

from __future__ import annotations

from corpora.corpus import Corpus
from corpora.snapshots import AuthoritativeSet
from runner.errors import Finding
from scoring.canned import flips


def require_canned(corpus: Corpus, sets: dict[str, AuthoritativeSet]) -> None:
    """Raises Finding where a canned trace's verdict flips, naming trace, expected and given."""
    found = flips(corpus, sets)
    if found:
        more = f" (and {len(found) - 1} more: assumeprobe check names them)" if len(found) > 1 else ""
        raise Finding(f"{corpus.folder}/canned.jsonl: {found[0].sentence()}{more}; nothing was sent or scored")
