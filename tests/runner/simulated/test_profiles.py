"""The profiles differ as the corpora were built to show: in every stratum, for every probe, over real HTTP."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from corpora.corpus import Corpus, bundled, load, read_sets
from corpora.jsonl import read_records
from runner.flags import RunFlags
from runner.jobs import Job
from runner.running import sample
from runner.simulated.scenes import Stage
from scoring import judge
from scoring.counting.summary import Tally

Rates = dict[tuple[str, str], float | None]


def rates(corpus: Corpus, profile: str, folder: Path, samples: int) -> Rates:
    """(argument, stratum) -> the share that fails: out of set for membership, not passing in a closed world."""
    sets = read_sets(corpus)
    output = folder / f"{profile}.jsonl"
    flags = RunFlags(simulate=profile, samples=samples)
    anyio.run(sample, Job(corpus=corpus, sets=sets, flags=flags, environ={}, output=output, quiet=True))
    tally = Tally(corpus, sets, planned=samples * len(corpus.fixtures))
    for record in read_records(output):
        tally.add(record, judge(record, corpus, sets))
    return {
        (f"{probe.argument}:{probe.measure}", name): stratum.rate
        for probe in tally.summary().probes
        for name, stratum in probe.strata.items()
    }


@pytest.mark.parametrize("name", bundled())
def test_careless_fails_more_than_careful_in_every_stratum_and_perfect_never(name: str, tmp_path: Path) -> None:
    corpus = load(name)
    samples = max(3, 400 // len(corpus.fixtures))
    careless, careful, perfect = (
        rates(corpus, profile, tmp_path, samples) for profile in ("careless", "careful", "perfect")
    )
    assert careless.keys() == careful.keys() == perfect.keys()
    for where, rate in careless.items():
        assert perfect[where] in (0, None), where
        assert rate is not None, where
        assert rate > (careful[where] or 0), where


def test_every_bundled_fixture_is_found_by_what_it_shows() -> None:
    stage = Stage([load(name) for name in bundled()])
    for scene in stage.scenes:
        messages = [{"role": message.role, "content": message.content} for message in scene.fixture.messages]
        found = stage.find([{"role": "system", "content": scene.system}, *messages])
        assert found.fixture.id == scene.fixture.id
