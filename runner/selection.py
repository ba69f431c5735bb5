"""Which fixtures of a corpus a run takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.fixtures import Fixture


def select(
    corpus: Corpus, strata: tuple[str, ...], fixtures: tuple[str, ...], limit: int | None
) -> tuple[str, ...] | None:
    """The fixtures that --stratum, --fixture and --limit choose, in the corpus's order; None where all.

    Raises BadInput where a name is unknown or nothing is left.
    """
    _known("--stratum", strata, corpus.strata)
    _known("--fixture", fixtures, corpus.by_id())
    if not strata and not fixtures and limit is None:
        return None
    chosen = [
        fixture
        for fixture in corpus.fixtures
        if (not strata or fixture.stratum in strata) and (not fixtures or fixture.id in fixtures)
    ]
    if not chosen:
        raise BadInput("--stratum and --fixture together leave no fixture")
    kept = set(_in_turn(chosen)[:limit])
    return tuple(fixture.id for fixture in chosen if fixture.id in kept)


def _known(flag: str, names: Iterable[str], known: Iterable[str]) -> None:
    strangers = [name for name in names if name not in set(known)]
    if strangers:
        listed = list(known)
        shown = ", ".join(listed[:12]) + (", …" if len(listed) > 12 else "")
        raise BadInput(f"{strangers[0]!r} is not in the corpus; it has {shown}", field=flag)


def _in_turn(fixtures: Iterable[Fixture]) -> list[str]:
    """Ids, the first of every stratum before the second of any, so that a limit leaves no stratum out."""
    seen: Counter[str] = Counter()
    ranked = []
    for fixture in fixtures:
        ranked.append((seen[fixture.stratum], fixture.id))
        seen[fixture.stratum] += 1
    ranked.sort(key=lambda pair: pair[0])
    return [id_ for _, id_ in ranked]
